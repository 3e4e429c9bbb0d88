"""Itai and Rodeh 1990, with bits: an active process that throws 0 behind one that throws 1 gives up.

In each round every active process throws a bit and compares it with that of the active process before it: with 0 after 1 it
becomes inactive. Those that stay active send a counter, to which the inactive on its way add themselves: who gets one that
counts all others leads; otherwise the next round begins. One active process always is left, for whoever makes another
give up has thrown 1 and stays. It ends with probability 1, and every round has 2n messages.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Message, initiate, one_way_ring, receive


class Bit(Message):
    value: int


class Counter(Message):
    inactive: int


class ItaiRodehAsync(ElectionProcess):
    source = "Itai and Rodeh, Information and Computation 88, 1990; the PRISM case study leader_async"
    topology = one_way_ring
    networks = ("fifo",)
    identifiers = "none"
    knows = ("n",)
    elects = "any"
    complexity = {"best": "2n max(1, ceil(lg n))", "each round": "2n"}

    mode: Literal["asleep", "active", "inactive"] = "asleep"
    bit: int = 0

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "active"
        self.begin_round()

    def begin_round(self):
        self.bit = self.draw((0, 1))
        self.send(NEXT, Bit(self.bit))

    @receive(Bit)
    def compare(self, message):
        self.require(self.mode != "asleep" and self.status != "leader")
        if self.mode == "inactive":
            self.send(NEXT, message)
        elif self.bit < message.value:
            self.mode, self.status = "inactive", "follower"
        else:
            self.send(NEXT, Counter(0))

    @receive(Counter)
    def count(self, message):
        self.require(self.status != "leader")
        if self.mode == "inactive":
            self.send(NEXT, Counter(message.inactive + 1))
        elif message.inactive < self.ring_size() - 1:
            self.begin_round()
        else:
            self.status, self.bit = "leader", 0

    def ring_size(self):
        return self.n


class KnowsOneTooFew(ItaiRodehAsync):
    """Everyone takes the ring for smaller by one than it is."""

    def ring_size(self):
        return self.n - 1


class KnowsOneTooMany(ItaiRodehAsync):
    """Everyone takes the ring for greater by one than it is."""

    def ring_size(self):
        return self.n + 1
