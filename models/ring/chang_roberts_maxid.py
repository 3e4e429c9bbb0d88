"""Chang and Roberts with a memory: a process swallows what is smaller than the largest identifier it has seen.

Garg's Problem 13.3 asks what that saves. On links that keep the order, nothing: a larger identifier seen before this one has
passed through its origin earlier, which then either never sent its own or had sent it before. Where messages overtake, a
lucky schedule brings any arrangement down to the best, but the most over all schedules stay those of Chang and Roberts.
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class Election(Message):
    id: Id


class Leader(Message):
    id: Id


class ChangRobertsMaxid(ElectionProcess):
    source = "Garg, Problem 13.3; Chang and Roberts, CACM 22(5), 1979"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "3n - 1",
        "worst": "n(n+1)/2 + n",
        "mean": "n H_n + n",
        "best of Election": "2n - 1",
        "worst of Election": "n(n+1)/2",
        "mean of Election": "n H_n",
        "exactly of Leader": "n",
    }

    elects = Parameter("max", "which extreme of the identifiers wins", among=("max", "min"))

    awake: bool = False
    maxid: Id

    def initially(self):
        self.maxid = self.id

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.send(NEXT, Election(self.id))
        self.awake = True

    @receive(Election)
    def compare(self, message):
        if message.id == self.id:
            self.send(NEXT, Leader(self.id))
        elif self.beats(message.id, self.maxid):
            self.send(NEXT, message)
            self.maxid = message.id
            self.awake = True
        elif not self.awake:
            self.wake_up()

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if message.id != self.id:
            self.send(NEXT, message)


class ComparesFirst(ChangRobertsMaxid):
    """An identifier is compared with maxid before anything else, so that the own one is swallowed when it comes back."""

    source = "Garg, Problem 13.3, an exercise"

    @receive(Election)
    def compare(self, message):
        if self.beats(message.id, self.maxid):
            super().compare(message)
        elif not self.awake:
            self.wake_up()
