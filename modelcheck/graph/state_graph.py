"""The state graph of one world: its states and the transitions between them, or where these are too many, what an observer sees.

Collapsed, a node stands for all states that look alike to the observer, and an edge for all transitions from one class of
states to another; transitions within a class are counted at its node. Nothing is left out: the states of the nodes add up to
those of the world, and the transitions of edges and nodes to its transitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Unpack

from ..check.request import Asked, read_request, usual_limits
from ..check.search import check_engine
from ..check.worker import Engine
from ..errors import UnfinishedError, UsageError, nearest
from ..explore.limits import Limits, Meter
from ..language.process import Process
from ..pulse import StoppedError, watched_by
from ..semantics.worlds import World
from .one_world import one_world


@dataclass(frozen=True)
class Node:
    """One state, or the states that look alike. `lines` say what is seen, by process; `text` says all of it.

    `depth` is the least number of steps that lead there. Of its states so many are `initial`, `terminal` and break
    properties; `inside` are the transitions that do not leave it. `knowing` is "all", "some" or "none": who knows the leader.
    """

    number: int
    lines: tuple[tuple[str, str], ...]
    text: str
    depth: int
    states: int = 1
    initial: int = 0
    terminal: int = 0
    inside: int = 0
    knowing: str = "none"
    violating: tuple[tuple[str, int], ...] = ()
    on_path: bool = False
    path: tuple[int, ...] = ()  # the steps of the counterexample that do not leave it, the first is 1


@dataclass(frozen=True)
class Edge:
    """Transitions from one node to another, or, where `failure` names what fails, to none: then `target` is -1.

    `labels` are their steps with how many there are of each; `violating` are the properties of steps that some of them break.
    Of a single transition `process`, `received` and `fault` (its kind) are told.
    """

    source: int
    target: int
    labels: tuple[tuple[str, int], ...]
    process: str = ""
    step: str = ""
    received: str = ""
    fault: str = ""
    failure: str = ""
    violating: tuple[str, ...] = ()
    path: tuple[int, ...] = ()  # as which steps of the counterexample it is taken, the first is 1

    @property
    def transitions(self) -> int:
        return sum(count for _, count in self.labels)


@dataclass(frozen=True)
class Counterexample:
    """What the highlighted path shows. `loop` as in a trace: the part after so many steps repeats for ever."""

    name: str
    claim: str
    reason: str
    length: int
    unit: str
    loop: int | None


@dataclass(frozen=True)
class StateGraph:
    """A graph to be drawn or written. `seen` says by what states were collapsed; it is empty where each node is a state.
    `violations` are the properties that fail in this world, with how many states (or steps) break them, None for runs."""

    model: str
    title: str
    world: World
    order: int
    worlds: int | None
    chosen: str
    looked_through: int
    network: str
    options: tuple[
        tuple[str, str], ...
    ]  # that differ from the model's defaults, as they are typed, and what was given for them
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    seen: str
    states: int
    transitions: int
    terminal_states: int
    depth: int
    knows: str  # what a filled node means: "leader", "status" (has decided), or the fields that have changed
    counterexample: Counterexample | None = None
    violations: dict[str, int | None] = field(default_factory=dict)
    reference: str = ""
    unseen: tuple[str, ...] = ()  # fields that change and are not seen

    @property
    def circumstances(self) -> tuple[str, ...]:
        """The network, and the options: 'fifo', '--crashes 1'."""
        return (self.network, *map(" ".join, self.options))

    @property
    def is_collapsed(self) -> bool:
        return bool(self.seen)


def state_graph(
    model: str | type[Process],
    *,
    engine: Engine = "auto",
    limits: Limits | None = None,
    meter: Meter | None = None,
    world: int | None = None,
    collapse: bool | None = None,
    by: Sequence[str] = (),
    **asked: Unpack[Asked],
) -> StateGraph:
    """The state graph of one world of a protocol, with the arguments of `check`.

    It is the world with the shortest counterexample (of `property`, where some are named), or else the first, or the one of
    number `world`. It is collapsed where it has too many states to be drawn, or as `collapse` says; `by` are the fields that are
    seen then, by default those that properties read.

    Raises UsageError for what does not exist or make sense, UnfinishedError where a limit was reached, and whatever is wrong with
    the model.
    """
    from .building import build

    check_engine(engine)
    meter = meter or Meter(limits or usual_limits())
    try:
        with watched_by(meter):
            request = read_request(model, **asked)
            found = request.model
            names = [declared.name for declared in found.definition.fields]
            for name in by:
                if name not in names:
                    raise UsageError(f"{found.name} has no field {name!r}; {nearest(name, names)}")
            engine = "reference" if request.settings.schedule == "lockstep" else engine
            return build(one_world(request, meter, engine, world), collapse, tuple(by))
    except StoppedError:
        raise UnfinishedError(
            f"{meter.reached}, before the graph was done; raise the limit, or take fewer processes"
        ) from None
