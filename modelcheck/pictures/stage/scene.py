"""What stands where in the picture of a system, and at which moments of a run: numbers and words, nothing drawn yet.

Everything is either there or not at a moment (`shown`); only letters move as well, from the process that sends one to its place
in the queue at the door of the other, forward as those before it are taken, and in. A letter is a flight of `causality`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...runs.beliefs import STATUS, believed, leads
from ...runs.causality import Flight, all_flights, concerned, queues
from ...runs.moments import Moment, moments
from ...runs.trace import ProcessState, Trace
from ..geometry import Box, Point, around
from ..telling import flight_in_full, message_of, short
from ..words import SMALL, elided, width
from .places import places

RADIUS = 25.0  # of a process
LANE = 10.0  # between the two directions of a link
LETTER = 17.0  # how high a letter is
CROWD = 12  # more processes have letters without words, and stand nearer to each other
_WIDEST = 104.0  # a letter
WIDER = 1.14  # than Helvetica is the face of a reader who has none like it
_CLEAR = RADIUS + 11  # from the middle of a process to the letters at its door
_DOT = 4.5

Moments = frozenset[int]


@dataclass(frozen=True)
class Look:
    """What a process looks like for some moments: `belief` is the number of the leader's colour."""

    said: str
    belief: int | None
    leads: bool
    crashed: bool
    shown: Moments


@dataclass(frozen=True)
class Body:
    """A process. `acting` are the moments it has just taken a step in, `wrong` those at which it is about to be blamed."""

    name: str
    label: str
    note: str
    at: Point
    above: bool  # where its belief is written
    looks: tuple[Look, ...]
    acting: Moments
    wrong: Moments


@dataclass(frozen=True)
class Channel:
    """One direction of a link, from the rim of one process to that of another; `cut` are the moments nothing comes through."""

    way: tuple[Point, ...]
    cut: Moments


@dataclass(frozen=True)
class Letter:
    """A message. `places` are where it is from which moment on; `sent` and `taken` are the moments it is sent and received at."""

    flight: int
    words: str
    full: str
    origin: str
    half: float  # of its width
    turn: float  # of its tip, in degrees
    reach: float  # from its middle to its tip
    target: str
    port: str
    message: str
    places: tuple[tuple[int, Point], ...]
    shown: Moments
    held: Moments
    struck: Moments
    taken: int | None


@dataclass(frozen=True)
class Remark:
    """Words at a place for some moments; `kind` is "more" (messages that there is no room for) or "variable"."""

    kind: str
    words: str
    at: Point
    shown: Moments


@dataclass(frozen=True)
class Scene:
    """Everything that is to be seen, within `box`; `beliefs` are the leaders that anyone believes in, in the order of their
    colours."""

    trace: Trace
    moments: tuple[Moment, ...]
    bodies: tuple[Body, ...]
    lanes: tuple[Channel, ...]
    letters: tuple[Letter, ...]
    remarks: tuple[Remark, ...]
    beliefs: tuple[str, ...]
    box: Box


def scene(trace: Trace, *, violated: bool) -> Scene:
    """The whole of a run; a `violated` one says who is to blame at its end."""
    return _Scene(trace, violated).finished()


