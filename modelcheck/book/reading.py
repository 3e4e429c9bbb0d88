"""Reading a file of claims: TOML, validated. An error names the file, the claim and the field."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from ..errors import UsageError, nearest
from ..language.formulas import measured
from ..options import asked_for, sizes
from .claim import Claim, Expected, Length, Source, Trial
from .formulas import BookFormula, FormulaComparison, read_comparison, read_formula
from .weighing import INFINITE

COUNTS = ("states", "transitions", "terminal_states", "depth", "worlds", "represented")
BOUNDS = ("best", "worst", "mean", "exactly", "least", "greatest", "at least", "at most")
_FILE = ("title", "claim", "exercise")
_CLAIM = ("name", "where", "states", "errs", "read", "tests")
_EXERCISE = (*_CLAIM, "try", "look", "explains")
_OUTCOMES = ("holds", "violated", "almost_surely", "grows", *COUNTS)
_RUN = ("run", "n", "only", "fast", *_OUTCOMES)
_MESSAGES = ("run", "n", "only", "fast", "messages", "misprinted", "of")
_EXPECTED = ("run", "n", "only", "fast", "until", "expected")
_ARITHMETIC = ("formula", "n", "differs")


def read_source(file: Path) -> Source:
    """The claims of one file. Raises UsageError that names the place of what is wrong."""
    place = _Place(file)
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        place.refuse(f"cannot be read: {error}")
    except tomllib.TOMLDecodeError as error:
        place.refuse(f"is no TOML: {error}")
    place.keys(data, _FILE)
    claims: dict[str, Claim] = {}
    for kind, known in (("claim", _CLAIM), ("exercise", _EXERCISE)):
        for number, entry in enumerate(place.list(data, kind), 1):
            name = entry.get("name")
            here = place.at(f"{kind} {name}" if isinstance(name, str) else f"{kind} number {number}")
            here.keys(entry, known)
            claim = _claim(here, entry, file, exercise=kind == "exercise")
            if claim.name in claims:
                here.refuse("there is another of this name")
            claims[claim.name] = claim
    return Source(file.stem, place.text(data, "title"), file, tuple(claims.values()))


class _Place:
    """Where we are in a file, and how to complain there."""

    def __init__(self, file: Path, where: str = "") -> None:
        self.file, self.where = file, where

    def at(self, where: str) -> _Place:
        return _Place(self.file, f"{self.where}, {where}" if self.where else where)

    def refuse(self, what: str) -> NoReturn:
        raise UsageError(f"{self.file.name}: {self.where}: {what}" if self.where else f"{self.file.name} {what}")

    def keys(self, data: Any, known: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            self.refuse("a table is wanted here")
        for key in data:
            if key not in known:
                self.refuse(f"there is no field {key!r}; {nearest(key, known)}")

    def text(self, data: Mapping[str, Any], key: str, *, optional: bool = False) -> str:
        value = data.get(key, "" if optional else None)
        if value is None:
            self.refuse(f"the field {key!r} is missing")
        if not isinstance(value, str) or not (value.strip() or optional):
            self.refuse(f"the field {key!r} is a text, not {value!r}")
        return " ".join(value.split())

    def list(self, data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.refuse(f"the field {key!r} is a list of tables")
        return value

    def names(self, data: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self.refuse(f"the field {key!r} is a list of names")
        return tuple(value)

    def understood(self, key: str, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except UsageError as error:
            self.refuse(f"the field {key!r}: {error}")


def _claim(place: _Place, data: dict[str, Any], file: Path, *, exercise: bool) -> Claim:
    name = place.text(data, "name")
    trials = [
        _trial(place.at(f"test {number}"), entry, file) for number, entry in enumerate(place.list(data, "tests"), 1)
    ]
    read = place.text(data, "read", optional=True)
    if not trials and not read:
        place.refuse("it has no 'tests'; if nothing can be run, 'read' says why")
    return Claim(
        file.stem,
        name,
        place.text(data, "where"),
        place.text(data, "states"),
        place.text(data, "errs", optional=True),
        read,
        tuple(trials),
        *(place.text(data, key) if exercise else "" for key in ("try", "look", "explains")),
    )


def _trial(place: _Place, data: dict[str, Any], file: Path) -> Trial:
    if "formula" in data:
        place.keys(data, _ARITHMETIC)
        given, _ = _sizes(place, data, "n")
        comparison = place.understood("formula", read_comparison, place.text(data, "formula"))
        return Trial((), given, given, Expected(), comparison=comparison, differs=bool(data.get("differs", False)))
    counts = "messages" in data or "misprinted" in data
    place.keys(data, _MESSAGES if counts else _EXPECTED if "expected" in data else _RUN)
    words = tuple(_located(place.understood("run", _words, place.text(data, "run")), file))
    place.understood("run", lambda given: asked_for(given), words)
    if "--n" in words:
        place.refuse("the field 'run': the sizes belong into the field 'n'")
    given, general = _sizes(place, data, "n") if "n" in data else ((), False)
    fast: tuple[int, ...] | None = given
    if data.get("fast") is False:
        fast = None
    elif "fast" in data:
        fast, _ = _sizes(place, data, "fast")
    weighs = "expected" in data
    expected = _messages(place, data) if counts else _weighed(place, data) if weighs else _outcome(place, data)
    where: FormulaComparison | None = None
    if "of" in data:
        where = place.understood("of", read_comparison, place.text(data, "of"))
    until = place.text(data, "until", optional=True) or None
    return Trial(words, given, fast, expected, general and data.get("only") is not True, where, until=until)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:  # a quotation mark that is not closed
        raise UsageError(f"{text!r}: {str(error).lower()}") from None


def _located(words: list[str], file: Path) -> Iterator[str]:
    """Names of files, written ./so, lie beside the file of claims."""
    for word in words:
        yield str(file.parent / word) if word.startswith(("./", "../")) else word


def _sizes(place: _Place, data: Mapping[str, Any], key: str) -> tuple[tuple[int, ...], bool]:
    """The sizes, and whether they are a range."""
    value = data.get(key)
    if type(value) is int and value >= 1:
        return (value,), False
    if not isinstance(value, str):
        place.refuse(f"the field {key!r} is a number of processes or a range such as '2..4'")
    return place.understood(key, sizes, value), True


def _outcome(place: _Place, data: dict[str, Any]) -> Expected:
    if not any(key in data for key in _OUTCOMES):
        place.refuse(f"it expects nothing; one of {', '.join(_OUTCOMES)} is wanted")
    holds = data.get("holds", [])
    violated = data.get("violated", {})
    if not isinstance(violated, dict):
        place.refuse("the field 'violated' is a table of properties and the lengths of their shortest traces")
    return Expected(
        holds=holds is True,
        holding=() if holds is True else place.names(data, "holds"),
        violated={name: _length(place, name, length) for name, length in violated.items()},
        almost_surely=place.names(data, "almost_surely"),
        grows=place.text(data, "grows", optional=True),
        counts={key: _formula(place, key, data[key]) for key in COUNTS if key in data},
    )


def _length(place: _Place, name: str, length: Any) -> Length:
    return None if length is True else _formula(place, f"violated.{name}", length)


def _formula(place: _Place, key: str, value: Any) -> BookFormula:
    if type(value) is int or isinstance(value, str):
        found: BookFormula = place.understood(key, read_formula, str(value))
        return found
    place.refuse(f"the field {key!r} is a number or a formula, not {value!r}")


def _weighed(place: _Place, data: dict[str, Any]) -> Expected:
    table = data["expected"]
    if not isinstance(table, dict) or not table:
        place.refuse("the field 'expected' is a table such as { rounds = '4/3' }")
    wanted = {
        key: None if value == INFINITE else _formula(place, f"expected.{key}", value) for key, value in table.items()
    }
    return Expected(expected=wanted)


def _messages(place: _Place, data: dict[str, Any]) -> Expected:
    found: dict[str, dict[str, BookFormula]] = {"messages": {}, "misprinted": {}}
    for field, formulas in found.items():
        table = data.get(field, {})
        if not isinstance(table, dict):
            place.refuse(f"the field {field!r} is a table such as {{ best = '3n - 1' }}")
        for key, value in table.items():
            bound, _, _ = measured(key)
            if bound not in BOUNDS:
                place.refuse(f"the field {field!r}: there is no {bound!r}; {nearest(bound, BOUNDS)}")
            formulas[key] = _formula(place, f"{field}.{key}", value)
    return Expected(messages=found["messages"], misprinted=found["misprinted"])
