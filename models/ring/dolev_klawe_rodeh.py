"""Dolev, Klawe and Rodeh 1982 (also Peterson 1982): on a one-way ring candidates compare with the two before them.

In a phase every candidate learns the values of the two candidates behind it on the ring. It survives, with the value of the
nearer one in place of its own, if that is the largest of the three; so at least every second one drops out, and the defeated
only pass messages on. Whoever receives the value it holds is the last candidate and announces that value; it is usually not
the process with that identifier.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class M1(Message):
    value: Id


class M2(Message):
    value: Id


class Leader(Message):
    value: Id


class DolevKlaweRodeh(ElectionProcess):
    topology = one_way_ring
    networks = ("fifo",)
    source = "Dolev, Klawe and Rodeh, Journal of Algorithms 3, 1982; Peterson, TOPLAS 4(4), 1982; Garg, section 13.5.2"
    complexity = {"best": "n min(4, 2n)", "worst": "2n (floor(lg n) + 1)", "exactly of Leader": "n"}

    elects = Parameter("max", "which extreme of the identifiers wins", among=("max", "min"))

    mode: Literal["asleep", "active", "passive"] = "asleep"
    maxnum: Id
    nbr: Id | None = None

    def initially(self):
        self.maxnum = self.id

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "active"
        self.send(NEXT, M1(self.id))

    @receive(M1)
    def first_value(self, message):
        if self.mode == "asleep":
            self.start()
        if self.mode == "passive":
            self.send(NEXT, message)
        elif message.value != self.maxnum:
            self.nbr = message.value
            self.send(NEXT, M2(message.value))
        else:
            self.leader = message.value
            self.send(NEXT, Leader(message.value))

    @receive(M2)
    def second_value(self, message):
        if self.mode == "asleep":
            self.start()
        if self.mode == "passive":
            self.send(NEXT, message)
        elif self.nbr is not None and self.beats(self.nbr, message.value) and self.beats(self.nbr, self.maxnum):
            self.maxnum = self.nbr
            self.nbr = None
            self.send(NEXT, M1(self.maxnum))
        else:
            self.mode = "passive"

    @receive(Leader)
    def learn(self, message):
        if self.mode == "asleep":
            self.start()
        if self.leader is None:
            self.leader = message.value
            self.send(NEXT, message)


class BeginsPassive(DolevKlaweRodeh):
    """Everyone is passive at first, so that nobody ever starts, as in the Java class."""

    source = "Garg, section 13.5.2"

    def initially(self):
        super().initially()
        self.mode = "passive"