class _Scene:
    def __init__(self, trace: Trace, violated: bool) -> None:
        self.trace, self.violated = trace, violated
        self.moments = moments(trace)
        self.crowded = trace.world.n > CROWD
        self.at = self._places()
        self.middle = (min(y for _, y in self.at) + max(y for _, y in self.at)) / 2
        self.ranks = {process.process: k for k, process in enumerate(trace.initial.processes)}
        everyone = ((k, p) for moment in self.moments for k, p in enumerate(moment.state.processes))
        self.beliefs = tuple(dict.fromkeys(filter(None, (self._leader(k, process) for k, process in everyone))))

    def finished(self) -> Scene:
        lanes = _Channels(self)
        letters, remarks = lanes.letters()
        bodies = tuple(self._body(k) for k in range(len(self.at)))
        box = self._box(letters, bodies)
        shared = list(self._shared(box))
        if shared:
            box = Box(box.left, box.top, box.right, max(remark.at[1] for remark in shared) + 14)
        drawn = tuple(lanes.drawn())
        return Scene(self.trace, self.moments, bodies, drawn, letters, (*remarks, *shared), self.beliefs, box)

    def those(self, chosen: Iterable[bool]) -> Moments:
        """The moments of which it is so."""
        return frozenset(number for number, so in enumerate(chosen) if so)

    def _places(self) -> list[Point]:
        n = self.trace.world.n
        link = 74.0 if self.crowded else {1: 0.0, 2: 230.0, 3: 230.0, 4: 190.0}.get(n, 165.0)
        return [(x * link, y * link) for x, y in places(self.trace.world.shape)]

    def _box(self, letters: tuple[Letter, ...], bodies: tuple[Body, ...]) -> Box:
        """Around processes, letters and what is written beside them."""
        boxes = [around(place, RADIUS + 11) for place in self.at]
        for letter in letters:
            boxes += [Box(x - letter.half, y - LETTER, x + letter.half, y + LETTER) for _, (x, y) in letter.places]
        for body in bodies:
            said = max((width(look.said, SMALL, bold=True) / 2 for look in body.looks), default=0.0)
            x, y = body.at
            down = -RADIUS - 22 if body.above else RADIUS + 22
            boxes.append(Box(x - said, min(y, y + down), x + said, max(y, y + down)))
        boxes += [Box(x, y - RADIUS - 62, x + 1, y) for x, y in self.at] if self._loops() else []
        return Box(
            min(b.left for b in boxes) - 10, min(b.top for b in boxes) - 8,
            max(b.right for b in boxes) + 10, max(b.bottom for b in boxes) + 8,
        )  # fmt: skip

    def _loops(self) -> bool:
        return any(link.source == link.target for link in self.trace.world.shape.links)

    # --- processes

    def _body(self, number: int) -> Body:
        world = self.trace.world
        states = [moment.state.processes[number] for moment in self.moments]
        label = states[0].process
        notes = [] if world.identifiers[number] is None else [f"id {world.identifiers[number]}"]
        notes += ["root"] if world.root == number else []
        looks: dict[tuple[str, int | None, bool, bool], list[int]] = {}
        for moment, state in enumerate(states):
            looks.setdefault(self._look(number, state), []).append(moment)
        acting = self.those(any(step.process == label for step in moment.steps) for moment in self.moments)
        blamed = self.violated and label in concerned(self.trace)
        return Body(
            short(label), label, " ".join(notes), self.at[number], self.at[number][1] < self.middle - 1,
            tuple(Look(*look, frozenset(shown)) for look, shown in looks.items()), acting - {0},
            frozenset({len(self.moments) - 1}) if blamed else frozenset(),
        )  # fmt: skip

    def _look(self, number: int, state: ProcessState) -> tuple[str, int | None, bool, bool]:
        if state.crashed:
            return "crashed", None, False, True
        leader, status = self._leader(number, state), dict(state.fields).get(STATUS, "")
        first = dict(self.trace.initial.processes[number].fields).get(STATUS, "")
        said = f"leader {leader}" if believed(state) else status if status != first else ""
        belief = self.beliefs.index(leader) if leader else None
        return elided(said, SMALL, 120, bold=True), belief, leads(state, self.trace.world.identifiers[number]), False

    def _leader(self, number: int, state: ProcessState) -> str:
        """Whom a process takes for the leader: itself, where it leads and names nobody."""
        own = self.trace.world.identifiers[number]
        itself = short(state.process) if own is None else str(own)
        return believed(state) or (itself if leads(state, own) else "")

    # --- shared variables

    def _shared(self, box: Box) -> Iterator[Remark]:
        """A line for each, below everything else; what it holds, and when."""
        room = max(box.width - 20, 200.0)
        y = box.bottom + 20
        for name, _ in self.trace.initial.shared:
            held: dict[str, list[int]] = {}
            for moment in self.moments:
                held.setdefault(dict(moment.state.shared)[name], []).append(moment.number)
            for value, shown in held.items():
                yield Remark(
                    "variable", elided(f"{name} = {value}", SMALL, room / WIDER), (box.left + 10, y), frozenset(shown)
                )
            y += 16


