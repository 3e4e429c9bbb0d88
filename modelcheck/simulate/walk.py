"""One run at random, for sizes that no search reaches.

Of the processes that can do something each is as likely as any other to be next, and so is each of its enabled steps;
`choose` takes any option, `draw` has its weights. A process that was found to have nothing to do is not asked again before
a message arrives (or a shared variable changes, or there is room again for what it sends), so that a run costs as much as its steps and ten thousand processes are no more trouble
for each step than ten. What links do with messages says network.py, as for the searches.

States are not compared here, and steps are not run twice: nothing of what `System` verifies is verified.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from ..language.definition import Step
from ..language.messages import Message
from ..language.topology import Shape, undirected
from ..language.values import Port
from ..semantics import network
from ..semantics.components import CommonProfile, Profile, State
from ..semantics.outcomes import Choice, Effect, Failure
from ..semantics.states.preparing import prepared
from ..semantics.system import System
from ..semantics.worlds import Policy, World, Worlds, by_identifier

LOOK = 1_000  # steps between two looks at the clock
Action = tuple[Step, Port | None, Message | None]  # a receive step has a port and a message
Offer = tuple[Action, network.Channel]  # and what is left in the channel
Taken = tuple[int, str, tuple[Port, Message] | None, tuple[Choice, ...]]


class Walker:
    """A process on such a run. `spontaneous` are the steps that need no message, `refused` actions whose guard failed in its
    present local state."""

    __slots__ = ("channels", "crashed", "fields", "profile", "refused", "spontaneous")

    def __init__(self, profile: Profile, effect: Effect, spontaneous: Iterable[Step]) -> None:
        self.profile, self.fields, self.crashed = profile, effect.fields, effect.crashed
        steps = (step for step in spontaneous if step.kind == "step" or profile.initiator)
        self.spontaneous: tuple[Offer, ...] = tuple(((step, None, None), ()) for step in steps)
        self.channels: dict[Port, network.Channel] = dict.fromkeys(profile.in_ports, ())
        self.refused: set[Action] = set()


class Walk:
    """A run of one world, as the random numbers have it.

    sent      the number of messages sent, by type
    steps     the number of steps taken that changed something
    ended     whether nothing more can happen
    failure   how a step failed, and `failed` which; the run stops there
    taken     the steps, where they are to be kept: the process, the action, and what was chosen and drawn
    begun     the state before them, where they are kept
    """

    def __init__(self, system: System, world: World, random: Random, *, keeps: bool = False) -> None:
        self.system, self.world, self.random = system, world, random
        self.taken: list[Taken] | None = [] if keeps else None
        self.started = 0  # of them, how many before the run begins
        self.sent: Counter[type[Message]] = Counter()
        self.steps = 0
        self.ended = False
        self.failure: Failure | None = None
        self.failed = ""
        self._names = tuple(field.name for field in system.definition.fields)
        self._shared_names = tuple(field.name for field in system.definition.shared)
        self._kind = system.links
        self._route = world.route
        self._swallows = self._kind.merges or self._kind.replaces or self._kind.capacity > 0
        self._sender = {end: process for process, ports in enumerate(self._route) for end in ports.values()}
        self._unreceived: tuple[Port, Message] | None = None
        profiles = world.profiles(system.definition.knows)
        (common,) = prepared(system.runner, "shared_initially", CommonProfile.of(profiles[0]), self._dice)
        self.shared = common.shared
        self.walkers = [self._begun(profile) for profile in profiles]
        self._awake = [
            place for place, walker in enumerate(self.walkers) if not walker.crashed
        ]  # may have something to do
        self._place = {process: place for place, process in enumerate(self._awake)}
        self.begun = self.state() if keeps else None  # before any step

    def run(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Goes on until nothing more can happen, a step fails, or `stop` says so.

        Raises StepError where the model's code breaks a rule of the language.
        """
        if self.system.settings.start == "simultaneous":
            self._start_all()
            self.started = len(self.taken or ())
        turns = itertools.count()  # a step that draws may change nothing for ever
        while self._awake and not self.failure:
            if next(turns) % LOOK == 0 and stop():
                return
            process = self._awake[int(self.random.random() * len(self._awake))]
            if not self._step(process):
                self._sleep(process)
        self.ended = not self.failure

    def state(self) -> State:
        """The present state, as the rest of the program knows states."""
        s = self.system
        environment = s._environment(self.shared, *s.settings.faults().values())
        components = (s._intern(w.profile, w.crashed, w.fields, tuple(w.channels.values())) for w in self.walkers)
        return (environment, *components)

    # --- one step

    def _step(self, process: int) -> bool:
        """Lets the process take one of its enabled steps; False where it has none that changes anything."""
        walker = self.walkers[process]
        offers = self._offers(walker)
        if self.failure:  # a message that no step receives
            if self.taken is not None:
                self.taken.append((process, "receive", self._unreceived, ()))
            return True
        lucky = False  # a step changed nothing as it drew, and may do something the next time
        while offers:
            place = int(self.random.random() * len(offers))
            action, rest = offers[place]
            offers[place] = offers[-1]
            offers.pop()
            effect = self._effect(walker, action)
            if effect is None:
                walker.refused.add(action)
            elif effect.failure:
                self._keep(process, action, effect.choices)
                self.failure, self.failed = effect.failure, action[0].name
                return True
            elif self._changes(process, action, effect, rest):
                self._take(process, action, effect, rest)
                return True
            elif effect.choices:
                lucky = True
        return lucky

    def _offers(self, walker: Walker) -> list[Offer]:
        refused = walker.refused
        offers = [offer for offer in walker.spontaneous if offer[0] not in refused]
        for port, channel in walker.channels.items():
            for message, rest in network.receivable(self._kind, channel) if channel else ():
                steps = self.system._receiving.get(type(message), ())
                if not steps:
                    self.failure = Failure("unspecified reception", f"{message!r} arrives and no step receives it")
                    self.failed = "receive"
                    self._unreceived = port, message
                    return offers
                for step in steps:
                    action = step, port, message
                    if action not in refused:
                        offers.append((action, rest))
        return offers

    def _effect(self, walker: Walker, action: Action) -> Effect | None:
        step, port, message = action
        arguments = () if message is None else (message, port) if step.takes_port else (message,)
        fields = dict(zip(self._names, walker.fields, strict=True))
        fields.update(zip(self._shared_names, self.shared, strict=True))
        return self.system.runner.sample(
            step.function, walker.profile, fields, arguments, dice=self._dice, arrival=port, name=step.name
        )

    def _changes(self, process: int, action: Action, effect: Effect, rest: network.Channel) -> bool:
        """Whether the state is another one then. What is sent may change nothing: equal messages merge, the newest one takes the place of its
        like, a link is full, a process is down, or sends itself what it has just received."""
        walker, port = self.walkers[process], action[1]
        if effect.fields != walker.fields or effect.shared != self.shared:
            return True
        after: dict[tuple[int, Port], network.Channel] = {} if port is None else {(process, port): rest}
        for out, sent in effect.sends:
            target, arrival = self._route[process][out]
            if not self.walkers[target].crashed:
                before = after.get((target, arrival), self.walkers[target].channels[arrival])
                after[target, arrival] = network.put(self._kind, before, sent)
        return any(self.walkers[target].channels[at] != channel for (target, at), channel in after.items())

    def _take(self, process: int, action: Action, effect: Effect, rest: network.Channel = ()) -> None:
        walker = self.walkers[process]
        self._keep(process, action, effect.choices)
        port = action[1]
        if port is not None:
            if self._swallows and walker.channels[port] is not rest:  # what was sent in vain may change something now
                self._wake(self._sender[process, port])
            walker.channels[port] = rest
        if effect.fields != walker.fields:
            walker.fields = effect.fields
            walker.refused.clear()
        if effect.shared != self.shared:
            self.shared = effect.shared
            for other in range(len(self.walkers)):
                self.walkers[other].refused.clear()
                self._wake(other)
        for out, sent in effect.sends:
            self.sent[type(sent)] += 1
            self._deliver(*self._route[process][out], sent)
        self.steps += 1

    def _keep(self, process: int, action: Action, choices: tuple[Choice, ...]) -> None:
        if self.taken is not None:
            step, port, message = action
            received = None if port is None or message is None else (port, message)
            self.taken.append((process, step.name, received, choices))

    def _deliver(self, target: int, port: Port, message: Message) -> None:
        walker = self.walkers[target]
        if not walker.crashed:
            walker.channels[port] = network.put(self._kind, walker.channels[port], message)
            self._wake(target)

    # --- who may have something to do

    def _wake(self, process: int) -> None:
        if process not in self._place and not self.walkers[process].crashed:
            self._place[process] = len(self._awake)
            self._awake.append(process)

    def _sleep(self, process: int) -> None:
        place = self._place.pop(process)
        last = self._awake.pop()
        if last != process:
            self._awake[place] = last
            self._place[last] = place

    # --- beginning

    def _begun(self, profile: Profile) -> Walker:
        definition = self.system.definition
        (effect,) = prepared(self.system.runner, "initially", profile, self._dice)
        if effect.crashed:  # of its fields only the stable ones are left
            kept = zip(definition.fields, effect.fields, strict=True)
            effect = replace(effect, fields=tuple(value if field.stable else None for field, value in kept))
        walker = Walker(profile, effect, self.system._spontaneous)
        for port, message in effect.sends if not effect.crashed else ():
            walker.channels[port] = network.put(self._kind, walker.channels[port], message)
        return walker

    def _start_all(self) -> None:
        """Every initiator takes its first enabled @initiate step, before anything is received."""
        order = list(self._awake)
        if self.shared:
            self.random.shuffle(order)
        starting = [step for step in self.system._spontaneous if step.kind == "initiate"]
        for process in order:
            walker = self.walkers[process]
            for step in starting if walker.profile.initiator else ():
                effect = self._effect(walker, (step, None, None))
                if effect is not None and effect.failure:
                    self.failure, self.failed = effect.failure, step.name
                    return
                if effect is not None:
                    self._take(process, (step, None, None), effect)
                    break

    def _dice(self, weights: list[int]) -> int:
        if len(set(weights)) == 1:
            return int(self.random.random() * len(weights))
        return self.random.choices(range(len(weights)), weights)[0]


