"""Saturation: in a tree two neighbours in the middle find that all others have reported, whoever starts.

Whoever wakes up wakes its neighbours. A leaf reports to its only neighbour; an inner process waits until all neighbours but one have
reported, and reports to that one, its parent. In the end two neighbours report to each other: they are saturated. Which two depends on
the schedule; the number of messages only on how many processes (k) wake up by themselves: 2n + k - 2.

Rules to add to it elect: `tree_elect_min` and `tree_elect_root`.
"""

from typing import Literal

from modelcheck import Message, Port, Process, always, at_the_end, because, initiate, listed, receive, tree


class Activate(Message):
    pass


class M(Message):
    pass


class Saturation(Process):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, section 2.6"
    topology = tree
    networks = ("fifo", "bag", "set")
    complexity = {"exactly of Activate": "2n - 2", "exactly of M": "n min(n - 1, 1)"}

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
            self.resolve()

    def report_to_the_last(self):
        if len(self.silent) == 1:
            self.mode = "processing"
            [self.parent] = self.silent
            self.send(self.parent, self.report())

    @receive(M)
    def collect(self, report, port):
        self.wake_up(Activate(), port)  # where messages overtake each other
        self.take_in(report)
        if self.mode == "active":
            self.silent -= {port}
            self.report_to_the_last()
        else:
            self.resolve()

    # what an election says in addition

    def report(self):
        return M()

    def take_in(self, report):
        pass

    def resolve(self):
        self.mode = "saturated"


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
