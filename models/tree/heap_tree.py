"""Heap-tree election (Effatparvar et al. 2010): the children of the dead root compare; one of them is the greatest left.

The processes stand in a heap, where everyone is smaller than its parent and the greatest, the leader, is the root. Who
notices that the leader is down tells its parent, which tells its own, once; the message ends at a child of the root.
Child and sibling compare, and the greater one announces itself to everybody. The article does not say how they compare.

The heap is the array of the article, the same for everyone; which heap it is, is chosen when it is first looked at. Who
learns of a leader builds it anew of those alive, in descending order; without that (`NeverRebuilds`) the next election
compares the wrong ones. A second crash is not survived: it can hit the path to the root, or the greater child.

Newcomers (`joins`) take the next free place and change places with their parent while they are greater. Two that join
at a time, or one that joins during an election, rely on places that are no longer right; the article has no locks.
"""

from itertools import combinations, permutations
from typing import Literal

from modelcheck import (
    Detecting,
    Id,
    Message,
    Parameter,
    always,
    at_the_end,
    because,
    complete,
    initiate,
    receive,
    shared,
    step,
)


class Election(Message):
    pass


class Compare(Message):
    id: Id


class Yield(Message):
    pass


class Leader(Message):
    id: Id


class Join(Message):
    id: Id
    place: int


class Swapped(Message):
    place: int


class HeapTree(Detecting):
    source = "Effatparvar, Yazdani, Effatparvar, Dadlani and Khonsari, ICCET 2010, section 4, table 1"
    topology = complete
    networks = ("fifo", "bag")
    knows = ("neighbours", "everyone")
    specs = ("eventual_election",)
    complexity = {
        "exactly": "2(n - 1) min(1, n - 2)",
        "one detector, n > 2, best": "n - 1",
        "one detector, n > 2, worst": "floor(lg n) + n - 1",
    }

    ordered = True  # what the properties go by
    joins = Parameter(0, "how many processes are not in the heap when the run begins", among=(0, 1, 2))

    mode: Literal["idle", "comparing"] = "idle"
    leader: Id | None = None
    seen: bool = False
    joined: bool = False
    heap: tuple[Id, ...] = shared(())
    rebuilt: tuple[Id, ...] = ()  # what took its place

    def initially(self):
        self.leader = self.everyone[-1]
        self.begin_without(self.leader)

    # looking at the heap

    def find_heap(self, inside):
        if not self.heap:
            *others, root = self.everyone
            arrays = (
                (root, *below)
                for members in combinations(others, len(others) - self.joins)
                for below in permutations(members)
            )
            self.heap = self.choose(heap for heap in arrays if (self.id in heap) == inside and self.admits(heap))

    def admits(self, heap):
        return in_order(heap)

    def relatives(self):
        heap = self.rebuilt or self.heap
        place = heap.index(self.id)
        beside = place - 1 if place == 2 else place + 1
        parent = heap[(place - 1) // 2] if place > 2 else None
        sibling = heap[beside] if 0 < beside < len(heap) else None
        return parent, sibling

    # electing

    @initiate
    def detect(self):
        self.require(self.leader in self.suspected and not self.seen)
        self.require(self.id in self.heap or (not self.heap and self.joins < len(self.everyone) - 1))
        self.find_heap(inside=True)
        self.report()

    @receive(Election)
    def pass_on(self, _):
        if self.leader in self.suspected and not self.seen:
            self.report()

    def report(self):
        self.seen = True
        parent, sibling = self.relatives()
        if parent is not None:
            self.send(self.port_to(parent), Election())
        elif sibling is None or sibling in self.suspected:
            self.announce()
        else:
            self.mode = "comparing"
            self.send(self.port_to(sibling), Compare(self.id))

    @receive(Compare)
    def compare(self, message):
        if self.id > message.id:
            self.announce()
        else:
            self.seen = self.leader in self.suspected
            self.reply(Yield())

    @receive(Yield)
    def win(self, _):
        self.announce()

    @step
    def time_out(self):
        self.require(self.mode == "comparing" and self.relatives()[1] in self.suspected)
        self.announce()

    def announce(self):
        if self.leader != self.id:
            self.tell()

    def tell(self):
        for port in self.ports:
            if not self.suspects(port):
                self.send(port, Leader(self.id))
        self.obey(self.id)

    @receive(Leader)
    def follow(self, message):
        self.obey(message.id)

    def obey(self, leader):
        self.leader, self.mode, self.seen = leader, "idle", False
        self.rebuild()

    def rebuild(self):
        if not self.joins:
            self.rebuilt = tuple(sorted(set(self.everyone) - self.suspected, reverse=True))

    # joining

    @step
    def join(self):
        self.require(self.joins and not self.joined and self.id not in self.heap)
        self.require(self.heap or self.id != self.everyone[-1])
        self.find_heap(inside=False)
        self.joined = True
        self.heap = (*self.heap, self.id)
        self.compare_with_parent(len(self.heap) - 1)

    def compare_with_parent(self, place):
        if place > 0:
            self.send(self.port_to(self.heap[(place - 1) // 2]), Join(self.id, place))

    @receive(Join)
    def change_places(self, message):
        if message.id > self.id:
            heap, above = list(self.heap), (message.place - 1) // 2
            heap[above], heap[message.place] = message.id, self.id
            self.heap = tuple(heap)
            self.reply(Swapped(above))

    @receive(Swapped)
    def go_on(self, message):
        self.compare_with_parent(message.place)


class LeaderUp(HeapTree):
    """The greatest is up when the run begins."""

    def initially(self):
        self.leader = self.everyone[-1]


class AnyOrder(HeapTree):
    """Below the root any order will do."""

    ordered = False

    def admits(self, heap):
        return True


class AnnouncesAgain(HeapTree):
    """Whoever leads announces itself again if both comparisons say so."""

    def announce(self):
        self.tell()


class NeverRebuilds(HeapTree):
    """When a leader has been announced the heap stays as it is."""

    def rebuild(self):
        pass


def in_order(heap):
    return all(heap[k] < heap[(k - 1) // 2] for k in range(1, len(heap)))


@always
def announced_once(view):
    """Where only the root is down, nobody is told of a leader that it follows already."""
    for m in view.in_transit(Leader):
        if m.target.leader == m.message.id and sum(p.crashed for p in view.processes) == 1:
            return because(f"{m.message} is on its way to {m.target}, which knows")
    return True


@at_the_end(when=lambda protocol: protocol.ordered)
def heap_ok(view):
    """At the end everyone alive stands in the heap once, and below a greater one."""
    heap = view.shared.heap
    if not heap:
        return True
    missing = [p for p in view.alive if heap.count(p.id) != 1]
    if missing:
        return because(f"{missing[0]} stands {heap.count(missing[0].id)} times in the heap {heap}")
    return in_order(heap) or because(f"{heap} is no heap")
