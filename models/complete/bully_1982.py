"""Garcia-Molina's Bully Algorithm (1982), as published: ask all above, halt all below, make oneself known, get them ready.

Whoever misses its coordinator asks the nodes of higher priority whether they are there, and leaves it to them if one is. Otherwise
it halts those below it; each remembers who halted it last and accepts only that one as the coordinator. Then all are told who
coordinates, and, after a pause to reorganize, that they may go on. If one of them fails meanwhile it all begins anew.

A call returns, or its time-out fires, which here is the failure detector's word that the other is down; so Stoller puts it. Calls
go to all at once, not one after the other; Ready brings no task; and a coordinator does not ask from time to time whether all
are normal, but takes it for a no if one of its group asks whether it is there.

The paper's first assertion holds: two nodes that are not in an election have the same coordinator. The checker finds what the
asking is for: the Halt of a node that has failed may come behind that of its successor, and without the check its victim waits
for ever. Nodes that recover are left out: what was sent before a crash would have to be told from what is sent after it.
"""

from typing import Literal

from modelcheck import Down, Id, Message, Port, Process, always, at_the_end, because, complete, listed, receive, step

Call = Literal["AreYouThere", "Halt", "NewCoordinator", "Ready"]


class AreYouThere(Message):
    pass


class Halt(Message):
    pass


class NewCoordinator(Message):
    pass


class Ready(Message):
    pass


class Return(Message):
    call: Call


class Bully1982(Process):
    source = (
        "Garcia-Molina, Elections in a distributed computing system, IEEE Trans. Computers C-31(1), 1982, appendix 1"
    )
    topology = complete
    networks = ("fifo",)
    knows = ("neighbours",)
    tolerates = ("crashes",)

    state: Literal["election", "reorganization", "normal"] = "election"
    coordinator: Id | None = None
    halted: Id | None = None  # by whom last, or who was there when it asked
    up: frozenset[Port] = frozenset()  # those that it has halted
    calling: Call | None = None
    awaited: frozenset[Port] = frozenset()
    down: frozenset[Port] = frozenset()

    # becoming the coordinator

    @step
    def time_out(self):
        self.require(self.calling is None and (self.halted is None or self.is_down(self.halted)))
        self.election()

    @step
    def check(self):
        self.require(self.halted == self.coordinator == self.id and self.state == "normal")
        self.require(self.up | self.down != frozenset(self.ports))
        self.election()

    def election(self):
        self.call("AreYouThere", AreYouThere(), [port for port in self.ports if self.neighbour(port) > self.id])

    def call(self, name, message, ports):
        self.calling, self.awaited = name, frozenset(port for port in ports if port not in self.down)
        for port in self.awaited:
            self.send(port, message)
        if not self.awaited:
            self.go_on()

    def go_on(self):
        if self.calling == "AreYouThere":
            self.state, self.halted, self.up = "election", self.id, frozenset()
            self.call("Halt", Halt(), [port for port in self.ports if self.neighbour(port) < self.id])
        elif self.calling == "Halt":
            self.coordinator, self.state = self.id, "reorganization"
            self.call("NewCoordinator", NewCoordinator(), self.up)
        elif self.calling == "NewCoordinator":
            self.call("Ready", Ready(), self.up)
        else:
            self.state, self.calling = "normal", None

    @receive(Return)
    def hear(self, message, port):
        if message.call != self.calling or port not in self.awaited:
            return
        if self.calling == "AreYouThere":
            self.stop(self.neighbour(port))
            return
        if self.calling == "Halt":
            self.up |= {port}
        self.awaited -= {port}
        if not self.awaited:
            self.go_on()

    @receive(Down)
    def miss(self, _, port):
        self.down |= {port}
        self.up -= {port}
        if port in self.awaited:
            self.awaited -= {port}
            if self.calling in ("NewCoordinator", "Ready"):
                self.election()
            elif not self.awaited:
                self.go_on()

    # being called

    @receive(AreYouThere)
    def answer(self, _, port):
        self.up -= {port}
        self.reply(Return("AreYouThere"))

    @receive(Halt)
    def halt(self, _, port):
        self.state = "election"
        self.stop(self.neighbour(port))
        self.reply(Return("Halt"))

    def stop(self, whom):
        self.halted, self.calling, self.awaited = whom, None, frozenset()

    @receive(NewCoordinator)
    def accept(self, _, port):
        if self.state == "election" and self.halted == self.neighbour(port):
            self.coordinator, self.state = self.halted, "reorganization"
        self.reply(Return("NewCoordinator"))

    @receive(Ready)
    def get_ready(self, _, port):
        if self.state == "reorganization" and self.coordinator == self.neighbour(port):
            self.state = "normal"
        self.reply(Return("Ready"))

    def is_down(self, id):
        return any(self.neighbour(port) == id for port in self.down)


@always
def one_coordinator(view):
    """Two nodes that are not in an election have the same coordinator."""
    settled = [p for p in view.alive if p.state != "election"]
    for p in settled:
        if p.coordinator != settled[0].coordinator:
            return because(
                f"{settled[0]} has {settled[0].coordinator} for its coordinator, and {p} has {p.coordinator}"
            )
    return True


@at_the_end
def all_are_normal(view):
    """At the end the highest node that is up is the coordinator, and everyone that is up has it for one and is normal."""
    best = max((p.id for p in view.alive), default=None)
    stray = [p for p in view.alive if p.state != "normal" or p.coordinator != best]
    return not stray or because(f"{listed(stray)}: {stray[0].state}, with {stray[0].coordinator} for the coordinator")


class NeverChecks(Bully1982):
    """A coordinator does not check whether all of its group are normal."""

    @step
    def check(self):
        self.require(False)
