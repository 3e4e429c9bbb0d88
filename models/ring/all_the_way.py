"""All the Way (LeLann 1977): every identifier goes all the way round, so everyone sees all and knows the smallest.

Whoever wakes up sends its identifier one way round; messages keep their direction, and nobody passes on its own. How does a
process know that it has seen all? Either its own identifier brings the size of the ring and it counts to that, or it trusts
that what comes back to it has overtaken nothing. The slides count without the own identifier and so never get there.

On a two-way ring everyone chooses a direction. Then identifiers pass each other and only counting is right.
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
    term = Parameter(
        "count",
        "fifo: decide when the own identifier returns (correct only where nothing is overtaken or passed)",
        among=("count", "fifo"),
    )
    count_own = Parameter(True, "false: count only what others sent, as on the slides")

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
        self.count = 1 if self.count_own else 0
        self.send(self.choose(self.ports), Election(self.id, 1))

    @receive(Election)
    def see(self, message, port):
        if not self.awake:
            self.start()
        if message.id == self.id:
            self.ringsize = message.hops
        else:
            self.send_all(message.replace(hops=message.hops + 1), but=port)
            self.best = min(self.best, message.id) if self.elects == "min" else max(self.best, message.id)
            self.count += 1
        all_seen = self.count == self.ringsize if self.term == "count" else self.ringsize is not None
        if all_seen and self.leader is None:
            self.leader = self.best
            self.status = "leader" if self.best == self.id else "follower"
