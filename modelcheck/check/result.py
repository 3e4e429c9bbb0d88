"""The result of a run: one object, from which every report is drawn."""

from __future__ import annotations

import hashlib
import html
import linecache
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from ..count.ranges import Range
from ..count.tally import Tally, Unreduced
from ..errors import ModelcheckError
from ..explore.limits import Limits, Stopped
from ..language.definition import Definition
from ..language.formulas import Formula, Number
from ..loading import files_of, text_of
from ..runs.trace import Trace
from ..semantics.settings import Settings
from .request import Request, initiators_text, not_checked, policy_text
from .verdict import Judgement

REFUTED = 12  # the exit code of a formula that is refuted, as of a safety property: there is a run that shows it

Found = TypeVar("Found")


@dataclass(frozen=True)
class PropertyResult:
    """One property's verdict: "holds", "violated" or "inconclusive".

    `note` qualifies it ("with probability 1"); `mattered` is false when nothing it reads ever changed.
    `shortest` is false where a limit kept the search from the worlds that might have a shorter trace.
    """

    name: str
    kind: str
    claim: str
    verdict: str
    note: str = ""
    mattered: bool = True
    trace: Trace | None = None
    shortest: bool = True


@dataclass(frozen=True)
class SymmetryCheck:
    """The same run without symmetry came to the same. `undone` says why nothing was compared, where that is so."""

    properties: int = 0  # whose verdicts and traces were compared
    worlds: int = 0  # explored without symmetry, and what was counted there
    counts: Unreduced = field(default_factory=Unreduced)
    undone: str = ""


@dataclass(frozen=True)
class ReductionCheck:
    """The same run without partial-order reduction came to the same. `undone` says why nothing was compared, where that is so."""

    properties: int = 0  # whose verdicts and traces were compared
    states: int = 0  # explored without reduction
    transitions: int = 0
    undone: str = ""


@dataclass(frozen=True)
class TakenAgain:
    """What a fresh interpreter found again: the steps of so many components of so many, and the verdicts on so many states of so
    many (where states were not visited, on so many of the views that were judged in their place). `interpreters` is greater than 1 where it was done under several hash seeds. `undone` says why nothing was taken again.
    What `worlds_before` rest on, which a run explored that this one resumes, is not among it."""

    components: int = 0
    of_components: int = 0
    states: int = 0
    of_states: int = 0
    interpreters: int = 0
    undone: str = ""
    worlds_before: int = 0

    @staticmethod
    def together(several: Sequence[TakenAgain]) -> TakenAgain:
        """What several searches of one run have found again, each of its own."""
        numbers = {
            name: sum(getattr(one, name) for one in several)
            for name in ("components", "of_components", "states", "of_states")
        }
        undone = next((one.undone for one in several if one.undone), "")
        return TakenAgain(**numbers, interpreters=max(one.interpreters for one in several), undone=undone)


@dataclass(frozen=True)
class Kept:
    """What a run that was stopped leaves behind: how many worlds are done according to the checkpoint, and the options with
    which the run goes on from there; `trouble` where it could not be written."""

    file: str
    worlds: int
    options: tuple[str, ...]
    trouble: str = ""


@dataclass(frozen=True)
class ModelFile:
    """A file of a model, as it was when the run began. `sha256` is that of its bytes."""

    name: str
    text: str
    sha256: str

    @staticmethod
    def all_of(definition: Definition) -> tuple[ModelFile, ...]:
        """The texts that were run: that of the model first, then those that it imports."""
        imported = filter(None, map(text_of, reversed(files_of(definition.cls.__module__))))
        paths = dict.fromkeys([*definition.files, *(path for path, _ in imported)])
        return tuple(filter(None, (ModelFile.of(path, definition.named(path)) for path in paths)))

    @staticmethod
    def of(path: str, name: str) -> ModelFile | None:
        """The text that was run: `linecache` has it as it was read, also that of a notebook's cell."""
        text = "".join(linecache.getlines(path))
        if not text:
            return None
        try:
            content = Path(path).read_bytes()
        except OSError:
            content = b""
        if content.decode(errors="replace").splitlines() != text.splitlines():  # it was changed meanwhile
            content = text.encode()
        return ModelFile(name, text, hashlib.sha256(content).hexdigest())


