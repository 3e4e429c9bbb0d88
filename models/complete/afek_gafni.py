"""Afek and Gafni 1985: on a complete graph candidates capture the others one by one, and whoever has captured all leads.

A candidate's rank is its level, the number of those it has captured, and then its identifier. It asks the next process with its
rank. A process gives in to a rank above all that it has seen; a candidate that gives in is one no longer. Whoever has an owner
already asks it whether it may change: an owner of a lower rank is killed and lets it go, one of a higher rank says nothing, and
the challenger waits for ever. So those who reach level k own k + 1 processes each, and few do: O(n log n) messages.

No sense of direction is needed: ports are tried in any order. It is the simplest of the three asynchronous protocols of the paper,
rewritten: that a process is its own until it is captured, and the announcement, are filled in here. The checker finds that the
owner is asked for the sake of the number of messages alone: without it, too, whoever is captured stands no more, and one leads.
"""

from modelcheck import ElectionProcess, Id, Message, Port, complete, initiate, receive

Rank = tuple[int, Id]


class Capture(Message):
    rank: Rank


class Ask(Message):
    rank: Rank


class Leader(Message):
    id: Id


class AfekGafni(ElectionProcess):
    source = "Afek and Gafni, PODC 1985; SIAM Journal on Computing 20(2), 1991, section 4"
    topology = complete
    networks = ("fifo", "bag", "set")
    elects = "any"
    complexity = {"at most": "4n H_n + n", "exactly of Leader": "n - 1"}

    candidate: bool = False
    level: int = 0
    seen: Rank | None = None  # the highest rank that wanted it
    owner: Port | None = None
    challenger: Port | None = None

    @initiate
    def stand(self):
        self.require(not self.candidate and self.seen is None)
        self.candidate = True
        self.capture_next()

    def capture_next(self):
        self.seen = (self.level, self.id)
        if self.level == len(self.ports):
            self.leader = self.id
            self.send_all(Leader(self.id))
        else:
            self.send(self.ports[self.level], Capture((self.level, self.id)))

    @receive(Capture)
    def give_in(self, message, port):
        if self.seen is None or message.rank > self.seen:
            self.candidate, self.seen, self.challenger = False, message.rank, port
            if self.owner is None:
                self.owner = port
            self.send(self.owner, Ask(message.rank))
        elif port == self.owner and message.rank == self.seen:  # its owner lets it go
            self.owner = self.challenger
            self.send(self.owner, Ask(message.rank))

    @receive(Ask)
    def be_asked(self, message):
        level, id = message.rank
        if id != self.id and (level, id) > (self.level, self.id):
            self.candidate = False
            self.reply(Capture(message.rank))
        elif id == self.id and self.candidate:
            self.level += 1
            self.capture_next()

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id


class ChangesWithoutAsking(AfekGafni):
    """Whoever has an owner takes a stronger one and does not ask the first: one leads all the same."""

    @receive(Capture)
    def give_in(self, message, port):
        if self.seen is None or message.rank > self.seen:
            self.candidate, self.seen, self.owner = False, message.rank, port
            self.send(port, Ask(message.rank))
