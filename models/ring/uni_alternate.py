"""UniAlternate: Alternating Steps on a one-way ring, where a value is compared with its neighbours by turns.

In odd steps a candidate compares its value with that of the candidate before it and keeps it if it is smaller. In even steps
the value received is compared with the one after it: if it is smaller it survives, at the receiver, which takes it over.
So the number of candidates falls like the Fibonacci numbers. Whoever receives the value it holds notifies the others of it.

The slides give this protocol's name only; the rules are Peterson's improved algorithm. A candidate takes only messages of
its own step, which makes it stand any reordering; where links keep the order nothing else ever arrives.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class Election(Message):
    value: Id
    step: int


class Notify(Message):
    leader: Id


class UniAlternate(ElectionProcess):
    source = "Santoro, slides of chapter 3, UniAlternate; Peterson, TOPLAS 4(4), 1982"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "n min(3, n + 1)",
        "worst": "n floor(lg((2 phi - 1) n + 0.5) / lg(phi))",  # n (k + 1), k the largest with F_k <= n: 1, 2, 3, 5, 8, ...
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    value: Id
    step: int = 0

    def initially(self):
        self.value = self.id

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        self.enter_step(1)

    def enter_step(self, step):
        self.step = step
        self.send(NEXT, Election(self.value, step))

    @receive(Election)
    def compete(self, message):
        if self.mode == "asleep":
            self.start()
        if self.mode == "defeated":
            self.send(NEXT, message)
            return
        self.require(self.takes(message))
        survivor = self.survivor(message.value)
        if message.value == self.value:
            self.finish()
        elif survivor is not None:
            self.value = survivor
            self.enter_step(self.step + 1)
        else:
            self.mode = "defeated"

    def takes(self, message):
        return message.step == self.step

    def survivor(self, received):
        """In odd steps the own value if it beats the one received, in even steps that if it beats the own."""
        value, other = (self.value, received) if self.step % 2 == 1 else (received, self.value)
        return value if self.beats(value, other) else None

    def finish(self):
        self.announce(self.value)

    def announce(self, leader):
        self.leader = leader
        self.send(NEXT, Notify(leader))

    @receive(Notify)
    def learn(self, message):
        if self.leader is None:
            self.announce(message.leader)


class TakesAnyStep(UniAlternate):
    """A candidate takes messages of any step, which is correct where links keep the order."""

    complexity = UniAlternate.complexity

    def takes(self, _):
        return True
