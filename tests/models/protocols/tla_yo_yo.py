"""Yo-Yo as the TLA+ Examples repository models it: whole phases as steps, and mailboxes that everyone can put a message into.

Links point to the greater identifier from the beginning, and nobody announces the leader. A value stays in the mailbox until its
receiver has voted on it.
"""

from typing import Literal, NamedTuple

from modelcheck import Id, Parameter, Process, any_graph, shared, step


class Value(NamedTuple):
    to: Id
    by: Id
    value: Id


class Vote(NamedTuple):
    to: Id
    by: Id
    yes: bool
    prune: bool


class Node(Process):
    topology = any_graph
    knows = ("neighbours",)
    specs = ()

    prune = Parameter(True, "false: YoYoNoPruning")

    active: bool = True
    phase: Literal["down", "up"] = "down"
    incoming: frozenset[Id]
    outgoing: frozenset[Id]
    values: frozenset[Value] = shared(frozenset())
    votes: frozenset[Vote] = shared(frozenset())

    def initially(self):
        neighbours = {self.neighbour(port) for port in self.ports}
        self.incoming = frozenset(other for other in neighbours if other < self.id)
        self.outgoing = frozenset(other for other in neighbours if other > self.id)

    @step
    def down(self):
        self.require(self.active and self.phase == "down" and (self.incoming or self.outgoing))
        least = self.id
        if self.incoming:
            waiting = [v for v in self.values if v.to == self.id]
            self.require({v.by for v in waiting} == self.incoming)
            least = min(v.value for v in waiting)
        self.values |= {Value(other, self.id, least) for other in self.outgoing}
        self.phase = "up"

    @step
    def up(self):
        self.require(self.active and self.phase == "up")
        votes = frozenset(v for v in self.votes if v.to == self.id)
        self.require({v.by for v in votes} == self.outgoing)
        no = frozenset(v.by for v in votes if not v.yes)
        pruned = frozenset(v.by for v in votes if v.prune)
        values = frozenset(v for v in self.values if v.to == self.id and v.by in self.incoming)
        alone = self.prune and not self.outgoing and len(self.incoming) == 1
        kept = set()
        for value in sorted({v.value for v in values}):
            senders = sorted(v.by for v in values if v.value == value)
            kept |= {self.choose(senders)} if self.prune else set(senders)
        yes = {v.by for v in values if not no and v.value == min(v.value for v in values)}
        answers = {Vote(v.by, self.id, v.by in yes, v.by not in kept or alone) for v in values}
        stay = {v.to for v in answers if not v.prune}
        self.values -= values
        self.votes = (self.votes - votes) | answers
        self.incoming = (no - pruned) | (stay & yes)
        self.outgoing = (self.outgoing - no - pruned) | (stay - yes)
        self.active = not alone
        self.phase = "down"
