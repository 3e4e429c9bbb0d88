"""Echo with extinction: everyone floods the graph with a wave of its own, and only that of the greatest identifier comes back.

A process joins any wave greater than its own, forgets the one it was in, and drops what comes of smaller ones. When it has heard
from all its neighbours it echoes the wave to where it came from; a process whose own wave has come back from everywhere leads,
and floods the graph with the news. Garg leaves the details as an exercise. Invite, accept and reject alone do not tell the root that
its tree spans the graph; `style=invite_accept_reject` therefore reports the end of each subtree too.
"""

from modelcheck import ElectionProcess, Id, Message, Parameter, Port, any_graph, at_the_end, because, initiate, receive


class Wave(Message):
    id: Id


class Invite(Message):
    id: Id


class Accept(Message):
    id: Id


class Reject(Message):
    id: Id


class Report(Message):
    id: Id


class Leader(Message):
    id: Id


class EchoExtinction(ElectionProcess):
    source = "Garg, section 13.3.1; Chang, IEEE Trans. Software Engineering 8(4), 1982 (echo); Tel, Introduction to Distributed Algorithms, section 7.3.1"
    topology = any_graph
    networks = ("fifo", "bag", "set")
    complexity = {"at least": "4m - n + 1", "at most": "2 n m + 2m - n + 1"}

    style = Parameter(
        "echo", "invite_accept_reject: build spanning trees, whose ends report", among=("echo", "invite_accept_reject")
    )
    wake = Parameter("mixed", "relay: whoever is woken never starts a wave of its own", among=("mixed", "relay"))
    reset = Parameter(True, "false: whoever joins a greater wave keeps counting where it was")

    wave: Id | None = None
    parent: Port | None = None  # where the wave came from, None for its own
    heard: int = 0
    children: int = 0  # these two only with style=invite_accept_reject
    finished: int = 0
    started: bool = False  # only with wake=relay

    @property
    def elects(self):
        return "max" if self.wake == "mixed" else "any"

    @initiate
    def start(self):
        self.require(self.wave is None)
        self.started = self.wake == "relay"
        self.wave = self.id
        self.send_all(Wave(self.id) if self.style == "echo" else Invite(self.id))
        self.test_whether_complete()

    def joins(self, message, port):
        """Whether the process joins the wave that a message belongs to."""
        if self.wave is None and self.id > message.id and self.wake == "mixed":
            self.start()
        if self.wave is not None and message.id <= self.wave:
            return False
        self.wave, self.parent = message.id, port
        if self.reset:
            self.heard = self.children = self.finished = 0
        self.send_all(message, but=port)
        return True

    @receive(Wave)
    def join_or_hear(self, message, port):
        if self.joins(message, port) or message.id == self.wave:
            self.heard += 1
            self.test_whether_complete()

    @receive(Invite)
    def join_or_reject(self, message, port):
        if self.joins(message, port):
            self.reply(Accept(message.id))
            self.heard += 1
            self.test_whether_complete()
        elif message.id == self.wave:
            self.reply(Reject(message.id))

    @receive(Accept, Reject, Report)
    def count(self, message):
        if message.id == self.wave:
            self.heard += not isinstance(message, Report)
            self.children += isinstance(message, Accept)
            self.finished += isinstance(message, Report)
            self.test_whether_complete()

    def test_whether_complete(self):
        if self.heard == len(self.ports) and self.finished == self.children:
            if self.parent is None:
                self.leader = self.id
                self.send_all(Leader(self.id))
            else:
                self.send(self.parent, Wave(self.wave) if self.style == "echo" else Report(self.wave))

    @receive(Leader)
    def learn(self, message, port):
        if self.leader is None:
            self.leader = message.id
            self.send_all(message, but=port)


@at_the_end(when=lambda protocol: protocol.wake == "relay")
def leader_is_the_greatest_starter(view):
    """At the end the leader has the greatest identifier of those that started by themselves."""
    starters = [p.id for p in view.processes if p.started]
    wrong = [p for p in view.processes if starters and p.leader != max(starters)]
    return not wrong or because(f"{wrong[0]} takes {wrong[0].leader} for the leader, and {max(starters)} started")
