"""Stages with feedback (Korach, Rotem and Santoro): on a two-way ring a candidate goes on if both neighbouring candidates say yes.

Candidates send their identifiers both ways, as in Stages; each then says yes to the smaller of its two neighbours only, and only if
that is smaller than itself. To survive takes two yeses, so at most every third survives. Nobody says no: whoever lacks an
answer is defeated by the next identifier that comes from there. No sense of direction is needed.

The slides leave out three things, and are variations as they stand: the last two candidates are neighbours on both sides, and the yes has
to go both ways; a candidate with one yes must not listen on that side until the other has answered; and a yes that comes too
late for its addressee must not travel on. Links must keep the order, and numbered stages do not make up for it: from n=6 on an
identifier of the next stage may overtake a yes and be taken for a no. On the slides a Notify says nothing; here it names the leader.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, Port, initiate, receive, two_way_ring


class Election(Message):
    id: Id
    stage: int


class Yes(Message):
    to: Id
    stage: int


class Notify(Message):
    id: Id


class StagesFeedback(ElectionProcess):
    source = "Korach, Rotem and Santoro, International Journal of Computer Mathematics 16(2), 1984; slides of chapter 3"
    topology = two_way_ring.unoriented
    networks = ("fifo",)
    complexity = {
        "best": "min(3n^2, 5n + ceil(n/2) + floor(2/n))",
        "at most": "3n floor(lg(n/2) / lg(3)) + 6n",
        "about": "1.89 n lg n",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    mode: Literal["asleep", "candidate", "awaiting", "defeated"] = "asleep"
    stage: int = 0
    first: Id | None = None  # what was received first in this stage
    closed: Port | None = None  # where from
    yes: frozenset[Port] = frozenset()

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.enter_stage()

    def enter_stage(self):
        self.mode = "candidate"
        self.stage += 1
        self.yes = frozenset()
        self.send_all(Election(self.id, self.stage))

    @receive(Election)
    def compete(self, message, port):
        if self.mode == "asleep":
            self.start()
        if self.mode == "candidate":
            self.require(port != self.closed)
            if self.first is None:
                self.first, self.closed = message.id, port
            elif self.first == message.id == self.id:
                self.status, self.leader = "leader", self.id
                self.send(NEXT, Notify(self.id))
            else:
                self.answer({self.closed: self.first, port: message.id})
                self.mode = "awaiting"
                self.first = self.closed = None
                self.advance()
        else:
            self.require(port not in self.yes)
            self.mode = "defeated"
            self.yes = frozenset()
            self.send(self.other(port), message)

    def answer(self, heard):
        """Says yes to the better neighbour if that is better than itself; `heard` are their identifiers, by port."""
        for port, id in heard.items():
            if id == self.best(*heard.values()) and self.beats(id, self.id):
                self.send(port, Yes(id, self.stage))

    @receive(Yes)
    def hear(self, answer, port):
        if self.mode == "defeated":
            if answer.to != self.id:
                self.send(self.other(port), answer)
        else:
            self.require(self.mode == "awaiting" or port == self.closed)
            self.yes |= {port}
            self.advance()

    def advance(self):
        if self.mode == "awaiting" and len(self.yes) == 2:
            self.enter_stage()

    @receive(Notify)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


class WokenYields(StagesFeedback):
    """Whoever is woken by an identifier that beats its own is defeated."""

    complexity = StagesFeedback.complexity

    @receive(Election)
    def compete(self, message, port):
        if self.mode == "asleep" and self.beats(message.id, self.id):
            self.mode = "defeated"
        super().compete(message, port)


class StrictFeedback(StagesFeedback):
    """Yes is said only to an identifier that beats the one from the other side, too: of two candidates that are left neither gets one."""

    source = "Santoro, slides of chapter 3, Stages with Feedback: if id(y) < MIN(id(x), id(z))"

    def answer(self, heard):
        if len(set(heard.values())) == 2:
            super().answer(heard)


class ListensAfterYes(StagesFeedback):
    """A candidate with one yes is defeated by the next identifier from that side, too, while the other has not answered."""

    source = "Santoro, slides of chapter 3, Stages with Feedback"

    @receive(Election)
    def compete(self, message, port):
        if self.mode == "awaiting":
            self.yes = frozenset()
        super().compete(message, port)


class LateYesTravelsOn(StagesFeedback):
    """The defeated pass on everything, even a yes to themselves."""

    source = "Santoro, slides of chapter 3, Stages with Feedback"

    @receive(Yes)
    def hear(self, answer, port):
        if self.mode == "defeated":
            self.send(self.other(port), answer)
        else:
            super().hear(answer, port)


class Numbered(StagesFeedback):
    """A candidate takes only what belongs to its own stage."""

    source = "an exercise: whether links need to keep the order"

    @receive(Election)
    def compete(self, message, port):
        if self.mode == "asleep":
            self.start()
        self.require(self.mode != "candidate" or message.stage == self.stage)
        super().compete(message, port)

    @receive(Yes)
    def hear(self, answer, port):
        self.require(self.mode == "defeated" or answer.stage == self.stage)
        super().hear(answer, port)
