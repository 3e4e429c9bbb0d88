"""Itai and Rodeh 1981: electing on an anonymous ring by drawing identifiers at random, again and again.

Every process draws an identifier and sends it round with a hop counter and a bit that says "nobody else has drawn this".
Larger draws make a process passive, smaller ones are purged, equal ones clear the bit. Whoever gets its own message back
leads if the bit is still set, and draws again if not. It ends with probability 1: a run in which all draw the same for
ever is possible and has probability 0.

Without round numbers this needs fifo links and stays finite (Fokkink and Pang 2006, algorithm A, as far as could be
established); with unbounded round numbers it is the original, whose states have no end. Round numbers modulo 2 are no
third way, as the checker finds: on fifo links they do no harm, and where messages overtake, a token two rounds ahead is
taken for an old one and purged, so that two processes can purge each other's.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Message, Parameter, initiate, one_way_ring, receive


class Token(Message):
    drawn: int
    round: int
    hops: int
    unique: bool


class ItaiRodeh(ElectionProcess):
    source = "Itai and Rodeh, FOCS 1981 and Information and Computation 88, 1990; Fokkink and Pang, J. UCS 12(8), 2006"
    topology = one_way_ring
    networks = ("fifo",)
    identifiers = "none"
    knows = ("n",)
    elects = "any"

    draws = Parameter(2, "identifiers are drawn from 1 to this number", among=range(1, 9))

    mode: Literal["asleep", "active"] = "asleep"
    drawn: int = 0
    round: int = 0

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "active"
        self.begin_round()

    def begin_round(self):
        self.drawn = self.draw(range(1, self.draws + 1))
        self.send(NEXT, Token(self.drawn, self.round, 1, True))

    @receive(Token)
    def compare(self, token):
        self.require(self.mode == "active")
        theirs, own = (token.round, token.drawn), (self.round, self.drawn)
        if self.status == "follower":
            self.pass_on(token)
        elif self.status == "leader":
            pass
        elif token.hops == self.ring_size():
            if token.unique:
                self.status = "leader"
            else:
                self.round = self.next_round()
                self.begin_round()
        elif theirs == own:
            self.pass_on(token.replace(unique=False))
        elif theirs > own:
            self.status = "follower"
            self.drawn = self.round = 0
            self.pass_on(token)

    def pass_on(self, token):
        self.send(NEXT, token.replace(hops=token.hops + 1))

    def ring_size(self):
        return self.n

    def next_round(self):
        return 0


class UnboundedRounds(ItaiRodeh):
    """Messages carry the number of their round, as in the original: its states have no end."""

    source = "Itai and Rodeh, FOCS 1981"

    def next_round(self):
        return self.round + 1


class RoundsModulo2(ItaiRodeh):
    """Messages carry the number of their round modulo 2."""

    source = "an exercise: whether two numbers are enough"

    def next_round(self):
        return 1 - self.round


class KnowsOneTooFew(ItaiRodeh):
    """Everyone takes the ring for smaller by one than it is."""

    def ring_size(self):
        return self.n - 1


class KnowsOneTooMany(ItaiRodeh):
    """Everyone takes the ring for greater by one than it is."""

    def ring_size(self):
        return self.n + 1
