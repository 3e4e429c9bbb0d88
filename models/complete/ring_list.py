"""Ring election with a list (Tanenbaum): a message goes round and collects who is alive; the greatest of them leads.

Everyone can reach everyone, and the processes form a ring in the order of their identifiers. Whoever notices that the
leader is down sends a list with its own identifier to its successor; everyone adds its own, and passes over those that
are down. When the list comes back to the first on it, that one tells all on it who is the greatest.

The slides leave open what becomes of a list whose first process has crashed (it goes round for ever), and of one that
is sent to a process that crashed (it is lost). Here whoever finds itself on a list that another began takes over, and
whoever waits for its list sends a new one when it is told of a crash. With these two rules, and as long as everyone
keeps looking after its leader, the checker finds no fault with crashes; with recoveries it does, for a list can miss
them.
"""

from typing import Literal

from modelcheck import Detecting, Down, Id, Message, complete, initiate, receive, recover


class Election(Message):
    members: tuple[Id, ...]


class Leader(Message):
    id: Id
    origin: Id


class RingList(Detecting):
    source = "Krzyzanowski, Ring election algorithm; Tanenbaum and van Steen, Distributed Systems, section 6.5"
    topology = complete
    networks = ("fifo",)
    tolerates = ("crashes",)
    specs = ("eventual_election",)
    complexity = {
        "exactly": "(n - 1)(2n - 3) min(1, n - 2)",
        "one detector, only n > 2 down, exactly": "2(n - 1) - 1",
    }

    mode: Literal["idle", "electing"] = "idle"
    leader: Id | None = None

    def initially(self):
        self.leader = self.greatest()
        self.begin_without(self.leader)

    # noticing

    @receive(Down)
    def note_crash(self, message, port):
        super().note_crash(message, port)
        if self.mode == "electing":
            self.hold_election()

    @initiate
    def detect(self):
        self.require(self.mode == "idle" and self.leader in self.suspected)
        self.hold_election()

    @recover
    def come_back(self):
        self.leader = None
        self.hold_election()

    # electing

    def hold_election(self):
        self.mode = "electing"
        self.pass_on_list((self.id,))

    @receive(Election)
    def add(self, message):
        if self.id in message.members:
            self.tell(message.members)
        else:
            self.pass_on_list((*message.members, self.id))

    def pass_on_list(self, members):
        port = self.successor()
        if port is None:
            self.tell(members)
        else:
            self.send(port, Election(members))

    # announcing

    def tell(self, members):
        self.leader, self.mode = max(members), "idle"
        for member in members:
            if member != self.id:
                self.send(self.port_to(member), Leader(self.leader, self.id))

    @receive(Leader)
    def follow(self, message):
        if message.origin != self.id:
            self.leader, self.mode = message.id, "idle"

    # knowing

    def greatest(self):
        return max([self.id, *(self.neighbour(port) for port in self.ports)])

    def successor(self):
        return next((port for port in self.clockwise() if not self.suspects(port)), None)

    def clockwise(self):
        return sorted(self.ports, key=lambda port: (self.neighbour(port) < self.id, self.neighbour(port)))


class LeaderUp(RingList):
    """The greatest is up when the run begins."""

    def initially(self):
        self.leader = self.greatest()


class Circulates(RingList):
    """The announcement goes round as the list did, for ever if who sent it has crashed."""

    complexity = {"one detector, only n > 2 down, exactly": "2(n - 1)"}

    def tell(self, members):
        self.leader, self.mode = max(members), "idle"
        if self.successor() is not None:
            self.send(self.successor(), Leader(self.leader, self.id))

    @receive(Leader)
    def follow(self, message):
        super().follow(message)
        if message.origin != self.id:
            self.send(self.successor(), message)


class SkipsNobody(RingList):
    """A successor that is down is not passed over; what is sent to it is lost."""

    def successor(self):
        return next(iter(self.clockwise()), None)


class Grows(RingList):
    """Whoever finds itself on a list that another began adds itself again, as on the slides."""

    @receive(Election)
    def add(self, message):
        if self.id == message.members[0]:
            self.tell(message.members)
        else:
            self.pass_on_list((*message.members, self.id))


class PassesOn(RingList):
    """Whoever finds itself on a list that another began passes it on as it is."""

    @receive(Election)
    def add(self, message):
        if self.id in message.members[1:]:
            self.pass_on_list(message.members)
        else:
            super().add(message)


class Drops(RingList):
    """Whoever finds itself on a list that another began drops it."""

    @receive(Election)
    def add(self, message):
        if self.id not in message.members[1:]:
            super().add(message)


class NeverRetries(RingList):
    """A list that was lost in a crash is not sent anew."""

    @receive(Down)
    def note_crash(self, message, port):
        self.suspected |= {self.neighbour(port)}


class DetectsOnce(RingList):
    """Each process notices only once that its leader is down."""

    detected: bool = False

    @initiate
    def detect(self):
        self.require(not self.detected)
        self.detected = True
        super().detect()
