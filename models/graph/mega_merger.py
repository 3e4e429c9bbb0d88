"""Mega-Merger (Gallager, Humblet and Spira 1983): fragments of the least spanning tree merge until one is left, whose core leads.

A link weighs what its ends are called, the smaller identifier first. At first everyone is a fragment of level 0. The core of a fragment,
the link over which it last merged, has it search for the lightest link that leads out: everyone tests its links in order, inner ones
are rejected, and reports flow back to the core. Over that link the fragment asks to connect: one of a lower level is absorbed, and two of
the same level that ask each other merge into one of the next level, with this link as the core. When nothing leads out the fragment is the
least spanning tree of all, and the smaller end of its core leads: not an extreme of all identifiers.

Nothing is answered too early. A Test from a fragment of a higher level, a Connect from one that is not of a lower level and to which
oneself has not asked to connect, and a Report from the other half while one still searches are put aside, and taken up again after
every step. Keeping the link closed instead (`BlocksLinks`) is not the same: what has to come first may come behind on that link.
"""

from typing import Literal

from modelcheck import (
    ElectionProcess,
    Id,
    Message,
    Port,
    always,
    any_graph,
    at_the_end,
    because,
    initiate,
    receive,
)


class Connect(Message):
    level: int


class Initiate(Message):
    level: int
    name: tuple[Id, Id]
    state: Literal["find", "found"]


class Test(Message):
    level: int
    name: tuple[Id, Id]


class Accept(Message):
    pass


class Reject(Message):
    pass


class Report(Message):
    weight: tuple[Id, Id] | None  # None is infinite


class ChangeRoot(Message):
    pass


class Leader(Message):
    id: Id


class MegaMerger(ElectionProcess):
    source = "Gallager, Humblet and Spira, ACM TOPLAS 5(1), 1983; Santoro, Design and Analysis of Distributed Algorithms, 2007, section 3.8.1"
    topology = any_graph
    networks = ("fifo",)
    knows = ("neighbours",)
    elects = "any"
    complexity = {"at most": "5n lg n + 2m + n - 1", "exactly of Leader": "n - 1"}

    state: Literal["sleep", "find", "found"] = "sleep"
    level: int = 0
    name: tuple[Id, Id] | None = None  # of the fragment: the weight of its core
    branch: frozenset[Port] = frozenset()
    rejected: frozenset[Port] = frozenset()
    find_count: int = 0  # how many reports are missing
    in_branch: Port | None = None  # towards the core
    test_edge: Port | None = None
    best_edge: Port | None = None
    best_weight: tuple[Id, Id] | None = None
    aside: tuple[tuple[Port, Connect | Test | Report], ...] = ()

    # GHS (1), (2)

    @initiate
    def start(self):
        self.require(self.state == "sleep")
        self.wake_up()

    def wake_up(self):
        self.state = "found"
        if self.ports:
            lightest = min(self.ports, key=self.weight)
            self.branch = frozenset({lightest})
            self.send(lightest, Connect(0))
        else:
            self.leader = self.id

    def weight(self, port):
        return tuple(sorted((self.id, self.neighbour(port))))

    # what may have to wait

    @receive(Connect, Test, Report)
    def take(self, message, port):
        if self.state == "sleep":
            self.wake_up()
        if not self.takes(message, port):
            self.aside += ((port, message),)
        self.take_up_again()

    def takes(self, message, port):
        if isinstance(message, Connect):
            return self.absorbs_or_merges(message, port)
        if isinstance(message, Test):
            return self.answers(message, port)
        return self.hears(message, port)

    def take_up_again(self):
        for place, (port, message) in enumerate(self.aside):
            if self.takes(message, port):
                self.aside = self.aside[:place] + self.aside[place + 1 :]
                self.take_up_again()
                return

    # (3), (4)

    def absorbs_or_merges(self, connect, port):
        if connect.level < self.level:
            self.branch |= {port}
            self.send(port, Initiate(self.level, self.name, self.state))
            self.find_count += self.state == "find"
        elif port not in self.branch:
            return False
        else:
            self.send(port, Initiate(self.level + 1, self.weight(port), "find"))
        return True

    @receive(Initiate)
    def enter(self, initiate, port):
        self.level, self.name, self.state = initiate.level, initiate.name, initiate.state
        self.in_branch = port
        self.best_edge = self.best_weight = None
        for other in self.branch - {port}:
            self.send(other, initiate)
            self.find_count += self.state == "find"
        if self.state == "find":
            self.test()
        self.take_up_again()

    # (5) to (8)

    def test(self):
        basic = set(self.ports) - self.branch - self.rejected
        self.test_edge = min(basic, key=self.weight, default=None)
        if self.test_edge is not None:
            self.send(self.test_edge, Test(self.level, self.name))
        else:
            self.report()

    def answers(self, test, port):
        if test.level > self.level:
            return False
        if test.name != self.name:
            self.send(port, Accept())
        else:
            self.reject_edge(port)
            if self.test_edge != port:
                self.send(port, Reject())
            else:
                self.test()
        return True

    def reject_edge(self, port):
        if port not in self.branch:
            self.rejected |= {port}

    @receive(Accept)
    def note_outgoing(self, _, port):
        self.test_edge = None
        self.note_best(port, self.weight(port))
        self.report()
        self.take_up_again()

    @receive(Reject)
    def go_on(self, _, port):
        self.reject_edge(port)
        self.test()
        self.take_up_again()

    # (9), (10)

    def note_best(self, port, weight):
        if lighter(weight, self.best_weight):
            self.best_edge, self.best_weight = port, weight

    def report(self):
        if self.find_count == 0 and self.test_edge is None:
            self.state = "found"
            self.send(self.in_branch, Report(self.best_weight))

    def hears(self, report, port):
        if port != self.in_branch:
            self.find_count -= 1
            self.note_best(port, report.weight)
            self.report()
        elif self.state == "find":
            return False
        elif lighter(self.best_weight, report.weight):
            self.change_root()
        elif report.weight is None is self.best_weight and self.id == self.name[0]:
            self.announce(self.id, None)
        return True

    # (11), (12)

    @receive(ChangeRoot)
    def pass_root(self, _, port):
        self.change_root()
        self.take_up_again()

    def change_root(self):
        if self.best_edge in self.branch:
            self.send(self.best_edge, ChangeRoot())
        else:
            self.branch |= {self.best_edge}
            self.send(self.best_edge, Connect(self.level))

    # the news

    @receive(Leader)
    def learn(self, message, port):
        self.announce(message.id, port)

    def announce(self, leader, source):
        self.leader = leader
        for port in self.branch:
            if port != source:
                self.send(port, Leader(leader))


