"""A lab: what is fixed of a protocol that students hand in, what is checked of it, and what that is worth.

A lab is a TOML file; `modelcheck help teaching` has its fields. What a lab does not fix is fixed as well: as the language has it where a
protocol says nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn

from .. import catalog, loading
from ..api import RUNS
from ..book.formulas import BookFormula, read_formula
from ..errors import UsageError, nearest
from ..language.definition import DECLARATIONS
from ..language.detecting import Detecting
from ..language.faults import FAULTS
from ..language.networks import NETWORKS
from ..language.process import KNOWLEDGE, ElectionProcess, Process
from ..language.topology import TOPOLOGIES
from ..text.typed import is_file

Shown = Literal["run", "sentence", "nothing"]
HIDDEN = ("points", "titles")
BASES: dict[str, type[Process]] = {"ElectionProcess": ElectionProcess, "Detecting": Detecting, "Process": Process}
# What a submission may do only where its lab allows it, and what that is.
FEATURES = {
    "initially": "computes initial values (initially)",
    "begins": "has processes begin crashed, or with messages that nobody sent (start_crashed, start_with, begin_without)",
    "shared": "has variables that all processes read and write (shared)",
    "step": "has steps that need no initiator (@step)",
    "choose": "leaves something open (self.choose)",
    "draw": "draws at random (self.draw)",
    "models": "takes a bundled model (from modelcheck.models ...)",
}
FIXED = (
    "base",
    "topology",
    "networks",
    "schedule",
    "identifiers",
    "knows",
    "tolerates",
    "may_crash",
    "elects",
    "specs",
)
assert set(FIXED) - {"base"} <= set(DECLARATIONS)
_CHECK = (*RUNS, "name", "title", "points", "hidden", "after", "property", "messages")
_WORDS: dict[str, tuple[str, ...]] = {
    "topology": tuple(TOPOLOGIES), "networks": tuple(NETWORKS), "knows": tuple(KNOWLEDGE), "tolerates": tuple(FAULTS), "base": tuple(BASES),
    "identifiers": ("unique", "any", "none"), "schedule": ("any", "lockstep"), "may_crash": ("all", "others"), "elects": ("max", "min", "any"),
}  # fmt: skip
_SEVERAL = ("topology", "networks", "knows", "tolerates", "specs")


@dataclass(frozen=True)
class LabCheck:
    """One thing that is checked: `options` are those of `modelcheck.check`; a `messages` formula says how many may be sent at most. It counts
    only where the check named in `after` was passed."""

    name: str
    title: str
    points: float
    hidden: bool = False
    after: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    messages: BookFormula | None = None


@dataclass(frozen=True)
class Allowance:
    """What one submission may use: seconds for all its checks together, states for each, megabytes of memory for each of its processes."""

    seconds: float = 60.0
    states: int = 500_000
    memory: int = 2_000


@dataclass(frozen=True)
class Lab:
    """A lab as it was read. `different` are points that each declaration costs that is not the lab's."""

    file: Path
    title: str
    exercise: str
    fixed: Mapping[str, Any]
    checks: tuple[LabCheck, ...]
    allow: frozenset[str] = frozenset()
    different: float = 0.0
    allowance: Allowance = Allowance()
    counterexample: Shown = "run"
    hidden: Literal["points", "titles"] = "points"
    solution: str = ""
    skeleton: str = ""

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def base(self) -> type[Process]:
        """What a submission derives from."""
        return BASES[self.fixed["base"]]

    @property
    def solution_file(self) -> Path | None:
        """A submission that has all points: a bundled model, or a file beside the lab's."""
        return catalog.model_files().get(self.solution, self.file.parent / self.solution) if self.solution else None

    @property
    def skeleton_file(self) -> Path | None:
        """What students begin with, beside the lab's file."""
        return self.file.parent / self.skeleton if self.skeleton else None


def lab_files() -> dict[str, Path]:
    """The bundled labs, by name."""
    return {path.stem: path for path in sorted(loading.lab_folder().glob("*.toml"))}


def find_lab(reference: str) -> Lab:
    """A lab by the name of a bundled one, or by path. Raises UsageError for what is not there, or is at fault."""
    if reference in lab_files():
        return read_lab(lab_files()[reference])
    if not is_file(reference):
        raise UsageError(
            f"there is no lab {reference!r}; {nearest(reference, lab_files())} (a file of yours: ./lab.toml)"
        )
    return read_lab(Path(reference))


