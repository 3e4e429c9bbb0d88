"""ProbAsFar: AsFar on a two-way ring, where every process that starts draws the direction of its identifier at random.

Chance spares messages, not the right result: whatever is drawn, the smallest identifier comes round and nobody else's does. In the
worst case all draw the same direction, and it costs as much as on a one-way ring; on average, over arrangements and draws and
with equal delays, about 0.49 n lg n messages instead of 0.69 n lg n. No sense of direction is needed.
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, receive, two_way_ring


class Election(Message):
    id: Id


class Notify(Message):
    id: Id


class ProbAsFar(ElectionProcess):
    source = "Korach, Rotem and Santoro, 1984; Santoro, slides of chapter 3, recap table"
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    tolerates = ("duplications",)
    complexity = {
        "best": "3n - 1",
        "worst": "n(n+1)/2 + n",
        "about": "0.49 n lg n",
        "best of Election": "2n - 1",
        "worst of Election": "n(n+1)/2",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))
    wake = Parameter(
        "mixed", "join: whoever is woken sends its own identifier, even if beaten", among=("mixed", "join")
    )

    best: Id | None = None  # so far

    @initiate
    def start(self):
        self.require(self.best is None)
        self.send_own(self.draw(self.ports))

    def send_own(self, port):
        self.best = self.id
        self.send(port, Election(self.id))

    @receive(Election)
    def compare(self, message, port):
        if self.best is None:
            if self.beats(self.id, message.id):
                self.send_own(self.other(port))
            elif self.wake == "join":
                self.start()
        if self.best is None or self.beats(message.id, self.best):
            self.best = message.id
            self.send(self.other(port), message)
        elif message.id == self.id:
            self.status, self.leader = "leader", self.id
            self.send(NEXT, Notify(self.id))

    def beats(self, one, other):
        return one < other if self.elects == "min" else one > other

    @receive(Notify)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)