def lighter(one, other):
    """Whether one weight is less than the other; None is infinite."""
    return one is not None and (other is None or one < other)


def least_tree(view):
    """The edges of the least spanning tree, as pairs of identifiers (Kruskal)."""
    edges = sorted({tuple(sorted((p.id, p.at(port).id))) for p in view.processes for port in p.ports})
    fragment = {p.id: {p.id} for p in view.processes}
    tree = set()
    for a, b in edges:
        if fragment[a] is not fragment[b]:
            tree.add((a, b))
            fragment[a] |= fragment[b]
            for c in fragment[b]:
                fragment[c] = fragment[a]
    return tree


class BlocksLinks(MegaMerger):
    """Nothing else is taken from a link where a message has been put aside."""

    def require_open(self, port):
        self.require(all(port != closed for closed, _ in self.aside))

    @receive(Connect, Test, Report)
    def take(self, message, port):
        self.require_open(port)
        super().take(message, port)

    @receive(Initiate)
    def enter(self, message, port):
        self.require_open(port)
        super().enter(message, port)

    @receive(Accept)
    def note_outgoing(self, message, port):
        self.require_open(port)
        super().note_outgoing(message, port)

    @receive(Reject)
    def go_on(self, message, port):
        self.require_open(port)
        super().go_on(message, port)

    @receive(ChangeRoot)
    def pass_root(self, message, port):
        self.require_open(port)
        super().pass_root(message, port)

    @receive(Leader)
    def learn(self, message, port):
        self.require_open(port)
        super().learn(message, port)


@always
def branches_are_in_the_least_tree(view):
    """Every branch is an edge of the least spanning tree."""
    tree = least_tree(view)
    for p in view.processes:
        for port in p.branch:
            if tuple(sorted((p.id, p.at(port).id))) not in tree:
                return because(f"{p} has a branch to {p.at(port)}, which is not in the least spanning tree")
    return True


@always
def fragments_have_grown_to_their_level(view):
    """A fragment of level L has at least 2^L processes."""
    high = [p for p in view.processes if 2**p.level > len(view.processes)]
    return not high or because(f"{high[0]} is at level {high[0].level}")


@at_the_end
def the_tree_spans(view):
    """At the end the branches are the least spanning tree, and both ends of each know it."""
    missing = 2 * len(least_tree(view)) - sum(len(p.branch) for p in view.processes)
    return missing == 0 or because(f"{missing} ends of branches are missing")
