"""Chang and Roberts 1979: on a one-way ring the largest identifier wins.

Every process may start by sending its identifier on. A larger identifier is passed on, a smaller one is swallowed; a
process that gets its own identifier back knows that it is the largest and tells everyone.

Only the order of the identifiers along the direction of sending matters: messages are fewest where they increase, and most
where they decrease. (Garg's figure sends to the left and his program to the right, so that best and worst change places.)
"""

from modelcheck import (
    NEXT,
    ElectionProcess,
    Id,
    Message,
    Parameter,
    always,
    at_the_end,
    because,
    initiate,
    one_way_ring,
    receive,
)


class Election(Message):
    id: Id


class Leader(Message):
    id: Id


class ChangRoberts(ElectionProcess):
    source = "Chang and Roberts, CACM 22(5), 1979; Garg, Figure 13.1, with a guarded start"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    complexity = {"best": "3n - 1", "worst": "n(n+1)/2 + n", "mean": "n H_n + n", "exactly of Leader": "n"}
    elects = Parameter("max", "which extreme of the identifiers wins", among=("max", "min"))

    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.send(NEXT, Election(self.id))
        self.awake = True

    @receive(Election)
    def compare(self, message):
        if self.beats(message.id, self.id):
            self.send(NEXT, message)
        elif message.id == self.id:
            self.send(NEXT, Leader(self.id))
        elif not self.awake:
            self.send(NEXT, Election(self.id))
        self.awake = True

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if message.id != self.id:
            self.send(NEXT, message)


class WokenStands(ChangRoberts):
    """Whoever is woken stands for election, even if what woke it beats it: no schedule changes the number of messages."""

    complexity = ChangRoberts.complexity

    @receive(Election)
    def compare(self, message):
        if not self.awake:
            self.send(NEXT, Election(self.id))
            self.awake = True
        super().compare(message)


class StartUnguarded(ChangRoberts):
    """A process that is awake may initiate too, once each, as the figure is printed."""

    source = "Garg, Figure 13.1"

    initiated: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.initiated)
        self.send(NEXT, Election(self.id))
        self.awake = self.initiated = True


class RelayStaysAsleep(ChangRoberts):
    """Passing on an identifier wakes nobody, as in Garg's program; the start is guarded as in the protocol."""

    complexity = ChangRoberts.complexity

    @receive(Election)
    def compare(self, message):
        if self.beats(message.id, self.id):
            self.send(NEXT, message)
        else:
            super().compare(message)


class LeaderAt(Message):
    index: int


class JavaAsPrinted(RelayStaysAsleep):
    """Garg's program: passing on wakes nobody, the start is not guarded, and what is announced is the leader's index."""

    source = "Garg, section 13.5.1, class RingLeader"
    knows = ("position",)

    initiated: bool = False
    leader_at: int | None = None

    @initiate
    def wake_up(self):
        self.require(not self.initiated)
        self.send(NEXT, Election(self.id))
        self.awake = self.initiated = True

    @receive(Election)
    def compare(self, message):
        if message.id == self.id:
            self.send(NEXT, LeaderAt(self.position))
        else:
            super().compare(message)

    @receive(LeaderAt)
    def learn(self, message):
        self.leader_at = message.index
        self.status = "leader" if message.index == self.position else "follower"
        if message.index != self.position:
            self.send(NEXT, message)


class Number(Message):
    number: int


class JavaWithNumbers(JavaAsPrinted):
    """The same program, where numbers are integers, so that an index can be taken for a number."""

    source = "Garg, section 13.5.1, class RingLeader, lines 21 and 24"
    knows = ("position", "integers")

    @initiate
    def wake_up(self):
        self.require(not self.initiated)
        self.send(NEXT, Number(self.id))
        self.awake = self.initiated = True

    @receive(Number)
    def compare(self, message):
        if message.number == self.id:
            self.send(NEXT, LeaderAt(self.position))
        elif message.number > self.id:
            self.send(NEXT, message)
        elif not self.awake:
            self.send(NEXT, Number(self.id))
            self.awake = True


@at_the_end(when=lambda protocol: "integers" in protocol.knows)
def whoever_asks_is_told_the_leaders_number(view):
    """At the end what getLeader returns is the number of the leader."""
    leader = max(p.id for p in view.processes)
    wrong = [p for p in view.processes if p.leader_at != leader]
    return not wrong or because(
        f"{wrong[0]} is told {wrong[0].leader_at}, which is its index, and the leader's number is {leader}"
    )


@always
def one_leader_wave(view):
    """At most one Leader message is on its way, to a process that does not know the leader yet."""
    waves = view.in_transit(Leader, LeaderAt)
    if len(waves) > 1:
        return because(f"{len(waves)} Leader messages are on their way")
    return all(w.target.leader is None and w.target.status == "undecided" for w in waves) or because(
        f"{waves[0].message} reaches {waves[0].target}, which knows"
    )
