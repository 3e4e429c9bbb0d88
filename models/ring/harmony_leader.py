"""The Harmony book's leader election: the network is a shared set of messages that only grows.

Every process sends its identifier to its successor; whoever receives a larger one sends it on, and whoever receives its
own tells everyone. Messages are addressed by identifier, never removed, and may be received any number of times.
"""

from modelcheck import (
    NEXT,
    ElectionProcess,
    Id,
    Message,
    Parameter,
    at_the_end,
    because,
    listed,
    one_way_ring,
    shared,
    step,
)


class Packet(Message):
    dst: Id
    id: Id
    found: bool


class HarmonyLeader(ElectionProcess):
    source = "van Renesse, Concurrent Programming in Harmony, chapter 25, Figure 25.1 and exercises 25.1, 25.2"
    topology = one_way_ring
    knows = ("neighbours", "everyone")  # the successor's identifier; everyone's, for the assertions only

    atomic_send = Parameter(True, "false: the first send reads the network and writes it in two steps (exercise 25.2)")
    sticky = Parameter(True, "false: whoever receives a message takes it out of the network")

    network: frozenset[Packet] = shared(frozenset())
    read: frozenset[Packet] | None = None  # what a send that is not atomic has read
    sent: bool = False
    working: bool = True

    @step
    def send_identifier(self):
        self.require(not self.sent)
        if self.atomic_send:
            self.network |= {self.packet(self.id, found=False)}
            self.sent = True
        elif self.read is None:
            self.read = self.network
        else:
            self.network = self.read | {self.packet(self.id, found=False)}
            self.read = None
            self.sent = True

    @step
    def react(self):
        waiting = [packet for packet in self.network if packet.dst == self.id]
        self.require(self.sent and self.working and waiting)
        packet = self.choose(waiting)
        self.network = self.network if self.sticky else self.network - {packet}
        if packet.id == self.id:
            assert self.id == max(self.everyone), "a process got its own identifier back and is not the largest"
            self.network |= {self.packet(self.id, found=True)}
            self.status = "leader"
        elif packet.id > self.id:
            assert self.id != max(self.everyone), "an identifier is larger than the largest"
            self.network |= {self.packet(packet.id, found=packet.found)}
        if packet.found:
            self.leader = packet.id
            self.working = False

    def packet(self, id, *, found):
        """A message for the successor."""
        return Packet(self.neighbour(NEXT), id, found)


@at_the_end
def all_stop(view):
    """At the end every process has stopped working: no deadlock."""
    waiting = [p for p in view.processes if p.working]
    return not waiting or because(f"{listed(waiting)} wait{'s' if len(waiting) == 1 else ''} for ever")
