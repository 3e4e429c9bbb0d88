"""What a split and a heal of the network do, by hand and against a second account of them that shares nothing with the first."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from modelcheck.semantics.partitions import divisions, unions
from modelcheck.semantics.worlds import Policy
from tests.conftest import Explored

Explore = Callable[..., list[Explored]]
FIRST = Policy("none", (1,))


# --- which splits there are ------------------------------------------------------------------------------------------


def every_way_to_block(n: int) -> set[frozenset[frozenset[int]]]:
    """All partitions of a set of n, from the functions that colour it."""
    found = set()
    for colours in itertools.product(range(n), repeat=n):
        found.add(frozenset(frozenset(i for i in range(n) if colours[i] == c) for c in set(colours)))
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_a_split_divides_one_block_in_two_in_every_way_and_a_heal_undoes_it(n: int) -> None:
    """Of n processes in one block there are 2^(n-1) - 1 splits; in general those partitions that refine the blocks by one."""
    everything = [tuple(sorted(tuple(sorted(b)) for b in blocks)) for blocks in every_way_to_block(n)]
    assert len(list(divisions((tuple(range(n)),)))) == 2 ** (n - 1) - 1
    for blocks in everything:
        finer = [
            other
            for other in everything
            if len(other) == len(blocks) + 1 and all(any(set(part) <= set(b) for b in blocks) for part in other)
        ]
        assert sorted(divisions(blocks)) == sorted(finer)
        assert all(blocks in unions(other) for other in finer)
        assert all(blocks in divisions(other) for other in unions(blocks))


SILENT = """
class Silent(Process):
    topology = {topology}
"""


@pytest.mark.parametrize(
    ("partitions", "heals", "states", "transitions"),
    [
        (1, 0, 4, 3),  # whole, and three ways to be split
        (1, 1, 5, 6),  # and whole again
        (2, 0, 5, 6),  # and all three apart, from each of the three
        (0, 0, 1, 0),
    ],
)
@pytest.mark.parametrize("topology", ["one_way_ring", "two_way_ring", "line", "complete"])
def test_splits_and_heals_of_three_processes_by_hand(
    explored: Explore, topology: str, partitions: int, heals: int, states: int, transitions: int
) -> None:
    """Faults are never owed: every one of these states is terminal."""
    (world,) = explored(SILENT.format(topology=topology), 3, Policy("none"), partitions=partitions, heals=heals)
    assert world.counts == (states, transitions, states, partitions + heals)


def test_one_process_has_nothing_to_split(explored: Explore) -> None:
    (world,) = explored(SILENT.format(topology="one_way_ring"), 1, Policy("none"), partitions=3)
    assert world.counts == (1, 0, 1, 0)


# --- what becomes of messages ----------------------------------------------------------------------------------------

TALKS = """
class Note(Message):
    x: int
class Talks(Process):
    topology = complete
    networks = ("fifo", "bag", "set")
    tolerates = ("crashes", "recoveries", "partitions", "heals")
    sent: bool = False
    heard: tuple[str, ...] = ()
    @initiate
    def speak(self):
        self.require(not self.sent)
        self.sent = True
        for x in {numbers}:
            self.send_all(Note(x))
    @receive(Note)
    def note(self, message):
        self.heard = (*self.heard, str(message.x))
"""
HEARS = """\
    @receive(Down, Up)
    def told(self, message):
        self.heard = (*self.heard, type(message).__name__)
"""
COUNTS_ITS_LIVES = """\
    lives: int = 0
    @recover
    def come_back(self):
        self.lives += 1
