"""Echo with extinction: everyone floods the graph with a wave of its own, and only that of the greatest identifier comes back.

A process joins any wave greater than its own, forgets the one it was in, and drops what comes of smaller ones. When it has heard
from all its neighbours it echoes the wave to where it came from; a process whose own wave has come back from everywhere leads,
and floods the graph with the news. Garg leaves the details as an exercise. Invite, accept and reject alone do not tell the root that
its tree spans the graph; `InviteAcceptReject` therefore reports the end of each subtree too.
"""

from modelcheck import ElectionProcess, Id, Message, Port, any_graph, at_the_end, because, initiate, receive


class Wave(Message):
    id: Id


class Leader(Message):
    id: Id


class EchoExtinction(ElectionProcess):
    source = "Garg, section 13.3.1; Chang, IEEE Trans. Software Engineering 8(4), 1982 (echo); Tel, Introduction to Distributed Algorithms, section 7.3.1"
    topology = any_graph
    networks = ("fifo", "bag", "set")
    complexity = {"at least": "4m - n + 1", "at most": "2 n m + 2m - n + 1"}

    wave: Id | None = None
    parent: Port | None = None  # where the wave came from, None for its own
    heard: int = 0

    @initiate
    def start(self):
        self.require(self.wave is None)
        self.wave = self.id
        self.send_all(self.call())
        self.test_whether_complete()

    def call(self):
        return Wave(self.id)

    def joins(self, message, port):
        """Whether the process joins the wave that a message belongs to."""
        if self.wave is None:
            self.wake_up_to(message)
        if self.wave is not None and message.id <= self.wave:
            return False
        self.wave, self.parent = message.id, port
        self.begin_to_count()
        self.send_all(message, but=port)
        return True

    def wake_up_to(self, message):
        if self.id > message.id:
            self.start()

    def begin_to_count(self):
        self.heard = 0

    @receive(Wave)
    def join_or_hear(self, message, port):
        if self.joins(message, port) or message.id == self.wave:
            self.heard += 1
            self.test_whether_complete()

    def test_whether_complete(self):
        if self.is_complete():
            if self.parent is None:
                self.leader = self.id
                self.send_all(Leader(self.id))
            else:
                self.send(self.parent, self.echo())

    def is_complete(self):
        return self.heard == len(self.ports)

    def echo(self):
        return Wave(self.wave)

    @receive(Leader)
    def learn(self, message, port):
        if self.leader is None:
            self.leader = message.id
            self.send_all(message, but=port)


class NeverResets(EchoExtinction):
    """Whoever joins a greater wave keeps counting where it was."""

    def begin_to_count(self):
        pass


class Relay(EchoExtinction):
    """Whoever is woken never starts a wave of its own: the greatest of those that start by themselves leads."""

    elects = "any"

    started: bool = False

    @initiate
    def start(self):
        super().start()
        self.started = True

    def wake_up_to(self, message):
        pass


class Invite(Message):
    id: Id


class Accept(Message):
    id: Id


class Reject(Message):
    id: Id


class Report(Message):
    id: Id


class InviteAcceptReject(EchoExtinction):
    """Waves build spanning trees, the ends of whose subtrees report to the root."""

    children: int = 0
    finished: int = 0

    def call(self):
        return Invite(self.id)

    def begin_to_count(self):
        self.heard = self.children = self.finished = 0

    @receive(Invite)
    def join_or_hear(self, message, port):
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

    def is_complete(self):
        return super().is_complete() and self.finished == self.children

    def echo(self):
        return Report(self.wave)


class RelayInviteAcceptReject(Relay, InviteAcceptReject):
    """Spanning trees, and whoever is woken never starts a wave of its own."""


@at_the_end(when=lambda protocol: protocol.elects == "any")
def leader_is_the_greatest_starter(view):
    """At the end the leader has the greatest identifier of those that started by themselves."""
    starters = [p.id for p in view.processes if p.started]
    wrong = [p for p in view.processes if starters and p.leader != max(starters)]
    return not wrong or because(f"{wrong[0]} takes {wrong[0].leader} for the leader, and {max(starters)} started")
