"""The bully algorithm, with holes: fill in each line that says HOLE.

`Detecting` keeps in `suspected` whom the failure detector has reported as down; `suspects(port)` asks for one.
"""

from typing import Literal

from modelcheck import Detecting, Id, Message, complete, initiate, receive, recover, step


class Election(Message):
    pass


class Ok(Message):
    pass


class Coordinator(Message):
    id: Id


class MyBully(Detecting):
    topology = complete
    tolerates = ("crashes", "recoveries")
    specs = ("eventual_election",)

    mode: Literal["idle", "electing", "waiting"] = "idle"  # waiting for an Ok, for a Coordinator
    leader: Id | None = None

    def initially(self):
        self.leader = max([self.id, *(self.neighbour(port) for port in self.ports)])
        self.begin_without(self.leader)

    @initiate
    def detect(self):
        self.require(self.mode == "idle" and self.leader in self.suspected)
        self.hold_election()

    @recover
    def come_back(self):
        self.leader = None
        self.hold_election()

    def hold_election(self):
        pass  # HOLE: ask those with greater identifiers, or announce yourself where there are none; set self.mode

    @receive(Election)
    def answer(self, _):
        pass  # HOLE: say Ok, and hold an election of your own

    @receive(Ok)
    def stand_back(self, _):
        pass  # HOLE

    @step
    def time_out(self):
        # HOLE: under which condition is nobody greater up, though asked (self.suspects(port))?
        self.require(False)
        self.announce()

    def announce(self):
        self.leader, self.mode = self.id, "idle"
        self.send_all(Coordinator(self.id))

    @receive(Coordinator)
    def follow(self, message):
        pass  # HOLE: whom do you believe? What if the one that announces itself is smaller than you?

    def higher(self):
        return [port for port in self.ports if self.neighbour(port) > self.id]
