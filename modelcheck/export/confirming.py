"""`confirm` and `export`: a search, its tables, and what other checkers make of them.

What is confirmed is the search: that no state and no transition was missed or counted twice, with symmetry or without, and
that steps fail where they are said to. What a step means is not: the tables come from our semantics.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

from ..check.checker import search_worlds
from ..check.findings import Findings
from ..check.request import Asked, Request, read_request, usual_limits
from ..check.search import check_engine
from ..check.worker import Engine, Worker
from ..count.tally import Unreduced
from ..errors import UnfinishedError, UsageError, nearest
from ..explore.exploration import Exploration
from ..explore.limits import Limits, Meter
from ..language.messages import Down, Up
from ..language.process import Process
from ..semantics.system import System
from ..semantics.worlds import World
from . import tools
from .program import InstanceCounts, Program
from .tabulate import Tabulation, refuse
from .tools import Answer, Tool

BUG = 70
SETS = "sets"


@dataclass(frozen=True)
class Size:
    """One number of processes. `worlds` were explored, which stand for `represented`. `reduced` is what the search with
    symmetry says of the same states: None where it is the same search; `by_sets` what the engine of sets does, where it was asked."""

    n: int
    worlds: int
    represented: int
    counts: InstanceCounts
    reduced: Unreduced | None
    answers: tuple[Answer, ...]
    by_sets: Unreduced | None = None

    def differences(self) -> Iterator[str]:
        """Whatever is not as it must be, in words."""
        for answer in self.answers:
            for what, (ours, theirs) in tools.expected(self.counts, answer).items():
                if ours != theirs:
                    yield f"n={self.n}: {ours:,} {what} here, {theirs:,} by {answer.tool}"
            for text, times in answer.objections.items():
                yield f"n={self.n}: {answer.tool} finds what the search never met, {times:,} times: {text}"
        for how, found in (("with symmetry", self.reduced), ("by sets", self.by_sets)):
            for what in ("states", "transitions") if found is not None else ():
                one, other = getattr(found, what), getattr(self.counts, what)
                if one != other:
                    yield f"n={self.n}: {one:,} {what} {how}, {other:,} without"


@dataclass(frozen=True)
class Confirmation:
    """What came of it. `unasked` says why a tool that is installed was not asked."""

    request: Request
    sizes: tuple[Size, ...]
    seconds: float
    unasked: dict[str, str] = field(default_factory=dict)

    @property
    def differences(self) -> tuple[str, ...]:
        return tuple(text for size in self.sizes for text in size.differences())

    @property
    def exit_code(self) -> int:
        return BUG if self.differences else 0


@dataclass(frozen=True)
class Exported:
    """A program for another checker, as text, and what it was written from."""

    tool: Tool
    program: Program
    text: str


def confirm(
    model: str | type[Process],
    *,
    tools: Sequence[str] | None = None,
    engine: Engine = "auto",
    limits: Limits | None = None,
    meter: Meter | None = None,
    **asked: Unpack[Asked],
) -> Confirmation:
    """Searches all worlds, has the search confirmed by `tools` ("spin", "rumur"; by default those that are installed), and compares. Where "sets" is
    among the tools, the engine of that name counts as well.

    Raises UsageError for what is not exported, for what sets refuse, and where a tool is not installed, UnfinishedError where a limit is reached.
    """
    meter = meter or Meter(limits or usual_limits())
    with_sets = tools is not None and SETS in tools
    chosen = asked_for(None if tools is None else [name for name in tools if name != SETS])
    request = _read(model, engine, asked)
    sizes, unasked = [], dict[str, str]()
    for program, worlds, reduced, represented in _programs(request, engine, meter):
        texts = _texts(program, chosen, unasked if tools is None else None)
        answers = []
        for tool, text in texts.items():
            with tempfile.TemporaryDirectory(prefix="modelcheck-") as folder:
                answers.append(tool.run(program, text, Path(folder), meter))
        by_sets = _searched(request, program.n, "sets", meter) if with_sets else None
        sizes.append(Size(program.n, worlds, represented, program.counts, reduced, tuple(answers), by_sets))
    return Confirmation(request, tuple(sizes), meter.seconds(), unasked)


def _texts(program: Program, chosen: Sequence[Tool], unasked: dict[str, str] | None) -> dict[Tool, str]:
    """The program for each tool. What cannot be said in a language is refused; but where nobody named the tools that is noted in
    `unasked` as long as another can say it."""
    texts, refused = dict[Tool, str](), dict[str, UsageError]()
    for tool in chosen:
        try:
            texts[tool] = tool.text(program)
        except UsageError as error:
            refused[tool.name] = error
    if refused and (unasked is None or not texts):
        raise next(iter(refused.values()))
    if unasked is not None:
        unasked.update((name, str(error)) for name, error in refused.items())
    return texts


def export(
    model: str | type[Process],
    language: str,
    *,
    engine: Engine = "auto",
    limits: Limits | None = None,
    meter: Meter | None = None,
    **asked: Unpack[Asked],
) -> Exported:
    """The program in "promela" or "murphi", and what it was written from. Raises as `confirm` does."""
    tool = next((tool for tool in tools.TOOLS if tool.language == language), None)
    if tool is None:
        raise UsageError(f"there is no language {language!r}; {nearest(language, [t.language for t in tools.TOOLS])}")
    request = _read(model, engine, asked)
    if len(request.sizes) > 1:
        raise UsageError(f"a program is of one size: --n {request.sizes[0]}")
    program, *_ = next(_programs(request, engine, meter or Meter(limits or usual_limits())))
    return Exported(tool, program, tool.text(program))


def asked_for(names: Sequence[str] | None) -> tuple[Tool, ...]:
    """The tools of these names. Raises UsageError where one does not exist or is not installed."""
    known = {tool.name: tool for tool in tools.TOOLS}
    if names is None:
        installed = tuple(tool for tool in tools.TOOLS if not tools.missing(tool))
        if not installed:
            raise UsageError(f"no other checker is installed: {_install(tools.TOOLS)}")
        return installed
    for name in names:
        if name not in known:
            raise UsageError(f"--with does not know {name!r}; {nearest(name, [*known, SETS])}")
    chosen = tuple(known[name] for name in dict.fromkeys(names))
    lacking = [tool for tool in chosen if tools.missing(tool)]
    if lacking:
        absent = dict.fromkeys(command for tool in lacking for command in tools.missing(tool))
        raise UsageError(f"{' and '.join(absent)} not found: {_install(lacking)}")
    return chosen


def _install(lacking: Sequence[Tool]) -> str:
    needed = dict.fromkeys(command for tool in lacking for command in tools.missing(tool))
    return f"apt install {' '.join(needed)}" + (" libc6-dev" if "gcc" in needed else "")


def _read(model: str | type[Process], engine: Engine, asked: Asked) -> Request:
    check_engine(engine)
    if engine == "sets":
        raise UsageError("every state is compared, and sets visit none: leave out --engine sets")
    request = read_request(model, **asked)
    definition = request.model.definition
    refuse(request.settings, definition.handles(Down) or definition.handles(Up))
    return request


def _programs(request: Request, engine: Engine, meter: Meter) -> Iterator[tuple[Program, int, Unreduced | None, int]]:
    """For each size the program, how many worlds it has, what a search with symmetry says, and how many worlds they stand for."""
    for n, families in request.worlds():
        system = System(request.model.definition, request.settings)
        lane = Worker(system, (), Findings(system, ()), meter, engine, records=True)
        table, reduced, turned = Tabulation(system, n), Unreduced(), False
        worlds = represented = 0
        meter.size, meter.represented, meter.to_represent = n, 0, sum(worlds.represented for worlds in families)
        for some in families:
            for world in some:
                worlds += 1
                represented += world.weight
                found = _explored(lane, world, worlds, some.symmetric, meter)
                turned = turned or bool(found.group)
                reduced.add(found.all_states, found.all_transitions, found.all_terminals)
                table.add(world, _explored(lane, world, worlds, False, meter) if found.group else found)
                meter.represented = represented
        system.verify()
        yield (
            table.program(request.model.name, _about(request, n, worlds)),
            worlds,
            reduced if turned else None if request.policy.symmetry else _by_classes(request, n, engine, meter),
            represented,
        )


def _explored(lane: Worker, world: World, order: int, symmetric: bool, meter: Meter) -> Exploration:
    found = lane.explore(world, order, symmetric, None)
    meter.landed(len(found.states), found.transitions)
    if not found.complete:
        raise UnfinishedError(f"{meter.reached}, before all was explored that was to be confirmed; raise the limit")
    return found


def _by_classes(request: Request, n: int, engine: Engine, meter: Meter) -> Unreduced:
    """What a run with symmetry works out for the worlds that it does not explore."""
    one = replace(request, policy=replace(request.policy, symmetry=True))
    return _searched(one, n, engine, meter)


def _searched(request: Request, n: int, engine: Engine, meter: Meter) -> Unreduced:
    """What a run of one size counts."""
    result = search_worlds(replace(request, sizes=(n,), properties=()), engine, 1, meter, meter.started)
    if result.stopped or result.error:
        raise result.error or UnfinishedError(f"{result.stopped}, before all was explored; raise the limit")
    if engine == "sets":  # of the worlds that are compared, not of those that they stand for
        return Unreduced(result.states, result.transitions, result.terminal_states)
    return result.unreduced


def _about(request: Request, n: int, worlds: int) -> tuple[str, ...]:
    options = [" ".join(pair) for pair in request.option_pairs]
    return (
        f"n={n}, network {request.settings.network}, {worlds} world{'s' * (worlds != 1)}",
        *options,
        *(f"{name} = {value}" for name, value in request.settings.parameters),
    )
