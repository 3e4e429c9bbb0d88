"""The search that visits no states: all worlds of a size at once, as one set.

AlphabetTables, Diagram     what is reachable, as a node (explore/sets)
SetReader                      how many states, transitions and terminal states there are
Judge, Breaker              properties, and the shortest run that breaks one
Sending                     how many messages runs send: a second diagram, whose members have a history
ending                      whether all runs end
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from ...count.census import Census
from ...count.extremes import Columns
from ...count.ranges import Range
from ...count.tally import Tally, Unreduced
from ...errors import UsageError
from ...explore.exploration import UnsupportedError
from ...explore.sets.alphabet import AlphabetTables, EndlessError
from ...explore.sets.beginning import Beginnings, from_top_down
from ...explore.sets.diagram import Diagram
from ...explore.sets.reading import SetReader, TooManyError
from ...explore.sets.records import EMPTY
from ...language.properties import OF_ENDS, ON_THE_WAY
from ...pulse import StoppedError, watched_by
from ...semantics.system import Start
from ...semantics.worlds import Worlds
from ..findings import FAILURES
from ..request import Request
from ..search import Search
from . import ending
from .beside import Beside
from .counting import Assignments, count
from .judging import Judge
from .preferring import TurnBackError
from .refusing import refusal
from .sending import Sending
from .showing import Breaker, transitions


class SearchBySets(Search):
    """A search whose worlds are explored all at once. One thread, and another for the ends of runs where there may be two."""

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
                    self.system.renamings = self._renamings(families[0])
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

    def tell(self, diagram: Diagram) -> None:
        """For whoever watches, and whoever counts what it costs."""
        self.meter.nodes = max(self.meter.nodes, diagram.size)
        self.effort.spend(diagram.tables.n, diagram.size, len(diagram.tables.members))


class _Size:
    """All worlds of one size."""

    def __init__(self, search: SearchBySets, families: Sequence[Worlds], tally: Tally) -> None:
        self.found, self.system, self.tally = search, search.system, tally
        self.worker = search.workers[0]
        self.symmetric = any(worlds.symmetric for worlds in families)
        self.tables = AlphabetTables(self.system, tally.n, from_top_down(families[0]))
        self.begins = Beginnings(self.tables, (world for worlds in families for world in worlds))
        self.first = search.plan.order + 1  # the order of the first of the worlds, among those of all sizes
        search.plan.order += len(self.begins.worlds)

    def search(self) -> None:
        known = self.found.known
        ends = any(prop.kind in OF_ENDS for prop in known.properties)
        beside = Beside(self._ends, self.found.meter) if ends and len(self.found.workers) > 1 else None
        try:
            self._explore()
            census = self.found.census
            if census is not None and not census.only_total and not known.findings.failed:
                self._count_messages(census)
            if ends and not known.findings.failed:
                why, sent = beside.result() if beside is not None else self._ends()
                self.tally.sent.add(sent)
                why = why and f"{why}: --engine compiled decides it"
                self._note_undecided({prop.name: why for prop in known.properties if why and prop.kind in OF_ENDS})
            elif ends:
                why = "a step fails: of runs that do not end --engine compiled may show a shorter one"
                known.undecided.update({prop.name: why for prop in known.properties if prop.kind in OF_ENDS})
        finally:
            if beside is not None:
                beside.drop()

    def _note_undecided(self, why: Mapping[str, str]) -> None:
        """By property."""
        if why and self.found.effort.is_bounded:
            raise TurnBackError
        self.found.known.undecided.update(why)

    def _explore(self) -> None:
        """All but the ends of runs: one diagram, which is given back before there is another."""
        begins, reader = self.begins, SetReader(Diagram(self.tables, self.found.tell))
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
        self._note_undecided(judge.undecided)
        for prop in known.properties:
            if prop.kind in ON_THE_WAY:
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

    def _ends(self) -> tuple[str, Range]:
        """Why it is not known whether all runs end, empty where they do; and then how many messages are sent, which a run tells."""
        why = ending.undecidable(self.system)
        if why:
            return why, Range()
        try:
            sending = Sending(self.begins, Columns.of(self.system.definition), 0, self.found.tell)
        except EndlessError as endless:
            return str(endless), Range()
        if ending.goes_in_circles(sending.tables):
            return "some process can go in circles by itself", Range()
        try:
            return "", Assignments(self.begins).amounts(sending, all_end=True).in_all()
        except TooManyError:
            return "", Range()

    def _count_messages(self, census: Census) -> None:
        """By type. Raises UnsupportedError where they are not counted by sets."""
        try:
            self.tally.sent.add(count(self.begins, census, self.first, self.found.tell))
        except (EndlessError, TooManyError) as why:
            raise UnsupportedError(str(why)) from None
