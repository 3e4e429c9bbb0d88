"""The Harmony book's leader election: the network is a shared set of messages that only grows.

Every process sends its identifier to its successor; whoever receives a larger one sends it on, and whoever receives its
own tells everyone. Messages are addressed by identifier, never removed, and may be received any number of times.
"""

from modelcheck import NEXT, ElectionProcess, Id, Message, at_the_end, because, listed, one_way_ring, shared, step


class Packet(Message):
    dst: Id
    id: Id
    found: bool


class HarmonyLeader(ElectionProcess):
    source = "van Renesse, Concurrent Programming in Harmony, chapter 25, Figure 25.1"
    topology = one_way_ring
    knows = ("neighbours", "everyone")  # the successor's identifier; everyone's, for the assertions only

    network: frozenset[Packet] = shared(frozenset())
    sent: bool = False
    working: bool = True

    @step
    def send_identifier(self):
        self.require(not self.sent)
        self.put(self.id, False)
        self.sent = True

    @step
    def react(self):
        self.require(self.sent and self.working)
        packet = self.get()
        if packet.id == self.id:
            assert self.id == max(self.everyone), "a process got its own identifier back and is not the largest"
            self.put(self.id, True)
            self.status = "leader"
        elif packet.id > self.id:
            assert self.id != max(self.everyone), "an identifier is larger than the largest"
            self.put(packet.id, packet.found)
        if packet.found:
            self.leader, self.working = packet.id, False

    def put(self, id, found):
        self.network |= {Packet(self.neighbour(NEXT), id, found)}

    def get(self):
        return self.choose(self.require([packet for packet in self.network if packet.dst == self.id]))


class TakesOut(HarmonyLeader):
    """Whoever receives a message takes it out of the network."""

    source = "van Renesse, Concurrent Programming in Harmony, exercise 25.1"

    def get(self):
        packet = super().get()
        self.network -= {packet}
        return packet


class SendsInTwo(HarmonyLeader):
    """The first send is not atomic: it reads the network, and writes it in a second step."""

    source = "van Renesse, Concurrent Programming in Harmony, exercise 25.2"

    read: frozenset[Packet] | None = None

    @step
    def send_identifier(self):
        if self.read is None:
            self.require(not self.sent)
            self.read = self.network
        else:
            self.network, self.read = self.read, None
            super().send_identifier()


class SendsInTwoTakesOut(SendsInTwo, TakesOut):
    """Both: the first send is not atomic, and whoever receives a message takes it out."""


@at_the_end
def all_stop(view):
    """At the end every process has stopped working: no deadlock."""
    waiting = [p for p in view.processes if p.working]
    return not waiting or because(f"{listed(waiting)} wait{'s' if len(waiting) == 1 else ''} for ever")
