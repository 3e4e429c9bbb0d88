# ruff: noqa: ARG005 (every value is asked with a state and with what the condition is about, whether it needs them or not)
"""What a condition says of a state: names are looked up once, when it is read, and values whenever it is asked.

    p1.leader, p2.awake          a field of a process; also .id, .crashed, .waiting (how many messages wait for it)
    leaders                      how many processes hold themselves to be the leader
    count(C), any(C), all(C)     of the processes for which C holds; in C a field stands by itself: count(leader == 3)
    in_transit(Election)         how many messages of that type are on their way; in_transit() of all types
    in_transit(Election, C)      of those for which C holds of their fields: in_transit(Election, id == 3)
    ended                        whether the state is terminal
    turn                         a shared variable of that name
    len(p1.seen), 3 in p1.seen   for fields that hold several values; p1.said[0]

Identifiers compare with numbers, members of an enumeration go by their names, and any value equals the text it is printed
as: p1.seen == '{1, 2}'. A comparison by size that makes no sense (None < 3) is false; a field of nothing is None.

A count within a count within a count looks at every process for every process for every process: a condition that looks at too
many of them, in one state, is given up.
"""

from __future__ import annotations

import dataclasses
import enum
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, get_args

from ..errors import nearest
from ..language.messages import DETECTOR_MESSAGES, Message
from ..pulse import beat
from ..semantics.components import Component, State
from ..semantics.system import System
from ..semantics.worlds import World
from .conditions import (
    Attribute,
    Call,
    Comparison,
    ConditionError,
    Constant,
    Item,
    Joined,
    Listed,
    Name,
    Node,
    Opposite,
    read,
)
from .operations import Value, comparison, item, joined, length, minus, part, plain

Test = Callable[[State], bool]
Looked = TypeVar("Looked")
MOST_LOOKS = 500_000  # at a process or a message, in one state
_OF_A_PROCESS = ("id", "crashed", "waiting")
_FUNCTIONS = {
    "count": "count(leader == 3)",
    "any": "any(leader == 3)",
    "all": "all(leader == 3)",
    "in_transit": "in_transit(Election)",
    "len": "len(p1.seen)",
}


def condition(text: str, system: System, world: World) -> Test:
    """The condition as a function of states of this world. Raises ConditionError with the character that is at fault; so does
    the function where the condition looks at too much."""
    scope = _Scope(system, world)
    value = scope.value(read(text), None)

    def holds(state: State) -> bool:
        scope.looks = 0
        return bool(value(state, None))

    return holds


