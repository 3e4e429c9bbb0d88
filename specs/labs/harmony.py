"""Leader election in Harmony, with holes: fill in each line that says HOLE."""

from modelcheck import NEXT, ElectionProcess, Id, Message, one_way_ring, shared, step


class Packet(Message):
    dst: Id
    id: Id
    found: bool


class MyHarmony(ElectionProcess):
    topology = one_way_ring
    knows = ("neighbours",)  # the successor's identifier

    network: frozenset[Packet] = shared(frozenset())
    sent: bool = False
    working: bool = True

    @step
    def send_identifier(self):
        self.require(not self.sent)
        self.sent = True
        self.put(self.id, False)

    @step
    def react(self):
        self.require(self.sent and self.working)
        packet = self.get()
        # HOLE: an identifier of your own, a larger one, a smaller one; and what does packet.found mean?
        self.require(packet.id == self.id)
        self.working = False

    def put(self, id, found):
        self.network |= {Packet(self.neighbour(NEXT), id, found)}

    def get(self):
        waiting = [packet for packet in self.network if packet.dst == self.id]
        self.require(waiting)
        return self.choose(waiting)
