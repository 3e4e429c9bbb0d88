"""What properties tell the compiled engine: what they see of a component, and which of them fail of a state or a step.

Each property has a bit in a mask; the three kinds of failing steps have theirs (kernel.search sets them).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ..explore.exploration import Exploration, UnsupportedError
from ..language.messages import Message
from ..semantics.components import Component, Environment, State
from ..semantics.system import Outcome, System, Transition
from .monitor import Monitor
from .view import SHARED

FAILURE_BITS = {57: "assert", 58: "exception", 59: "unspecified reception"}
MOST_PROPERTIES = 56

Fail = Callable[[Monitor, int, Transition | None], None]


class MonitorPredicates:
    """The properties of one world's search, for one engine. `fail` is told where each failed first."""

    def __init__(
        self,
        system: System,
        found: Exploration,
        always: Sequence[Monitor],
        steps: Sequence[Monitor],
        fail: Fail,
        on_failure: Callable[[int, Transition], None],
    ) -> None:
        self._system, self._found, self._fail, self._on_failure = system, found, fail, on_failure
        self._always, self._steps = tuple(always), tuple(steps)
        self._all = (*self._always, *self._steps)
        if len(self._all) > MOST_PROPERTIES:
            raise UnsupportedError("there are more properties than a mask has bits")

    @property
    def watches_steps(self) -> bool:
        return bool(self._steps)

    @property
    def generation(self) -> int:
        """Grows with what the properties were seen to read."""
        return sum(monitor.breadth for monitor in self._all)

    @property
    def scope(self) -> Hashable:
        """What observations and verdicts about them are good for: worlds of one scope, and so of one size, share them."""
        return (self._found.world.n, *(monitor.scope for monitor in self._all))

    @property
    def portable(self) -> bool:
        """Whether worlds with the same identifiers are of one scope, wherever these stand, as far as is known by now."""
        return all(monitor.portable for monitor in self._all)

    def observe(self, component: Component) -> Hashable:
        """All that any of the properties sees of a component."""
        return tuple(monitor.projection(component) for monitor in self._all)

    def observe_environment(self, environment: Environment) -> Hashable:
        """All that any of the properties sees of the environment."""
        return environment.shared if any(SHARED in monitor.reads for monitor in self._all) else None

    def watches(self, message: Message) -> bool:
        """Whether any of the properties looks at such a message where it waits."""
        return any(monitor.watches(message) for monitor in self._all)

    def shows(self, before: Component, outcome: Outcome) -> bool:
        """Whether the properties may see that this step is taken, wherever it is: they look at a field that it changes, or at a message
        that it sends or receives."""
        handled = [message for _, message in outcome.sends]
        if outcome.received is not None and outcome.received[1] is not None:
            handled.append(outcome.received[1])
        return self.observe(outcome.component) != self.observe(before) or any(map(self.watches, handled))

    def judge(self, state: State) -> int:
        """The mask of the properties that fail in a state."""
        return sum(1 << bit for bit, monitor in enumerate(self._always) if not monitor.holds(state))

    def judge_step(self, before: State, after: State) -> int:
        """The mask of the properties that fail of a step."""
        first = len(self._always)
        return sum(1 << bit for bit, monitor in enumerate(self._steps, first) if not monitor.holds(before, after))

    def judge_unchanged(self, state: State) -> bool:
        """Whether every step property holds of a step that changes nothing it sees."""
        return all(monitor.holds(state, state) for monitor in self._steps)

    def failed(self, bit: int, number: int, ordinal: int) -> None:
        """The engine's word on where a property, or a step, failed first."""
        transition = None
        if ordinal >= 0:
            state = self._found.states[number]
            transition = list(self._system.successors(self._found.world, state))[ordinal]
        if bit in FAILURE_BITS:
            assert transition is not None
            self._on_failure(number, transition)
        else:
            self._fail(self._all[bit], number, transition)
