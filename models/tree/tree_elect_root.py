"""Election in a tree by saturation, electing the root: of the two processes in the middle the smaller one leads.

The two that are saturated, as in `saturation`, send each other their identifiers, and the smaller one leads. Which two depends on the
schedule, so the leader is anyone that has a greater neighbour; the number of messages depends only on how many processes (k) wake up
by themselves: 3n + k - 2. Where identifiers repeat, both may lead: the slides say "less or equal".
"""

from modelcheck.models.saturation import Saturation

from modelcheck import ElectionProcess, Id, Message, receive


class Election(Message):
    id: Id


class Done(Message):
    leader: Id


class TreeElectRoot(ElectionProcess, Saturation):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, sections 2.6 and 3.2; slides of chapter 3"
    elects = "any"
    complexity = {
        "exactly": "4n - 4 + 2 min(n - 1, 1)",
        "exactly of Activate": "2n - 2",
        "exactly of M": "n min(n - 1, 1)",
        "exactly of Election": "2 min(n - 1, 1)",
        "exactly of Done": "max(n - 2, 0)",
    }

    def resolve(self):
        self.mode = "saturated"
        if self.parent is None:
            self.decide(self.id)
        else:
            self.send(self.parent, Election(self.id))

    @receive(Election)
    def compare(self, election):
        self.require(self.mode == "saturated")
        self.decide(self.id if self.id <= election.id else election.id)
        self.send_all(Done(self.leader), but=self.parent)

    @receive(Done)
    def learn(self, done, port):
        self.decide(done.leader)
        self.send_all(done, but=port)

    def decide(self, leader):
        self.leader = leader
        self.status = "leader" if leader == self.id else "follower"
