"""Reading a protocol: from the class an author wrote to what the semantics needs, with every declaration checked.

`read(cls)` is the one place that looks at a Process subclass; everything later works on the `Definition`.
"""

from __future__ import annotations

import inspect
import linecache
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Literal

from ..errors import DefinitionError, UsageError, nearest
from .detecting import Detecting
from .faults import FAULTS
from .formulas import Formula, read_complexity
from .kinds import check_annotation, kinds_in, type_hints
from .messages import Message
from .mistakes import check_text
from .networks import NETWORKS
from .process import KNOWLEDGE, ElectionProcess, FieldMark, Parameter, Process, StepKind, StepMark, checked
from .topology import Topology
from .values import Misuse, identical, show

# What every process has in the eyes of a property; a field of that name would be hidden behind it.
SEEN_BY_PROPERTIES = ("crashed", "is_initiator", "at", "has_waiting")
DECLARATIONS = (
    "topology", "networks", "schedule", "identifiers", "knows", "tolerates", "may_crash", "specs", "source", "complexity", "elects", "initially",
    "shared_initially",
)  # fmt: skip
METHODS = (ElectionProcess.beats, ElectionProcess.best)  # a field may have these names as well
LANGUAGE = (Process.__module__, Detecting.__module__)  # whose classes are no part of a model
BUILT_IN = ("__init__", "__new__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__")


@dataclass(frozen=True)
class Step:
    """One atomic step. `takes_port` when it is written `def f(self, message, port)`."""

    name: str
    kind: StepKind
    function: Callable[..., None]
    messages: tuple[type[Message], ...] = ()
    takes_port: bool = False


@dataclass(frozen=True)
class Field:
    """One local or shared variable; `has_initial` is false where only `initially` gives it a value."""

    name: str
    annotation: Any
    initial: object
    has_initial: bool
    stable: bool


@dataclass(frozen=True, eq=False)
class Definition:
    """A protocol as it was declared. Steps and fields stand in the order of their definition."""

    cls: type[Process]
    files: tuple[str, ...]  # its own, and those of the protocols that it derives from
    fields: tuple[Field, ...]
    shared: tuple[Field, ...]
    kinds: dict[str, type]  # the classes that its fields and messages name, by name
    parameters: dict[str, Parameter[Any]]
    steps: tuple[Step, ...]
    recovery: Step | None
    topologies: tuple[Topology, ...]
    networks: tuple[str, ...]
    schedule: Literal["any", "lockstep"]
    identifiers: str
    knows: frozenset[str]
    may_crash: Literal["all", "others"]
    tolerates: frozenset[str]
    specs: tuple[str, ...]
    formulas: tuple[Formula, ...] = ()  # of its numbers of messages

    @property
    def name(self) -> str:
        return self.cls.__name__

    @property
    def file(self) -> str:
        return self.files[0]

    def named(self, file: str) -> str:
        """A file of the protocol as it is called: by its name, and its folder where another has that name."""
        path = Path(file)
        alike = any(Path(other).name == path.name for other in self.files if other != file)
        return f"{path.parent.name}/{path.name}" if alike else path.name

    @property
    def chooses_shared(self) -> bool:
        """Whether the shared variables have several initial values, or may have."""
        return self.cls.shared_initially is not Process.shared_initially

    @cached_property
    def unnamed(self) -> frozenset[str]:
        """Of `leader` and `status`, which every election inherits, what no method of the protocol names: it records its decision in the other."""
        if not issubclass(self.cls, ElectionProcess):
            return frozenset()
        own = [base for base in self.cls.__mro__ if base not in ElectionProcess.__mro__]
        named = {name for base in own for name in inspect.get_annotations(base)}
        for base in own:
            for function in vars(base).values():
                if isinstance(function, FunctionType):
                    named |= _names(function.__code__)
        return frozenset({"leader", "status"} - named)

    def handles(self, message: type[Message]) -> bool:
        """Whether some receive step takes messages of this type."""
        return any(message in step.messages for step in self.steps)

    def parameter_values(self, given: dict[str, object]) -> dict[str, Any]:
        """Every parameter's value. Values that come as text are read as the admissible value they spell.

        Raises UsageError for an unknown parameter or an inadmissible value, with the nearest ones.
        """
        values: dict[str, Any] = {name: parameter.default for name, parameter in self.parameters.items()}
        for name, value in given.items():
            if name not in values:
                raise UsageError(f"{self.name} has no parameter {name!r}; {nearest(name, values)}")
            admissible = self.parameters[name].among
            match = [option for option in admissible if type(option) is type(value) and identical(option, value)]
            if not match and isinstance(value, str):
                match = [option for option in admissible if spelled(option) == value.lower()]
            if not match:
                known = ", ".join(spelled(option) for option in admissible)
                raise UsageError(f"{name}={value} is not admissible; {name} is one of {known}")
            values[name] = match[0]
        return values


