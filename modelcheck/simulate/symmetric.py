"""The argument of Angluin 1980, shown: processes that are alike and step at once stay alike, so never does exactly one lead.

Where no process can be told from another (equal identifiers or none, the same ports leading to the same ports, nothing else
known), all have the same component at first. In a lock-step round a component alone decides what a process does, so all do the
same, each receives what each sends, and after the round all have the same component again. A protocol that chooses or
draws has such a run too, in which all choose and draw the same.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

from ..catalog import Model
from ..check.request import usual_limits
from ..errors import AssumptionError, UnfinishedError, UsageError
from ..explore.limits import Meter
from ..language.networks import ORDERED
from ..language.topology import Shape
from ..pulse import StoppedError, attended, watched_by
from ..runs import trace
from ..runs.trace import Trace
from ..semantics.components import Component, State
from ..semantics.graphs import DEFAULT_N, graphs_asked_for
from ..semantics.lockstep import LockStep, Round, Turn
from ..semantics.settings import Settings
from ..semantics.system import Start
from ..semantics.worlds import World

MOST_ROUNDS = 1_000
MOST_NAMINGS = 10_000  # of the ports, tried where the usual one tells processes apart


@dataclass(frozen=True)
class Symmetry:
    """The symmetric run, in which every process does the same in every round.

    `trace.loop` is None where it ends, or where it was given up (`complete` is false). `leads` says of the end of each
    round whether every process leads (or else none); it is empty where the protocol elects nobody. `luck` is the
    probability that all draw the same throughout, 0 where they must do so for ever. `chooses`: in this run processes
    choose, and others there are in which they choose differently. `stopped` is the limit that was reached on the way.
    """

    model: Model
    trace: Trace
    leads: tuple[bool, ...]
    complete: bool
    luck: Fraction
    chooses: bool
    stopped: str | None = None


def symmetric_run(
    model: Model,
    n: int | None = None,
    graph: str | None = None,
    parameters: dict[str, object] | None = None,
    meter: Meter | None = None,
) -> Symmetry:
    """Follows the symmetric run until it ends, repeats itself, has had 1,000 rounds, or the meter says stop. Without `n` there are
    three processes, or as many as the graph has.

    Raises UsageError for a single process and for what has no lock-step runs, AssumptionError where the processes
    are not alike, UnfinishedError where a limit is reached before there is anything to show.
    """
    meter = meter or Meter(usual_limits())
    try:
        with watched_by(meter):
            return _followed(model, n, graph, parameters or {}, meter)
    except StoppedError:
        raise UnfinishedError(
            f"{meter.reached}, before there was anything to show; raise it, or take fewer processes"
        ) from None


def _followed(model: Model, n: int | None, graph: str | None, parameters: dict[str, object], meter: Meter) -> Symmetry:
    definition = model.definition
    settings = Settings(ORDERED, tuple(definition.parameter_values(parameters).items()), schedule="lockstep")
    settings.check(definition)
    system = LockStep(definition, settings)
    world = _world_of_equals(model, n, graph)
    start, state = _start(system, world)
    rounds: list[Round] = []
    seen: dict[Component, int] = {}
    luck, chooses, complete = [], False, True
    while state is not None and state[1] not in seen and len(rounds) < MOST_ROUNDS and not meter.stop():
        component = state[1]
        seen[component] = len(rounds)
        try:
            turns = system.turns(state[0], component)
        except MemoryError:
            complete = False
            break
        turn = next((turn for turn in turns if turn.active), None)
        if turn is None:
            break
        taken = system.round(world, state[0], (turn,) * world.n)
        assert taken.after is None or len(set(taken.after[1:])) == 1, (
            "a round in which all did the same told them apart"
        )
        rounds.append(taken)
        luck.append(_all_draw_alike(turns, world.n))
        chooses = chooses or any(not choice.random for step in turn.steps for choice in step.choices)
        state = taken.after
    repeats = state is not None and state[1] in seen and seen[state[1]] < len(rounds)
    loop = seen[state[1]] if repeats and state is not None else None
    for_ever = loop is not None and math.prod(luck[loop:]) < 1
    stopped = meter.reached  # from here on it is only written down
    with watched_by(meter.last_words()):
        trace.replay(system, world, start, rounds)
        shown = trace.build(system, world, start, rounds, "", loop)
    return Symmetry(
        model,
        shown,
        tuple(_leads(system, taken.after[1]) for taken in rounds if taken.after is not None) if _elects(system) else (),
        complete=complete and stopped is None and (len(rounds) < MOST_ROUNDS or repeats),
        luck=Fraction(0) if for_ever else math.prod(luck, start=Fraction(1)),
        chooses=chooses,
        stopped=stopped,
    )


def _start(system: LockStep, world: World) -> tuple[Start, State | None]:
    """The first initial state in which all are alike; where `initially` chooses there are others."""
    return next((start, start.state) for start in system.starts(world) if len(set(start.state[1:])) == 1)


def _all_draw_alike(turns: tuple[Turn, ...], n: int) -> Fraction:
    """The probability that n processes with these turns, who choose the first option, draw the same."""
    first = _chosen(turns[0])
    return sum((_weight(turn) ** n for turn in turns if _chosen(turn) == first), Fraction(0))


def _chosen(turn: Turn) -> tuple[object, ...]:
    return tuple(choice.value for step in turn.steps for choice in step.choices if not choice.random)


def _weight(turn: Turn) -> Fraction:
    weight = Fraction(1)
    for choice in (choice for step in turn.steps for choice in step.choices if choice.random):
        weight *= Fraction(choice.weight, choice.total)
    return weight


def _leads(system: LockStep, component: Component) -> bool:
    """Whether a process holds itself to be the leader, as the election specification has it."""
    fields = system.fields_of(component)
    named: object = fields.get("leader")
    return fields.get("status") == "leader" or (named is not None and named == component.profile.identifier)


def _elects(system: LockStep) -> bool:
    return any(field.name in ("leader", "status") for field in system.definition.fields)


# --- processes that are alike ----------------------------------------------------------------------------------------


def _world_of_equals(model: Model, n: int | None, graph: str | None) -> World:
    """A world in which no process can be told from another. Raises AssumptionError, with the reason, where there is none."""
    definition = model.definition
    for knowledge, what in (("root", "who is the root"), ("position", "its position")):
        if knowledge in definition.knows:
            raise AssumptionError(f"the processes of {model.name} are not alike: each knows {what}")
    topology, given = graphs_asked_for(graph, definition, () if n is None else (n,))
    if given and n not in (None, given[0].n):
        raise UsageError(f"--n {n} does not fit: the graph has {given[0].n} processes")
    n = given[0].n if given else n or DEFAULT_N
    if n < 2:
        raise UsageError("one process has nobody to be told from; the argument is about two or more")
    identifiers = (None if definition.identifiers == "none" else 1,) * n
    shapes = given or tuple(attended(topology.shapes(n)))
    for shape in shapes:
        for naming in attended(itertools.islice(shape.namings(), MOST_NAMINGS)):
            world = World(shape.renamed(naming), identifiers, frozenset(range(n)), None, 1)
            if _alike(world.shape) and len(set(world.profiles(definition.knows))) == 1:
                return world
    raise AssumptionError(
        f"the processes on a {shapes[0].name} are not alike: their ports tell them apart; rings and complete graphs "
        "look the same from each"
    )


def _alike(shape: Shape) -> bool:
    """Whether what is sent on a port arrives at the same port, wherever it is sent from."""
    arrives = {link.out_port: link.in_port for link in shape.links}
    return all(arrives[link.out_port] == link.in_port for link in shape.links)
