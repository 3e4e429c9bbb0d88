"""Lock-step: another scheduler over the same steps. All processes step at once, round after round.

In a round every process takes its *turn* on what had arrived before the round; what is sent arrives for the next round.
A turn depends on one component alone, by a rule that is the same for every process:

1.  It receives what waits for it, all of it: always at the first of its ports, in their order, where a step takes the
    message in front; on one port in the order of sending. A message that no step takes stays where it is, and what is
    behind it too. Of several steps that would take a message it is the first in the order of their definition.
2.  Then it takes every spontaneous step (@initiate, @step) that is enabled, each once, in the order of their definition.

So initiators start in the first round in which their guards allow it; where they start simultaneously, they have started
before the first round. Only `choose` and `draw` leave anything open, in each process for itself: a protocol that does
neither has exactly one lock-step run in each world. Within one turn a process chooses before it draws, as within one step.

A state is what is between two rounds, and a transition is a round. A round in which nobody does anything is none: then
the state is terminal. One that leads back to its own state (everybody passes on what everybody had) repeats for ever.
Every lock-step run without crashes is one of the interleavings, with the same states between the rounds: what goes wrong here in a
state goes wrong there. The converse is not so: other interleavings reach more.

A process may crash in a round, within the budget: it takes its turn, any part of what it sends in it gets out, each message or not, and then
it is down (stopping failures: Lynch, section 2.2). Elsewhere a step is taken whole or not at all. A round in which nobody does anything but
crash is a fault, which never has to happen: a state from which only such rounds lead on is terminal.

Refused (by Settings.check): other faults, for which no round is the right one; crashes where the starting steps come before the first round,
for nobody could crash in them; shared variables, which all would write at once; and networks other than fifo, for there is no slower
message that another could overtake.   (Lynch, Distributed Algorithms, chapter 2)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ..errors import StepError
from ..language.definition import Definition
from ..language.messages import Down, Message
from ..language.values import Port
from ..pulse import attended
from .components import Component, Environment, State
from .settings import Settings
from .system import Outcome, Start, System, Transition
from .worlds import World

MOST_MESSAGES = (
    1_000  # waiting for one process: where each round doubles them, the states are few and their size is the danger
)
MOST_ROUNDS = 1_000_000  # out of one state


@dataclass(frozen=True, eq=False)
class Turn:
    """What one process does in one round: its steps in order, and what it is then. Steps that do nothing at all are left
    out; where those that are left only choose or draw, and nothing comes of it, the turn is not `active`."""

    steps: tuple[Outcome, ...]
    component: Component
    active: bool

    @cached_property
    def sends(self) -> tuple[tuple[Port, Message], ...]:
        return tuple(send for step in self.steps for send in step.sends)


@dataclass(frozen=True, eq=False)
class Round(Transition):
    """All processes at once. `outcome` sums it up: every choice and every send, and the first failure; `process` is none."""

    turns: tuple[Turn, ...] = ()

    def singly(self, before: State) -> Iterator[tuple[State, Transition]]:
        """The steps of the round one by one, process by process, each with the state before it. Until the round is over
        nothing that was sent has arrived."""
        state = before
        for process, turn in enumerate(self.turns):
            for outcome in turn.steps:
                after = (*state[: process + 1], outcome.component, *state[process + 2 :])
                yield state, Transition(process, outcome, None if outcome.failure else after)
                state = after


class LockStep(System):
    """A protocol under settings, whose transitions are rounds."""

    stutters = False

    def __init__(self, definition: Definition, settings: Settings, *, twice: bool = True) -> None:
        super().__init__(definition, settings, twice=twice)
        self._turns: dict[Component, tuple[Turn, ...]] = {}
        self._cut_short: dict[Component, tuple[Turn, ...]] = {}
        self._started: set[str] = set()

    def starts(self, world: World) -> Iterator[Start]:
        for start in super().starts(world):
            self._started.update(step.outcome.step for step in start.steps)
            yield start

    def successors(self, world: World, state: State) -> Iterator[Transition]:
        """Every round in which somebody does something or crashes: one, or one for each result of choices and draws, and each crash.

        Raises MemoryError where there are more than a machine should be asked to go through.
        """
        environment: Environment = state[0]
        components: tuple[Component, ...] = state[1:]
        whole = [self.turns(environment, component) for component in components]
        fallible = [p for p, component in enumerate(components) if component.profile.fallible and not component.crashed]
        after: Environment | None = environment
        for number in range(len(fallible) + 1):  # so many crash in this round
            if after is None:
                break
            for down in itertools.combinations(fallible, number):
                ways = [
                    self.turns_cut_short(environment, components[p]) if p in down else whole[p]
                    for p in range(len(components))
                ]
                if math.prod(map(len, ways)) > MOST_ROUNDS:
                    raise MemoryError(f"the limit of {MOST_ROUNDS:,} ways for one round to go was reached")
                for turns in attended(itertools.product(*ways)):
                    if down or any(turn.active for turn in turns):
                        yield self.round(world, after, turns)
            after = self._poorer(after, "crashes")

    def round(self, world: World, environment: Environment, turns: tuple[Turn, ...]) -> Round:
        """The round in which the processes take these turns."""
        steps = [step for turn in turns for step in turn.steps]
        outcome = Outcome(
            step="round",
            kind="round" if any(turn.active for turn in turns) else "crash",
            received=None,
            choices=tuple(choice for step in steps for choice in step.choices),
            environment=environment,
            component=turns[0].component,
            sends=tuple(send for turn in turns for send in turn.sends),
            failure=next((step.failure for step in steps if step.failure), None),
        )
        if outcome.failure:
            return Round(-1, outcome, None, turns)
        after: State = (environment, *(turn.component for turn in turns))
        for process, turn in attended(enumerate(turns)):
            after = self.apply(world, after, process, replace(outcome, component=after[process + 1], sends=turn.sends))
        return Round(-1, outcome, after, turns)

    def turns(self, environment: Environment, component: Component) -> tuple[Turn, ...]:
        """Every turn a process may take: one, unless it chooses or draws.

        Raises MemoryError where it has more messages than a machine should be asked to go through.
        """
        found = self._turns.get(component)
        if found is None:
            if sum(map(len, component.inbox)) > MOST_MESSAGES:
                raise MemoryError(f"the limit of {MOST_MESSAGES:,} messages for one process in one round was reached")
            found = self._turns[component] = tuple(self._computed_turns(environment, component))
        return found

    def turns_cut_short(self, environment: Environment, component: Component) -> tuple[Turn, ...]:
        """Every turn that ends with a crash: each part of what the process sends in it gets out. It is `active` where it would have been.

        Raises StepError where the process draws in it, and MemoryError as `turns` does.
        """
        found = self._cut_short.get(component)
        if found is None:
            cut = (short for turn in self.turns(environment, component) for short in self._cut(environment, turn))
            found = self._cut_short[component] = tuple({(t.component, t.sends, t.active): t for t in cut}.values())
        return found

    def _cut(self, environment: Environment, turn: Turn) -> Iterator[Turn]:
        down = self._announced(turn.component, Down())
        crash = Outcome("crash", "crash", None, (), environment, self._crashed(turn.component), down)
        if any(choice.random for step in turn.steps for choice in step.choices):
            raise StepError(
                what="a process that draws may crash in the same round, in lock-step",
                cause="what gets out would be chosen after the draw, and a verdict 'with probability 1' would not be sound",
                remedy="leave out --crashes, or take --schedule any",
                where=self.definition.file,
            )
        if any(step.failure for step in turn.steps):
            return
        if 2 ** len(turn.sends) > MOST_ROUNDS:
            raise MemoryError(f"the limit of {MOST_ROUNDS:,} ways for one crash to go was reached")
        for out in itertools.product((True, False), repeat=len(turn.sends)):
            gets_out = iter(out)
            steps = [replace(step, sends=tuple(send for send in step.sends if next(gets_out))) for step in turn.steps]
            yield Turn((*steps, crash), crash.component, turn.active)

    def steps_taken(self) -> set[str]:
        return self._started | {step.step for turns in self._turns.values() for turn in turns for step in turn.steps}

    def _computed_turns(self, environment: Environment, component: Component) -> Iterator[Turn]:
        done = len(self._spontaneous) + 1
        unfinished = [(Turn((), component, False), 0)]
        while unfinished:
            turn, phase = unfinished.pop()
            enabled, following = self._next(environment, turn.component, phase)
            if not enabled:
                yield turn
            for outcome in reversed(enabled):
                unfinished.append((self._longer(turn, outcome), done if outcome.failure else following))

    def _next(self, environment: Environment, component: Component, phase: int) -> tuple[list[Outcome], int]:
        """The outcomes of the step that a turn goes on with, and the phase after it: 0 while there is something to
        receive, k once the spontaneous steps before the k-th have had their chance. No outcomes at the end."""
        outcomes = self.outcomes(environment, component)  # in the order of ports, and of definition
        if phase == 0:
            receptions = [outcome for outcome in outcomes if outcome.kind == "receive"]
            if receptions:
                return [outcome for outcome in receptions if outcome.action == receptions[0].action], 0
        for place, step in enumerate(self._spontaneous, 1):
            enabled = [outcome for outcome in outcomes if outcome.step == step.name and outcome.kind == step.kind]
            if place >= phase and enabled:
                return enabled, place + 1
        return [], 0

    def _longer(self, turn: Turn, outcome: Outcome) -> Turn:
        """The turn with one more step. Raises StepError where that chooses and an earlier one drew."""
        drew = [step for step in turn.steps if any(choice.random for choice in step.choices)]
        if drew and any(not choice.random for choice in outcome.choices):
            raise StepError(
                what=f"in one round a process draws in {drew[0].step} and then chooses in {outcome.step}",
                cause="what is chosen may depend on the draw, and a verdict 'with probability 1' would not be sound",
                remedy="let it choose in an earlier round, or in the step that draws, before it draws",
                where=self.definition.file,
                step=outcome.step,
                state=self.describe(turn.component.fields),
            )
        active = bool(outcome.component is not turn.component or outcome.sends or outcome.failure)
        steps = (*turn.steps, outcome) if active or outcome.choices else turn.steps
        return Turn(steps, outcome.component, turn.active or active)


def system_for(definition: Definition, settings: Settings) -> System:
    """The system that these settings schedule."""
    return LockStep(definition, settings) if settings.schedule == "lockstep" else System(definition, settings)
