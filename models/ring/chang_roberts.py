"""Chang and Roberts 1979: on a one-way ring the largest identifier wins.

Every process may start by sending its identifier on. A larger identifier is passed on, a smaller one is swallowed; a
process that gets its own identifier back knows that it is the largest and tells everyone.

Only the order of the identifiers along the direction of sending matters: messages are fewest where they increase, and most
where they decrease. (Garg's figure sends to the left and his program to the right, so that best and worst change places.)
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, always, because, initiate, one_way_ring, receive


class Election(Message):
    id: Id


class Leader(Message):
    id: Id


class ChangRoberts(ElectionProcess):
    source = "Chang and Roberts, CACM 22(5), 1979; Garg, Figure 13.1 and section 13.5.1"
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
    wake = Parameter(
        "mixed", "join: whoever is woken stands for election, even if what woke it beats it", among=("mixed", "join")
    )
    guard_start = Parameter(
        True, "false: a process that is awake may initiate too, once each, as Figure 13.1 is printed"
    )
    variant = Parameter(
        "figure", "java: Garg's program, in which passing on an identifier wakes nobody", among=("figure", "java")
    )

    awake: bool = False
    initiated: bool = False  # only used where the start is not guarded

    @initiate
    def wake_up(self):
        self.require(not self.awake if self.guard_start else not self.initiated)
        self.send(NEXT, Election(self.id))
        self.awake = True
        self.initiated = not self.guard_start

    @receive(Election)
    def compare(self, message):
        if not self.awake and (self.wake == "join" or self.beats(self.id, message.id)):
            self.send(NEXT, Election(self.id))
            self.awake = True
        if self.beats(message.id, self.id):
            self.send(NEXT, message)
            self.awake = self.awake or self.variant == "figure"
        elif message.id == self.id:
            self.send(NEXT, Leader(self.id))

    def beats(self, one, other):
        return one > other if self.elects == "max" else one < other

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if message.id != self.id:
            self.send(NEXT, message)


@always
def one_leader_wave(view):
    """At most one Leader message is on its way, to a process that does not know the leader yet."""
    waves = view.in_transit(Leader)
    if len(waves) > 1:
        return because(f"{len(waves)} Leader messages are on their way")
    return all(w.target.leader is None for w in waves) or because(
        f"{waves[0].message} reaches {waves[0].target}, which knows"
    )