def read_lab(file: Path) -> Lab:
    """The lab of a file. Raises UsageError that names the place of what is wrong."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is no TOML: {error}") from None
    known = ("title", "exercise", "solution", "skeleton", "fixed", "rules", "limits", "feedback", "check")
    here = _Reading(file)
    here.known(data, known)
    rules, limits, feedback = (here.table(data, name) for name in ("rules", "limits", "feedback"))
    here.known(rules, ("allow", "different"), "rules")
    here.known(limits, ("seconds", "states", "memory"), "limits")
    here.known(feedback, ("counterexample", "hidden"), "feedback")
    checks = tuple(here.check(entry, number) for number, entry in enumerate(here.tables(data, "check"), 1))
    here.consistent(checks)
    usual = Allowance()
    return Lab(
        file=file.resolve(),
        title=here.text(data, "title"),
        exercise=here.text(data, "exercise", ""),
        fixed=here.fixed(here.table(data, "fixed")),
        checks=checks,
        allow=frozenset(here.words(rules, "allow", tuple(FEATURES), "rules")),
        different=here.number(rules, "different", 0.0, "rules"),
        allowance=Allowance(
            here.number(limits, "seconds", usual.seconds, "limits", least=1),
            int(here.number(limits, "states", usual.states, "limits", least=1)),
            int(here.number(limits, "memory", usual.memory, "limits", least=100)),
        ),
        counterexample=here.one_of(feedback, "counterexample", ("run", "sentence", "nothing"), "feedback"),
        hidden=here.one_of(feedback, "hidden", HIDDEN, "feedback"),
        solution=here.text(data, "solution", ""),
        skeleton=here.text(data, "skeleton", ""),
    )


class _Reading:
    """What the fields of a lab may be, and how to complain."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def refuse(self, what: str, where: str = "") -> NoReturn:
        raise UsageError(f"{self.file.name}: {where}: {what}" if where else f"{self.file.name}: {what}")

    def known(self, data: Mapping[str, Any], names: tuple[str, ...], where: str = "") -> None:
        for name in data:
            if name not in names:
                self.refuse(f"there is no field {name!r}; {nearest(name, names)}", where)

    def table(self, data: Mapping[str, Any], name: str) -> dict[str, Any]:
        value = data.get(name, {})
        if not isinstance(value, dict):
            self.refuse(f"{name} is a table: write [{name}]")
        return value

    def tables(self, data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        value = data.get(name)
        if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
            self.refuse(f"a lab has at least one [[{name}]]")
        return value

    def text(self, data: Mapping[str, Any], name: str, usual: str | None = None, where: str = "") -> str:
        value = data.get(name, usual)
        if value is None:
            self.refuse(f"the field {name!r} is missing", where)
        if not isinstance(value, str):
            self.refuse(f"{name} is a text, not {value!r}", where)
        return value.strip()

    def number(self, data: Mapping[str, Any], name: str, usual: float, where: str, least: float = 0) -> float:
        value = data.get(name, usual)
        if type(value) not in (int, float) or not least <= value < 1e12:
            self.refuse(f"{name} is a number from {least:g} on, not {value!r}", where)
        return float(value)

    def one_of(self, data: Mapping[str, Any], name: str, words: tuple[str, ...], where: str) -> Any:
        value = data.get(name, words[0])
        if value not in words:
            self.refuse(f"{name} is one of {', '.join(words)}, not {value!r}", where)
        return value

    def words(self, data: Mapping[str, Any], name: str, words: tuple[str, ...], where: str) -> tuple[str, ...]:
        value = data.get(name, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            self.refuse(f"{name} is a list of words", where)
        for one in listed:
            if words and one not in words:
                self.refuse(f"{name} does not know {one!r}; {nearest(one, words)}", where)
        return tuple(listed)

    def fixed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every declaration, as the lab has it or else as the language has it."""
        self.known(given, FIXED, "fixed")
        base = BASES[str(self.one_of(given, "base", tuple(BASES), "fixed"))]
        found: dict[str, Any] = {"base": base.__name__}
        for name in FIXED[1:]:
            if name == "elects" and base is not ElectionProcess:
                if name in given:
                    self.refuse(f'elects is for base = "ElectionProcess", not {base.__name__}', "fixed")
            elif name not in given:
                found[name] = ("any_graph",) if name == "topology" else getattr(base, name)
            elif name == "specs":
                found[name] = tuple(self.spec(one) for one in self.words(given, name, (), "fixed"))
            elif name in _SEVERAL:
                found[name] = self.words(given, name, _WORDS[name], "fixed")
            else:
                found[name] = self.one_of(given, name, _WORDS[name], "fixed")
        for name in ("topology", "networks"):
            if not found[name]:
                self.refuse(f"{name} is empty; name at least one", "fixed")
        return found

    def spec(self, reference: str) -> str:
        """A specification by name, or by its path from the lab's own folder."""
        path = self.file.resolve().parent / reference
        if reference.endswith(".py") and is_file(path):
            return str(path)
        catalog.spec_path(reference)  # raises UsageError
        return reference

    def check(self, entry: Mapping[str, Any], number: int) -> LabCheck:
        where = f"check {entry.get('name', f'number {number}')}"
        self.known(entry, _CHECK, where)
        name = self.text(entry, "name", where=where)
        if not name:
            self.refuse("its name is empty", where)
        hidden = entry.get("hidden", False)
        if not isinstance(hidden, bool):
            self.refuse(f"hidden is true or false, not {hidden!r}", where)
        options = {key: value for key, value in entry.items() if key in (*RUNS, "property")}
        if "spec" in options:
            options["spec"] = self.spec(str(options["spec"]))
        bound = self.text(entry, "messages", "", where)
        try:
            messages = read_formula(bound) if bound else None
            if messages is not None:
                messages(n=2)
        except UsageError as error:
            self.refuse(str(error), where)
        return LabCheck(
            name,
            self.text(entry, "title", name, where),
            self.number(entry, "points", 1.0, where),
            hidden,
            self.text(entry, "after", "", where),
            options,
            messages,
        )

    def consistent(self, checks: tuple[LabCheck, ...]) -> None:
        """No two checks of one name; what must be passed first stands first."""
        before: list[str] = []
        for check in checks:
            if check.name in before:
                self.refuse("there is another of this name", f"check {check.name}")
            if check.after and check.after not in before:
                self.refuse(f"after = {check.after!r} is no check above it", f"check {check.name}")
            before.append(check.name)
