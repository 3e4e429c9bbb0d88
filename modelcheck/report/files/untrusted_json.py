"""Values in a JSON document that comes from outside, each with the place where it stands.

Whatever is not as it should be is refused with a UsageError that names the file and the place:
'run.json: counterexamples[0].trace.steps[3].process: there is no p9'.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from ...errors import UsageError, nearest
from ...text.visible import visible

LONGEST = 60  # characters of a value in a sentence


def read_json(file: Path, most_bytes: int) -> Place:
    """The document in a file. Raises UsageError for what cannot be read, is too large, or is no JSON."""
    whole = Place(file.name, None)
    try:
        if file.is_fifo() and not str(file).startswith(("/dev/", "/proc/")):  # it would be waited for, perhaps for ever
            raise UsageError(f"{file} is a pipe: write what comes out of it to a file")
        with file.open("rb") as stream:
            data = stream.read(most_bytes + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{file!s:.60} is no name of a file: {error}") from None
    if len(data) > most_bytes:
        whole.refuse(f"it is larger than {most_bytes // 1_000_000} MB, and no trace is")
    try:
        whole.value = json.loads(data, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_no_number)
    except json.JSONDecodeError as error:
        whole.refuse(f"it is no JSON: {error.msg} in line {error.lineno}, column {error.colno}")
    except (ValueError, RecursionError) as error:  # text that is no UTF-8, numbers of thousands of digits, deep nesting
        deep = isinstance(error, RecursionError)
        whole.refuse(f"it is no JSON to be read: {'it is nested too deeply' if deep else error}")
    return whole


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:LONGEST]} is no whole number")


class Place:
    """A value, and how to complain about it."""

    def __init__(self, file: str, value: Any, path: str = "") -> None:
        self.file, self.value, self.path = file, value, path

    def refuse(self, what: str) -> NoReturn:
        raise UsageError(visible(": ".join(filter(None, [self.file, self.path, what]))))

    # --- inside of it

    def __getitem__(self, name: str) -> Place:
        """The field of this name, which must be there."""
        if name not in self.fields():
            self.refuse(f"the field {name!r} is missing")
        return self._field(name)

    def get(self, name: str) -> Place | None:
        """The field of this name; None where it is missing or null."""
        return None if self.fields().get(name) is None else self._field(name)

    def fields(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            self._wanted("an object")
        return self.value

    def each_field(self) -> Iterator[tuple[str, Place]]:
        """Every field with its name."""
        for name in self.fields():
            if not _is_sound(name):
                self.refuse("the name of a field has half of a character in it")
            yield name, self._field(name)

    def items(self) -> list[Place]:
        """The items of a list."""
        if not isinstance(self.value, list):
            self._wanted("a list")
        return [Place(self.file, item, f"{self.path}[{number}]") for number, item in enumerate(self.value)]

    def _field(self, name: str) -> Place:
        return Place(self.file, self.value[name], f"{self.path}.{name}" if self.path else name)

    # --- what it is

    def text(self) -> str:
        if not isinstance(self.value, str):
            self._wanted("a text")
        if not _is_sound(self.value):
            self.refuse("this text has half of a character in it")
        return self.value

    def name(self) -> str:
        """A text that can be seen, all of it."""
        if not self.text().isprintable():
            self.refuse(f"there is something in {_shown(self.value)!r} that cannot be seen")
        return self.text()

    def word(self, known: Iterable[str], what: str) -> str:
        """A text that is one of these."""
        text, words = self.text(), list(known)
        if text not in words:
            self.refuse(f"there is no {what}{_shown(text)}; {nearest(text[:LONGEST], words)}")
        return text

    def number(self, least: int, most: int | None = None) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self._wanted("a whole number")
        if self.value < least or (most is not None and self.value > most):
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
            self.refuse(f"a number {bounds} is wanted here, not {_shown(self.value)}")
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self._wanted("true or false")
        return self.value

    def _wanted(self, what: str) -> NoReturn:
        self.refuse(f"{what} is wanted here, not {_shown(self.value)}")


def _shown(value: object) -> str:
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _is_sound(text: str) -> bool:
    """Whether it can be written: JSON may hold one half of a pair that makes up a character."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
