"""Alternating steps: on an oriented two-way ring candidates compare with one neighbour at a time, left and right in turn.

In odd steps identifiers go right, in even steps left. A candidate that receives a smaller one is defeated and only passes messages
on; one that receives a larger one enters the next step and sends its own back to where that came from. The port it has sent on
stays closed for the step, so that links need not keep the order. For everyone who survives a step, someone was defeated in the
step before; hence Fibonacci numbers: k steps take at least F_k processes (1, 2, 3, 5, 8, ...), and every step costs n messages.

On the slides a Notify says nothing; here it names the leader, so that agreement can be judged.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, Port, initiate, receive, two_way_ring


class Election(Message):
    id: Id
    step: int


class Notify(Message):
    id: Id


class AlternatingSteps(ElectionProcess):
    source = "Santoro, slides of chapter 3, Alternating Steps"
    topology = two_way_ring
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "min(3n + 1, 3n^2)",
        "worst": "n floor(lg(2.2360679775 (n + 0.5)) / lg(phi)) + 1",
        "best of Election": "min(2n, n^2)",
        "worst of Election": "n floor(lg(2.2360679775 (n + 0.5)) / lg(phi)) - n",
        "exactly of Notify": "n + 1",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    step: int = 0
    closed: Port | None = None

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        self.enter_step(NEXT)

    def enter_step(self, port):
        self.step += 1
        self.send(port, Election(self.id, self.step))
        self.closed = port

    @receive(Election)
    def compare(self, message, port):
        if self.status != "undecided":
            return
        if self.mode == "asleep":
            self.start()
        if self.mode == "defeated":
            self.send(self.other(port), message)
            return
        self.require(port != self.closed)
        if message.id == self.id:
            self.lead()
        elif self.beats(message.id, self.id):
            self.mode, self.closed = "defeated", None
        else:
            self.enter_step(port)

    def lead(self):
        self.status, self.leader = "leader", self.id
        self.send_all(Notify(self.id))

    @receive(Notify)
    def learn(self, message, port):
        if self.status == "undecided":
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


class WokenYields(AlternatingSteps):
    """Whoever is woken by an identifier that beats its own is defeated, and passes it on."""

    @receive(Election)
    def compare(self, message, port):
        if self.mode == "asleep" and self.beats(message.id, self.id):
            self.mode = "defeated"
        super().compare(message, port)


class WokenStaysCandidate(AlternatingSteps):
    """Whoever is woken by a message processes it and becomes a candidate, even if it has just been defeated."""

    source = "Santoro, slides of chapter 3, Alternating Steps, ASLEEP"

    @receive(Election)
    def compare(self, message, port):
        woken = self.mode == "asleep"
        super().compare(message, port)
        if woken:
            self.mode = "candidate"


class NotifiesOne(AlternatingSteps):
    """The leader notifies one neighbour, not both: n notifications, not n + 1."""

    def lead(self):
        self.status, self.leader = "leader", self.id
        self.send(NEXT, Notify(self.id))
