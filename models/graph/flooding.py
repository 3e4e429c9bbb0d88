"""Flooding: who hears the root's message for the first time passes it on to all its other neighbours.

Over each edge of the tree that comes about the message goes once, over every other edge once in each direction. Nobody learns
when it is over, not even the root: for that everyone has to report, as where a spanning tree is built.
"""

from modelcheck import Message, Process, any_graph, initiate, receive


class Flood(Message):
    pass


class Flooding(Process):
    source = "Garg, section 13.3.1"
    topology = any_graph
    networks = ("fifo", "bag", "set")
    identifiers = "none"
    knows = ("root",)
    tolerates = ("duplications",)
    specs = ("broadcast",)
    complexity = {"exactly": "2m - n + 1"}

    informed: bool = False

    @initiate
    def begin(self):
        self.require(self.is_root and not self.informed)
        self.informed = True
        self.send_all(Flood())

    @receive(Flood)
    def pass_on(self, message, port):
        if not self.informed:
            self.informed = True
            self.send_all(message, but=port)
