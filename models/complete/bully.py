"""Bully, as lectures have it (after Garcia-Molina 1982): when the leader is down, the greatest process alive takes over.

Who notices that the leader is down asks all processes with greater identifiers. If none of them is up it announces
itself; if one answers, that one takes over in the same way. A process that recovers holds an election at once.

A time-out is what the failure detector reports, as in Stoller's rewriting: a process waits for nobody it has been told is down.
Under the perfect detector no time-out is wrong; in `TimesOutAnyTime` each may fire at any moment, as in an asynchronous system.

The slides believe every Coordinator, and a late one can depose a leader that has just recovered; in the paper whoever announces
itself has halted all smaller ones (`bully_1982`). Epoch numbers are another remedy; the checker finds that two rules do for three
processes, one crash and one recovery: elect on a smaller Coordinator, and ignore one smaller than a leader known to be up.
"""

from typing import Literal

from modelcheck import Detecting, Id, Message, complete, initiate, receive, recover, step


class Election(Message):
    pass


class Ok(Message):
    pass


class Coordinator(Message):
    id: Id


class Bully(Detecting):
    source = "Krzyzanowski, Bully algorithm; after Garcia-Molina, IEEE Trans. Computers C-31(1), 1982"
    topology = complete
    networks = ("fifo",)
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

    mode: Literal["idle", "electing", "waiting"] = "idle"  # waiting for an Ok, for a Coordinator
    leader: Id | None = None

    def initially(self):
        self.leader = self.greatest()
        self.begin_without(self.leader)

    # noticing

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
        higher = self.higher()
        if not higher:
            self.announce()
            return
        for port in higher:
            self.send(port, Election())
        self.mode = "electing"

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
        self.require(self.mode == "waiting" and self.nobody_higher_is_up())
        self.hold_election()

    # announcing

    def announce(self):
        self.leader, self.mode = self.id, "idle"
        self.send_all(Coordinator(self.id))

    @receive(Coordinator)
    def follow(self, message):
        self.suspected -= {message.id}
        if message.id < self.id:
            if self.mode == "idle":
                self.hold_election()
        elif not self.has_better_leader(message.id):
            self.believe(message.id)

    def believe(self, leader):
        self.leader, self.mode = leader, "idle"

    # knowing

    def greatest(self):
        return max([self.id, *(self.neighbour(port) for port in self.ports)])

    def higher(self):
        return [port for port in self.ports if self.neighbour(port) > self.id]

    def nobody_higher_is_up(self):
        return all(self.suspects(port) for port in self.higher())

    def has_better_leader(self, id):
        return self.leader is not None and self.leader > id and self.leader not in self.suspected


class LeaderUp(Bully):
    """The greatest is up when the run begins."""

    def initially(self):
        self.leader = self.greatest()


class BelievesAll(Bully):
    """Whoever announces itself last is believed, as on the slides."""

    @receive(Coordinator)
    def follow(self, message):
        self.suspected -= {message.id}
        self.believe(message.id)


class BelievesTheSmaller(Bully):
    """A Coordinator smaller than oneself is believed, unless a greater leader is known to be up."""

    @receive(Coordinator)
    def follow(self, message):
        self.suspected -= {message.id}
        if not self.has_better_leader(message.id):
            self.believe(message.id)


class BelievesTheStale(Bully):
    """One smaller than oneself is answered with an election, but one smaller than a leader that is up is believed."""

    def has_better_leader(self, id):
        return False


class WaitsForTheCoordinator(Bully):
    """Whoever has an Ok waits for the Coordinator without a time-out, as on the slides."""

    @step
    def try_again(self):
        self.require(False)


class TimesOutAnyTime(Bully):
    """A time-out may fire whenever its process waits."""

    def nobody_higher_is_up(self):
        return True


class TimesOutAndBelieves(TimesOutAnyTime, BelievesAll):
    """A time-out may fire whenever its process waits, and whoever announces itself is believed."""


class Notice(Message):
    pass


class InformsTheLower(Bully):
    """Whoever holds an election lets those smaller than itself know."""

    def hold_election(self):
        super().hold_election()
        higher = self.higher()
        for port in self.ports:
            if higher and port not in higher:
                self.send(port, Notice())

    @receive(Notice)
    def take_notice(self, _):
        pass