class Faces:
    """How a result looks where it is asked for that itself: a line, until those who stand above it say more (faces.py)."""

    def text(self, result: Result) -> str:
        """The report for a terminal."""
        return repr(result)

    def html(self, result: Result) -> str:
        """The report as a page."""
        return f"<pre>{html.escape(repr(result))}</pre>"

    def fragment(self, result: Result) -> str:
        """What a notebook shows."""
        return self.html(result)


@dataclass(frozen=True, repr=False)
class Result:
    """Everything a run found out.

    `request` is what was asked; None where it could not be read, as that of a model with an error, or in the time there was.
    `reference` (the model as it was asked for: a name, or path.py:Class), `symmetry` and `expected` are known even then.
    """

    faces: ClassVar[Faces] = Faces()

    request: Request | None = field(compare=False)  # two that were read from one file differ in their code objects
    reference: str
    symmetry: bool
    expected: str | None
    judgement: Judgement
    seconds: float
    properties: tuple[PropertyResult, ...] = ()
    sizes: tuple[Tally, ...] = ()
    limits: Limits = field(default_factory=Limits)
    stopped: Stopped | None = None  # text: the limit that was reached, or the interruption, whatever the verdict
    error: ModelcheckError | None = None
    reductions: tuple[str, ...] = ()
    reducible: bool = False  # nothing was reduced, and with --reduce order it would be
    steps: dict[str, bool | None] = field(default_factory=dict)  # whether each step ever ran; None where nobody knows
    never_ran: tuple[str, ...] = ()  # "file:lines  source" of code in the model's steps
    growth: str = ""  # what kept growing, where a limit was reached
    kept: Kept | None = None  # where the run was stopped, and keeps checkpoints
    symmetry_check: SymmetryCheck | None = None  # where it was asked for
    reduction_check: ReductionCheck | None = None  # the same
    taken_again: TakenAgain | None = None  # None where there was no verdict to rest on it
    messages: dict[int, Range] = field(
        default_factory=dict
    )  # by n, of the sizes in all of whose worlds they were counted
    uncounted: tuple[int, ...] = ()  # the sizes that have too many states for that in passing
    types: tuple[str, ...] = ()  # of messages that are counted
    files: tuple[ModelFile, ...] = ()  # that of the model first; none where it has no text, or could not be read

    # --- what was asked; empty where it could not be read

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.request.model.name if self.request else self.reference

    @property
    def title(self) -> str:
        return self.request.model.title if self.request else ""

    @property
    def settings(self) -> Settings | None:
        """Network, faults, schedule and so on."""
        return self.request.settings if self.request else None

    @property
    def topology(self) -> str:
        """The family of graphs, or the graphs that were asked for."""
        return self.request.graphs if self.request else ""

    @property
    def network(self) -> str:
        return self.request.settings.network if self.request else ""

    @property
    def schedule(self) -> str:
        """ "any", or "lockstep": nothing else was explored."""
        return self.request.settings.schedule if self.request else "any"

    @property
    def parameters(self) -> dict[str, Any]:
        return dict(self.request.settings.parameters) if self.request else {}

    @property
    def faults(self) -> dict[str, Any]:
        """Budgets by name, `across` and `detector`."""
        if self.request is None:
            return {}
        settings = self.request.settings
        return {**settings.budgets(), "across": settings.across, "detector": settings.detector}

    @property
    def identifiers(self) -> str:
        return policy_text(self.request.policy) if self.request else ""

    @property
    def initiators(self) -> str:
        return initiators_text(self.request.policy) if self.request else "all"

    @property
    def asked(self) -> tuple[int, ...]:
        """The sizes, also those it did not come to."""
        return self.request.sizes if self.request else ()

    @property
    def options(self) -> tuple[str, ...]:
        """Those that differ from the model's defaults, as they are typed."""
        return self.request.options if self.request else ()

    @property
    def option_pairs(self) -> tuple[tuple[str, str], ...]:
        return self.request.option_pairs if self.request else ()

    @property
    def broken(self) -> tuple[str, ...]:
        """Assumptions of the model that an option breaks on purpose."""
        return tuple(self.request.broken.values()) if self.request else ()

    @property
    def unchecked(self) -> tuple[str, ...]:
        """What this run says nothing about."""
        return not_checked(self.request) if self.request else ()

    # --- what came of it

    @property
    def exit_code(self) -> int:
        return self.judgement.exit_code

    @property
    def verdict(self) -> str:
        """ "HOLDS", "VIOLATED" or "INCONCLUSIVE"."""
        return self.judgement.word

    def __repr__(self) -> str:
        sizes = ", ".join(str(tally.n) for tally in self.sizes[:1] + self.sizes[1:][-1:])
        about = f" n={sizes.replace(', ', '..')}, {self.states:,} states" if sizes else ""
        return f"<{self.verdict} {self.model}{about}: {self.judgement.reason}>"

    def __str__(self) -> str:
        """The report, as `modelcheck run` prints it where nobody sees colours."""
        return Result.faces.text(self)

    def html(self) -> str:
        """The report as one page that needs nothing else, as `modelcheck run --html` writes it; a notebook shows it in a frame."""
        return Result.faces.html(self)

    def _repr_html_(self) -> str:
        return Result.faces.fragment(self)

    @property
    def states(self) -> int:
        return sum(tally.states for tally in self.sizes)

    @property
    def transitions(self) -> int:
        return sum(tally.transitions for tally in self.sizes)

    @property
    def terminal_states(self) -> int:
        return sum(tally.terminal_states for tally in self.sizes)

    @property
    def unreduced(self) -> Unreduced:
        """The counts of a run without symmetry, worked out from those of this one."""
        total = Unreduced()
        for tally in self.sizes:
            total.add(tally.unreduced.states, tally.unreduced.transitions, tally.unreduced.terminal_states)
        return total

    @property
    def reduced(self) -> int:
        """How many worlds were reduced: of these not all states were explored."""
        return sum(tally.reduced for tally in self.sizes)

    @property
    def worlds(self) -> int:
        return sum(tally.worlds for tally in self.sizes)

    @property
    def represented(self) -> int:
        """How many assignments (port namings, initiator sets, roots) the worlds explored stand for."""
        return sum(tally.represented for tally in self.sizes)

    @property
    def nodes(self) -> int:
        """Those of the diagrams, where states were not visited one by one; else 0."""
        return sum(tally.nodes for tally in self.sizes)

    @property
    def depth(self) -> int:
        return max((tally.depth for tally in self.sizes), default=0)

    def property(self, name: str) -> PropertyResult:
        """The property of this name. Raises KeyError where there is none."""
        for found in self.properties:
            if found.name == name:
                return found
        raise KeyError(name)


