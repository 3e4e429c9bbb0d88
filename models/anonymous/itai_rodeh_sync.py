"""Itai and Rodeh 1990, synchronous: all draw, the draws go once round the ring, and the greatest that is drawn once leads.

Every process sees all draws of the round, in the order in which they come by. If some number was drawn by a single process,
the greatest such number decides, for all in the same round; otherwise all draw again.

The original has a global clock: --schedule lockstep. It needs none on fifo links, where the draws of a round are behind
each other; where messages may overtake, rounds mix.
"""

from modelcheck import NEXT, ElectionProcess, Message, Parameter, initiate, one_way_ring, receive


class Draw(Message):
    value: int


class ItaiRodehSync(ElectionProcess):
    source = "Itai and Rodeh, Information and Computation 88, 1990; the PRISM case study leader_sync"
    topology = one_way_ring
    networks = ("fifo",)
    identifiers = "none"
    knows = ("n",)
    elects = "any"
    complexity = {
        "best": "n(n-1)",
        "highest=any, each round": "n(n-1)",
        # of highest^n results those are lost in which no number is drawn once: counted by those that are, k of them, by inclusion and exclusion
        "expected rounds": "1 / sum(k, 1, min(n, highest), (-1)^(k+1) binom(highest, k) binom(n, k) fact(k) (highest-k)^(n-k) * highest^(-n))",
    }

    highest = Parameter(2, "draws are from 1 to this number", among=range(1, 9))

    awake: bool = False
    drawn: int = 0
    seen: tuple[int, ...] = ()  # the draws of this round, ascending

    @initiate
    def start(self):
        self.require(not self.awake)
        self.awake = True
        self.begin_round()

    def begin_round(self):
        self.drawn = self.draw(range(1, self.highest + 1))
        self.seen = ()
        self.note(self.drawn)

    @receive(Draw)
    def read(self, message):
        self.require(self.awake and self.status == "undecided")
        self.note(message.value)

    def note(self, value):
        self.seen = tuple(sorted((*self.seen, value)))
        if len(self.seen) < self.ring_size():
            self.send(NEXT, Draw(value))
        else:
            self.end_round([drawn for drawn in self.seen if self.seen.count(drawn) == 1])

    def end_round(self, single):
        if single:
            self.status = "leader" if self.drawn == max(single) else "follower"
            self.drawn, self.seen = 0, ()
        else:
            self.begin_round()

    def ring_size(self):
        return self.n


class KnowsOneTooFew(ItaiRodehSync):
    """Everyone takes the ring for smaller by one than it is."""

    def ring_size(self):
        return self.n - 1


class KnowsOneTooMany(ItaiRodehSync):
    """Everyone takes the ring for greater by one than it is."""

    def ring_size(self):
        return self.n + 1