class _Channels:
    """The directions of all links, and the letters that wait on them."""

    def __init__(self, scene: _Scene) -> None:
        self.scene, self.trace = scene, scene.trace
        self.flights, self.queues = all_flights(scene.trace), queues(scene.trace)
        beside: dict[tuple[int, int], list[int]] = {}
        links = scene.trace.world.shape.links
        for number, link in enumerate(links):
            beside.setdefault((min(link.source, link.target), max(link.source, link.target)), []).append(number)
        self.ways: dict[tuple[int, str], tuple[Point, ...]] = {}
        self.halved: dict[tuple[int, str], bool] = {}
        self.ends: dict[tuple[int, str], tuple[int, int]] = {}
        for group in beside.values():
            for rank, number in enumerate(group):
                link = links[number]
                lane = link.target, str(link.in_port)
                aside = (rank - (len(group) - 1) / 2) * 2 * LANE * (1 if link.source <= link.target else -1)
                self.ways[lane] = self._way(link.source, link.target, aside)
                self.halved[lane] = len(group) > 1
                self.ends[lane] = link.source, link.target

    def drawn(self) -> Iterator[Channel]:
        blocks = [_block_of(moment.state.blocks) for moment in self.scene.moments]
        for lane, way in self.ways.items():
            a, b = self.ends[lane]
            yield Channel(way, self.scene.those(block.get(a) != block.get(b) for block in blocks))

    def _way(self, source: int, target: int, aside: float) -> tuple[Point, ...]:
        (x0, y0), (x1, y1) = self.scene.at[source], self.scene.at[target]
        if source == target:
            rim = 0.6 * RADIUS
            return (x0 + rim, y0 - rim - 3), (x0 + 46, y0 - RADIUS - 30), (x0, y0 - RADIUS - 58), (x0, y0 - RADIUS - 3)
        long = math.dist((x0, y0), (x1, y1))
        dx, dy = (x1 - x0) / long, (y1 - y0) / long
        aside = max(-RADIUS + 4, min(RADIUS - 4, aside))
        rim = math.sqrt(RADIUS**2 - aside**2)
        x0, y0, x1, y1 = x0 - dy * aside, y0 + dx * aside, x1 - dy * aside, y1 + dx * aside
        return (x0 + dx * rim, y0 + dy * rim), (x1 - dx * (rim + 3), y1 - dy * (rim + 3))

    # --- letters

    def letters(self) -> tuple[tuple[Letter, ...], tuple[Remark, ...]]:
        moment_of = {event: moment.number for moment in self.scene.moments for event in moment.events}
        halves = [self._half(flight) for flight in self.flights]
        lanes = [self._lane(flight) for flight in self.flights]
        widest: dict[tuple[int, str], float] = {}
        for lane, half in zip(lanes, halves, strict=True):
            widest[lane] = max(half, widest.get(lane, 0.0))
        taken: list[Box] = []
        rooms = {
            lane: _Room(self.ways[lane], self.scene.at[lane[0]], half, self.halved[lane], taken)
            for lane, half in widest.items()
        }
        where: list[dict[int, Point]] = [{} for _ in self.flights]
        hidden: set[tuple[int, int]] = set()
        held: set[tuple[int, int]] = set()
        more: dict[tuple[tuple[int, str], int], list[int]] = {}
        for moment, queue in enumerate(self.queues):
            for place, waiting in queue.items():
                lane = self.scene.ranks[place[0]], place[1]
                inbox = self.scene.moments[moment].state.processes[lane[0]].waiting
                there = [message for message in inbox if message.port == place[1]]
                for rank, flight in enumerate(waiting):
                    where[flight][moment] = rooms[lane].place(rank)
                    held |= {(flight, moment)} if there[rank].held else set()
                    hidden |= {(flight, moment)} if rank >= rooms[lane].capacity else set()
                if len(waiting) > rooms[lane].capacity:
                    more.setdefault((lane, len(waiting) - rooms[lane].capacity), []).append(moment)
        letters = tuple(
            self._letter(number, halves[number], rooms[lanes[number]], where[number], moment_of, hidden, held)
            for number in range(len(self.flights))
        )
        remarks = (
            Remark("more", f"+{count}", rooms[lane].place(rooms[lane].capacity), frozenset(shown))
            for (lane, count), shown in more.items()
        )
        return letters, tuple(remarks)

    def _lane(self, flight: Flight) -> tuple[int, str]:
        return self.scene.ranks[flight.target], flight.port

    def _half(self, flight: Flight) -> float:
        if self.scene.crowded:
            return _DOT
        return width(elided(message_of(flight), SMALL, _WIDEST - 12), SMALL) * WIDER / 2 + 5

    def _letter(
        self, number: int, half: float, room: _Room, where: dict[int, Point], moment_of: dict[int, int], hidden: set[tuple[int, int]],
        held: set[tuple[int, int]],
    ) -> Letter:  # fmt: skip
        flight = self.flights[number]
        sent = moment_of.get(flight.sent, 0)
        struck: set[int] = set()
        if flight.fate in ("lost", "ignored", "merged") and flight.ended is not None:
            ended = moment_of[flight.ended]
            struck = {ended}
            where = {**where, ended: where.get(ended - 1, room.midway)}
        taken = moment_of[flight.received[-1]] if flight.received else None
        source, target = self.scene.at[self.scene.ranks[flight.source]], self.scene.at[self.scene.ranks[flight.target]]
        begin = where.get(sent, room.midway) if flight.origin != "protocol" else source
        places = [(0, where.get(0, begin))]
        last = max(where, default=sent)
        for moment in range(1, len(self.scene.moments)):
            at = where.get(moment)
            if at is None and moment > last:
                at = target if taken is not None and taken > last else places[-1][1]
            if at is not None and at != places[-1][1]:
                places.append((moment, at))
        return Letter(
            number, "" if self.scene.crowded else elided(message_of(flight), SMALL, _WIDEST - 12),
            flight_in_full(flight, final=self.trace.final), flight.origin, half, room.turn, room.reach(half), short(flight.target),
            flight.port, flight.message, tuple(places),
            frozenset(moment for moment in where if (number, moment) not in hidden), frozenset(moment for moment in where if (number, moment) in held),
            frozenset(struck), taken,
        )  # fmt: skip


