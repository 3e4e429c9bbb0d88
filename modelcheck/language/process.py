"""What a model author subclasses: a process with local variables and atomic steps.

A step looks at its own process and at most one waiting message, changes local variables and sends messages; nothing
else exists for it. Whatever it may know beyond its identifier and its ports it must declare in `knows`, so that no
model can cheat. The checker runs each step's plain Python once for each distinct component it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, Literal, NoReturn, Protocol, TypeVar, overload

from .kinds import Known, conforms, frozen, mismatch
from .messages import Message
from .topology import Topology, any_graph
from .values import Id, Misuse, Port, identical, in_order

T = TypeVar("T")
StepFunction = TypeVar("StepFunction", bound=Callable[..., None])
StepKind = Literal["initiate", "step", "receive", "recover"]

KNOWLEDGE = {
    "n": "how many processes there are (self.n)",
    "root": "whether it is the root (self.is_root)",
    "neighbours": "the identifiers of its neighbours (self.neighbour(port), self.port_to(id))",
    "everyone": "the identifiers of all processes, ascending (self.everyone)",
    "position": "its place in the numbering of the processes, from 0 (self.position)",
    "integers": "identifiers as numbers to compute with; fields and messages then hold int, not Id",
}


# --- steps -------------------------------------------------------------------------------------------------------


class StepMark:
    """What a decorator noted about a step."""

    def __init__(self, kind: StepKind, messages: tuple[type[Message], ...] = ()) -> None:
        self.kind, self.messages = kind, messages


def _mark(function: StepFunction, mark: StepMark) -> StepFunction:
    function.__dict__["__step__"] = mark
    return function


def _undecorated(name: str, function: object) -> None:
    if not callable(function):
        raise Misuse(f"@{name} was written with parentheses", "it takes no arguments", f"write @{name}")


def initiate(function: StepFunction = None) -> StepFunction:  # type: ignore[assignment]
    """A spontaneous step offered to the initiators (by default every process) whenever its guard allows."""
    _undecorated("initiate", function)
    return _mark(function, StepMark("initiate"))


def step(function: StepFunction = None) -> StepFunction:  # type: ignore[assignment]
    """A spontaneous step offered to every process whenever its guard allows."""
    _undecorated("step", function)
    return _mark(function, StepMark("step"))


def receive(*messages: type[Message]) -> Callable[[StepFunction], StepFunction]:
    """The step that consumes a waiting message of one of these types: `def f(self, message)` or `def f(self,
    message, port)` with the port it came by. Where its guard fails the message stays where it is: a closed port."""
    for kind in messages or (None,):
        if not (isinstance(kind, type) and issubclass(kind, Message)):
            given = "nothing" if kind is None else kind.__name__ if isinstance(kind, type) else f"{kind!r}"
            plain = isinstance(kind, type) and "(" not in given
            named = kind if isinstance(kind, str) and kind.isidentifier() else "Election"
            raise Misuse(
                f"@receive needs a message type and was given {given}",
                f"{given} is not derived from Message" if plain else "",
                f"write class {given}(Message):" if plain else f"write @receive({named}), with the class",
            )
    return lambda function: _mark(function, StepMark("receive", messages))


def recover(function: StepFunction = None) -> StepFunction:  # type: ignore[assignment]
    """What a process does first when it comes back after a crash; only its stable fields survived."""
    _undecorated("recover", function)
    return _mark(function, StepMark("recover"))


# --- declarations ------------------------------------------------------------------------------------------------


class Parameter(Generic[T]):
    """A parameter of the model, set with `--set NAME=VALUE`.

        elects = Parameter("max", "which extreme of the identifiers wins", among=("max", "min"))
        index = Parameter(0, "the number the positions begin with", among=(0, 1))

    A truth value admits both; anything else needs `among`, the admissible values. A published fault or another
    way to do a step is no value: that is a variation, a class derived from the protocol (catalog.py).
    """

    def __init__(self, default: T, meaning: str, *, among: Iterable[T] = ()) -> None:
        admissible = tuple(among) or ((True, False) if isinstance(default, bool) else ())
        self.among: tuple[T, ...] = tuple(map(frozen, admissible))
        self.default: T = frozen(default)
        self.meaning = meaning
        if not self.among:
            raise Misuse(
                "a parameter does not say what it may be",
                "only a truth value goes without",
                f"write Parameter({default!r}, ..., among=(...)) with the admissible values",
            )
        if not any(identical(option, self.default) for option in self.among):
            raise Misuse(
                f"the default {default!r} is not among the admissible values {self.among!r}", "", "add it to among"
            )

    @overload
    def __get__(self, instance: None, owner: type) -> Parameter[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Parameter[T] | T:
        return self  # a running process finds the value in its own dictionary first


class FieldMark:
    """A field's default with a property: shared between all processes, or stable across crashes."""

    def __init__(self, kind: Literal["shared", "stable"], value: object) -> None:
        self.kind, self.value = kind, value

    def __get__(self, process: Process | None, owner: type) -> Any:
        surroundings = None if process is None else process.__dict__.get("_surroundings")
        if surroundings is None or self.kind == "stable":
            return self
        return (
            surroundings.hidden()
        )  # a running process finds the value in its own dictionary first, if it is to see it


