"""Election in a tree by saturation, minimum finding: two neighbours in the middle learn the least identifier of all.

Whoever wakes up wakes its neighbours. A leaf reports its identifier to its only neighbour; an inner process waits until all
neighbours but one have reported, and reports the least identifier it knows of to that one, its parent. In the end two neighbours
report to each other: they are saturated, know the least identifier of all, and tell the others. Which two depends on the
schedule; the leader does not, and the number of messages only on how many processes (k) wake up by themselves: 3n + k - 4.
"""

from typing import Literal

from modelcheck import (
    ElectionProcess,
    Id,
    Message,
    Parameter,
    Port,
    always,
    at_the_end,
    because,
    initiate,
    listed,
    receive,
    tree,
)


class Activate(Message):
    pass


class M(Message):
    value: Id


class Done(Message):
    value: Id


class TreeElectMin(ElectionProcess):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, sections 2.6 and 3.2; slides of chapter 3"
    topology = tree
    networks = ("fifo", "bag", "set")
    complexity = {
        "exactly": "4n - 4",
        "exactly of Activate": "2n - 2",
        "exactly of M": "n min(n - 1, 1)",
        "exactly of Done": "max(n - 2, 0)",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    mode: Literal["available", "active", "processing", "saturated"] = "available"
    silent: frozenset[Port] = frozenset()  # the neighbours that have not reported
    best: Id  # that it knows of
    parent: Port | None = None

    def initially(self):
        self.best = self.id

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
            self.resolve()

    def report_to_the_last(self):
        if len(self.silent) == 1:
            self.mode = "processing"
            [self.parent] = self.silent
            self.send(self.parent, M(self.best))

    @receive(M)
    def collect(self, report, port):
        self.wake_up(Activate(), port)  # where messages overtake each other
        self.best = min(self.best, report.value) if self.elects == "min" else max(self.best, report.value)
        if self.mode == "active":
            self.silent -= {port}
            self.report_to_the_last()
        else:
            self.resolve()

    def resolve(self):
        self.mode = "saturated"
        self.decide(self.best)
        self.send_all(Done(self.best), but=self.parent)

    @receive(Done)
    def learn(self, done, port):
        self.decide(done.value)
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
