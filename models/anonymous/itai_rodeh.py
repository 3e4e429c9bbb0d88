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
    rounds = Parameter("none", "round numbers: none, modulo 2, or unbounded", among=("none", "modulo2", "unbounded"))
    known_n = Parameter(
        "right", "what a process takes for n: one too few, right, one too many", among=("right", "less", "more")
    )

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
                self.round = {"none": 0, "modulo2": 1 - self.round, "unbounded": self.round + 1}[self.rounds]
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
        return self.n + {"less": -1, "right": 0, "more": 1}[self.known_n]
