"""What a step means. The one place that says it.

    outcomes(environment, component)     every way one process can take one step, as a function of nothing else
    deliver(component, port, message)    what a component is after a message was sent to it

Everything about a run follows from these two and from the world's links: a transition replaces one component (and
perhaps the environment) by what `outcomes` says, then delivers what was sent, in the order of sending.

Faults are outcomes too, each using up a budget. A crash empties the inbox and leaves only the stable fields; the perfect
detector then puts `Down` behind whatever the process had sent, on every link out of it, and `Up` when it recovers. A
false suspicion puts `Down` on one link out of a living process, and with an eventually perfect detector `Up` behind it, which
whatever comes later may overtake: the suspicion is taken back at any later moment. Messages to a crashed process vanish; what the detector
says is kept for it, the last word on each link, so that a process that recovers learns who is down.

Where the network can split it is one more component, behind the processes (partitions.py). A split cuts links: what is sent
over a cut is lost, or held until it heals, and what was in transit may still come or share that fate. A detector that
reports cuts puts `Down` behind what had come over the link, and `Up` before what comes once it is whole. Of a process that is
down at that time it has told already; if something of it was held, it tells again behind that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ..errors import StepError
from ..language.definition import Definition, Step
from ..language.faults import DEEDS
from ..language.messages import Down, Message, Reach, Up
from ..language.values import Port, Renaming, show
from . import network, partitions
from .components import CommonProfile, Component, Environment, Profile, State
from .execution import Runner
from .outcomes import Choice, Effect, Failure, Invocation
from .outcomes import Outcome as Outcome
from .outcomes import Start as Start
from .outcomes import Transition as Transition
from .partitions import Network
from .settings import Settings
from .states.interning import Interning
from .states.preparing import prepared
from .states.starting import initial_states
from .verification import Verification
from .worlds import World, port_beyond

Known = tuple[int, int]  # how many initial values were computed, and how many steps executed, up to some moment


class System(Interning):
    """A protocol under settings: the meaning of its steps, computed once for each distinct component.

    One System serves all worlds, and all threads: what two of them compute at the same time is equal.
    """

    stutters = True  # a transition that leads back to its own state is none

    def __init__(self, definition: Definition, settings: Settings, *, twice: bool = True) -> None:
        super().__init__()
        self.definition, self.settings, self.links = definition, settings, settings.links
        self.runner = Runner(definition, dict(settings.parameters), twice)
        self.renamings: tuple[Renaming, ...] = ()  # to identifiers that those explored stand for
        self.thorough = False  # whether steps and properties are tried under all of them, and not under some
        self._names = tuple(field.name for field in definition.fields)
        self._shared_names = tuple(field.name for field in definition.shared)
        self._spontaneous = tuple(step for step in definition.steps if step.kind in ("initiate", "step"))
        self._receiving: dict[type[Message], tuple[Step, ...]] = {}
        for step in definition.steps:
            for message in step.messages:
                self._receiving[message] = (*self._receiving.get(message, ()), step)
        self._consults_detector = definition.handles(Down), definition.handles(Up)
        self._steps = {step.name: step for step in (*definition.steps, definition.recovery) if step is not None}
        self._executed: dict[Invocation, tuple[Effect, ...]] = {}
        self._shut: dict[Invocation, bool] = {}  # whether a guard fails whatever the shared variables are; without them
        self._initials: dict[tuple[Profile, bool], tuple[Component, ...]] = {}
        self._deeds: dict[str, Callable[[Environment, Component], Iterator[Outcome]]] = {
            "crash": self._crash,
            "recover": self._recover,
            "lose": partial(self._tampered, "lose", network.lost),
            "duplicate": partial(self._tampered, "duplicate", partial(network.duplicated, self.links)),
            "suspect": self._suspect,
            "strand": self._strand,
        }
        budgets = settings.budgets()
        self._possible = tuple(deed for deed in DEEDS.values() if budgets[deed.fault] and deed.about != "network")

    # --- the two functions

    def outcomes(self, environment: Environment, component: Component) -> tuple[Outcome, ...]:
        """Every outcome, in a fixed order: spontaneous steps as defined, receptions by port and message, then faults.

        Raises StepError where the model's code breaks a rule of the language.
        """
        found: tuple[Outcome, ...] | None = component.cache.get(environment)
        if found is None:
            found = component.cache[environment] = tuple(self._outcomes(environment, component))
        return found

    def deliver(self, component: Component, port: Port, message: Message) -> Component:
        """`component` after `message` was sent to it over its in-port `port`."""
        key = (port, message)
        found: Component | None = component.cache.get(key)
        if found is None:
            found = component.cache[key] = self._deliver(component, port, message)
        return found

    def _deliver(self, component: Component, port: Port, message: Message) -> Component:
        if isinstance(component, Network):
            return self._told(component, int(port), message)
        if isinstance(message, Reach):
            return self._rewired(component, message)
        place = component.profile.in_ports.index(port)
        channel = component.inbox[place]
        cut = network.is_cut(channel)
        if isinstance(message, (Down, Up)):
            down, up = self._consults_detector
            if not (down if isinstance(message, Down) else up) or (cut and self.settings.cuts_reported):
                return component
            channel = network.report(self.links, channel, message)
        elif component.crashed or (cut and self.settings.across == "lost"):
            return component
        else:
            channel = network.put(self.links, channel, message)
        return self._with_channel(
            component, place, network.remembered(self.links, channel) if component.crashed else channel
        )

    def _rewired(self, component: Component, message: Reach) -> Component:
        """A process when links to it are cut, or whole again."""
        down, up = self._consults_detector
        inbox = []
        for port, channel in zip(component.profile.in_ports, component.inbox, strict=True):
            tells, quiet = self.settings.cuts_reported, port in message.quiet
            says_down, says_up = (Down(),) if tells and down else (), (Up(),) if tells and up and not quiet else ()
            if port in message.cut and not network.is_cut(channel):
                channel = network.cut(channel, () if quiet else says_down)
            elif port not in message.cut and network.is_cut(channel):
                channel = network.mended(self.links, channel, says_up, says_down if quiet else ())
            inbox.append(network.remembered(self.links, channel) if component.crashed else channel)
        return self._intern(component.profile, component.crashed, component.fields, tuple(inbox))

    # --- states and transitions

    def starts(self, world: World) -> Iterator[Start]:
        """The initial states of a world: one, or several where `initially` or the starting steps choose."""
        return initial_states(self, world)

    def successors(self, world: World, state: State) -> Iterator[Transition]:
        """Every enabled (step, outcome) of every process in `state`, and of the network, in a fixed order."""
        environment = state[0]
        for process in range(len(state) - 1):
            for outcome in self.outcomes(environment, state[process + 1]):
                after = None if outcome.failure else self.apply(world, state, process, outcome)
                yield Transition(process, outcome, after)

    def apply(self, world: World, state: State, process: int, outcome: Outcome) -> State:
        """The state after `process` took a step with this outcome."""
        vector = list(state)
        vector[0] = outcome.environment
        vector[process + 1] = outcome.component
        for port, message in outcome.sends:
            target, in_port = world.wiring[process][port]
            vector[target + 1] = self.deliver(vector[target + 1], in_port, message)
        return tuple(vector)

    # --- what one process can do

    def _outcomes(self, environment: Environment, component: Component) -> Iterator[Outcome]:
        for part in self._parts(environment, component):
            yield from part

    def _parts(self, environment: Environment, component: Component) -> Iterator[Iterator[Outcome]]:
        """The outcomes of one step after another. Nothing of the model runs before a part is asked for them."""
        if isinstance(component, Network):
            yield self._divided(environment, component)
            return
        if not component.crashed:
            for step in self._spontaneous:
                if step.kind == "step" or component.profile.initiator:
                    yield self._run(step, environment, component)
            for place, port in enumerate(component.profile.in_ports):
                for message, rest in network.receivable(self.links, component.inbox[place]):
                    yield from self._receive(environment, component, place, port, message, rest)
        yield self._faults(environment, component)

    def _receive(
        self,
        environment: Environment,
        component: Component,
        place: int,
        port: Port,
        message: Message,
        rest: network.Channel,
    ) -> Iterator[Iterator[Outcome]]:
        steps = self._receiving.get(type(message), ())
        if not steps:
            sentence = f"{message!r} arrives and no step receives it"
            failure = Failure("unspecified reception", sentence)
            yield iter([Outcome("receive", "receive", (port, message), (), environment, component, (), failure)])
        consumed = self._with_channel(component, place, rest)
        for step in steps:
            yield self._run(step, environment, consumed, (port, message), component)

    def _run(
        self,
        step: Step,
        environment: Environment,
        component: Component,
        received: tuple[Port, Message] | None = None,
        before: Component | None = None,
    ) -> Iterator[Outcome]:
        """The outcomes of one step on `component`, from which the received message has been taken already."""
        sees = Invocation(step.name, component.profile, component.fields, environment.shared, received)
        for effect in self._effects(sees):
            after = self._intern(component.profile, False, effect.fields, component.inbox)
            yield Outcome(
                step=step.name,
                kind=step.kind,
                received=received,
                choices=effect.choices,
                environment=self._environment(effect.shared, *environment.budgets),
                component=(before or component) if effect.failure else after,
                sends=effect.sends,
                failure=effect.failure,
            )

    def _effects(self, call: Invocation) -> Iterable[Effect]:
        """What a step can do, executed when first asked for: components that differ only in what waits in their inboxes share it, and where
        its guard fails whatever the shared variables are, all environments."""
        known = self._executed.get(call)
        if known is None:  # two threads may both come here, and find the same
            alone = call._replace(shared=())
            if self._shut.get(alone):
                return ()
            known = self._executed.setdefault(call, tuple(self.execute(call)))
            if call.shared and not known and alone not in self._shut:
                self._shut[alone] = self.runner.is_shut(**self._given(call))
        return known

    def execute(self, call: Invocation) -> Iterator[Effect]:
        """Runs a step of the model in every way its choices allow. Raises StepError where it breaks a rule of the language."""
        try:
            yield from self.runner.effects(**self._given(call))
        except StepError as error:
            error.process = error.process or str(call.profile)
            error.state = error.state or self.told(call)
            raise

    def _given(self, call: Invocation) -> dict[str, Any]:
        """What the runner is to run, and on what."""
        step, received = self._steps[call.step], call.received
        message = () if received is None else received[::-1] if step.takes_port else received[1:]
        fields = dict(zip((*self._names, *self._shared_names), (*call.fields, *call.shared), strict=True))
        return {
            "function": step.function, "profile": call.profile, "fields": fields, "message": message,
            "arrival": received and received[0], "name": step.name,
        }  # fmt: skip

    # --- faults

    def _faults(self, environment: Environment, component: Component) -> Iterator[Outcome]:
        """Each deed that a budget is left for, in the environment after it. Raises KeyError for one that has no meaning."""
        for deed in self._possible:
            after = environment if deed.free else self._poorer(environment, deed.fault)
            if after is not None:
                yield from self._deeds[deed.kind](after, component)

    def _crash(self, poorer: Environment, component: Component) -> Iterator[Outcome]:
        if not component.crashed and component.profile.fallible:
            down = self._announced(component, Down())
            yield Outcome("crash", "crash", None, (), poorer, self._crashed(component), down)

    def _crashed(self, component: Component) -> Component:
        """Down: of its fields only the stable ones are left, of its inbox the detector's last word on each link."""
        kept = tuple(
            value if field.stable else None
            for field, value in zip(self.definition.fields, component.fields, strict=True)
        )
        inbox = tuple(network.remembered(self.links, channel) for channel in component.inbox)
        return self._intern(component.profile, True, kept, inbox)

    def _announced(self, component: Component, word: Message) -> tuple[tuple[Port, Message], ...]:
        """The detector's word on every link out of a process, and to the network where that can split."""
        ports = component.profile.ports
        return tuple((port, word) for port in (*ports, *((port_beyond(ports),) if self.settings.partitions else ())))

    def _suspect(self, poorer: Environment, component: Component) -> Iterator[Outcome]:
        says = (Down(), Up()) if self.settings.taken_back else (Down(),)
        for port in component.profile.ports if not component.crashed else ():
            yield Outcome(
                "suspect", "suspect", (port, None), (), poorer, component, tuple((port, word) for word in says)
            )

    def _recover(self, poorer: Environment, component: Component) -> Iterator[Outcome]:
        """A fresh component with its stable fields; `Up` on every link out, then what the @recover step does."""
        if not component.crashed:
            return
        up = self._announced(component, Up())
        for which, fresh in enumerate(self._initial(component.profile, revived=True)):
            fields = tuple(
                kept if field.stable else new
                for field, kept, new in zip(self.definition.fields, component.fields, fresh.fields, strict=True)
            )
            alive = self._intern(component.profile, False, fields, component.inbox)
            if self.definition.recovery is None:
                yield Outcome("recover", "recover", None, (), poorer, alive, up, which=which)
                continue
            for outcome in self._run(self.definition.recovery, poorer, alive):
                yield replace(
                    outcome,
                    kind="recover",
                    sends=up + outcome.sends,
                    component=component if outcome.failure else outcome.component,
                    which=which,
                )

    def _tampered(
        self,
        name: str,
        tamper: Callable[[network.Channel], Iterator[tuple[Message, network.Channel]]],
        poorer: Environment,
        component: Component,
    ) -> Iterator[Outcome]:
        for place, port in enumerate(component.profile.in_ports):
            alike: Counter[Message] = Counter()
            for message, channel in tamper(component.inbox[place]):
                after = self._with_channel(component, place, channel)
                yield Outcome(name, name, (port, message), (), poorer, after, (), which=alike[message])
                alike[message] += 1

    # --- partitions

    def _told(self, component: Network, process: int, word: Message) -> Network:
        """The network when a process has crashed or recovered."""
        down = component.down - {process} if isinstance(word, Up) else component.down | {process}
        return self._network(component.profile, component.blocks, component.splits, component.heals, down)

    def _divided(self, environment: Environment, component: Network) -> Iterator[Outcome]:
        """Each way to split, then each way to heal."""
        splits, heals = component.splits, component.heals
        ways = [("split", blocks, splits - 1, heals) for blocks in partitions.divisions(component.blocks) if splits]
        ways += [("heal", blocks, splits, heals - 1) for blocks in partitions.unions(component.blocks) if heals]
        for name, blocks, *left in ways:
            after = self._network(component.profile, blocks, *left, component.down)
            way = (Choice(blocks, False),)
            yield Outcome(name, name, None, way, environment, after, partitions.notices(component, blocks))

    def _strand(self, environment: Environment, component: Component) -> Iterator[Outcome]:
        """Messages in transit when their link was cut do not get through."""
        held, certain = self.settings.across == "held", not self.settings.cuts_reported
        for place, port in enumerate(component.profile.in_ports):
            for message, channel in network.stranded(self.links, component.inbox[place], held, certain):
                after = self._with_channel(component, place, channel)
                yield Outcome("hold" if held else "lose", "strand", (port, message), (), environment, after, ())

    # --- initial components

    def _initial(self, profile: Profile, revived: bool = False) -> Iterator[Component]:
        key = (profile, revived)
        if key not in self._initials:
            self._initials[key] = tuple(dict.fromkeys(self._computed_initial(profile, revived)))
        yield from self._initials[key]

    def _computed_initial(self, profile: Profile, revived: bool) -> Iterator[Component]:
        """What a process may be at first, or when it comes back: then what `initially` says of its inbox is of no account. Of all processes
        together the shared variables, in place of the fields."""
        if isinstance(profile, CommonProfile):
            for effect in prepared(self.runner, "shared_initially", profile):
                yield Component(profile, False, effect.shared, ())
            return
        for effect in prepared(self.runner, "initially", profile):
            inbox = dict.fromkeys(profile.in_ports, network.EMPTY)
            for port, message in effect.sends if not revived else ():
                inbox[port] = network.put(self.links, inbox[port], message)
            component = self._intern(profile, False, effect.fields, tuple(inbox.values()))
            yield self._crashed(component) if effect.crashed and not revived else component

    # --- for reports

    def fields_of(self, component: Component) -> dict[str, Any]:
        """The local variables by name."""
        return dict(zip(self._names, component.fields, strict=True))

    def keeps(self, name: str) -> bool:
        """Whether a local variable survives a crash."""
        return any(field.stable for field in self.definition.fields if field.name == name)

    def describe(self, fields: tuple[Any, ...], profile: Profile | None = None) -> str:
        """The local variables of a component in a line: 'awake=True, leader=None'; of all processes together the shared ones."""
        names = self._shared_names if isinstance(profile, CommonProfile) else self._names
        return ", ".join(f"{name}={show(value)}" for name, value in zip(names, fields, strict=True))

    def told(self, call: Invocation) -> str:
        """What a step sees, in a line."""
        return self.describe(call.fields) + (f"; receiving {call.received[1]!r}" if call.received else "")

    def components(self) -> list[Component]:
        """Every distinct component met so far, in order of first meeting."""
        return list(self._components.values())

    def steps_taken(self) -> set[str]:
        """The names of all steps that were taken in some state."""
        caches = (component.cache.copy().values() for component in self.components())
        return {outcome.step for known in caches for found in known if isinstance(found, tuple) for outcome in found}

    @property
    def known(self) -> Known:
        """How much has been computed by now."""
        return len(self._initials), len(self._executed)

    def verify(
        self, since: Known = (0, 0), upto: Known | None = None, hurried: Callable[[], bool] | None = None
    ) -> bool:
        """Runs every step that has run once more, and under other identifiers. Raises StepError where a result differs:
        then no verdict can be trusted (verification.py).

        With `since` and `upto` only those that first ran between these moments. False where `hurried` put an end to it.
        """
        self.runner.forget()
        fresh = System(self.definition, self.settings, twice=False)
        upto = upto or self.known
        initials = list(self._initials.copy().items())[since[0] : upto[0]]
        executed = list(self._executed.copy().items())[since[1] : upto[1]]
        return Verification(self, fresh).run(initials, executed, hurried)
