"""What a verdict rests on, found again by a witness (modelcheck/witness): which steps and which states, and what is said of it.

    witness = Witness(request, system)     an interpreter starts, and loads the model beside the search
    witness.watch(...)                     of each world that was explored some states, with what the search holds of them
    witness.ask(traces)                    what the components can do, and those states, are sent
    witness.confirm(meter)                 raises StepError where something came to something else

All steps of up to a thousand components are taken again, and one in twenty of those beyond; of the worlds all at first and then fewer and
fewer, each with some states evenly spread from the first to the last, fewer and fewer too, and some terminal ones. How many there are depends on nothing but
the command. Their number bounds the memory of the witness, which does not count against the limit of memory; its time does.
"""

from __future__ import annotations

import itertools
import pickle
import queue
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..errors import StepError
from ..explore.exploration import Exploration
from ..explore.limits import Meter
from ..language.properties import LASTING, ON_THE_WAY
from ..properties.monitor import Monitor
from ..semantics.components import Component, Environment, State
from ..semantics.partitions import Network
from ..semantics.system import System, Transition
from ..semantics.verification import meaning
from ..semantics.worlds import World
from ..witness.again import Difference, Work
from ..witness.interpreters import SEEDS, Interpreter, borrow, give_back
from ..witness.sources import OnceOnlyError, depends_on_order, sources
from ..witness.wire import packed, unpacked
from .findings import Candidate
from .request import Request
from .result import TakenAgain

ALL = 1_000  # components whose steps are all taken again
SHARE = 20  # beyond these, one in so many
STATES, FEWEST, ENDS = 64, 6, 2  # of the first world, of any, and terminal ones beside them
VIEWS = 64  # of each property that is judged once a view
WORLDS = 16  # among the first so many, then among twice as many, and so on
PATIENCE = 5.0  # seconds, where a limit was reached
Failed = Mapping[str, tuple[int, Transition | None, str]]


