"""The search that visits no states: all worlds of a size at once, as one set.

AlphabetTables, Diagram     what is reachable, as a node (explore/sets)
SetReader                      how many states, transitions and terminal states there are
Judge, Breaker              properties, and the shortest run that breaks one
Sending                     how many messages runs send: a second diagram, whose members have a history
ending                      whether all runs end
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from ...count.census import Census
from ...count.extremes import Columns
from ...count.tally import Tally, Unreduced
from ...errors import UsageError
from ...explore.exploration import UnsupportedError
from ...explore.sets.alphabet import AlphabetTables, EndlessError
from ...explore.sets.beginning import Beginnings
from ...explore.sets.diagram import Diagram
from ...explore.sets.reading import SetReader, TooManyError
from ...explore.sets.records import EMPTY
from ...pulse import StoppedError, watched_by
from ...semantics.renaming import SOME, THOROUGH
from ...semantics.system import Start
from ...semantics.worlds import Worlds
from ..findings import FAILURES
from ..request import Request
from ..search import Search
from . import counting, ending
from .judging import Judge
from .preferring import TurnBackError
from .refusing import refusal
from .sending import Sending
from .showing import Breaker, transitions


class SearchBySets(Search):
    """A search whose worlds are explored all at once. One thread."""

    def run_all(self, request: Request, tallies: list[Tally]) -> None:
        """Explores all that was asked for, size after size. Raises what `Search.run_all` raises, and UsageError for what sets cannot do."""
        why = refusal(self.system)
        if why:
            raise UsageError(f"--engine sets cannot do this: {why}; leave out --engine")
        try:
            with suppress(StoppedError), watched_by(self.meter):
                for n, families in request.worlds():
                    if self.meter.stop():
                        break
                    tally = Tally(n, sum(worlds.represented for worlds in families))
                    tallies.append(tally)
                    self._begin(tally)
                    tally.graphs = len(families)
                    for worlds in families:
                        self.reductions.update(dict.fromkeys(worlds.reductions))
                    self.system.renamings = families[0].renamings(THOROUGH if self.system.thorough else SOME)
                    self.meter.nodes = 0
                    try:
                        _Size(self, families, tally).search()
                    finally:
                        tally.nodes = tally.nodes or self.meter.nodes  # where it was stopped
                    self.known.outside.check()
        except UnsupportedError as error:
            raise UsageError(f"--engine sets cannot do this: {error}; leave out --engine") from None
        self.worlds_complete = self.meter.reached is None

    def _add(self, tally: Tally, counted: Tally) -> None:
        """Adds what was counted to what is known. No limit on states was in its way."""
        tally.add(counted)
        self.meter.represented += counted.represented

    def told(self, tables: AlphabetTables) -> Callable[[int], None]:
        """Who is told of a diagram over these tables: whoever watches, and whoever counts what it costs."""
        self.effort.turn(tables.n)

        def tell(nodes: int) -> None:
            self.meter.nodes = nodes
            self.effort.spend(nodes, len(tables.members))

        return tell


class _Size:
    """All worlds of one size."""

    def __init__(self, search: SearchBySets, families: Sequence[Worlds], tally: Tally) -> None:
        self.found, self.system, self.tally = search, search.system, tally
        self.worker = search.workers[0]
        self.symmetric = any(worlds.symmetric for worlds in families)
        self.tables = AlphabetTables(self.system, tally.n)
        self.begins = Beginnings(self.tables, (world for worlds in families for world in worlds))
        self.first = search.plan.order + 1  # the order of the first of the worlds, among those of all sizes
        search.plan.order += len(self.begins.worlds)

    def search(self) -> None:
        self._explore()
        census = self.found.census
        if census is not None and not census.only_total and not self.found.known.findings.failed:
            self._count_messages(census)
        self._check_ends()

    def _explore(self) -> None:
        """All but the ends of runs: one diagram, which is given back before there is another."""
        begins, reader = self.begins, SetReader(Diagram(self.tables, self.found.told(self.tables)))
        diagram = reader.diagram
        for place, start in begins.failing:
            self._keep_failing_start(place, start)
        weights = [world.weight for world in begins.worlds]
        kinds = [
            (weights[place], copy) for place, copy in zip(begins.world.tolist(), begins.copy.tolist(), strict=True)
        ]
        roots: dict[tuple[int, int], int] = {}
        initial = reachable = EMPTY
        for kind in dict.fromkeys(kinds):  # of one kind no two are alike, and all stand for as many
            begin = diagram.of_vectors(begins.vectors[[one == kind for one in kinds]])
            initial = diagram.union(initial, begin)
            roots[kind] = diagram.saturated(begin, (initial, *roots.values()))
        for root in roots.values():
            reachable = diagram.union(reachable, root)
        terminal = reader.terminal(reachable)
        counted = Tally(self.tally.n, 0, worlds=len(weights), represented=sum(weights))
        for (weight, _), root in roots.items():
            ends = reader.terminal(root) if len(roots) > 1 else terminal
            counts = reader.states(root), reader.transitions(root), reader.states(ends)
            unreduced = Unreduced(*(weight * count for count in counts))
            counted.add(Tally(self.tally.n, 0, 0, 0, *counts, unreduced=unreduced))
        counted.nodes = reader.size(reachable)[0]
        if begins.failing or self.tables.failing:
            self.found.known.findings.failed = True
        self._check(reader, initial, reachable, terminal)
        self.found._add(self.tally, counted)

    def _keep_failing_start(self, place: int, start: Start) -> None:
        failure = start.steps[-1].outcome.failure
        assert failure is not None
        findings = self.found.known.findings
        world = self.begins.worlds[place]
        findings.keep(
            findings.violations, FAILURES[failure.kind], world, self.first + place, start, (), failure.sentence
        )

    # --- properties

    def _check(self, reader: SetReader, initial: int, reachable: int, terminal: int) -> None:
        worker, known = self.worker, self.found.known
        judge = Judge(reader, self.begins.worlds, self.symmetric)
        judge.states(worker.always, reachable)
        judge.states(worker.ends, terminal)
        judge.steps(worker.steps, reachable)
        if judge.undecided and self.found.effort.is_bounded:
            raise TurnBackError
        known.undecided.update(judge.undecided)
        for prop in known.properties:
            if prop.kind == "eventually":
                known.undecided[prop.name] = "sets of states do not decide it: --engine compiled does"
        if worker.witness is not None:
            for name, views in judge.samples.items():
                worker.witness.note(name, views)
        kinds = sorted({kind for kinds in self.tables.failing.values() for kind in kinds})
        broken = {name for name, bad in judge.bad.items() if bad}
        always, steps, ends = (
            [m for m in monitors if m.property.name in broken]
            for monitors in (worker.always, worker.steps, worker.ends)
        )
        if not (broken or kinds):
            return
        for name, vectors, kind in Breaker(judge, initial).runs(always, steps, ends, kinds):
            place, start = self.begins.start(vectors[0])
            world = self.begins.worlds[place]
            states = [self.tables.state(vector) for vector in vectors]
            taken = transitions(self.system, world, states, kind)
            reason = ""
            if kind:
                failure = taken[-1].outcome.failure
                assert failure is not None
                name, reason = FAILURES[kind], failure.sentence
            known.findings.keep(known.findings.violations, name, world, self.first + place, start, taken, reason)

    # --- the ends of runs, and messages

    def _check_ends(self) -> None:
        """Whether all runs end; and how many messages they send, which a run tells where that is so."""
        prop = next((prop for prop in self.found.known.properties if prop.kind == "terminates"), None)
        if prop is None or self.found.known.findings.failed:
            return
        why = self._why_not_all_end()
        if why and self.found.effort.is_bounded:
            raise TurnBackError
        if why:
            self.found.known.undecided[prop.name] = f"{why}: --engine compiled decides it"

    def _why_not_all_end(self) -> str:
        """Empty where all runs end; then the messages are counted, in total."""
        why = ending.undecidable(self.system)
        if why:
            return why
        try:
            sending = Sending(self.begins, Columns.of(self.system.definition), 0, self.found.told)
        except EndlessError as endless:
            return str(endless)
        if ending.goes_in_circles(sending.tables):
            return "some process can go in circles by itself"
        with suppress(TooManyError):
            self.tally.sent.add(counting.Assignments(self.begins).amounts(sending, all_end=True).in_all())
        return ""

    def _count_messages(self, census: Census) -> None:
        """By type. Raises UnsupportedError where they are not counted by sets."""
        try:
            self.tally.sent.add(counting.count(self.begins, census, self.first, self.found.told))
        except (EndlessError, TooManyError) as why:
            raise UnsupportedError(str(why)) from None
