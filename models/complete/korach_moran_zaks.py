"""Korach, Moran and Zaks 1984: on a complete graph kings conquer whole kingdoms, and whoever is the king of all leads.

At first everyone who starts is the king of itself, in phase 0. A king asks one process after the other. Whoever is a citizen passes the
question on to its king, up the tree of its kingdom. A king of a lower rank, which is the phase and then the identifier, gives in: its kingdom
is accepted into the other one, the way that the question has come is turned round, and all of it hears of the new king. A king of a higher
rank says nothing, and the asker waits until somebody asks it. A king that gains a kingdom of its own phase enters the next one.

So a kingdom of phase k has 2^k processes or more, and everyone hears of log2 n new kings at most: 5n log2 k + O(n) messages, where k start.

The paper was not at hand. Its rules are taken from two programs in Go, Maurer's (Nonsequential and Distributed Programming with Go, 2021)
and that of the collection krzysztof-turowski/distributed-framework. Filled in here: who sleeps gives in to whoever asks first, and the leader tells all.
"""

from modelcheck import ElectionProcess, Id, Message, Port, complete, initiate, receive

Rank = tuple[int, Id]  # a phase, and a king


class Ask(Message):
    rank: Rank


class Accept(Message):
    phase: int


class Update(Message):
    rank: Rank


class YourCitizen(Message):
    pass


class Leader(Message):
    id: Id


class KorachMoranZaks(ElectionProcess):
    source = "after Korach, Moran and Zaks, Tight Lower and Upper Bounds for Some Distributed Algorithms for a Complete Network, PODC 1984"
    topology = complete
    elects = "any"
    complexity = {"at most of Update": "(n - 1) floor(lg n)", "exactly of Leader": "n - 1"}

    rank: Rank
    king: bool = False
    asked: frozenset[Port] = frozenset()  # where it has asked already
    parent: Port | None = None  # towards its king
    children: frozenset[Port] = frozenset()
    asker: tuple[Port, Rank] | None = None  # whose question its king has to answer
    waits: bool = False  # for word of its new king

    def initially(self):
        self.rank = (-1, self.id)

    @initiate
    def start(self):
        self.require(self.rank == (-1, self.id) and self.parent is None)
        self.rank, self.king = (0, self.id), True
        self.ask_next()

    def ask_next(self):
        others = [port for port in self.ports if port not in self.asked]
        if others:
            port = self.choose(others)
            self.asked |= {port}
            self.send(port, Ask(self.rank))
        else:
            self.leader = self.id
            self.send_all(Leader(self.id))

    @receive(Ask)
    def be_asked(self, message, port):
        self.require(self.is_free())
        if message.rank > self.rank:
            if self.parent is None:
                self.give_in(port)
            else:
                self.asker = (port, message.rank)
                self.send(self.parent, message)
        elif message.rank == self.rank and port not in self.children:
            self.reply(YourCitizen())

    def is_free(self):
        return self.asker is None and not self.waits

    def give_in(self, port):
        self.king, self.waits, self.parent, self.children = False, True, port, self.children - {port}
        self.send(port, Accept(self.rank[0]))

    @receive(Accept)
    def gain(self, message, port):
        self.require(self.is_free() or port == self.parent)
        self.children |= {port}
        if port == self.parent:
            asker, _ = self.asker
            self.asker = None
            self.give_in(asker)
        elif self.king and message.phase == self.rank[0]:
            self.enter((self.rank[0] + 1, self.id))
        else:
            self.send(port, Update(self.rank))
        if self.king:
            self.ask_next()

    def enter(self, rank):
        self.rank = rank
        for port in self.ports:
            if port in self.children:
                self.send(port, Update(rank))

    @receive(Update)
    def obey(self, message):
        self.waits = False
        self.enter(message.rank)
        if self.asker is not None and self.asker[1] <= self.rank:
            (port, rank), self.asker = self.asker, None
            if rank == self.rank and port not in self.children:
                self.send(port, YourCitizen())

    @receive(YourCitizen)
    def go_on(self, message):
        if self.king:
            self.ask_next()

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
