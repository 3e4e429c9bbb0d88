"""Stages (Franklin 1982): on a two-way ring candidates compare with both neighbouring candidates, stage by stage.

A candidate survives a stage if it is smaller than the nearest candidates on both sides, so at least every second one drops
out; the defeated only pass messages on. A candidate that has heard from one side closes that port until the other side has
spoken, so that it never takes two messages from the same side for both sides. No sense of direction is needed.

Where messages overtake each other, or ports stay open, candidates may take messages of different stages for each other's. The
checker finds nothing wrong with that, only more messages; waiting for the right stage saves them.

On the slides a Notify says nothing; here it names the leader, so that agreement can be judged.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, Port, initiate, receive, two_way_ring


class Election(Message):
    id: Id
    stage: int


class Notify(Message):
    id: Id


class Stages(ElectionProcess):
    source = "Franklin, CACM 25(5), 1982; Santoro, slides of chapter 3"
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "min(5n, 3n^2)",
        "worst": "2n (floor(lg n) + 1) + n",
        "best of Election": "min(4n, 2n^2)",
        "worst of Election": "2n (floor(lg n) + 1)",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    stage: int = 0
    first: Id | None = None  # what was received first in this stage
    closed: Port | None = None  # where from

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.enter_stage(1)

    def enter_stage(self, stage):
        self.mode, self.stage = "candidate", stage
        self.first = self.closed = None
        self.send_all(Election(self.id, stage))

    @receive(Election)
    def compete(self, message, port):
        if self.status != "undecided":
            return
        if self.mode == "asleep":
            self.start()
        if self.mode == "defeated":
            self.send(self.other(port), message)
            return
        self.require(self.takes(message, port))
        if self.first is None:
            self.first, self.closed = message.id, port
        elif message.id == self.first == self.id:
            self.lead()
        elif self.best(self.first, message.id, self.id) == self.id:
            self.enter_stage(self.stage + 1)
        else:
            self.mode = "defeated"
            self.first = self.closed = None

    def takes(self, _, port):
        return port != self.closed

    def lead(self):
        self.status, self.leader = "leader", self.id
        self.send(NEXT, Notify(self.id))

    @receive(Notify)
    def learn(self, message, port):
        if self.status == "undecided":
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


class WokenYields(Stages):
    """Whoever is woken by an identifier that beats its own is defeated."""

    complexity = Stages.complexity

    @receive(Election)
    def compete(self, message, port):
        if self.mode == "asleep" and self.beats(message.id, self.id):
            self.mode = "defeated"
        super().compete(message, port)


class LeadsEarly(Stages):
    """A candidate leads on the first own identifier that comes back, and notifies both neighbours: its other copy is on its way still."""

    source = "Santoro, slides of chapter 3, Stages, CANDIDATE"
    specs = ("election", "stopping")

    @receive(Election)
    def compete(self, message, port):
        if message.id == self.id and self.mode == "candidate" and self.status == "undecided":
            self.require(self.takes(message, port))
            self.lead()
        else:
            super().compete(message, port)

    def lead(self):
        self.status, self.leader = "leader", self.id
        self.send_all(Notify(self.id))


class PortsStayOpen(Stages):
    """No port is closed: a candidate may take two messages from one side for the messages of both."""

    source = "an exercise: why the slides close a port"

    def takes(self, _, port):
        return True


class LaterStagesWait(Stages):
    """A candidate leaves messages of later stages waiting, where links do not keep the order."""

    source = "Santoro, slides of chapter 3, Removing Message Ordering"
    complexity = Stages.complexity

    def takes(self, message, port):
        return port != self.closed and message.stage <= self.stage
