"""Stages with feedback (Korach, Rotem and Santoro): on a two-way ring a candidate goes on if both neighbouring candidates say yes.

Candidates send their identifiers both ways, as in Stages; each then says yes to the smaller of its two neighbours only, and only if
that is smaller than itself. To survive takes two yeses, so at most every third survives. Nobody says no: whoever lacks an
answer is defeated by the next identifier that comes from there. No sense of direction is needed.

The slides leave out three things, which are parameters here: the last two candidates are neighbours on both sides, and the yes has
to go both ways; a candidate with one yes must not listen on that side until the other has answered; and a yes that comes too
late for its addressee must not travel on. Links must keep the order, and numbered stages do not make up for it: from n=6 on an
identifier of the next stage may overtake a yes and be taken for a no.
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
    wake = Parameter(
        "join", "mixed: whoever is woken by an identifier that beats its own is defeated", among=("join", "mixed")
    )
    strict_feedback = Parameter(
        False, "true: say yes only to an identifier that beats the one from the other side, too"
    )
    close_after_yes = Parameter(True, "false: listen on a side that said yes while the other has not answered")
    absorb_own_yes = Parameter(True, "false: the defeated pass on even a yes to themselves")
    numbered = Parameter(False, "true: a candidate takes only what belongs to its own stage")

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
            if self.wake == "mixed" and self.beats(message.id, self.id):
                self.mode = "defeated"
            else:
                self.start()
        if self.mode == "candidate":
            self.require(port != self.closed)
            self.require(message.stage == self.stage or not self.numbered)
            if self.first is None:
                self.first, self.closed = message.id, port
            elif self.first == message.id == self.id:
                self.status, self.leader = "leader", self.id
                self.send(NEXT, Notify(self.id))
            else:
                self.answer({self.closed: self.first, port: message.id})
        else:
            self.require(port not in self.yes or not self.close_after_yes)
            self.mode = "defeated"
            self.yes = frozenset()
            self.send(self.other(port), message)

    def answer(self, heard):
        """Says yes to the better neighbour if that is better than itself; `heard` are their identifiers, by port."""
        best = min(heard.values()) if self.elects == "min" else max(heard.values())
        alike = len(set(heard.values())) == 1
        for port, id in heard.items():
            if id == best and self.beats(id, self.id) and not (alike and self.strict_feedback):
                self.send(port, Yes(id, self.stage))
        self.mode = "awaiting"
        self.first = self.closed = None
        self.advance()

    def beats(self, one, other):
        return one < other if self.elects == "min" else one > other

    @receive(Yes)
    def hear(self, answer, port):
        if self.mode == "defeated":
            if answer.to != self.id or not self.absorb_own_yes:
                self.send(self.other(port), answer)
        else:
            self.require(self.mode == "awaiting" or port == self.closed)
            self.require(answer.stage == self.stage or not self.numbered)
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
