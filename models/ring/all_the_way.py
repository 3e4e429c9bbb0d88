"""All the Way (LeLann 1977): every identifier goes all the way round, so everyone sees all and knows the smallest.

Whoever wakes up sends its identifier one way round; messages keep their direction, and nobody passes on its own. How does a
process know that it has seen all? Its own identifier brings the size of the ring, and it counts to that.

On a two-way ring everyone chooses a direction, and identifiers pass each other.
"""

from modelcheck import ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive, two_way_ring


class Election(Message):
    id: Id
    hops: int


class AllTheWay(ElectionProcess):
    source = "LeLann, IFIP Congress 1977; Santoro, slides of chapter 3, All the way"
    topology = (one_way_ring, two_way_ring)
    networks = ("fifo", "bag", "set")
    complexity = {"exactly": "n^2"}

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    awake: bool = False
    best: Id
    count: int = 0
    ringsize: int | None = None

    def initially(self):
        self.best = self.id

    @initiate
    def start(self):
        self.require(not self.awake)
        self.awake = True
        self.count = 1
        self.send(self.choose(self.ports), Election(self.id, 1))

    @receive(Election)
    def see(self, message, port):
        if not self.awake:
            self.start()
        if message.id == self.id:
            self.ringsize = message.hops
        else:
            self.send_all(message.replace(hops=message.hops + 1), but=port)
            self.best = message.id if self.beats(message.id, self.best) else self.best
            self.count += 1
        if self.has_seen_all() and self.leader is None:
            self.leader = self.best
            self.status = "leader" if self.best == self.id else "follower"

    def has_seen_all(self):
        return self.count == self.ringsize


class CountsOthersOnly(AllTheWay):
    """The own identifier is not counted, so that the count never comes to the size of the ring."""

    source = "Santoro, slides of chapter 3, All the way, INITIALIZE and CHECK"

    @initiate
    def start(self):
        super().start()
        self.count = 0


class TrustsTheOrder(AllTheWay):
    """Whoever gets its own identifier back decides, which is correct only where nothing is overtaken, and nothing comes the other way."""

    source = "Santoro, slides of chapter 3, All the way, Correctness and Termination"
    complexity = AllTheWay.complexity

    def has_seen_all(self):
        return self.ringsize is not None
