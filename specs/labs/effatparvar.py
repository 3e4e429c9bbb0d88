"""The modified ring of Effatparvar et al., with holes: fill in each line that says HOLE."""

from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive


class Election(Message):
    id: Id  # the largest so far


class Coordinator(Message):
    id: Id
    origin: Id  # who announces it


class MyModifiedRing(ElectionProcess):
    topology = one_way_ring
    networks = ("fifo", "bag")

    detected: bool = False

    @initiate
    def detect(self):
        self.require(self.leader is None and not self.detected)
        self.detected = True
        self.send(NEXT, Election(self.id))

    @receive(Election)
    def replace(self, message):
        pass  # HOLE: pass the larger identifier on; when has the message come home, and what is sent then?

    @receive(Coordinator)
    def learn(self, message):
        pass  # HOLE: believe it, and pass it on until it is back where it was sent
