"""The Harmony book's leader election with a link to each successor: messages are addressed by position, not by identifier.

The program is that of `harmony_leader`. With different identifiers it makes no difference how a successor is addressed;
with repeated ones nobody can receive here what it sent itself. On a sticky network a message can be received any number of times,
as in the book. On others the election is as good, but messages are left over: a process that has stopped receives
nothing more, and the leader answers its own announcement with another when that comes back.
"""

from modelcheck.models.harmony_leader import all_stop as all_stop

from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive


class Packet(Message):
    id: Id
    found: bool


class HarmonyLinks(ElectionProcess):
    source = "van Renesse, Concurrent Programming in Harmony, chapter 25, Figure 25.1 and exercise 25.1"
    topology = one_way_ring
    networks = ("sticky",)
    knows = ("everyone",)  # for the assertions only

    sent: bool = False
    working: bool = True

    @initiate
    def send_identifier(self):
        self.require(not self.sent)
        self.send(NEXT, Packet(self.id, found=False))
        self.sent = True

    @receive(Packet)
    def react(self, packet):
        self.require(self.sent and self.working)
        if packet.id == self.id:
            assert self.id == max(self.everyone), "a process got its own identifier back and is not the largest"
            self.send(NEXT, Packet(self.id, found=True))
            self.status = "leader"
        elif packet.id > self.id:
            assert self.id != max(self.everyone), "an identifier is larger than the largest"
            self.send(NEXT, packet)
        if packet.found:
            self.leader = packet.id
            self.working = False
