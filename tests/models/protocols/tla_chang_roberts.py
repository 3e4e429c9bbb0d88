"""Chang and Roberts as the TLA+ Examples repository models it: the least initiator wins, the others only pass on.

One step for the start of each node, an initiator or not, and one for each message; channels are sets; who initiates is part
of the initial state.
"""

from typing import Literal

from modelcheck import NEXT, Id, Message, Process, one_way_ring, receive, step


class Candidate(Message):
    id: Id


class Node(Process):
    topology = one_way_ring
    networks = ("set",)

    initiator: bool
    state: Literal["candidate", "lost", "elected"]
    started: bool = False

    def initially(self):
        self.initiator = self.choose((True, False))
        self.state = "candidate" if self.initiator else "lost"

    @step
    def start(self):
        self.require(not self.started)
        self.started = True
        if self.initiator:
            self.send(NEXT, Candidate(self.id))

    @receive(Candidate)
    def compare(self, message):
        self.require(self.started)
        if self.state == "lost" or message.id < self.id:
            self.state = "lost"
            self.send(NEXT, message)
        elif message.id == self.id:
            self.state = "elected"
