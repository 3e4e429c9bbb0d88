"""Election in an oriented torus: every row elects its largest, then every column the largest of the rows.

A row is a one-way ring to the east, and a column one to the south: both elect as Chang and Roberts do. Who learns the winner of its row stands
for it in its column, where no two stand for the same; so every column comes to the same leader, which is the largest of all. A process that is
asked by its column before its row has a winner keeps the question, and wakes its row.

For an a x b torus at most a (b(b+1)/2 + b) + b (a(a+1)/2 + a) = n (a + b + 6) / 2 messages: of the order of n times the square root of n, where
territories that grow need O(n) (Peterson 1985; Santoro, section 3.4).
"""

from modelcheck import EAST, SOUTH, ElectionProcess, Id, Message, initiate, receive, torus


class Row(Message):
    id: Id


class RowWinner(Message):
    id: Id


class Column(Message):
    id: Id


class Leader(Message):
    id: Id


class RowsAndColumns(ElectionProcess):
    source = "An exercise: rows, then columns of a torus, each by Chang and Roberts, CACM 22(5), 1979"
    topology = torus.oriented
    networks = ("fifo", "bag", "set")
    complexity = {"best": "4n", "exactly of RowWinner": "n", "exactly of Leader": "n"}

    awake: bool = False
    winner: Id | None = None  # of the row
    asked: frozenset[Id] = frozenset()  # by the column, before that was known

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(EAST, Row(self.id))

    @receive(Row)
    def compare(self, message):
        if message.id > self.id:
            self.send(EAST, message)
        elif message.id == self.id:
            self.send(EAST, RowWinner(self.id))
        elif not self.awake:
            self.send(EAST, Row(self.id))
        self.awake = True

    @receive(RowWinner)
    def stand(self, message):
        self.winner = message.id
        if message.id != self.id:
            self.send(EAST, message)
        self.send(SOUTH, Column(max({self.winner} | self.asked)))

    @receive(Column)
    def compare_rows(self, message):
        if not self.awake:
            self.wake_up()
        if self.winner is None:
            self.asked |= {message.id}
        elif message.id > self.winner:
            self.send(SOUTH, message)
        elif message.id == self.winner:
            self.send(SOUTH, Leader(message.id))

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if message.id != self.winner:
            self.send(SOUTH, message)