class _Scope:
    """The names that a condition may use, and what they stand for."""

    def __init__(self, system: System, world: World) -> None:
        definition = system.definition
        self.system, self.world = system, world
        self.looks = 0  # at processes and messages, in this state
        self.fields = {field.name: place for place, field in enumerate(definition.fields)}
        self.shared = {field.name: place for place, field in enumerate(definition.shared)}
        self.processes = {f"p{number + 1}": number for number in range(world.n)}
        self.messages = {kind.__name__: kind for kind in _message_types(system)}
        annotations = [field.annotation for field in (*definition.fields, *definition.shared)]
        self.members = {member for annotation in annotations for member in _members(annotation)}

    # --- from nodes to values. `inside` says what stands by itself: fields of every process, or of a type of message

    def value(self, node: Node, inside: type | None) -> Value:
        match node:
            case Constant(constant):
                return lambda state, one: constant
            case Name():
                return self._name(node, inside)
            case Attribute():
                return self._attribute(node, inside)
            case Item(of, place):
                whole, which = self.value(of, inside), self.value(place, inside)
                return lambda state, one: item(whole(state, one), which(state, one))
            case Call():
                return self._call(node, inside)
            case Listed(items):
                values = [self.value(item, inside) for item in items]
                return lambda state, one: tuple(value(state, one) for value in values)
            case Comparison(first, others):
                return comparison(
                    self.value(first, inside), [(word, self.value(other, inside)) for word, other in others]
                )
            case Joined(parts):
                return joined([(word, self.value(part, inside)) for word, part in parts])
            case Opposite(word, of):
                opposite = self.value(of, inside)
                if word == "not":
                    return lambda state, one: not opposite(state, one)
                return lambda state, one: minus(opposite(state, one))

    def _name(self, node: Name, inside: type | None) -> Value:
        name = node.name
        if inside is Component and (name in self.fields or name in _OF_A_PROCESS):
            return self._of_process(name, lambda state, one: one)
        if inside is not None and inside is not Component and name in self._fields_of(inside):
            return lambda state, one: plain(getattr(one, name, None))
        if name in self.processes:
            raise ConditionError(f"{name} is a process: write {name}.{next(iter(self.fields), 'id')}", node.at)
        if name in self.shared:
            place = self.shared[name]
            return lambda state, one: plain(state[0].shared[place])
        if name == "leaders" and {"leader", "status"} & self.fields.keys():
            return self._leaders
        if name == "ended":
            return lambda state, one: self._ended(state)
        if name in self.members:
            return lambda state, one: name
        if name in self.fields or name in _OF_A_PROCESS:
            raise ConditionError(
                f"{name} is a field of each process: write p1.{name}, or count({name} ...), any({name} ...), all({name} ...)",
                node.at,
            )
        if name in _FUNCTIONS:
            raise ConditionError(f"{name} needs something in parentheses: {_FUNCTIONS[name]}", node.at)
        if name in self.messages:
            raise ConditionError(f"{name} is a type of message: write in_transit({name}) >= 1", node.at)
        raise ConditionError(f"there is nothing called {name}; {nearest(name, self._known(inside))}", node.at)

    def _known(self, inside: type | None) -> list[str]:
        known = [*self.processes, *self.shared, *self.members, "ended", "leaders", "count", "any", "all", "in_transit"]
        if inside is Component:
            known += [*self.fields, *_OF_A_PROCESS]
        elif inside is not None:
            known += self._fields_of(inside)
        return known

    def _attribute(self, node: Attribute, inside: type | None) -> Value:
        if isinstance(node.of, Name) and node.of.name in self.processes:
            place = self.processes[node.of.name] + 1
            if node.name not in self.fields and node.name not in _OF_A_PROCESS:
                hint = nearest(node.name, [*self.fields, *_OF_A_PROCESS])
                raise ConditionError(f"the processes have no field {node.name}; {hint}", node.at)
            return self._of_process(node.name, lambda state, one: (place - 1, state[place]))
        if isinstance(node.of, Name) and node.name in self.members:  # Phase.ACTIVE
            name = node.name
            return lambda state, one: name
        of, wanted = self.value(node.of, inside), node.name
        return lambda state, one: part(of(state, one), wanted)

    def _of_process(self, name: str, which: Value) -> Value:
        """A field of a process, given as (number, component)."""
        if name in self.fields:
            place = self.fields[name]
            return lambda state, one: plain(which(state, one)[1].fields[place])
        if name == "id":
            identifiers = self.world.identifiers
            return lambda state, one: identifiers[which(state, one)[0]]
        if name == "crashed":
            return lambda state, one: which(state, one)[1].crashed
        return lambda state, one: sum(1 for _ in _waiting(which(state, one)[1]))

    def _leaders(self, state: State, one: object) -> int:
        leader, status = self.fields.get("leader"), self.fields.get("status")
        total = 0
        for identifier, component in zip(self.world.identifiers, state[1:], strict=False):
            named = component.fields[leader] if leader is not None else None
            claims = status is not None and component.fields[status] == "leader"
            total += claims or (named is not None and plain(named) == identifier)
        return total

    def _ended(self, state: State) -> bool:
        return is_terminal(self.system, self.world, state)

    # --- functions

    def _call(self, node: Call, inside: type | None) -> Value:
        name, arguments = node.name, node.arguments
        if name == "in_transit":
            return self._in_transit(node)
        if name not in _FUNCTIONS:
            raise ConditionError(f"there is no {name}(...); {nearest(name, _FUNCTIONS)}", node.at)
        if len(arguments) != 1:
            raise ConditionError(f"{name} takes one thing in parentheses, as in {_FUNCTIONS[name]}", node.at)
        if name == "len":
            whole = self.value(arguments[0], inside)
            return lambda state, one: length(whole(state, one))
        holds = self.value(arguments[0], Component)
        n = self.world.n

        def found(state: State) -> Iterator[bool]:
            return (bool(holds(state, (number, state[number + 1]))) for number in self._looked_at(range(n), node))

        if name == "count":
            return lambda state, one: sum(found(state))
        return (lambda state, one: any(found(state))) if name == "any" else (lambda state, one: all(found(state)))

    def _in_transit(self, node: Call) -> Value:
        kind: type[Message] = Message
        arguments = list(node.arguments)
        if arguments:
            first = arguments.pop(0)
            if not isinstance(first, Name) or first.name not in self.messages:
                written = first.name if isinstance(first, Name) else "this"
                raise ConditionError(
                    f"{written} is no type of message; {nearest(written, self.messages)}", getattr(first, "at", node.at)
                )
            kind = self.messages[first.name]
        if len(arguments) > 1:
            raise ConditionError("in_transit takes a type of message and one condition", node.at)
        holds = self.value(arguments[0], kind) if arguments else (lambda state, one: True)
        components = slice(1, self.world.n + 1)
        return lambda state, one: sum(
            1
            for component in self._looked_at(state[components], node)
            for message in self._looked_at(_waiting(component), node)
            if isinstance(message, kind) and holds(state, message)
        )

    def _looked_at(self, items: Iterable[Looked], node: Call) -> Iterator[Looked]:
        """The items, each of which counts. Raises ConditionError where that comes to too many, StoppedError where a search is over."""
        for one in items:
            self.looks += 1
            if self.looks > MOST_LOOKS:
                raise ConditionError(
                    f"this looks at more than {MOST_LOOKS:,} processes and messages in one state", node.at
                )
            if self.looks % 1024 == 0:
                beat()
            yield one

    def _fields_of(self, kind: type) -> list[str]:
        return [field.name for field in dataclasses.fields(kind)]


