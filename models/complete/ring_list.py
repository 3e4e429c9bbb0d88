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

from modelcheck import Down, Id, Message, Parameter, Process, Up, complete, initiate, receive, recover, stable


class Election(Message):
    members: tuple[Id, ...]


class Leader(Message):
    id: Id
    origin: Id


class RingList(Process):
    source = "Krzyzanowski, Ring election algorithm; Tanenbaum and van Steen, Distributed Systems, section 6.5"
    topology = complete
    networks = ("fifo",)
    knows = ("neighbours",)
    tolerates = ("crashes",)
    specs = ("eventual_election",)
    complexity = {
        "exactly": "(n - 1)(2n - 3) min(1, n - 2)",
        "one detector, only n > 2 down, exactly": "2(n - 1) - 1",
        "one detector, only n > 2 down, announce=circulate, exactly": "2(n - 1)",
    }

    leader_down = Parameter(True, "whether the process with the greatest identifier is down when the run begins")
    announce = Parameter(
        "multicast",
        "circulate: the announcement goes round as the list did, for ever if who sent it has crashed",
        among=("multicast", "circulate"),
    )
    skip = Parameter(True, "false: do not pass over a successor that is down; what is sent to it is lost")
    takeover = Parameter(
        "announce",
        "what a process does with a list that it is on and did not begin; grow: it adds itself again, as on the slides",
        among=("announce", "drop", "pass_on", "grow"),
    )
    retry = Parameter(True, "false: a list that was lost in a crash is not sent anew")
    detect_again = Parameter(True, "false: each process notices only once that its leader is down")

    mode: Literal["idle", "electing"] = "idle"
    leader: Id | None = None
    detected: bool = False  # only used where nobody detects again
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
        if self.retry and self.mode == "electing":
            self.hold_election()

    @receive(Up)
    def note_recovery(self, _, port):
        self.down -= {self.neighbour(port)}

    @initiate
    def detect(self):
        self.require(self.mode == "idle" and self.leader in self.down and not self.detected)
        self.detected = not self.detect_again
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
        members = message.members
        if self.id == members[0] or (self.id in members and self.takeover == "announce"):
            self.tell(members)
        elif self.id not in members or self.takeover == "grow":
            self.pass_on_list((*members, self.id))
        elif self.takeover == "pass_on":
            self.pass_on_list(members)

    def pass_on_list(self, members):
        port = self.successor()
        if port is None:
            self.tell(members)
        else:
            self.send(port, Election(members))

    # announcing

    def tell(self, members):
        self.leader, self.mode = max(members), "idle"
        if self.announce == "multicast":
            for member in members:
                if member != self.id:
                    self.send(self.port_to(member), Leader(self.leader, self.id))
        elif self.successor() is not None:
            self.send(self.successor(), Leader(self.leader, self.id))

    @receive(Leader)
    def follow(self, message):
        if message.origin != self.id:
            self.leader, self.mode = message.id, "idle"
            if self.announce == "circulate":
                self.send(self.successor(), message)

    # knowing

    def successor(self):
        clockwise = sorted(self.ports, key=lambda port: (self.neighbour(port) < self.id, self.neighbour(port)))
        ahead = (port for port in clockwise if not self.skip or self.neighbour(port) not in self.down)
        return next(ahead, None)