class Witness:
    """One run's. Where no interpreter can take its steps again, `report` says why and nothing else happens."""

    def __init__(self, request: Request, system: System) -> None:
        self.system = system
        self.properties = tuple(one for prop in request.properties for one in prop.judged)
        self.report = TakenAgain()
        self._cls = request.model.definition.cls
        self._found: list[tuple[int, int, World, tuple[State, ...], dict[str, bool]]] = []
        self._idle: list[Interpreter] = []  # they have loaded the model
        self._busy: list[Interpreter] = []  # they have been asked
        self._work: Work | None = None
        self._views = 0  # that were judged in place of states
        try:
            found = sources(self._cls, (prop.module for prop in self.properties))
            self._by_order = depends_on_order(found)
            for seed in SEEDS if self._by_order else SEEDS[:1]:
                interpreter = borrow(seed)
                self._idle.append(interpreter)
                interpreter.tell(packed(found if seed == SEEDS[0] else found.for_another_seed()))
        except (OnceOnlyError, OSError) as error:
            self._give_up(str(error))

    def _give_up(self, why: str) -> None:
        self.close()
        self.report = TakenAgain(undone=why)

    def close(self) -> None:
        """The interpreters wait for another run, or end where they are still at work."""
        for interpreter in self._idle:
            interpreter.tell(b"")
            give_back(interpreter)
        for interpreter in self._busy:
            interpreter.end()
        self._idle, self._busy = [], []

    # --- during the search

    def wants(self, order: int) -> bool:
        """Whether it keeps states of the world of this order."""
        return bool(self._idle and self.properties) and not order % max(1, (1 << order.bit_length() - 1) // WORLDS)

    def watch(self, found: Exploration, order: int, failed: Failed, monitors: Mapping[str, Monitor]) -> None:
        """Keeps some states of a world that was explored to its end, with what the search holds of them: a property that did not fail
        there holds in all of them. One that `failed` did so at this number, or on this transition out of it."""
        if not self.wants(order):
            return
        ends = {int(found.terminals[place]) for place in spread(len(found.terminals), ENDS)}
        wanted = {
            *spread(len(found.states), max(FEWEST, STATES // order)),
            *ends,
            *(number for number, _, _ in failed.values() if number >= 0),
        }
        endless = any(prop.kind in LASTING for prop in self.properties) and found.has_cycle()
        for number in sorted(wanted):
            state = found.states[number]
            holds = {}
            for prop in self.properties:
                where = failed.get(prop.name)
                judged = prop.kind == "always" or (prop.kind in ("at the end", *LASTING) and number in ends)
                if prop.kind in ON_THE_WAY or (prop.kind in LASTING and endless):
                    holds[prop.name] = monitors[prop.name].holds(state)
                elif judged and (where is None or where[0] == number):
                    holds[prop.name] = where is None
            self._found.append((order, number, found.world, (state,), holds))
            for after, holds in self._steps(found.world, number, state, failed):
                self._found.append((order, number, found.world, (state, after), holds))

    def note(self, name: str, views: Sequence[tuple[World, tuple[State, ...], bool]]) -> None:
        """Keeps some of the views by which a property was judged: a state that looks so, or those before and after a step, and whether it holds
        there."""
        if not self._idle:
            return
        for place in spread(len(views), VIEWS):
            world, states, holds = views[place]
            self._found.append((1, self._views + place, world, states, {name: holds}))
        self._views += len(views)

    def _steps(
        self, world: World, number: int, state: State, failed: Failed
    ) -> Iterator[tuple[State, dict[str, bool]]]:
        names = [prop.name for prop in self.properties if prop.kind == "every step"]
        holding = dict.fromkeys((name for name in names if name not in failed), True)
        if holding:
            afters = [t.after for t in self.system.successors(world, state) if t.after is not None]
            yield from ((after, holding) for after in (afters if len(afters) < 2 else (afters[0], afters[-1])))
        for name in names:
            place, transition, _ = failed.get(name, (-1, None, ""))
            if place == number and transition is not None and transition.after is not None:
                yield transition.after, {name: False}

    # --- at its end

    def ask(self, states: int, entries: Iterable[Candidate], before: int = 0) -> None:
        """Sends what is to be taken again. `entries` are counterexamples, whose steps are always among it; `states` were explored,
        those of the worlds `before` by another run."""
        if not self._idle:
            return
        self._found.sort(key=lambda item: (item[0], item[1], len(item[3])))
        pairs = [
            (environment, component)
            for component in self.system.components()
            if not isinstance(component, Network)
            for environment in component.cache.copy()
            if isinstance(environment, Environment)
        ]
        some = [pairs[place] for place in spread(len(pairs), min(len(pairs), ALL + max(0, len(pairs) - ALL) // SHARE))]
        judged = len({(order, number) for order, number, _, _, _ in self._found})
        taken = dict.fromkeys([*some, *(pair for entry in entries for pair in _along(entry))])
        self._work = _Packing(self).work(list(taken))
        try:
            work = packed(self._work)
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
            self._give_up(str(error).split("\n")[0])
            return
        for interpreter in self._idle:
            interpreter.tell(work)
            interpreter.listen()
        self._busy, self._idle = self._idle, []
        of = (self._views or states) if self.properties else 0
        self.report = TakenAgain(len(some), len(pairs), judged, of, len(self._busy), worlds_before=before)

    def confirm(self, meter: Meter) -> None:
        """Waits until all was taken again. Raises StepError where something came to something else.

        Where a limit is reached meanwhile that is noted by the meter; where it had been reached before, nobody waits for long.
        """
        late = time.monotonic() + PATIENCE if meter.reached else None
        answers: list[Difference | None] = []
        while self._busy:
            interpreter = self._busy[-1]
            try:
                answer = interpreter.answer(0.05)
            except queue.Empty:
                if meter.stop() and (late is None or time.monotonic() > late):
                    self._give_up(f"there was no time: {meter.reached}")
                continue
            found, trouble = (None, "the interpreter was ended") if answer is None else unpacked(answer)
            if answer is not None:
                give_back(self._busy.pop())
            answers.append(found)
            if trouble:
                self._give_up(trouble)
        differing = [answer for answer in answers if answer is not None]
        if differing:
            # one that remembers comes to the same under every hash seed
            told = {(answer and (answer.kind, answer.place, answer.there)) for answer in answers}
            raise self._error(differing[-1], by_order=len(told) > 1 and not differing[-1].remembers)

    def _error(self, found: Difference, by_order: bool) -> StepError:
        step = found.kind != "verdicts"
        subject = found.name if step else f"the property {found.name}"
        cause = "it remembers something that is no field: a cache, an iterator, an object, a file"
        remedy = "keep everything that is remembered in fields" if step else "read only the view"
        if by_order:
            cause = "it goes through a set as it comes, or uses a hash: both are others in every interpreter"
            remedy = "sort a set before going through it, and use no hash"
        process, state = self._place(found)
        own = [prop.where for prop in self.properties if not step and prop.name == found.name]
        return StepError(
            what=f"{subject} is not a function of {'what it reads' if step else 'the state it looks at'}: a fresh interpreter, which took "
            "things in another order, came to something else",
            cause=f"{cause} (here: {found.here}; there: {found.there})",
            remedy=remedy,
            where=own[0] if own else self.system.definition.file,
            step=found.name,
            process=process,
            state=state,
        )

    def _place(self, found: Difference) -> tuple[str, str]:
        """Which process that was, and in what state."""
        assert self._work is not None
        if found.kind == "initials":
            return str(self._work.initials[found.place][0]), ""
        if found.kind == "steps":
            profile, _, fields, inbox = self._work.components[self._work.steps[found.place][1]]
            waiting = ", ".join(repr(message) for channel in inbox for message in channel)
            described = self.system.describe(fields)
            return str(profile), described + (f"; waiting {waiting}" if waiting else "")
        _, _, world, states, _ = self._judged[found.place]
        return "", f"{world}: " + "; then ".join(self._described(world, state) for state in states)

    def _described(self, world: World, state: State) -> str:
        return ", ".join(
            f"{world.label(process)} {'down' if component.crashed else self.system.describe(component.fields)}".rstrip()
            for process, component in enumerate(state[1 : world.n + 1])
        )

    @property
    def _judged(self) -> list[tuple[int, int, World, tuple[State, ...], dict[str, bool]]]:
        return [item for item in self._found if item[4]]


class _Packing:
    """Puts it all into tables, in which each component and each environment stands once."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._components: dict[Component, int] = {}
        self._environments: dict[Environment, int] = {}

    def work(self, pairs: Iterable[tuple[Environment, Component]]) -> Work:
        witness, system = self._witness, self._witness.system
        places = {prop.name: place for place, prop in enumerate(witness.properties)}
        worlds: dict[int, int] = {}  # by the identity of the world, which the witness keeps
        kept: list[World] = []
        verdicts = []
        for _, _, world, states, holds in witness._judged:
            if id(world) not in worlds:
                worlds[id(world)] = len(kept)
                kept.append(world)
            known = tuple((places[name], verdict) for name, verdict in holds.items())
            verdicts.append((worlds[id(world)], tuple(map(self._state, states)), known))
        steps = [
            (self._environment(e), self._component(c), tuple(meaning(outcome) for outcome in system.outcomes(e, c)))
            for e, c in pairs
        ]
        initials = [
            (profile, revived, tuple((c.crashed, c.fields, c.inbox) for c in found))
            for (profile, revived), found in itertools.islice(system._initials.copy().items(), ALL)
        ]
        return Work(
            module=witness._cls.__module__,
            name=witness._cls.__qualname__,
            settings=system.settings,
            properties=tuple((prop.module, prop.name) for prop in witness.properties),
            environments=tuple(environment.values() for environment in self._environments),
            components=tuple((c.profile, c.crashed, c.fields, c.inbox) for c in self._components),
            steps=tuple(steps),
            initials=tuple(initials),
            worlds=tuple(kept),
            verdicts=tuple(verdicts),
        )

    def _component(self, component: Component) -> int:
        return self._components.setdefault(component, len(self._components))

    def _environment(self, environment: Environment) -> int:
        return self._environments.setdefault(environment, len(self._environments))

    def _state(self, state: State) -> tuple[int, ...]:
        return (self._environment(state[0]), *map(self._component, state[1:]))


def _along(entry: Candidate) -> Iterator[tuple[Environment, Component]]:
    """What was looked at on the way of a counterexample."""
    state = entry.start.state
    for transition in entry.transitions:
        yield from ((state[0], component) for component in state[1:] if not isinstance(component, Network))
        if transition.after is not None:
            state = transition.after


def spread(count: int, most: int) -> list[int]:
    """So many numbers below `count`, from the first to the last, or all where there are no more."""
    if count <= most:
        return list(range(count))
    return [place * (count - 1) // (most - 1) for place in range(most)] if most > 1 else [0][:most]
