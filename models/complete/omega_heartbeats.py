"""Omega by heartbeats: everyone tells the others for ever that it is alive, and a heartbeat takes back what a time-out has suspected.

Time-outs that grow with each mistake are too short only so often. Here they are what the failure detector says (`--detector
unreliable:1`: one comes too soon, once), which never takes anything back: what `omega` needs of an eventually perfect detector the
heartbeats give. A link holds the newest one only, so the states are finitely many. Time-outs that stay too short for ever are not enough.

It suffices that those send heartbeats who trust themselves: then in the end one does, and n - 1 links are in use.
"""

from modelcheck.models.omega import Omega

from modelcheck import Message, receive, step


class Alive(Message):
    pass


class OmegaHeartbeats(Omega):
    source = "Chandra and Toueg, JACM 43(2), 1996, section 9.1; Larrea, Fernandez and Arevalo, SRDS 2000"
    networks = ("newest",)
    specs = ()

    @step
    def beat(self):
        self.send_all(Alive())

    @receive(Alive)
    def hear(self, _, port):
        self.suspected -= {self.neighbour(port)}
        self.trust()


class OnlyTheTrustedBeats(OmegaHeartbeats):
    """Whoever does not trust itself sends no heartbeats."""

    source = "Larrea, Fernandez and Arevalo, SRDS 2000"

    @step
    def beat(self):
        self.require(self.trusted == self.id)
        self.send_all(Alive())


class TimesOutForEver(OmegaHeartbeats):
    """A time-out stays too short: whoever is trusted may be suspected at any moment, again and again."""

    @step
    def time_out(self):
        self.require(self.trusted != self.id)
        self.suspected |= {self.trusted}
        self.trust()