"""


def records(worlds: list[Explored], process: int = 2) -> set[tuple[str, ...]]:
    """What p2 has heard where runs may end."""
    (world,) = worlds
    return {world.found.states[number][process].fields[1] for number in world.found.terminals}


def test_a_message_sent_over_a_cut_is_lost_or_held_and_one_in_transit_may_come_or_not(explored: Explore) -> None:
    """p1 says 1 and 2. Lost: any suffix of what it says, for the split may come at any moment and fifo links keep the
    order. Held, with no heal: the same, for what is held is not received."""
    text = TALKS.replace("{numbers}", "(1, 2)")
    suffixes = {(), ("1",), ("1", "2")}
    assert records(explored(text, 2, FIRST, partitions=1)) == suffixes
    assert records(explored(text, 2, FIRST, partitions=1, across="held")) == suffixes


def test_what_was_held_comes_when_the_link_is_whole_and_what_was_lost_never_does(explored: Explore) -> None:
    text = TALKS.replace("{numbers}", "(1, 2)")

    def after_the_heal(across: str) -> set[tuple[str, ...]]:
        (world,) = explored(text, 2, FIRST, partitions=1, heals=1, across=across)
        found, ends = world.found, set()
        for number in found.terminals:
            if found.states[number][-1].heals == 0:
                ends.add(found.states[number][2].fields[1])
        return ends

    assert after_the_heal("held") == {("1", "2")}
    assert after_the_heal("lost") == {(), ("1",), ("1", "2")}


def test_a_bag_may_lose_any_of_what_was_in_transit(explored: Explore) -> None:
    text = TALKS.replace("{numbers}", "(1, 2)")
    orders = {(), ("1",), ("2",), ("1", "2"), ("2", "1")}
    assert records(explored(text, 2, FIRST, network="bag", partitions=1)) == orders
    assert records(explored(text, 2, FIRST, network="set", partitions=1)) == orders


def test_equal_messages_before_and_behind_the_cut_of_a_set_merge_when_it_heals(explored: Explore) -> None:
    """p1 says 1 twice in one step: on a set that is one message, in transit or held, and so it is after the heal."""
    text = TALKS.replace("{numbers}", "(1, 1)")
    assert records(explored(text, 2, FIRST, network="set", partitions=1, heals=1, across="held")) == {(), ("1",)}


# --- what the detector says ------------------------------------------------------------------------------------------


def test_a_heartbeat_detector_says_down_behind_what_came_and_up_before_what_comes(explored: Explore) -> None:
    """Every order of p1 speaking (one step, two messages), the split and the heal; lost or stranded messages are missing,
    held ones come after Up."""
    text = TALKS.replace("{numbers}", "(1, 2)") + HEARS
    lost = records(explored(text, 2, FIRST, partitions=1, heals=1, cuts_reported=True))
    said = {("1", "2", "Down"), ("1", "Down"), ("Down",), ("1", "2")}
    healed = {(*record, "Up") for record in said if "Down" in record}
    assert lost == said | healed | {("Down", "Up", "1", "2")}
    held = records(explored(text, 2, FIRST, partitions=1, heals=1, cuts_reported=True, across="held"))
    late = {("1", "2", "Down", "Up"), ("1", "Down", "Up", "2"), ("Down", "Up", "1", "2")}
    assert held == said | late


def test_a_perfect_detector_says_nothing_of_cuts_and_tells_of_crashes_across_them(explored: Explore) -> None:
    text = TALKS.replace("{numbers}", "()") + HEARS
    assert records(explored(text, 2, FIRST, partitions=1, heals=1)) == {()}
    (world,) = explored(text, 2, FIRST, partitions=1, crashes=1)
    (split_and_down,) = {
        state[2].fields[1]
        for state in world.found.states
        if state[1].crashed and len(state[-1].blocks) == 2 and not state[2].inbox[0]
    } or {None}
    assert split_and_down is None, "the cut stands in the channel"
    heard = {state[2].fields[1] for state in world.found.states if state[1].crashed and len(state[-1].blocks) == 2}
    assert heard == {(), ("Down",)}


def test_down_of_a_perfect_detector_comes_after_what_is_held(explored: Explore) -> None:
    """Nothing that a crashed process sent comes after Down: so over a cut that holds messages Down is held too."""
    text = TALKS.replace("{numbers}", "(1, 2)") + HEARS
    for record in records(explored(text, 2, FIRST, partitions=1, heals=1, crashes=1, across="held")):
        if record is not None and "Down" in record:
            assert record in {("Down",), ("1", "2", "Down")}


def test_a_heartbeat_detector_never_says_up_of_a_process_that_is_down(explored: Explore) -> None:
    """p1 crashes, and perhaps recovers, before, during or after the split, or when all is over. What p2 is told alternates,
    and is true at last."""
    text = TALKS.replace("{numbers}", "()") + HEARS + COUNTS_ITS_LIVES
    for options in ({"crashes": 1}, {"crashes": 1, "recoveries": 1}):
        (world,) = explored(text, 2, FIRST, partitions=1, heals=1, cuts_reported=True, **options)
        ends = [world.found.states[number] for number in world.found.terminals]
        ends = [state for state in ends if not state[2].crashed and state[2].fields[2] == 0]
        assert {len(state[-1].blocks) for state in ends} == {1, 2}
        for state in ends:
            record = ("Up", *state[2].fields[1])
            assert all(a != b for a, b in itertools.pairwise(record))
            reachable = not state[1].crashed and len(state[-1].blocks) == 1
            assert record[-1] == ("Up" if reachable else "Down")


def test_after_the_last_message_of_a_crashed_process_there_is_a_down(explored: Explore) -> None:
    """p1 speaks across the cut and crashes; what was held comes when the link is whole, and Down behind it."""
    text = TALKS.replace("{numbers}", "(1, 2)") + HEARS + COUNTS_ITS_LIVES
    for reported in (True, False):
        (world,) = explored(text, 2, FIRST, partitions=1, heals=1, crashes=1, across="held", cuts_reported=reported)
        ends = [world.found.states[number] for number in world.found.terminals]
        whole = [state for state in ends if state[1].crashed and len(state[-1].blocks) == 1]
        heard = {state[2].fields[1] for state in whole}
        assert {record[-1] for record in heard} == {"Down"}
        assert (("Down", "1", "2", "Down") in heard) == reported


# --- a second account ------------------------------------------------------------------------------------------------


class Account:
    """Runs of TALKS, kept by position: for each ordered pair of processes what is under way and what is held. Written from
    the sentences in the guide, and from nothing else."""

    def __init__(self, n: int, speakers: set[int], numbers: tuple[int, ...], **options: Any) -> None:
        self.n, self.speakers, self.numbers = n, speakers, numbers
        self.held = options.get("across", "lost") == "held"
        self.hears = options.get("hears", False)
        self.heartbeat = options.get("cuts_reported", False)
        self.bag = options.get("network", "fifo") == "bag"
        self.budgets = tuple(options.get(k, 0) for k in ("crashes", "recoveries", "partitions", "heals"))
        self.pairs = [(i, j) for i in range(n) for j in range(n) if i != j]

    def start(self) -> Any:
        everyone = frozenset({frozenset(range(self.n))})
        empty = tuple(() for _ in self.pairs)
        return (tuple((False, ()) for _ in range(self.n)), empty, empty, everyone, self.budgets)

    def after(self, state: Any) -> Iterator[tuple[bool, Any]]:
        """Whether it is a fault, and the state after it, for everything that can happen."""
        people, way, held, blocks, (crashes, recoveries, partitions, heals) = state
        left = (crashes, recoveries, partitions, heals)
        for i, person in enumerate(people):
            if person is None:
                if recoveries:
                    back = self._put(people, i, (False, ()))
                    told = self._word("Up", i, back, way, held, blocks)
                    yield True, (back, *told, blocks, (crashes, recoveries - 1, partitions, heals))
                continue
            spoken, heard = person
            if i in self.speakers and not spoken:
                now, later = dict(zip(self.pairs, way, strict=True)), dict(zip(self.pairs, held, strict=True))
                for x in self.numbers:
                    for j in range(self.n):
                        if j == i or people[j] is None:
                            continue
                        if any({i, j} <= block for block in blocks):
                            now[i, j] = self._add(now[i, j], str(x))
                        elif self.held:
                            later[i, j] = self._add(later[i, j], str(x))
                yield False, (self._put(people, i, (True, heard)), *self._rows(now, later), blocks, left)
            for k, (_, j) in enumerate(self.pairs):
                if j == i:
                    for place in self._first(way[k]):
                        word, rest = way[k][place], way[k][:place] + way[k][place + 1 :]
                        person_after = (spoken, (*heard, word))
                        yield False, (self._put(people, i, person_after), self._put(way, k, rest), held, blocks, left)
            if crashes:
                gone = self._put(people, i, None)
                now, later = dict(zip(self.pairs, way, strict=True)), dict(zip(self.pairs, held, strict=True))
                for j in range(self.n):
                    if j != i:
                        words = [w for w in (*now[j, i], *later[j, i]) if not w.isdigit()]
                        now[j, i], later[j, i] = tuple(words[-1:]), ()
                told = self._word("Down", i, gone, *self._rows(now, later), blocks)
                yield True, (gone, *told, blocks, (crashes - 1, recoveries, partitions, heals))
        for k, (i, j) in enumerate(self.pairs):  # what does not get through a cut
            if any({i, j} <= block for block in blocks):
                continue
            notes = [place for place, word in enumerate(way[k]) if word.isdigit()]
            if not self.heartbeat:  # then a word says that all before it has come
                said = [place for place, word in enumerate(way[k]) if not word.isdigit()]
                notes = [place for place in notes if place > max(said, default=-1)]
            for place in notes if self.bag else notes[-1:]:
                if self.bag and place and way[k][place] == way[k][place - 1]:
                    continue
                rest = way[k][:place] + way[k][place + 1 :]
                behind = held[k]
                if self.held:
                    behind = ()
                    for word in (way[k][place], *held[k]):
                        behind = self._add(behind, word)
                yield True, (people, self._put(way, k, rest), self._put(held, k, behind), blocks, left)
        if partitions:
            for block in blocks:
                for part in self._parts(block):
                    after = (blocks - {block}) | {part, block - part}
                    now = self._divided(people, way, held, blocks, after)
                    yield True, (people, *now, after, (crashes, recoveries, partitions - 1, heals))
        if heals:
            for one, other in itertools.combinations(blocks, 2):
                after = (blocks - {one, other}) | {one | other}
                now = self._divided(people, way, held, blocks, after)
                yield True, (people, *now, after, (crashes, recoveries, partitions, heals - 1))

    def _parts(self, block: frozenset[int]) -> Iterator[frozenset[int]]:
        least = min(block)
        for size in range(1, len(block)):
            for chosen in itertools.combinations(sorted(block - {least}), size):
                yield frozenset(chosen)

    def _divided(self, people: Any, way: Any, held: Any, before: Any, after: Any) -> Any:
        now, later = dict(zip(self.pairs, way, strict=True)), dict(zip(self.pairs, held, strict=True))
        for i, j in self.pairs:
            was, will = (any({i, j} <= block for block in blocks) for blocks in (before, after))
            tells = self.hears and self.heartbeat and people[i] is not None
            if was and not will and tells:
                now[i, j] = (*now[i, j], "Down")
            if will and not was:
                come = (*now[i, j], *(("Up",) if tells else ()))
                for word in later[i, j]:
                    come = self._add(come, word)
                if later[i, j] and self.hears and self.heartbeat and people[i] is None:
                    come = (*come, "Down")
                now[i, j], later[i, j] = come, ()
            if people[j] is None:
                now[i, j] = now[i, j][-1:]
        return self._rows(now, later)

    def _word(self, word: str, i: int, people: Any, way: Any, held: Any, blocks: Any) -> Any:
        now, later = dict(zip(self.pairs, way, strict=True)), dict(zip(self.pairs, held, strict=True))
        for j in range(self.n):
            if j == i or not self.hears:
                continue
            together = any({i, j} <= block for block in blocks)
            if together or not self.heartbeat:
                if later[i, j]:
                    later[i, j] = (*later[i, j], word)
                else:
                    now[i, j] = (*now[i, j], word)
                if people[j] is None:
                    now[i, j] = now[i, j][-1:]
        return self._rows(now, later)

    def _add(self, channel: Any, word: str) -> Any:
        """In a bag those that came since the last word of the detector lie in no order, that is, sorted."""
        if not self.bag or not word.isdigit():
            return (*channel, word)
        since = max((k + 1 for k, other in enumerate(channel) if not other.isdigit()), default=0)
        return (*channel[:since], *sorted((*channel[since:], word)))

    def _first(self, channel: Any) -> list[int]:
        """Which can come now: of a bag every message, and a word of the detector when nothing is before it."""
        if self.bag:
            return [k for k, word in enumerate(channel) if not k or (word.isdigit() and word != channel[k - 1])]
        return [0] if channel else []

    def _rows(self, now: Any, later: Any) -> Any:
        return tuple(now[pair] for pair in self.pairs), tuple(later[pair] for pair in self.pairs)

    @staticmethod
    def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
        return (*values[:place], value, *values[place + 1 :])

    def counts(self) -> tuple[int, int, int, int]:
        """States, transitions, terminal states, depth."""
        depths = {self.start(): 0}
        queue = [self.start()]
        transitions = ends = 0
        for state in queue:
            terminal = True
            for fault, following in self.after(state):
                transitions += 1
                if following not in depths:
                    depths[following] = depths[state] + 1
                    queue.append(following)
                if not fault and following != state:
                    terminal = False
            ends += terminal
        return len(queue), transitions, ends, max(depths.values())


DEAF: dict[str, Any] = {}
BAG: dict[str, Any] = {"network": "bag"}
PERFECT: dict[str, Any] = {"hears": True}
HEARTBEAT: dict[str, Any] = {"hears": True, "cuts_reported": True}
BAG_PERFECT, BAG_HEARTBEAT = BAG | PERFECT, BAG | HEARTBEAT
TOGETHER = {"partitions": 1, "heals": 1, "crashes": 1, "recoveries": 1}
CASES: list[tuple[int, set[int], tuple[int, ...], dict[str, int], list[dict[str, Any]]]] = [
    (2, {0, 1}, (1, 2), {"partitions": 1}, [DEAF, BAG, PERFECT, HEARTBEAT, BAG_HEARTBEAT]),
    (2, {0, 1}, (1, 2), {"partitions": 1, "heals": 1}, [DEAF, BAG, HEARTBEAT]),
    (2, {0}, (1, 2, 3), {"partitions": 2, "heals": 2}, [DEAF, BAG, HEARTBEAT]),
    (3, {0}, (1, 2), {"partitions": 1, "heals": 1}, [DEAF, BAG]),
    (3, {0}, (1,), {"partitions": 1}, [HEARTBEAT]),
    (3, {0}, (), {"partitions": 1, "heals": 1}, [HEARTBEAT]),
    (3, {0, 1}, (1,), {"partitions": 2}, [DEAF]),
    (4, {0}, (1,), {"partitions": 2, "heals": 1}, [DEAF, BAG]),
    (2, {0, 1}, (1,), {"partitions": 1, "heals": 1, "crashes": 1}, [DEAF, PERFECT, HEARTBEAT]),
    (2, {0}, (1, 2), TOGETHER, [DEAF, BAG, PERFECT, HEARTBEAT, BAG_PERFECT, BAG_HEARTBEAT]),
    (2, {0}, (1,), {**TOGETHER, "crashes": 2}, [PERFECT, HEARTBEAT]),
    (3, {0}, (1,), TOGETHER, [DEAF, BAG]),
    (3, set(), (), {"partitions": 1, "crashes": 1, "recoveries": 1}, [PERFECT, HEARTBEAT]),
]


@pytest.mark.parametrize("across", ["lost", "held"])
@pytest.mark.parametrize(
    ("n", "speakers", "numbers", "faults", "ears"), [(*case[:4], ears) for case in CASES for ears in case[4]], ids=str
)
def test_counts_are_those_of_the_second_account(
    explored: Explore, n: int, speakers: set[int], numbers: Any, faults: Any, ears: Any, across: str
) -> None:
    options = {**faults, **ears, "across": across}
    text = TALKS.replace("{numbers}", repr(numbers)) + (HEARS if ears.get("hears") else "")
    settings = {name: value for name, value in options.items() if name != "hears"}
    policy = Policy("none", tuple(i + 1 for i in sorted(speakers)) or "all")
    if not speakers:
        text = text.replace("self.require(not self.sent)", "self.require(False)")
    (world,) = explored(text, n, policy, **settings)
    assert world.counts == Account(n, speakers, numbers, **options).counts()
