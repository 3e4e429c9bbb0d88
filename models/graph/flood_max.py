"""FloodMax: on a synchronous graph everybody says in each round the greatest identifier that it knows, for as many rounds as it is wide.

After as many rounds as the diameter all know the greatest of all, and the one that has it leads, without a word more. The diameter
is not known here: n - 1 rounds will do, the most that it can be, and on a line they are needed. Each round takes a message over each
link both ways; `Optimised` says only what its neighbours may not have heard, and gets there in the same time.
"""

from modelcheck import ElectionProcess, Id, Message, any_graph, receive, step


class Greatest(Message):
    id: Id


class FloodMax(ElectionProcess):
    source = "Lynch, Distributed Algorithms, 1996, section 4.1.2, with n - 1 for the diameter"
    topology = any_graph
    schedule = "lockstep"
    knows = ("n",)
    complexity = {"exactly": "2m (n - 1)", "exactly rounds": "n"}

    greatest: Id
    round: int = 0

    def initially(self):
        self.greatest = self.id

    @receive(Greatest)
    def hear(self, message):
        self.greatest = max(self.greatest, message.id)

    @step
    def begin_round(self):
        self.require(self.leader is None)
        if self.round < self.rounds():
            self.round += 1
            self.say()
        else:
            self.leader = self.greatest
            self.status = "leader" if self.greatest == self.id else "follower"

    def rounds(self):
        return self.n - 1

    def say(self):
        self.send_all(Greatest(self.greatest))


class Optimised(FloodMax):
    """OptFloodMax: whoever has nothing new to say is silent."""

    source = "Lynch, Distributed Algorithms, 1996, section 4.1.3"
    complexity = {"at most": "2m (n - 1)", "exactly rounds": "n"}

    said: Id | None = None

    def say(self):
        if self.said != self.greatest:
            self.said = self.greatest
            super().say()


class RoundTooFew(FloodMax):
    """One round fewer: enough unless the greatest is at one end of a line, for then the other end has not heard of it."""

    source = "an exercise: the diameter is needed"
    complexity = {}

    def rounds(self):
        return self.n - 2
