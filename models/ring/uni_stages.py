"""UniStages: Stages on a one-way ring, where a candidate learns what the candidate before it would have learnt.

In Stages a candidate sends its identifier both ways and survives if it is smaller than both neighbouring candidates. On a
one-way ring it sends its value, and then the value it receives; so every candidate comes to know the values of the two
candidates before it, and plays the part of the nearer one: it survives, with that value in place of its own, if that is the
smallest of the three. Whoever receives the value it holds is the last candidate and notifies the others of the value. This
is the protocol of Dolev, Klawe and Rodeh, and of Peterson, with one type of message.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class Election(Message):
    value: Id


class Notify(Message):
    value: Id


class UniStages(ElectionProcess):
    source = "Santoro, slides of chapter 3, unidirectional stages"
    topology = one_way_ring
    networks = ("fifo",)
    complexity = {"best": "n min(4, 2n)", "worst": "2n (floor(lg n) + 1)", "exactly of Notify": "n"}

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    value: Id
    first: Id | None = None  # what was received first in this stage

    def initially(self):
        self.value = self.id

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        self.send(NEXT, Election(self.id))

    @receive(Election)
    def compete(self, message):
        if self.mode == "asleep":
            self.start()
        if self.mode == "defeated":
            self.send(NEXT, message)
        elif self.first is None and message.value == self.value:
            self.leader = self.value
            self.send(NEXT, Notify(self.value))
        elif self.first is None:
            self.first = message.value
            self.send(NEXT, message)
        elif self.beats(self.first, self.value) and self.beats(self.first, message.value):
            self.value, self.first = self.first, None
            self.send(NEXT, Election(self.value))
        else:
            self.mode = "defeated"
            self.first = None

    @receive(Notify)
    def learn(self, message):
        if self.leader is None:
            self.leader = message.value
            self.send(NEXT, message)
