"""Chang and Roberts among initiators: the largest identifier of those that start wins, the others only pass messages on.

"Elect minimum initiator" is the name of this strategy in Santoro's slides. Whoever receives a message before it has started
never stands for election, so the strongest process may sleep through the election; who wins depends on who starts in time.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, always, because, initiate, one_way_ring, receive


class Election(Message):
    id: Id


class Leader(Message):
    id: Id


class ChangRobertsInitiators(ElectionProcess):
    source = "Chang and Roberts, CACM 22(5), 1979; Santoro, slides of chapter 3, 'elect minimum initiator'"
    topology = one_way_ring
    networks = ("fifo", "bag", "set")
    elects = "any"  # the_best_that_started_leads says which
    complexity = {"best": "3n - 1", "worst": "n(n+1)/2 + n", "mean": "n H_n + n"}

    extremum = Parameter("max", "which extreme of the identifiers of those that start wins", among=("max", "min"))

    role: Literal["asleep", "candidate", "relay"] = "asleep"

    @initiate
    def start(self):
        self.require(self.role == "asleep")
        self.role = "candidate"
        self.send(NEXT, Election(self.id))

    @receive(Election)
    def compare(self, message):
        if self.role == "asleep":
            self.role = "relay"
        if self.role == "relay" or self.is_better(message.id):
            self.send(NEXT, message)
        elif message.id == self.id:
            self.send(NEXT, Leader(self.id))

    def is_better(self, id):
        return id > self.id if self.extremum == "max" else id < self.id

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if message.id != self.id:
            self.send(NEXT, message)


@always
def the_best_that_started_leads(view):
    """Whoever is named as the leader is the best of those that started."""
    best = max if view.protocol.extremum == "max" else min
    named = [p for p in view.processes if p.leader is not None]
    candidates = [p.id for p in view.processes if p.role == "candidate"]
    return all(p.leader == best(candidates) for p in named) or because(
        f"{named[0]} takes {named[0].leader} for the leader, and {best(candidates)} started too"
    )