@dataclass(frozen=True)
class Judged(Generic[Found]):
    """What a formula says of the worlds of one size for which it has the same value, and what was found there.

    `agrees` is None where it is not judged, and `note` says why.
    """

    n: int
    formula: Formula
    value: Number | None
    found: Found
    agrees: bool | None
    note: str = ""


@dataclass(frozen=True, kw_only=True, repr=False)
class Judging(Generic[Found]):
    """A search that finds numbers, with the model's formulas judged by them."""

    DONE: ClassVar[str]  # half a sentence for HOLDS
    DISAGREES: ClassVar[str]  # and for a formula that is refuted

    search: Result
    judged: tuple[Judged[Found], ...] = ()

    @property
    def refuted(self) -> tuple[Judged[Found], ...]:
        return tuple(one for one in self.judged if one.agrees is False)

    @property
    def verdict(self) -> str:
        """VIOLATED where a step fails or a formula is refuted."""
        return "VIOLATED" if self.refuted and self.search.error is None else self.search.verdict

    @property
    def exit_code(self) -> int:
        if self.search.error is None and self.search.verdict != "VIOLATED" and self.refuted:
            return REFUTED
        return self.search.exit_code

    @property
    def reason(self) -> str:
        """Half a sentence for the verdict."""
        if self.verdict == "VIOLATED" and self.search.verdict != "VIOLATED":
            return self.DISAGREES
        return self.DONE if self.verdict == "HOLDS" else self.search.judgement.reason
