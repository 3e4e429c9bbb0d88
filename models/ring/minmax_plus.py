"""MinMax+ (Higham and Przytycka 1996): MinMax with envelopes that are promoted to the next round before they need be.

An envelope carries a label and its round. Every process remembers the label and round of the last one it sent on. In odd rounds
an envelope falls if the one before it has a smaller label, in even rounds if it has a larger one; otherwise it is promoted
when it comes to where that one began the round. In odd rounds it is promoted after a Fibonacci number of links anyway (by
distance), in even rounds as soon as it passes a process from which it can tell that it will survive (a witness). Whoever
receives what it sent last leads, whatever its identifier.

The slides give this protocol's name and cost only, and published programs differ: one lets nobody be promoted by meeting (a
comparison the wrong way round), some take Fibonacci numbers with another index (`index`). All elect.
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class Envelope(Message):
    label: Id
    round: int
    count: int  # how many links it has left to go before it is promoted by distance


class Notify(Message):
    leader: Id


def fibonacci(k):
    """1, 1, 2, 3, 5, 8, ... for k = 1, 2, 3, 4, 5, 6, ..."""
    return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)


class MinMaxPlus(ElectionProcess):
    source = "Higham and Przytycka, Information Processing Letters 58, 1996; Santoro, slides of chapter 3, MinMax+"
    topology = one_way_ring
    networks = ("fifo",)
    elects = "any"
    complexity = {"best": "n min(3, n + 1)", "about": "1.271 n lg n", "exactly of Notify": "n"}

    index = Parameter(2, "an envelope of round r goes Fibonacci(r + index) links at most, if r is odd", among=(2, 1))

    label: Id | None = None
    round: int = -1

    @initiate
    def start(self):
        self.require(self.round == -1)
        self.promote(self.id, 0)

    def promote(self, label, round):
        self.send_on(Envelope(label, round + 1, fibonacci(round + 1 + self.index)))

    def send_on(self, envelope):
        self.label, self.round = envelope.label, envelope.round
        self.send(NEXT, envelope.replace(count=envelope.count - 1))

    @receive(Envelope)
    def compete(self, envelope):
        if self.round == -1:
            self.start()
        met, larger = envelope.round == self.round, envelope.label > self.label
        if met and envelope.label == self.label:
            self.finish()
        elif met and larger == (envelope.round % 2 == 1):
            pass  # a casualty
        elif self.is_promoted(envelope):
            self.promote(envelope.label, envelope.round)
        else:
            self.send_on(envelope)

    def is_promoted(self, envelope):
        """In odd rounds by distance or by meeting, in even rounds by a witness."""
        if envelope.round % 2 == 1:
            return envelope.count == 0 or envelope.round == self.round
        return envelope.round == self.round + 1 and envelope.label > self.label

    def finish(self):
        self.announce(self.id)

    def announce(self, leader):
        self.leader = leader
        self.send(NEXT, Notify(leader))

    @receive(Notify)
    def learn(self, message):
        if self.leader is None:
            self.announce(message.leader)


class Collect(Message):
    best: Id


class ElectsAnExtreme(MinMaxPlus):
    """Where an extreme is wanted after all, one more message goes round and collects it: n more messages."""

    elects = Parameter("min", "which extreme of the identifiers is collected", among=("min", "max"))

    finder: bool = False

    def finish(self):
        self.finder = True
        self.send(NEXT, Collect(self.id))

    @receive(Collect)
    def collect(self, message):
        if self.finder:
            self.announce(message.best)
        else:
            self.send(NEXT, Collect(self.best(message.best, self.id)))


class ByDistanceOnly(MinMaxPlus):
    """In odd rounds nobody is promoted by meeting."""

    source = "a published program, with a comparison the wrong way round"

    def is_promoted(self, envelope):
        return super().is_promoted(envelope) and (envelope.round % 2 == 0 or envelope.count == 0)