def spelled(option: object) -> str:
    """A parameter value as it is typed on the command line."""
    return str(option).lower()


def read(cls: type[Process]) -> Definition:
    """Reads the declarations of a Process subclass. Raises DefinitionError, with file and line."""
    where = _where(cls)
    try:
        return _read(cls)
    except Misuse as misuse:
        raise DefinitionError(misuse.what, misuse.cause, misuse.remedy, misuse.where or where) from None


def _read(cls: type[Process]) -> Definition:
    steps = _steps(cls)
    local, common = _fields(cls)
    kinds = _kinds(steps, (*local, *common))
    names = {field.name for field in (*local, *common)}
    check_text([(one, _file(one)) for one in (cls, *_derived_from(cls))], names, dir(ElectionProcess))
    parameters = {name: value for name, value in _attributes(cls).items() if isinstance(value, Parameter)}
    _refuse_stray_attributes(cls, names | parameters.keys())
    recoveries = [s for s in steps if s.kind == "recover"]
    if len(recoveries) > 1:
        raise Misuse("there is more than one @recover step", "", "keep one; what it does first is one thing")
    topologies = cls.topology if isinstance(cls.topology, tuple) else (cls.topology,)
    for topology in topologies:
        if not isinstance(topology, Topology):
            raise Misuse(f"topology = {topology!r} is no topology", "", "import one, such as one_way_ring")
    _among("networks", cls.networks, NETWORKS)
    _among("schedule", (cls.schedule,), ("any", "lockstep"))
    _among("knows", cls.knows, KNOWLEDGE)
    _among("tolerates", cls.tolerates, FAULTS)
    _among("identifiers", (cls.identifiers,), ("unique", "any", "none"))
    _check_election(cls)
    return Definition(
        cls=cls,
        files=tuple(dict.fromkeys(map(_file, (cls, *_derived_from(cls))))),
        fields=local,
        shared=common,
        kinds=kinds,
        parameters=parameters,
        steps=tuple(s for s in steps if s.kind != "recover"),
        recovery=recoveries[0] if recoveries else None,
        topologies=topologies,
        networks=cls.networks,
        schedule="lockstep" if cls.schedule == "lockstep" else "any",
        identifiers=cls.identifiers,
        knows=frozenset(cls.knows),
        may_crash=_may_crash(cls),
        tolerates=frozenset(cls.tolerates),
        specs=cls.specs,
        formulas=read_complexity(stated(cls), parameters, tuple(m.__name__ for s in steps for m in s.messages)),
    )


def stated(cls: type[Process]) -> Mapping[str, str]:
    """Its `complexity`: what a protocol says of its numbers of messages it does not say of those that derive from it."""
    found: Mapping[str, str] = vars(cls).get("complexity", {})
    return found


def _may_crash(cls: type[Process]) -> Literal["all", "others"]:
    _among("may_crash", (cls.may_crash,), ("all", "others"))
    if cls.may_crash == "others" and "root" not in cls.knows:
        raise Misuse('may_crash = "others" are all but the root', "there is none", 'declare knows = ("root",)')
    return cls.may_crash


def _check_election(cls: type[Process]) -> None:
    """What the election specification relies on: a word in `elects` that it knows, and fields of the types it reads."""
    if not issubclass(cls, ElectionProcess):
        return
    promised = vars(cls).get("elects", cls.elects)
    words = promised.among if isinstance(promised, Parameter) else (promised,)
    if not isinstance(promised, property):
        _among("elects", tuple(words), ("max", "min", "any"))
    inherited, own = typing.get_type_hints(ElectionProcess), typing.get_type_hints(cls)
    for name in ("leader", "status"):
        if own[name] != inherited[name]:
            raise Misuse(
                f"the field {name} is declared anew with another type",
                "the election specification reads it",
                f"leave the declaration of {name} out, or use another name for what you mean",
            )


