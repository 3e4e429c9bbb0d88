"""A run as text, short enough for an address:

    1/chang_roberts+--n+4/ids=3,1,2,4/0/0a2k1f~1
    │ │                   │           │ │     └ the part that repeats for ever begins after this many steps
    │ │                   │           │ └ the steps, each its number among those enabled and a letter
    │ │                   │           └ which of the initial states
    │ │                   └ the world (subject.py)
    │ └ the command that serves it
    └ the version of this format

The letter is drawn from everything up to and with the step. So every beginning of a path is a path, and one that was made for
another version of the model is refused at the first step that no longer fits.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from ..errors import UsageError
from ..semantics.components import State
from ..semantics.system import Start, System, Transition
from ..semantics.worlds import World
from .subject import Subject, WorldChoice

VERSION = "1"
MOST_STEPS = 2_000
_STEP = re.compile(r"(\d{1,7})([a-z])")


class PathError(UsageError):
    """An address that leads to no run."""


@dataclass(frozen=True)
class WrittenRun:
    """A run as far as it was taken. `state` is the last one; after a step that failed, the one before it."""

    choice: WorldChoice
    world: World
    first: int
    start: Start
    transitions: tuple[Transition, ...]
    letters: str  # of the steps
    loop: int | None
    base: str  # of the path: all before the steps
    steps: str

    @property
    def path(self) -> str:
        return self.base + self.steps + ("" if self.loop is None else f"~{self.loop}")

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def states(self) -> list[State]:
        """The initial state, then the one after each step (a step that fails leaves it as it was)."""
        found = [self.start.state]
        for transition in self.transitions:
            found.append(found[-1] if transition.after is None else transition.after)
        return found

    @property
    def failure(self) -> Any:
        """The failure in which the run ended; None where it did not."""
        last = self.transitions[-1] if self.transitions else self.start.steps[-1] if self.start.steps else None
        return last.outcome.failure if last is not None else None


def base(subject: Subject, choice: WorldChoice, first: int = 0) -> str:
    """The path of a run before its first step."""
    command = quote_plus(" ".join(subject.command), safe=",=:")
    return f"{VERSION}/{command}/{quote(subject.written(choice), safe=',=;')}/{first}/"


def letter(before: str, transition: Transition, where: str) -> str:
    """The letter of a step that is taken after steps with these letters."""
    seen = repr((where, before, transition.process, transition.outcome.label()))
    return chr(ord("a") + zlib.crc32(seen.encode("utf-8", "backslashreplace")) % 26)


def following(run: WrittenRun, number: int, transition: Transition) -> str:
    """What to put behind the path for one more step: the one of this number."""
    return f"{number}{letter(run.letters, transition, _where(run.base))}"


def written(subject: Subject, choice: WorldChoice, first: int, taken: Sequence[int], loop: int | None = None) -> str:
    """The path of the run that takes the steps of these numbers. Raises PathError where there is none."""
    start = base(subject, choice, first)
    run = _taken(subject, choice, first, [(number, None) for number in taken], loop, start)
    return run.path


def continued(subject: Subject, run: WrittenRun, taken: Sequence[int]) -> str:
    """The path of the run that goes on with the steps of these numbers."""
    so_far: list[tuple[int, str | None]] = [(int(number), None) for number, _ in _STEP.findall(run.steps)]
    tokens = [*so_far, *((number, None) for number in taken)]
    return _taken(subject, run.choice, run.first, tokens, None, run.base).path


def read(subject: Subject, path: str) -> WrittenRun:
    """The run that a path stands for. Raises PathError where it stands for none, with the reason."""
    if not path:
        choice = subject.usual()
        return _taken(subject, choice, 0, [], None, base(subject, choice))
    parts = path.split("/")
    if parts[0] != VERSION:
        raise PathError(
            f"this address is of version {parts[0][:20]!r}, and this modelcheck reads version {VERSION}"
            if len(parts) == 5
            else "this address is not one of a run"
        )
    if len(parts) != 5:
        raise PathError("this address is cut short: it has the command, the world, the start and the steps")
    _, command, world, first, steps = parts
    wanted, own = unquote_plus(command), " ".join(subject.command)
    if wanted != own:
        raise PathError(f"this address is of `modelcheck explore {wanted}`, and here is `modelcheck explore {own}`")
    if not (first.isascii() and first.isdigit() and len(first) <= 9):
        raise PathError("the number of the initial state is no number")
    choice = subject.read(world)
    tokens, loop = _tokens(unquote(steps))
    return _taken(subject, choice, int(first), tokens, loop, base(subject, choice, int(first)))


def tokens(steps: str) -> list[str]:
    """The steps of a path, one by one: so many of them at its beginning are a path as well."""
    return [match[0] for match in _STEP.finditer(steps)]


def _tokens(steps: str) -> tuple[list[tuple[int, str | None]], int | None]:
    text, tilde, loop = steps.partition("~")
    if tilde and not (loop.isascii() and loop.isdigit() and len(loop) <= 6):
        raise PathError("after the ~ stands where the loop begins, a number")
    found = [(int(match[1]), match[2]) for match in _STEP.finditer(text)]
    if "".join(f"{number}{character}" for number, character in found) != text:
        raise PathError("the steps of this address are damaged: each is a number and a letter, as in 0a2k")
    if len(found) > MOST_STEPS:
        raise PathError(f"this run has {len(found):,} steps; at most {MOST_STEPS:,} are shown")
    if tilde and not int(loop) < len(found):
        raise PathError("the loop of this address begins after its end")
    return list(found), int(loop) if tilde else None


def _taken(
    subject: Subject,
    choice: WorldChoice,
    first: int,
    tokens: Sequence[tuple[int, str | None]],
    loop: int | None,
    base: str,
) -> WrittenRun:
    world, system = subject.world(choice), subject.system
    start = next(itertools.islice(system.starts(world), first, None), None)
    if start is None:
        raise PathError(f"this world has no initial state of number {first}")
    state: State | None = start.state if not (start.steps and start.steps[-1].after is None) else None
    taken: list[Transition] = []
    letters = ""
    texts = []
    for place, (number, expected) in enumerate(tokens, 1):
        if state is None:
            raise PathError(f"there is no step {place}: the run ended in a step that fails")
        transition = _numbered(system, world, state, number)
        if transition is None:
            raise PathError(f"step {place} of this address cannot be taken: fewer steps are enabled there{_CHANGED}")
        own = letter(letters, transition, _where(base))
        if expected is not None and own != expected:
            raise PathError(f"step {place} of this address no longer fits{_CHANGED}")
        letters += own
        texts.append(f"{number}{own}")
        taken.append(transition)
        state = transition.after
    return WrittenRun(choice, world, first, start, tuple(taken), letters, loop, base, "".join(texts))


_CHANGED = "; the model or the options have changed since it was made, or the address is damaged"


def _where(base: str) -> str:
    """What of the path the letters vouch for besides the steps: the world and the start."""
    return base.split("/", 2)[2]


def _numbered(system: System, world: World, state: State, number: int) -> Transition | None:
    return next(itertools.islice(system.successors(world, state), number, None), None)
