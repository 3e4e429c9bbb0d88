"""Claims: what the literature says of election protocols, each with the commands that test it.

A source is a file; it makes claims and sets exercises. A claim has trials: each is a command as one types it after
`modelcheck run`, the sizes to try, and what must come out. Where the source errs, what must come out is the
counterexample.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .formulas import BookFormula, FormulaComparison

Length = BookFormula | None  # of the shortest trace, or any


@dataclass(frozen=True)
class Expected:
    """What must come out of a run. Everything that is given must; what is left out may be anything."""

    holds: bool = False  # the verdict, or else these properties:
    holding: tuple[str, ...] = ()
    violated: Mapping[str, Length] = field(default_factory=dict)
    almost_surely: tuple[str, ...] = ()  # they hold with probability 1, and not for certain
    grows: str = ""  # a limit is met, and the report names this as what keeps growing
    counts: Mapping[str, BookFormula] = field(default_factory=dict)  # states, transitions, ...
    messages: Mapping[str, BookFormula] = field(default_factory=dict)  # "best", "worst of Election", ...
    misprinted: Mapping[str, BookFormula] = field(default_factory=dict)  # bounds that fail for some of the sizes
    expected: Mapping[str, BookFormula | None] = field(
        default_factory=dict
    )  # "rounds", "greatest steps", ...; None: infinite


@dataclass(frozen=True)
class Trial:
    """One command and what must come out of it.

    `sizes` are for --n; they are empty where the command itself says how many processes there are. `fast` are those of
    the fast subset; None leaves the trial out of it. `where` chooses the worlds whose messages are counted.
    """

    words: tuple[str, ...]
    sizes: tuple[int, ...]
    fast: tuple[int, ...] | None
    expected: Expected
    general: bool = False  # the sizes are a range that may go on: it is not of these only
    where: FormulaComparison | None = None
    comparison: FormulaComparison | None = None  # a trial by arithmetic alone, of no protocol
    differs: bool = False  # it must fail for some of the sizes
    until: str | None = None  # the property that runs go on to, where expected values are computed

    @property
    def counts_messages(self) -> bool:
        return bool(self.expected.messages or self.expected.misprinted)

    def command(self, sizes: tuple[int, ...]) -> str:
        """What one types to see it."""
        verb = "messages" if self.counts_messages else "expect" if self.expected.expected else "run"
        parts = ["modelcheck", verb, *self.words, *(["--until", self.until] if self.until else [])]
        return shlex.join([*parts, "--n", span(sizes)] if sizes else parts)


@dataclass(frozen=True)
class Claim:
    """`states` is a sentence of our own on what the source says; `errs`, where it is wrong, what is true."""

    source: str
    name: str
    where: str
    states: str
    errs: str = ""
    read: str = ""  # why there is nothing to run
    trials: tuple[Trial, ...] = ()
    attempt: str = ""  # of an exercise: what to try,
    look: str = ""  # what to look for,
    explains: str = ""  # and what there is to learn

    @property
    def reference(self) -> str:
        return f"{self.source}-{self.name}"

    @property
    def is_exercise(self) -> bool:
        return bool(self.attempt)


@dataclass(frozen=True)
class Source:
    """A file of claims."""

    name: str
    title: str
    file: Path
    claims: tuple[Claim, ...]


def span(sizes: tuple[int, ...]) -> str:
    """`3`, `1..4`, or `1, 2, 4`."""
    if len(sizes) == 1:
        return str(sizes[0])
    if sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]}..{sizes[-1]}"
    return ", ".join(map(str, sizes))
