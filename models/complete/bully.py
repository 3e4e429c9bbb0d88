"""Bully (Garcia-Molina 1982): when the leader is down, the greatest process that is alive takes over.

Who notices that the leader is down asks all processes with greater identifiers. If none of them is up it announces
itself; if one answers, that one takes over in the same way. A process that recovers holds an election at once.

A time-out is what the failure detector reports: a process stops waiting for those it has been told are down. Under the
perfect detector no time-out is wrong; `timeout=any` lets each fire at any moment, as in an asynchronous system.

The slides believe every Coordinator, and a late one can depose a leader that has just recovered. Epoch numbers are the usual
remedy; the checker finds that two rules without them are enough for three processes, one crash and one recovery: answer a
smaller Coordinator with an election, and ignore one that is smaller than a leader known to be up.
"""

from typing import Literal

from modelcheck import (
    Down,
    Id,
    Message,
    Parameter,
    Process,
    Up,
    complete,
    initiate,
    receive,
    recover,
    stable,
    step,
)


class Election(Message):
    pass


class Ok(Message):
    pass


class Coordinator(Message):
    id: Id


class Notice(Message):
    pass


class Bully(Process):
    source = "Garcia-Molina, IEEE Trans. Computers 31(1), 1982; Krzyzanowski, Bully algorithm"
    topology = complete
    networks = ("fifo",)
    knows = ("neighbours",)
    tolerates = ("crashes", "recoveries")
    specs = ("eventual_election",)
    complexity = {
        "best": "n(n-1)",
        "best of Election": "n(n-1)/2",
        "best of Ok": "(n-1)(n-2)/2",
        "best of Coordinator": "n-1",
        "one detector i, only n down, at least": "(n-i)^2 + (n-1)",
        "one detector n-1, only n down, exactly": "n",
    }

    leader_down = Parameter(True, "whether the process with the greatest identifier is down when the run begins")
    timeout = Parameter("detector", "any: a time-out may fire whenever its process waits", among=("detector", "any"))
    second_timeout = Parameter(
        True, "false: who got an Ok waits for the Coordinator without a time-out, as on the slides"
    )
    bully_back = Parameter(True, "false: believe a Coordinator smaller than oneself, as on the slides")
    ignore_stale = Parameter(True, "false: believe a Coordinator smaller than a leader that is up, as on the slides")
    inform_lower = Parameter(False, "true: whoever holds an election lets those smaller than itself know")

    mode: Literal["idle", "electing", "waiting"] = "idle"  # waiting for an Ok, for a Coordinator
    leader: Id | None = None
    down: frozenset[Id] = stable(frozenset())  # what the detector has reported

    def initially(self):
        greatest = max([self.id, *(self.neighbour(port) for port in self.ports)])
        self.leader = greatest
        if self.leader_down:
            if self.id == greatest:
                self.start_crashed()
            else:
                self.down = frozenset({greatest})

    # noticing

    @receive(Down)
    def note_crash(self, _, port):
        self.down |= {self.neighbour(port)}

    @receive(Up)
    def note_recovery(self, _, port):
        self.down -= {self.neighbour(port)}

    @initiate
    def detect(self):
        self.require(self.mode == "idle" and self.leader in self.down)
        self.hold_election()

    @recover
    def come_back(self):
        self.leader = None
        self.hold_election()

    # electing

    def hold_election(self):
        higher = self.higher()
        if not higher:
            self.announce()
            return
        for port in higher:
            self.send(port, Election())
        self.mode = "electing"
        if self.inform_lower:
            for port in self.ports:
                if port not in higher:
                    self.send(port, Notice())

    @receive(Notice)
    def take_notice(self, _):
        pass

    @receive(Election)
    def answer(self, _):
        self.reply(Ok())
        if self.mode == "idle":
            self.hold_election()

    @receive(Ok)
    def stand_back(self, _):
        if self.mode == "electing":
            self.mode = "waiting"

    @step
    def time_out(self):
        self.require(self.mode == "electing" and self.nobody_higher_is_up())
        self.announce()

    @step
    def try_again(self):
        self.require(self.mode == "waiting" and self.second_timeout and self.nobody_higher_is_up())
        self.hold_election()

    # announcing

    def announce(self):
        self.leader, self.mode = self.id, "idle"
        self.send_all(Coordinator(self.id))

    @receive(Coordinator)
    def follow(self, message):
        self.down -= {message.id}
        if self.bully_back and message.id < self.id:
            if self.mode == "idle":
                self.hold_election()
        elif not (self.ignore_stale and self.has_better_leader(message.id)):
            self.leader, self.mode = message.id, "idle"

    # knowing

    def higher(self):
        return [port for port in self.ports if self.neighbour(port) > self.id]

    def nobody_higher_is_up(self):
        return self.timeout == "any" or all(self.neighbour(port) in self.down for port in self.higher())

    def has_better_leader(self, id):
        return self.leader is not None and self.leader > id and self.leader not in self.down
