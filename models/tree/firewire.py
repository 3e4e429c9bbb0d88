"""IEEE 1394 (FireWire) tree identify: whoever has one neighbour left asks it to be its parent; the last one is the root.

A node that all neighbours but one have asked to be their parent acknowledges them and asks the one that is left. Leaves begin; a
node that everyone has asked is the root. The last two may ask each other: root contention. Each then draws a bit: one waits a short
time and asks again, the other waits long. If one asks before the other's time is over it is decided; otherwise both draw anew.

There are no identifiers, and none are needed: the graph is a tree, and chance breaks its one symmetry. Time is left to the
schedule: in lock-step one round is the short wait and two are the long one, and a root is found with probability 1. Where nothing
is assumed of time the waits tell nothing: the checker finds a schedule under which the contention never ends.
"""

from typing import Literal

from modelcheck import ElectionProcess, Message, Port, receive, step, tree


class BeMyParent(Message):
    pass


class YouAreMyChild(Message):
    pass


class FireWire(ElectionProcess):
    source = "IEEE 1394-1995, tree identify; Devillers, Griffioen, Romijn and Vaandrager, FMSD 16, 2000"
    topology = tree
    networks = ("fifo",)
    identifiers = "none"
    elects = "any"
    complexity = {"at least": "2(n - 1)"}

    children: frozenset[Port] = frozenset()
    asked: Port | None = None
    wait: Literal[0, 1, 2] = 0  # rounds

    @receive(BeMyParent)
    def take(self, _, port):
        if self.asked == port:
            self.asked, self.wait = None, self.draw((1, 2))
        else:
            self.children |= {port}
            self.wait = 0
            self.send(port, YouAreMyChild())

    @step
    def pause(self):
        self.require(self.wait > 0)
        self.wait -= 1

    @step
    def ask(self):
        left = [port for port in self.ports if port not in self.children]
        self.require(self.status == "undecided" and self.asked is None and self.wait == 0 and len(left) <= 1)
        if left:
            self.asked = left[0]
            self.send(self.asked, BeMyParent())
        else:
            self.status = "leader"

    @receive(YouAreMyChild)
    def know(self, _):
        self.status = "follower"