def shared(value: T) -> T:
    """A variable all processes read and write: `network: frozenset[...] = shared(frozenset())`.

    A step does so atomically; two steps, one that reads and one that writes, model the loss of atomicity.
    """
    return FieldMark("shared", value)  # type: ignore[return-value]


def stable(value: T) -> T:
    """A field that survives a crash: `epoch: int = stable(0)`."""
    return FieldMark("stable", value)  # type: ignore[return-value]


# --- processes ---------------------------------------------------------------------------------------------------


class Disabled(BaseException):
    """A guard failed: the step is not enabled. (Not an Exception, so that no model swallows it.)"""


class Surroundings(Protocol):
    """What an execution offers the step it runs; the semantics implements it."""

    def look(self, what: str) -> Any: ...
    def neighbour(self, port: Port) -> Any: ...
    def port_to(self, neighbour: Any) -> Port: ...
    def send(self, port: Port, message: Message) -> None: ...
    def reply(self, message: Message) -> None: ...
    def decide(self, options: tuple[Any, ...], weights: tuple[int, ...] | None, random: bool) -> Any: ...
    def fit(self, value: object) -> Any: ...
    def assigned(self, name: str, value: object) -> object: ...
    def unknown(self, name: str) -> NoReturn: ...
    def hidden(self) -> NoReturn: ...
    def start_crashed(self) -> None: ...
    def start_with(self, port: Port, message: Message) -> None: ...
    def disable(self) -> NoReturn: ...