# --- what a model has ------------------------------------------------------------------------------------------------


def _waiting(component: Component) -> Iterator[Message]:
    return (m for channel in component.inbox for m in channel if not isinstance(m, DETECTOR_MESSAGES))


def _message_types(system: System) -> list[type[Message]]:
    """Those of the model's file, and those that its steps receive."""
    module = sys.modules.get(system.definition.cls.__module__)
    here = [kind for kind in vars(module).values() if isinstance(kind, type)] if module else []
    received = [kind for step in system.definition.steps for kind in step.messages]
    kinds = [kind for kind in (*here, *received) if issubclass(kind, Message) and kind is not Message]
    return [kind for kind in dict.fromkeys(kinds) if not issubclass(kind, DETECTOR_MESSAGES)]


def message_types(system: System) -> list[str]:
    """The names of the types of messages that a condition may speak of."""
    return [kind.__name__ for kind in _message_types(system)]


def _members(annotation: Any) -> Iterator[str]:
    """The names of the members of every enumeration in a type."""
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        yield from annotation.__members__
    for inner in get_args(annotation):
        yield from _members(inner)


def is_terminal(system: System, world: World, state: State) -> bool:
    """Whether no step but a fault changes this state: the definition of the reference engine."""
    for transition in system.successors(world, state):
        if transition.after is None:
            return False
        changes = transition.after != state or not system.stutters
        if changes and not transition.outcome.is_fault:
            return False
    return True
