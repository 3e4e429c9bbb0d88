"""Broadcast in a rooted tree: the root sends a message down to its children, and everyone passes it on to theirs.

One message an edge, and everyone knows that it is done as soon as it has passed the message on. A process need not be told which
of its neighbours are its children: it is all but the one the message comes from.
"""

from modelcheck import Message, Process, always, because, initiate, receive, tree


class Broadcast(Message):
    pass


class TreeBroadcast(Process):
    source = "Garg, Figure 13.5"
    topology = tree
    networks = ("fifo", "bag", "set")
    identifiers = "none"
    knows = ("root",)
    specs = ("broadcast",)
    complexity = {"exactly": "n - 1"}

    informed: bool = False

    @initiate
    def begin(self):
        self.require(self.is_root and not self.informed)
        self.informed = True
        self.send_all(Broadcast())

    @receive(Broadcast)
    def pass_on(self, message, port):
        self.informed = True
        self.send_all(message, but=port)


@always
def nobody_is_told_twice(view):
    """The message is only ever on its way to processes that have not got it."""
    late = [t for t in view.in_transit() if t.target.informed]
    return not late or because(f"{late[0].target} is told again by {late[0].source}")
