"""Which lines of a model run, and which there are."""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, partial
from types import CodeType, FrameType, FunctionType
from typing import Any

from ..language.definition import Definition
from ..reads import is_of_the_user

Line = tuple[int, int]  # the number of the file among those of the definition, and of the line in it

# Python refuses to set a trace function while another thread is about to, which an audit hook gives time for.
_SETTING_TRACE = threading.Lock()
# Names by which a function can be come to that is not named.
_BY_ANY_NAME = frozenset(
    ("getattr", "vars", "__dict__", "__getattribute__", "attrgetter", "methodcaller", "eval", "exec")
)


class LinesThatRun:
    """Notes which lines of the model's files run (by the number of the file and that of the line), unless a debugger or a coverage tool is already watching. Once all lines of a function
    have run, and of all others that it can come to by their names, nobody looks at it any more: being watched takes longer than running."""

    def __init__(self, definition: Definition) -> None:
        self.noted: set[Line] = set()
        self.blind = False  # whether something ran that another tool was watching: then what was not noted may have run
        self._definition = definition
        self._files = {file: number for number, file in enumerate(definition.files)}
        self._complete: set[CodeType] = set()
        self._there: dict[str, list[CodeType]] = {}  # the functions that there are, by name; found when first needed
        self._left: dict[
            CodeType, set[CodeType]
        ] = {}  # of a function, those it can come to of which not all lines have run

    def begin_again(self) -> None:
        """As if nothing had run yet."""
        for known in (self.noted, self._complete, self._there, self._left):
            known.clear()
        self.blind = False

    @contextmanager
    def while_running(self, code: CodeType) -> Iterator[None]:
        """Watches over what this function does."""
        left = self._left.get(code)
        if left is None:
            self._there = self._there or _functions(self._definition)
            left = self._left[code] = _within_reach(code, self._there, self._files)
        left -= self._complete
        self.blind |= sys.gettrace() is not None
        if not left or sys.gettrace() is not None:
            yield
            return
        with _SETTING_TRACE:
            sys.settrace(self._call)
        try:
            yield
        finally:
            if sys.gettrace() == self._call:
                with _SETTING_TRACE:
                    sys.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        return self._line if code.co_filename in self._files and code not in self._complete else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if event == "line":
            self.noted.add((self._files[code.co_filename], frame.f_lineno))
        elif event == "return" and self.noted.issuperset(_places_of(code, self._files[code.co_filename])):
            self._complete.add(code)
        return self._line


@cache
def _places_of(code: CodeType, file: int) -> frozenset[Line]:
    return frozenset((file, line) for line in _lines_of(code))


@cache
def _lines_of(code: CodeType) -> frozenset[int]:
    """The lines of a function at which an event can occur: those of its code, but for the first."""
    return frozenset(line for _, _, line in code.co_lines() if line and line > code.co_firstlineno)


def _within_reach(code: CodeType, there: dict[str, list[CodeType]], files: Container[str]) -> set[CodeType]:
    """The code and all others of the model's files that it can come to by their names, directly or by others: all there are where it can
    come to functions without naming them."""
    found, new = set[CodeType](), [code]
    while new:
        one = new.pop()
        if one in found:
            continue
        found.add(one)
        new += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
        names = {*one.co_names, *one.co_freevars}
        for name, others in there.items():
            if name in names or name.startswith("__") or names & _BY_ANY_NAME:
                new += others
    return {one for one in found if one.co_filename in files and _lines_of(one)}


def _functions(definition: Definition) -> dict[str, list[CodeType]]:
    """The functions that a step may call, by the names under which it can find them: of what is installed none calls back by name."""
    own = [vars(base) for base in definition.cls.__mro__ if not _is_installed(base)]
    methods = [value for owner in own for value in owner.values() if isinstance(value, FunctionType)]
    files = {method.__module__: method.__globals__ for method in methods}
    kinds = [kind for space in files.values() for kind in space.values() if isinstance(kind, type)]
    owners: list[Mapping[str, Any]] = [
        *own,
        *files.values(),
        *(vars(kind) for kind in kinds if not _is_installed(kind)),
    ]
    found: dict[str, list[CodeType]] = {}
    for owner in owners:
        for name, value in owner.items():
            for function in _within(value):
                if isinstance(function, FunctionType):
                    code = function.__code__
                    if code.co_filename in definition.files or is_of_the_user(code.co_filename):
                        found.setdefault(name, []).append(code)
    return found


def _is_installed(kind: type) -> bool:
    """Whether a class stands in a file that nobody edits; not where its file is not known, as of a model."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file is not None and not is_of_the_user(file)


def _within(value: Any) -> Iterator[Any]:
    """Itself; and what it calls, where it is no function, and holds, where it is a collection."""
    yield value
    if isinstance(value, (property, staticmethod, classmethod, partial, cached_property)):
        yield from (getattr(value, part, None) for part in ("fget", "__func__", "func"))
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        yield from (value.values() if isinstance(value, dict) else value)


def step_code_lines(definition: Definition) -> dict[str, set[Line]]:
    """For each method of the model its executable lines, the line of `def` and the docstring left out."""
    numbers = {file: number for number, file in enumerate(definition.files)}
    for file in numbers:
        linecache.checkcache(file)  # it may have been changed and read again
    found: dict[str, set[Line]] = {}
    for base in definition.cls.__mro__:
        for name, function in vars(base).items():
            code = getattr(function, "__code__", None)
            if code is not None and code.co_filename in numbers and name not in found:
                first = code.co_firstlineno + _decorators(code)
                found[name] = {
                    (numbers[code.co_filename], line) for _, _, line in code.co_lines() if line and line > first
                }
    return found


def _decorators(code: CodeType) -> int:
    """Lines between the first decorator and the `def` line."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    return next((k for k, text in enumerate(lines) if text.lstrip().startswith("def ")), 0)
