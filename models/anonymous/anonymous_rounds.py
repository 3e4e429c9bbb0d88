"""Electing on an anonymous ring of known size in rounds of draws: whoever is alone with the greatest draw leads.

In each round every eligible process draws a number from 0 to m, and all draws go once round the ring, so that everybody sees
them all (of those that are not eligible any more: that they have drawn nothing). Only who has drawn the greatest number stays
eligible; when that is one process, everybody knows in the same round. It ends with probability 1: that all draw the
same for ever is possible and has probability 0.

Garg's problem gives the rule and leaves the communication to the reader. On fifo links the own draw comes back as the last
of its round, and rounds do not mix; on others messages say which round they are of (`Numbered`). Its parity is enough, for nobody
begins a round before all have begun the one before.
"""

from modelcheck import NEXT, ElectionProcess, Message, Parameter, initiate, one_way_ring, receive

NOTHING = -1  # drawn


class Draw(Message):
    value: int
    hops: int
    odd: bool


class AnonymousRounds(ElectionProcess):
    source = "Garg, Problem 13.1"
    topology = one_way_ring
    networks = ("fifo",)
    identifiers = "none"
    knows = ("n",)
    elects = "any"
    complexity = {
        "best": "n^2",
        "highest=any, each round": "n^2",
        "expected rounds": "alone(n, highest + 1)",
        "expected messages": "n^2 alone(n, highest + 1)",
    }

    highest = Parameter(1, "draws are from 0 to this number", among=range(1, 9))

    awake: bool = False
    odd: bool = False
    drawn: int = 0
    seen: tuple[int, ...] = ()  # the draws of this round, ascending

    @initiate
    def start(self):
        self.require(not self.awake)
        self.awake = True
        self.begin_round()

    def begin_round(self):
        self.seen = ()
        if self.drawn != NOTHING:
            self.drawn = self.draw(range(self.highest + 1))
        self.send(NEXT, Draw(self.drawn, 1, self.odd))

    @receive(Draw)
    def look(self, message):
        self.require(self.awake and self.status == "undecided" and message.odd == self.odd)
        self.seen = tuple(sorted((*self.seen, message.value)))
        if message.hops < self.ring_size():
            self.send(NEXT, message.replace(hops=message.hops + 1))
        if len(self.seen) == self.ring_size():
            self.end_round(max(self.seen))

    def end_round(self, greatest):
        if self.drawn < greatest:
            self.drawn = NOTHING
        if self.seen.count(greatest) > 1:
            self.begin_round()
        else:
            self.status = "follower" if self.drawn == NOTHING else "leader"
            self.drawn, self.seen = 0, ()

    def ring_size(self):
        return self.n


class Numbered(AnonymousRounds):
    """Messages say whether their round is odd, and may come in any order."""

    complexity = AnonymousRounds.complexity

    def end_round(self, greatest):
        if self.seen.count(greatest) > 1:
            self.odd = not self.odd
        super().end_round(greatest)


class KnowsOneTooFew(AnonymousRounds):
    """Everyone takes the ring for smaller by one than it is."""

    def ring_size(self):
        return self.n - 1


class KnowsOneTooMany(AnonymousRounds):
    """Everyone takes the ring for greater by one than it is."""

    def ring_size(self):
        return self.n + 1