class _Room:
    """The room for letters on one direction of a link: places from the door backwards."""

    def __init__(self, way: tuple[Point, ...], door: Point, half: float, halved: bool, taken: list[Box]) -> None:
        (x0, y0), (x1, y1) = way[-2], way[-1]
        self.end, long = (x1, y1), max(math.dist((x0, y0), (x1, y1)), 1.0)
        self.dx, self.dy = (x1 - x0) / long, (y1 - y0) / long
        self.turn = math.degrees(math.atan2(self.dy, self.dx))
        self.long = long
        self.first = self._clear_of(door, half, taken)
        self.step = 2 * self.reach(half) + (11.0 if abs(self.dx) > 0.9 else 5.0)
        usable = long * (0.56 if halved else 1.0) - self.first - self.reach(half)
        self.capacity = max(1, 1 + int(usable // self.step))
        self.midway = (x0 + x1) / 2, (y0 + y1) / 2

    def _clear_of(self, door: Point, half: float, taken: list[Box]) -> float:
        """How far before the end of the way a letter stands that covers nothing of the process, nor the first letter of another
        link, where there is such a place. That is `taken` then."""
        high = _DOT if half <= _DOT else LETTER / 2
        back = nearest = self.reach(half) + 9.0
        while back < self.long * 0.7:
            x, y = self.end[0] - self.dx * back, self.end[1] - self.dy * back
            box = Box(x - half - 1, y - high - 1, x + half + 1, y + high + 1)
            aside = math.hypot(max(abs(x - door[0]) - half, 0.0), max(abs(y - door[1]) - high, 0.0))
            if aside >= _CLEAR:
                nearest = nearest if nearest > self.reach(half) + 9.0 else back
                if not any(box.overlaps(other) for other in taken):
                    taken.append(box)
                    return back
            back += 1.0
        return nearest

    def reach(self, half: float) -> float:
        """How far a letter of this half width reaches along the way."""
        high = _DOT if half <= _DOT else LETTER / 2
        return min(half / max(abs(self.dx), 1e-6), high / max(abs(self.dy), 1e-6))

    def place(self, rank: int) -> Point:
        """Where the letter of this rank stands; the first that there is no room for behind the last, and all others with it."""
        back = min(self.first + min(rank, self.capacity) * self.step, max(self.long - 8, self.first))
        return self.end[0] - self.dx * back, self.end[1] - self.dy * back


def _block_of(blocks: str) -> dict[int, int]:
    """To which part of the network each process belongs, while it is split."""
    parts = blocks.split(" | ") if "|" in blocks else []
    return {int(name[1:]) - 1: number for number, part in enumerate(parts) for name in part.split()}
