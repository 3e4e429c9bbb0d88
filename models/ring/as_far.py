"""AsFar (as it can): on a one-way ring an identifier travels until it meets a process that has seen a smaller one.

It is the protocol of LeLann and of Chang and Roberts with the smallest so far in place of the own identifier. Everyone who
wakes up sends its identifier, whoever woke it; whoever gets its own back leads and notifies the others. What a process
does when awake is lost from the slides; that the own identifier wins, and not the smallest so far, is what makes it
stand messages that come twice. On the slides a Notify says nothing; here it names the leader, so that agreement can be judged.
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class Election(Message):
    id: Id


class Notify(Message):
    id: Id


class AsFar(ElectionProcess):
    source = "Santoro, slides of chapter 3, AsFar; LeLann, 1977; Chang and Roberts, CACM 22(5), 1979"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    tolerates = ("duplications",)
    complexity = {
        "best": "3n - 1",
        "worst": "n(n+1)/2 + n",
        "mean": "n H_n + n",
        "best of Election": "2n - 1",
        "worst of Election": "n(n+1)/2",
        "mean of Election": "n H_n",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    awake: bool = False
    best: Id

    def initially(self):
        self.best = self.id

    @initiate
    def start(self):
        self.require(not self.awake)
        self.send(NEXT, Election(self.id))
        self.awake = True

    @receive(Election)
    def compare(self, message):
        if not self.awake:
            self.start()
        if self.beats(message.id, self.best):
            self.best = message.id
            self.send(NEXT, message)
        elif self.comes_home(message.id):
            self.status = "leader"
            self.send(NEXT, Notify(self.id))

    def comes_home(self, id):
        return id == self.id

    @receive(Notify)
    def learn(self, message):
        self.leader = message.id
        if self.status != "leader":
            self.status = "follower"
            self.send(NEXT, message)


class WokenYields(AsFar):
    """Whoever is woken by an identifier that beats its own passes it on and never sends its own."""

    complexity = AsFar.complexity

    @receive(Election)
    def compare(self, message):
        if self.beats(message.id, self.id):
            self.awake = True
        super().compare(message)


class BestSoFarLeads(AsFar):
    """Whoever receives the smallest identifier it has seen so far leads, be it its own or not."""

    source = "an exercise: the rule is missing from the slides"
    complexity = AsFar.complexity

    def comes_home(self, id):
        return id == self.best