class Process:
    """Base of every protocol. Annotated attributes are the local variables, with their initial values.

    Declarations, all optional:

    topology     the family of graphs it is written for, or several, the first being the default
    networks     the kinds of network it is written for, the first being the default: fifo, bag, set, sticky, newest
    schedule     "any" (default), or "lockstep" for a synchronous protocol: all processes step at once, round after round
    identifiers  "unique" (default), "any" or "none"
    knows        what a process knows beyond its identifier and ports: n, root, neighbours, everyone,
                 position, integers
    may_crash    where there are crashes: "all" (default), or "others": all but the root
    tolerates    faults it is written for: losses, duplications, crashes, recoveries, suspicions, partitions, heals
    specs        the specifications it must satisfy, by name
    source       the publication it follows
    complexity   messages, and of a synchronous protocol rounds, as formulas: {"worst": "n(n+1)/2 + n", "exactly rounds": "n"}
    """

    topology: ClassVar[Topology | tuple[Topology, ...]] = any_graph
    networks: ClassVar[tuple[str, ...]] = ("fifo",)
    schedule: ClassVar[str] = "any"
    identifiers: ClassVar[str] = "unique"
    knows: ClassVar[tuple[str, ...]] = ()
    may_crash: ClassVar[Literal["all", "others"]] = "all"
    tolerates: ClassVar[tuple[str, ...]] = ()
    specs: ClassVar[tuple[str, ...]] = ("termination",)
    source: ClassVar[str] = ""
    complexity: ClassVar[Mapping[str, str]] = {}

    _surroundings: ClassVar[Surroundings]

    def initially(self) -> None:
        """Override to compute initial values from what the process knows; `choose` makes several initial states."""

    def shared_initially(self) -> None:
        """Override to choose the initial values of the shared variables, for all processes together."""

    # what a process knows

    @property
    def id(self) -> Id:
        """Its identifier."""
        return self._surroundings.look("id")  # type: ignore[no-any-return]

    @property
    def ports(self) -> tuple[Port, ...]:
        """The ports it can send on."""
        return self._surroundings.look("ports")  # type: ignore[no-any-return]

    @property
    def n(self) -> int:
        """How many processes there are (needs `knows = ("n",)`)."""
        return self._surroundings.look("n")  # type: ignore[no-any-return]

    @property
    def is_root(self) -> bool:
        """Whether it is the root (needs `knows = ("root",)`)."""
        return self._surroundings.look("root")  # type: ignore[no-any-return]

    @property
    def everyone(self) -> tuple[Id, ...]:
        """The identifiers of all processes, ascending (needs `knows = ("everyone",)`); an assertion may need them."""
        return self._surroundings.look("everyone")  # type: ignore[no-any-return]

    @property
    def position(self) -> int:
        """Its place in the numbering of the processes, from 0 (needs `knows = ("position",)`)."""
        return self._surroundings.look("position")  # type: ignore[no-any-return]

    def neighbour(self, port: Port) -> Id:
        """The identifier of the neighbour at `port` (needs `knows = ("neighbours",)`)."""
        return self._surroundings.neighbour(port)  # type: ignore[no-any-return]

    def port_to(self, neighbour: Id) -> Port:
        """The port that leads to this neighbour (needs `knows = ("neighbours",)`)."""
        return self._surroundings.port_to(neighbour)

    def other(self, port: Port) -> Port:
        """The other one of two ports."""
        if len(self.ports) != 2:
            raise Misuse(
                f"self.other(port) needs two ports; this process has {len(self.ports)}",
                "",
                "use self.ports and self.send_all",
            )
        return self.ports[1] if port == self.ports[0] else self.ports[0]

    # what a process does

    def require(self, condition: T) -> T:
        """The guard of a step: where it is false the step is not enabled, and nothing it did happened. What was required is returned, so
        that `self.choose(self.require(options))` waits until there is an option."""
        if not condition:
            self._surroundings.disable()
        return condition

    def send(self, port: Port, message: Message = None) -> None:  # type: ignore[assignment]
        """Sends `message` on `port`, after what this step has sent before."""
        if message is None:
            raise Misuse(
                "self.send was given one thing",
                "it needs two: by which port, and what",
                "write self.send(PORT, MESSAGE), or self.send_all(MESSAGE)",
            )
        self._surroundings.send(port, message)

    def send_all(self, message: Message, *, but: Port | None = None) -> None:
        """Sends `message` on every port, or on every port but one."""
        for port in self.ports:
            if but is None or port != but:
                self._surroundings.send(port, message)

    def reply(self, message: Message) -> None:
        """Sends `message` back over the link the received message came by."""
        self._surroundings.reply(message)

    def choose(self, options: Iterable[T]) -> T:
        """Nondeterminism: the checker explores every option."""
        return self._decide(options, None, False)

    def draw(self, options: Iterable[T], weights: Iterable[int] | None = None) -> T:
        """A random draw: explored like choose; weighted (equally by default) where probability matters."""
        return self._decide(options, None if weights is None else tuple(weights), True)

    def start_crashed(self) -> None:
        """In `initially`: this process is down when the run begins; it counts towards no budget."""
        self._surroundings.start_crashed()

    def start_with(self, port: Port, message: Message) -> None:
        """In `initially`: this message waits at `port` when the run begins; nobody has sent it. Of several the first called is in front."""
        self._surroundings.start_with(port, message)

    def _decide(self, options: Iterable[T], weights: tuple[int, ...] | None, random: bool) -> T:
        listed = []
        for option in in_order(options):
            listed.append(self._surroundings.fit(option))
            if len(listed) > 10_000:
                raise Misuse("more than 10,000 options to choose from", "the options may be endless", "bound them")
        return self._surroundings.decide(tuple(listed), weights, random)  # type: ignore[no-any-return]

    # keeping authors on the path

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = self._surroundings.assigned(name, value)

    def __delattr__(self, name: str) -> NoReturn:
        raise Misuse(f"the field {name} was deleted", "", "give it a value that means 'none', such as None")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._surroundings.unknown(name)


class ElectionProcess(Process):
    """A process that takes part in an election.

    It records its decision in `leader` (whom it believes to lead), in `status`, or in both. `elects` says which
    process the protocol promises: "max" or "min" of the identifiers of all processes, or "any".
    """

    specs = ("election",)
    elects: ClassVar[Any] = "max"

    leader: Id | None = None
    status: Literal["undecided", "leader", "follower"] = "undecided"

    def beats(self, one: Any, other: Any) -> bool:
        """Whether `one` wins against `other`, by what the protocol elects; no identifier beats itself."""
        return bool(one > other if self._the_greater_wins() else one < other)

    def best(self, *ids: Any) -> Any:
        """The one of these that wins, by what the protocol elects."""
        return max(ids) if self._the_greater_wins() else min(ids)

    def _the_greater_wins(self) -> bool:
        if self.elects in ("max", "min"):
            return bool(self.elects == "max")
        raise Misuse(
            f"no identifier is better than another where elects = {self.elects!r}",
            "self.beats and self.best go by what the protocol elects",
            'declare elects = "max" or elects = "min", or compare the identifiers in the step',
        )


def checked(name: str, value: object, annotation: Any, known: Known | None = None) -> object:
    """`value` as it enters the field `name`, or Misuse when it is mutable or not of the declared type."""
    value = frozen(value, known)
    if not conforms(value, annotation):
        raise mismatch(f"the field {name}", value, annotation)
    return value