# --- worlds at random ----------------------------------------------------------------------------------------------


def random_world(worlds: Worlds, random: Random) -> World:
    """One of these worlds: graph, port names, identifiers, initiators and root each as likely as any other of its kind.

    Raises UsageError where the family has no member of this size, or too many to list.
    """
    n, policy, knows = worlds.n, worlds.policy, worlds.definition.knows
    shape = _random_shape(worlds, random)
    if worlds.topology.any_port_names:
        shape = shape.renamed(tuple(tuple(random.sample(range(len(p)), len(p))) for p in shape.ports))
    identifiers = _random_identifiers(policy, n, random)
    if worlds.ports_by_identifier:
        shape = by_identifier(shape, identifiers)
    root = None
    if "root" in knows:
        root = policy.root - 1 if isinstance(policy.root, int) else random.randrange(n)
    return World(shape, identifiers, _random_initiators(policy, n, random), root, 1)


def _random_shape(worlds: Worlds, random: Random) -> Shape:
    if worlds.given is None and worlds.topology.name == "tree" and worlds.n > 2:  # there are too many to list
        import networkx as nx

        tree = nx.random_labeled_tree(worlds.n, seed=random.randrange(2**32))
        return undirected(tree, f"tree of {worlds.n}")
    return random.choice(list(worlds.shapes()))


def _random_identifiers(policy: Policy, n: int, random: Random) -> tuple[int | None, ...]:
    if isinstance(policy.identifiers, tuple):
        return policy.identifiers
    if policy.identifiers == "none":
        return (None,) * n
    if policy.identifiers == "any":
        return tuple(random.randint(1, n) for _ in range(n))
    return tuple(random.sample(range(1, policy.largest(n) + 1), n))


def _random_initiators(policy: Policy, n: int, random: Random) -> frozenset[int]:
    given = policy.initiators
    if isinstance(given, tuple):
        return frozenset(place - 1 for place in given)
    if given == "all":
        return frozenset(range(n))
    if given != "each":
        return frozenset(random.sample(range(n), int(given.partition(":")[2])))
    while True:
        chosen = frozenset(place for place in range(n) if random.random() < 0.5)
        if chosen:
            return chosen
