"""AsFar on a two-way ring: an identifier travels one way, whichever, until it meets a process that has seen a smaller one.

Every process that starts sends its identifier in a direction of its choice. Whoever is woken by a smaller identifier passes it on and
never becomes a candidate; whoever is woken by a larger one sends its own in its place. Whoever gets its own identifier back leads.
No sense of direction is needed. Identifiers that travel towards each other stop each other only by what was seen on the way,
so the number of messages depends on the schedule, and on the directions.

The checker finds that an Election may still be on its way to a process that leads or has been notified, and on the slides has stopped:
one that was sent the other way. On the slides a Notify says nothing; here it names the leader.
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, receive, two_way_ring


class Election(Message):
    id: Id


class Notify(Message):
    id: Id


class AsFarBidirectional(ElectionProcess):
    source = "Santoro, slides of chapter 3, AsFar; Korach, Rotem and Santoro, 1984"
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    tolerates = ("duplications",)
    complexity = {
        "best": "3n - 1",
        "worst": "n(n+1)/2 + n",
        "best of Election": "2n - 1",
        "worst of Election": "n(n+1)/2",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    best: Id | None = None  # so far

    @initiate
    def start(self):
        self.require(self.best is None)
        self.send_own(self.first_way())

    def first_way(self):
        return self.choose(self.ports)

    def send_own(self, port):
        self.best = self.id
        self.send(port, Election(self.id))

    @receive(Election)
    def compare(self, message, port):
        if self.best is None and self.beats(self.id, message.id):
            self.send_own(self.other(port))
        if self.best is None or self.beats(message.id, self.best):
            self.best = message.id
            self.send(self.other(port), message)
        elif self.comes_home(message.id):
            self.status, self.leader = "leader", self.id
            self.send(NEXT, Notify(self.id))

    def comes_home(self, id):
        return id == self.id

    @receive(Notify)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


class WokenStands(AsFarBidirectional):
    """Whoever is woken sends its own identifier, even if what woke it beats it."""

    complexity = AsFarBidirectional.complexity

    @receive(Election)
    def compare(self, message, port):
        if self.best is None and not self.beats(self.id, message.id):
            self.start()
        super().compare(message, port)


class OneWay(AsFarBidirectional):
    """Whoever starts sends to its NEXT: on an oriented ring that is the one-way protocol."""

    complexity = AsFarBidirectional.complexity

    def first_way(self):
        return NEXT


class BestSoFarLeads(AsFarBidirectional):
    """Whoever receives the smallest identifier it has seen so far leads, be it its own or not."""

    source = "an exercise: the rule is missing from the slides"
    complexity = AsFarBidirectional.complexity

    def comes_home(self, id):
        return id == self.best
