"""Election in a tree by saturation, electing the root: of the two processes in the middle the smaller one leads.

Whoever wakes up wakes its neighbours. A leaf reports to its only neighbour; an inner process waits until all neighbours but
one have reported, and reports to that one, its parent. In the end two neighbours report to each other: they are saturated and send
each other their identifiers, and the smaller one leads. Which two depends on the schedule, so the leader is anyone that has a
greater neighbour; the number of messages depends only on how many processes (k) wake up by themselves: 3n + k - 2.
Where identifiers repeat, both may lead: the slides say "less or equal".
"""

from typing import Literal

from modelcheck import ElectionProcess, Id, Message, Port, always, at_the_end, because, initiate, listed, receive, tree


class Activate(Message):
    pass


class M(Message):
    pass


class Election(Message):
    id: Id


class Done(Message):
    leader: Id


class TreeElectRoot(ElectionProcess):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, sections 2.6 and 3.2; slides of chapter 3"
    topology = tree
    networks = ("fifo", "bag", "set")
    elects = "any"
    complexity = {
        "exactly": "4n - 4 + 2 min(n - 1, 1)",
        "exactly of Activate": "2n - 2",
        "exactly of M": "n min(n - 1, 1)",
        "exactly of Election": "2 min(n - 1, 1)",
        "exactly of Done": "max(n - 2, 0)",
    }

    mode: Literal["available", "active", "processing", "saturated"] = "available"
    silent: frozenset[Port] = frozenset()  # the neighbours that have not reported
    parent: Port | None = None

    @initiate
    def start(self):
        self.require(self.mode == "available")
        self.send_all(Activate())
        self.enter()

    @receive(Activate)
    def wake_up(self, activate, port):
        if self.mode == "available":
            self.send_all(activate, but=port)
            self.enter()

    def enter(self):
        self.mode = "active"
        self.silent = frozenset(self.ports)
        if self.ports:
            self.report_to_the_last()
        else:
            self.mode = "saturated"
            self.decide(self.id)

    def report_to_the_last(self):
        if len(self.silent) == 1:
            self.mode = "processing"
            [self.parent] = self.silent
            self.send(self.parent, M())

    @receive(M)
    def count(self, _, port):
        self.wake_up(Activate(), port)  # where messages overtake each other
        if self.mode == "active":
            self.silent -= {port}
            self.report_to_the_last()
        else:
            self.mode = "saturated"
            self.send(self.parent, Election(self.id))

    @receive(Election)
    def compare(self, election):
        self.require(self.mode == "saturated")
        self.decide(self.id if self.id <= election.id else election.id)
        self.send_all(Done(self.leader), but=self.parent)

    @receive(Done)
    def learn(self, done, port):
        self.decide(done.leader)
        self.send_all(done, but=port)

    def decide(self, leader):
        self.leader = leader
        self.status = "leader" if leader == self.id else "follower"


@always
def the_saturated_reported_to_each_other(view):
    """Whoever is saturated and its parent are each other's parents."""
    for p in view.processes:
        if p.mode == "saturated" and p.parent is not None:
            partner = p.at(p.parent)
            if partner.parent is None or partner.at(partner.parent) is not p:
                return because(f"{p} is saturated and reported to {partner}, which does not report to it")
    return True


@at_the_end
def two_are_saturated(view):
    """At the end two processes are saturated, or the only one there is."""
    saturated = [p for p in view.processes if p.mode == "saturated"]
    return len(saturated) == min(2, len(view.processes)) or because(f"saturated: {listed(saturated) or 'nobody'}")
