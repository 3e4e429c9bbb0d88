"""AsFar on a two-way ring: an identifier travels one way, whichever, until it meets a process that has seen a smaller one.

Every process that starts sends its identifier in a direction of its choice. Whoever is woken by a smaller identifier passes it on and
never becomes a candidate; whoever is woken by a larger one sends its own in its place. Whoever gets its own identifier back leads.
No sense of direction is needed. Identifiers that travel towards each other stop each other only by what was seen on the way,
so the number of messages depends on the schedule, and on the directions.
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
    wake = Parameter(
        "mixed", "join: whoever is woken sends its own identifier, even if beaten", among=("mixed", "join")
    )
    direction = Parameter(
        "choice",
        "next: who starts sends to its NEXT; on an oriented ring that is the one-way protocol",
        among=("choice", "next"),
    )
    win_on_min = Parameter(False, "true: lead on receiving the smallest so far, not the own identifier")

    best: Id | None = None  # so far

    @initiate
    def start(self):
        self.require(self.best is None)
        self.send_own(self.choose(self.ports) if self.direction == "choice" else NEXT)

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
        elif message.id == (self.best if self.win_on_min else self.id):
            self.status, self.leader = "leader", self.id
            self.send(NEXT, Notify(self.id))

    def beats(self, one, other):
        return one < other if self.elects == "min" else one > other

    @receive(Notify)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)