def _names(code: CodeType) -> set[str]:
    """The attributes and globals that a function names, and those that functions within it name."""
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)


def _attributes(cls: type) -> dict[str, Any]:
    """Class attributes by name, base classes first, so that an override keeps its place."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base is not object:
            found.update(vars(base))
    return found


def _steps(cls: type[Process]) -> list[Step]:
    steps: dict[str, Step] = {}
    for base in reversed(cls.__mro__):
        for name, function in vars(base).items():
            mark = getattr(function, "__step__", None) if isinstance(function, FunctionType) else None
            if isinstance(mark, StepMark):
                steps[name] = _step(name, function, mark)
            elif name in steps:
                raise Misuse(
                    f"{name} overrides a step and is none itself",
                    "the decorator is missing",
                    f"decorate {name} as in the base class",
                )
    return list(steps.values())


def _step(name: str, function: FunctionType, mark: StepMark) -> Step:
    _runs_at_once(function)
    arguments = len(inspect.signature(function).parameters)
    expected = (2, 3) if mark.kind == "receive" else (1,)
    if arguments not in expected:
        form = "def f(self, message) or def f(self, message, port)" if mark.kind == "receive" else "def f(self)"
        raise Misuse(
            f"the step {name} takes {arguments} argument{'s' * (arguments != 1)}",
            f"one with @{mark.kind} is written {form}",
            "change its arguments",
            where=f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}",
        )
    for kind in mark.messages:
        check_annotation(kind)
    return Step(name, mark.kind, function, mark.messages, arguments == 3)


def _runs_at_once(function: Callable[..., Any]) -> None:
    """Refuses a generator or coroutine: calling it would do nothing at all."""
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        raise Misuse(
            f"{function.__name__} contains yield or is async: calling it does nothing",
            "a step is one atomic piece of plain code",
            "write a plain function; what may happen in between belongs into a step of its own",
            where=f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}",
        )


def _kinds(steps: list[Step], fields: tuple[Field, ...]) -> dict[str, type]:
    """The classes that a protocol names, by name. Two of one name are refused: no trace, no count by type and no order of
    values would tell them apart."""
    known: dict[str, type] = {}
    for annotation in (*(field.annotation for field in fields), *(kind for step in steps for kind in step.messages)):
        for kind in kinds_in(annotation):
            if known.setdefault(kind.__name__, kind) is not kind:
                raise namesakes(known[kind.__name__], kind)
    return known


def namesakes(one: type, other: type) -> Misuse:
    differ = one.__qualname__ != other.__qualname__
    names = [
        kind.__qualname__ if differ else f"{kind.__qualname__} of {Path(_file(kind)).name or kind.__module__}"
        for kind in (one, other)
    ]
    return Misuse(
        f"there are two types called {one.__name__}",
        f"{' and '.join(names)} look alike in traces and counts",
        "give one of them another name",
    )


def _fields(cls: type[Process]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    hints = type_hints(cls)
    local: list[Field] = []
    common: list[Field] = []
    for name, annotation in hints.items():
        if typing.get_origin(annotation) is typing.ClassVar or annotation is typing.ClassVar:
            continue
        if hasattr(Process, name) or name in SEEN_BY_PROPERTIES:
            raise Misuse(f"a field may not be called {name}", "the language uses this name", "choose another name")
        if name.startswith("_"):
            raise Misuse(f"a field may not begin with an underscore: {name}", "", "choose another name")
        if "integers" in cls.knows and name == "leader" and issubclass(cls, ElectionProcess):
            annotation = int | None  # the inherited field holds identifiers, which are numbers here
        try:
            check_annotation(annotation)
        except Misuse as misuse:
            raise Misuse(f"field {name}: {misuse.what}", misuse.cause, misuse.remedy, where=_line(cls, name)) from None
        value = getattr(cls, name, None)
        has_initial = hasattr(cls, name) and all(value is not method for method in METHODS)
        mark = value.kind if isinstance(value, FieldMark) else ""
        if isinstance(value, FieldMark):
            value = value.value
        if has_initial:
            value = checked(name, value, annotation)
        if mark == "shared" and not has_initial:
            raise Misuse(f"the shared variable {name} has no initial value", "", f"write {name}: ... = shared(VALUE)")
        field = Field(name, annotation, value, has_initial, mark == "stable")
        (common if mark == "shared" else local).append(field)
    if any(not field.has_initial for field in local) and cls.initially is Process.initially:
        missing = next(field.name for field in local if not field.has_initial)
        raise Misuse(
            f"the field {missing} has no initial value",
            "it is annotated without a value, and there is no initially(self)",
            f"write {missing}: ... = VALUE, or set self.{missing} in def initially(self)",
            where=_line(cls, missing),
        )
    return tuple(local), tuple(common)


def _refuse_stray_attributes(cls: type[Process], declared: set[str]) -> None:
    """Anything else in the class that can hold state is state the checker would not see."""
    _runs_at_once(cls.initially)
    _runs_at_once(cls.shared_initially)
    for base in cls.__mro__:
        for name in BUILT_IN:
            if name in vars(base) and not base.__module__.startswith("modelcheck.language") and base is not object:
                raise Misuse(
                    f"{base.__name__} defines {name}",
                    "the checker makes processes itself, and would pass it by",
                    "compute initial values in def initially(self)"
                    if name in ("__init__", "__new__")
                    else "leave it out",
                    where=_line(base, name),
                )
    for name, value in _attributes(cls).items():
        if name.startswith("__") or hasattr(Process, name) or name in declared or name in ("elects",):
            continue
        if callable(value) or isinstance(value, (property, staticmethod, classmethod)) or name.startswith("_abc"):
            continue
        close = get_close_matches(name, DECLARATIONS, n=1, cutoff=0.75)
        if close:
            meant = f"did you mean {close[0]}?"
            raise Misuse(f"there is no declaration {name}", meant, f"write {close[0]} = ...", where=_line(cls, name))
        if isinstance(value, (list, dict, set, bytearray)):
            raise Misuse(
                f"{name} = {show(value)!s:.60} is mutable and no field",
                "steps could change it behind the checker's back",
                f"annotate it as a field with an immutable value, or make it a constant tuple: {name} = (...)",
                where=_line(cls, name),
            )
        if isinstance(value, FieldMark):
            raise Misuse(
                f"{name} has no type", "only annotated attributes are fields", f"write {name}: TYPE = {value.kind}(...)"
            )


def _among(declaration: str, given: object, known: Any) -> None:
    if isinstance(given, str) or not isinstance(given, tuple):
        raise Misuse(
            f"{declaration} = {given!r} is not a tuple",
            "",
            f'write {declaration} = ("{given if isinstance(given, str) and given in known else "..."}",) with a comma',
        )
    for word in given:
        if word not in known:
            raise Misuse(f"{declaration} does not know {word!r}", nearest(str(word), known), "")


def _derived_from(cls: type) -> list[type]:
    """The classes it derives from, without those of the language."""
    return [base for base in cls.__mro__[1:] if base is not object and base.__module__ not in LANGUAGE]


def _file(cls: type) -> str:
    """The file a class stands in. Of one that a notebook's cell defines only the methods know it."""
    try:
        return inspect.getsourcefile(cls) or ""
    except (OSError, TypeError):
        methods = (value for value in vars(cls).values() if inspect.isfunction(value))
        return next((method.__code__.co_filename for method in methods), "")


def _where(cls: type) -> str:
    """FILE:LINE, or nothing where there is no file. Without parsing it: every run asks for this."""
    file = _file(cls)
    lines = enumerate(linecache.getlines(file), 1)
    line = next((number for number, text in lines if re.match(rf"\s*class {cls.__name__}\b", text)), None)
    return f"{file}:{line}" if line else ""


def _line(cls: type, name: str) -> str:
    """FILE:LINE and the text in which a class, or one that it derives from, says something of a name; nothing where that is not found."""
    for base in cls.__mro__:
        if name in vars(base) or name in inspect.get_annotations(base):
            file, _, first = _where(base).rpartition(":")
            lines = linecache.getlines(file)[int(first) :] if file else []
            for number, text in enumerate(lines, int(first or 0) + 1):
                if re.match(rf"\s+(?:def\s+)?{name}\b", text):
                    return f"{file}:{number}  {text.strip()}"
            return ""
    return ""
