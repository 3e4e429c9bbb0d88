"""Chang and Roberts on a one-way ring, with holes: fill in each line that says HOLE."""

from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive


class Election(Message):
    id: Id


class Leader(Message):
    id: Id


class MyRing(ElectionProcess):
    topology = one_way_ring
    networks = ("fifo", "bag", "set")

    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Election(self.id))

    @receive(Election)
    def compare(self, message):
        pass  # HOLE: when is message.id passed on, when swallowed, and when is the election over? Who is asleep until now?

    @receive(Leader)
    def learn(self, message):
        pass  # HOLE: note who leads in self.leader, and pass the news on until everyone has it
