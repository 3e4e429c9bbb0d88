"""Which of these steps can be taken now? Steps to choose from, with the reason why or why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..language.definition import Step
from ..language.messages import DETECTOR_MESSAGES, Cut, Message
from ..runs.trace import sender
from ..semantics import network
from ..semantics.components import Component, State
from ..semantics.system import System
from ..semantics.worlds import World
from .guards import held_up

MOST = 8  # to choose from
MOST_POSSIBLE = 5
MOST_FAR = 2  # for which no message is there
Item = TypeVar("Item")


@dataclass(frozen=True)
class OfferedStep:
    """A step of a process that may or may not be possible; `why` says what hinders it."""

    process: str
    step: str
    received: str  # 'Election(3) from p1'; 'some Election', where one would be needed; or nothing
    possible: bool
    why: str

    def __str__(self) -> str:
        return "  ".join(filter(None, [self.process, self.step, self.received]))


def candidates(system: System, world: World, state: State) -> tuple[OfferedStep, ...]:
    """Some steps of the protocol, in the order of the processes: possible ones, and of the others first those that come near.

    Faults are none of them, nor is a step that would change nothing.
    """
    ways: dict[Any, bool] = {}
    for transition in system.successors(world, state):
        outcome = transition.outcome
        if not outcome.is_fault:
            key = transition.process, outcome.step, outcome.received
            ways[key] = ways.get(key, False) or transition.after is None or transition.after != state
    taken = {key for key, changes in ways.items() if changes}
    found = [(near, one) for near, key, one in _all(system, world, state, taken) if key in taken or key not in ways]
    possible = _some([one for _, one in found if one.possible], MOST_POSSIBLE)
    near = [one for near, one in found if near and not one.possible]
    far = _some([one for near, one in found if not near], MOST_FAR)
    kept = {*possible, *_some(near, MOST - len(possible) - len(far)), *far}
    return tuple(dict.fromkeys(one for _, one in found if one in kept))


def _all(
    system: System, world: World, state: State, taken: set[Any]
) -> Iterator[tuple[bool, tuple[Any, ...], OfferedStep]]:
    """Every step that can be thought of, whether it comes near, and what a transition of it is known by."""
    environment = state[0]
    for process in range(world.n):
        component: Component = state[process + 1]
        label, who = world.label(process), f"p{process + 1}"
        for step in system.definition.steps:
            if step.kind == "receive":
                if _waits_none(component, step):
                    what = " or ".join(kind.__name__ for kind in step.messages)
                    why = f"{who} has crashed" if component.crashed else f"no {what} waits for {who}"
                    yield False, (process, step.name, what), OfferedStep(label, step.name, f"some {what}", False, why)
                continue
            key = process, step.name, None
            why = "" if key in taken else _hindered(system, environment, component, step, who)
            yield True, key, OfferedStep(label, step.name, "", key in taken, why)
        for place, port in enumerate(component.profile.in_ports) if not component.crashed else ():
            channel = component.inbox[place]
            ready = dict(network.receivable(system.links, channel))
            for message in dict.fromkeys(message for message in channel if not isinstance(message, Cut)):
                said = f"{message!r} from {sender(repr(message), world.label(world.sender[process][port]))}"
                receiving = [step for step in system.definition.steps if type(message) in step.messages]
                for name in [step.name for step in receiving] or ["receive"]:
                    key_of = process, name, (port, message)
                    why = ""
                    if message not in ready:
                        why = _behind(channel, message)
                    elif key_of not in taken:
                        rest = system._with_channel(component, place, ready[message])
                        why = _guard(held_up(system, environment, rest, name, (port, message)))
                    yield True, key_of, OfferedStep(label, name, said, key_of in taken, why)


def _hindered(system: System, environment: Any, component: Component, step: Step, who: str) -> str:
    if component.crashed:
        return f"{who} has crashed"
    if step.kind == "initiate" and not component.profile.initiator:
        return f"{who} is no initiator"
    return _guard(held_up(system, environment, component, step.name, None))


def _guard(line: str) -> str:
    return f"its guard does not hold: {line}" if line else "it would change nothing"


def _waits_none(component: Component, step: Step) -> bool:
    waiting = {type(message) for channel in component.inbox for message in channel}
    return not waiting.intersection(step.messages) and not set(step.messages) <= set(DETECTOR_MESSAGES)


def _behind(channel: Sequence[Message], message: Message) -> str:
    before = channel[: channel.index(message)]
    if any(isinstance(other, Cut) for other in before):
        return "it is held until the network is whole again"
    return f"it waits behind {before[0]!r}: what was sent first comes first"


def _some(items: Sequence[Item], most: int) -> Sequence[Item]:
    """So many of them, from all over."""
    return [items[k * len(items) // most] for k in range(most)] if len(items) > most else items
