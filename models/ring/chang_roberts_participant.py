"""Chang and Roberts with a participant flag: the largest identifier wins, and there can be another election later.

A process that has an identifier of its own on the ring is a participant and swallows smaller ones. The slides say no more than
"announce winner"; here the winner's announcement goes round and clears the flag wherever it passes, so that the next
election can begin. Whether passing on a larger identifier makes a participant the slides leave open as well: both are correct,
and where it does not, a process that has passed on the winner may still start an election that it cannot win.

The checker finds that clearing the flag needs links that keep the order: where the identifier of the next election overtakes
the announcement of the last, the winner still is a participant, and swallows it.
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
    listed,
    one_way_ring,
    receive,
)


class Election(Message):
    id: Id


class Leader(Message):
    id: Id


class ChangRobertsParticipant(ElectionProcess):
    source = "Krzyzanowski, Leader Election slides; Chang and Roberts, CACM 22(5), 1979"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "3n - 1",
        "worst": "n(n+1)/2 + n",
        "mean": "n H_n + n",
        "exactly of Leader": "n",
    }

    elects = Parameter("max", "which extreme of the identifiers wins", among=("max", "min"))
    rounds = Parameter(1, "how many announcements a process sees before it starts no more elections", among=(1, 2, 3))

    participant: bool = False
    round: int = 0  # announcements seen

    @initiate
    def start(self):
        self.require(not self.participant and self.round < self.rounds)
        self.participant = True
        self.send(NEXT, Election(self.id))

    @receive(Election)
    def compare(self, message):
        if self.beats(message.id, self.id):
            self.send(NEXT, message)
            self.participant = True
        elif message.id == self.id:
            self.send(NEXT, Leader(self.id))
        elif not self.participant:
            self.send(NEXT, Election(self.id))
            self.participant = True

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        self.participant = False
        self.round += 1
        if message.id != self.id:
            self.send(NEXT, message)


class RelayIsNoParticipant(ChangRobertsParticipant):
    """Passing on a larger identifier makes nobody a participant."""

    complexity = ChangRobertsParticipant.complexity

    @receive(Election)
    def compare(self, message):
        if self.beats(message.id, self.id):
            self.send(NEXT, message)
        else:
            super().compare(message)


@always
def one_leader_wave(view):
    """At most one Leader message is on its way."""
    waves = view.in_transit(Leader)
    return len(waves) <= 1 or because(f"{len(waves)} Leader messages are on their way")


@at_the_end(when=lambda protocol: protocol.network == "fifo" or protocol.rounds > 1)
def every_election_is_over(view):
    """At the end nobody takes part in an election any more."""
    waiting = [p for p in view.processes if p.participant]
    return not waiting or because(f"nothing more can happen, and {listed(waiting)} still waits for an announcement")
