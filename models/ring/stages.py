"""Stages (Franklin 1982): on a two-way ring candidates compare with both neighbouring candidates, stage by stage.

A candidate survives a stage if it is smaller than the nearest candidates on both sides, so at least every second one drops
out; the defeated only pass messages on. A candidate that has heard from one side closes that port until the other side has
spoken, so that it never takes two messages from the same side for both sides. No sense of direction is needed.

Where messages overtake each other, or ports stay open, candidates may take messages of different stages for each other's. The
checker finds nothing wrong with that, only more messages; waiting for the right stage (queue) saves them.
"""

from typing import Literal

from modelcheck import (
    NEXT,
    ElectionProcess,
    Id,
    Message,
    Parameter,
    Port,
    always,
    because,
    initiate,
    receive,
    two_way_ring,
)


class Election(Message):
    id: Id
    stage: int


class Notify(Message):
    id: Id


class Stages(ElectionProcess):
    source = "Franklin, CACM 25(5), 1982; Santoro, slides of chapter 3"
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "min(5n, 3n^2)",
        "worst": "2n (floor(lg n) + 1) + n",
        "best of Election": "min(4n, 2n^2)",
        "worst of Election": "2n (floor(lg n) + 1)",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))
    wake = Parameter(
        "join", "mixed: whoever is woken by an identifier that beats its own is defeated", among=("join", "mixed")
    )
    early = Parameter(False, "true: lead on the first own identifier that comes back, and notify both ways")
    close_ports = Parameter(True, "false: do not close the port of the first message of a stage")
    queue = Parameter(False, "true: a candidate leaves messages of later stages waiting (for a network that reorders)")

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    stage: int = 0
    first: Id | None = None  # what was received first in this stage
    closed: Port | None = None  # where from

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.enter_stage(1)

    def enter_stage(self, stage):
        self.mode, self.stage = "candidate", stage
        self.first = self.closed = None
        self.send_all(Election(self.id, stage))

    @receive(Election)
    def compete(self, message, port):
        if self.status != "undecided":
            return
        if self.mode == "asleep":
            if self.wake == "mixed" and self.best(message.id, self.id) != self.id:
                self.mode = "defeated"
            else:
                self.enter_stage(1)
        if self.mode == "defeated":
            self.send(self.other(port), message)
            return
        self.require(port != self.closed or not self.close_ports)
        self.require(message.stage <= self.stage or not self.queue)
        if message.id == self.id and self.early:
            self.lead()
        elif self.first is None:
            self.first, self.closed = message.id, port
        elif message.id == self.first == self.id:
            self.lead()
        elif self.best(self.first, message.id, self.id) == self.id:
            self.enter_stage(self.stage + 1)
        else:
            self.mode = "defeated"
            self.first = self.closed = None

    def best(self, *ids):
        return min(ids) if self.elects == "min" else max(ids)

    def lead(self):
        self.status, self.leader = "leader", self.id
        if self.early:
            self.send_all(Notify(self.id))
        else:
            self.send(NEXT, Notify(self.id))

    @receive(Notify)
    def learn(self, message, port):
        if self.status == "undecided":
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


@always(when=lambda protocol: protocol.network == "fifo")
def the_decided_are_left_alone(view):
    """No Election is on its way to a process that has decided."""
    late = [p for p in view.processes if p.status != "undecided" and p.has_waiting(Election)]
    return not late or because(f"an Election is on its way to {late[0]}, a {late[0].status}")
