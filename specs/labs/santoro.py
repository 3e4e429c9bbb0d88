"""Minimum finding in a tree by saturation, with holes: fill in each line that says HOLE."""

from typing import Literal

from modelcheck import ElectionProcess, Id, Message, Port, initiate, receive, tree


class Activate(Message):
    pass


class M(Message):
    value: Id  # the least identifier on this side of the tree


class Done(Message):
    value: Id


class MyTree(ElectionProcess):
    topology = tree
    networks = ("fifo", "bag", "set")
    elects = "min"

    mode: Literal["available", "active", "processing", "saturated"] = "available"
    silent: frozenset[Port] = frozenset()  # the neighbours that have not reported
    least: Id  # that it knows of
    parent: Port | None = None

    def initially(self):
        self.least = self.id

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
            self.decide(self.id)

    def report_to_the_last(self):
        pass  # HOLE: where only one neighbour is silent, it is the parent, and gets a report

    @receive(M)
    def collect(self, report, port):
        self.wake_up(Activate(), port)  # where messages overtake each other
        # HOLE: keep the least; whoever is still active waits for less, whoever has reported is saturated and tells

    @receive(Done)
    def learn(self, done, port):
        self.decide(done.value)
        self.send_all(done, but=port)

    def decide(self, leader):
        self.leader = leader
        self.status = "leader" if leader == self.id else "follower"
