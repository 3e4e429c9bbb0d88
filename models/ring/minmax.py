"""MinMax: on a one-way ring candidates take over the value they receive if it is smaller, and if it is larger, by turns.

In odd steps a value survives, at the next candidate, if it is smaller than the value there; in even steps if it is larger. So
the number of candidates falls like the Fibonacci numbers, as in UniAlternate, but neither extreme need survive. Whoever
receives the value it holds is the last candidate and leads, whatever its identifier. Where an extreme is wanted after all, one
more message goes round and collects it.

The slides give this protocol's name and cost only; the rules are those by which Higham and Przytycka introduce MinMax+.
A candidate takes only messages of its own step, which makes it stand any reordering.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, initiate, one_way_ring, receive


class Election(Message):
    value: Id
    step: int


class Collect(Message):
    best: Id


class Notify(Message):
    leader: Id


class MinMax(ElectionProcess):
    source = "Santoro, slides of chapter 3, MinMax; Higham and Przytycka, Information Processing Letters 58, 1996"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "n min(3, n + 1)",
        "worst": "n floor(lg((2 phi - 1) n + 0.5) / lg(phi))",  # n (k + 1), k the largest with F_k <= n: 1, 2, 3, 5, 8, ...
        "exactly of Notify": "n",
    }

    elects = Parameter(
        "any", "min, max: collect that extreme before notifying, for n more messages", among=("any", "min", "max")
    )
    first = Parameter("min", "whether the smaller or the larger survives in odd steps", among=("min", "max"))
    adopt = Parameter(True, "false: survive with the own value, compared with the one received: the mirror image")
    check_step = Parameter(True, "false: take messages of any step (correct only where links keep the order)")

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
        self.require(message.step == self.step or not self.check_step)
        if message.value == self.value:
            self.finish()
            return
        survivor, loser = (message.value, self.value) if self.adopt else (self.value, message.value)
        smaller_survives = (self.step % 2 == 1) == (self.first == "min")
        if (survivor < loser) == smaller_survives:
            self.value = survivor
            self.enter_step(self.step + 1)
        else:
            self.mode = "defeated"

    def finish(self):
        if self.elects == "any":
            self.announce(self.id)
        else:
            self.send(NEXT, Collect(self.id))

    @receive(Collect)
    def collect(self, message):
        if self.mode == "candidate":  # the last one, which sent it
            self.announce(message.best)
        else:
            self.send(NEXT, Collect(self.best(message.best, self.id)))

    def best(self, *ids):
        return min(ids) if self.elects == "min" else max(ids)

    def announce(self, leader):
        self.leader = leader
        self.send(NEXT, Notify(leader))

    @receive(Notify)
    def learn(self, message):
        if self.leader is None:
            self.announce(message.leader)
