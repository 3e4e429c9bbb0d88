"""Minimum finding in a tree by saturation: the lab's solution, without what the bundled model has in common with others."""

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
        if len(self.silent) == 1:
            [self.parent] = self.silent
            self.mode = "processing"
            self.send(self.parent, M(self.least))

    @receive(M)
    def collect(self, report, port):
        self.wake_up(Activate(), port)  # where messages overtake each other
        self.least = min(self.least, report.value)
        if self.mode == "active":
            self.silent -= {port}
            self.report_to_the_last()
        else:
            self.mode = "saturated"
            self.decide(self.least)
            self.send_all(Done(self.least), but=self.parent)

    @receive(Done)
    def learn(self, done, port):
        self.decide(done.value)
        self.send_all(done, but=port)

    def decide(self, leader):
        self.leader = leader
        self.status = "leader" if leader == self.id else "follower"
