"""The Harmony book's leader election without its assertions, which look at everyone's identifiers: what this lab asks for."""

from modelcheck import NEXT, ElectionProcess, Id, Message, one_way_ring, shared, step


class Packet(Message):
    dst: Id
    id: Id
    found: bool


class HarmonyLeader(ElectionProcess):
    source = "van Renesse, Concurrent Programming in Harmony, chapter 25, Figure 25.1"
    topology = one_way_ring
    knows = ("neighbours",)  # the successor's identifier

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
            self.put(self.id, True)
            self.status = "leader"
        elif packet.id > self.id:
            self.put(packet.id, packet.found)
        if packet.found:
            self.leader, self.working = packet.id, False

    def put(self, id, found):
        self.network |= {Packet(self.neighbour(NEXT), id, found)}

    def get(self):
        waiting = [packet for packet in self.network if packet.dst == self.id]
        self.require(waiting)
        return self.choose(waiting)
