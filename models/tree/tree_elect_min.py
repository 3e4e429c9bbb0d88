"""Election in a tree by saturation, minimum finding: two neighbours in the middle learn the least identifier of all.

Whoever reports, as in `saturation`, reports the least identifier that it knows of. The two that are saturated know the least
identifier of all, and tell the others. Which two depends on the schedule; the leader does not, and the number of messages only on how
many processes (k) wake up by themselves: 3n + k - 4.
"""

from modelcheck.models.saturation import Saturation

from modelcheck import ElectionProcess, Id, Message, Parameter, receive


class M(Message):
    value: Id


class Done(Message):
    value: Id


class TreeElectMin(ElectionProcess, Saturation):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, sections 2.6 and 3.2; slides of chapter 3"
    complexity = {
        "exactly": "4n - 4",
        "exactly of Activate": "2n - 2",
        "exactly of M": "n min(n - 1, 1)",
        "exactly of Done": "max(n - 2, 0)",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    least: Id  # that it knows of: the best, where another extreme wins

    def initially(self):
        self.least = self.id

    def report(self):
        return M(self.least)

    @receive(M)
    def collect(self, report, port):
        super().collect(report, port)

    def take_in(self, report):
        self.least = self.best(self.least, report.value)

    def resolve(self):
        self.mode = "saturated"
        self.decide(self.least)
        self.send_all(Done(self.least), but=self.parent)

    @receive(Done)
    def learn(self, done, port):
        self.decide(done.value)
        self.send_all(done, but=port)

    def decide(self, leader):
        self.leader = leader
        self.status = "leader" if leader == self.id else "follower"
