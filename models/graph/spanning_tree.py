"""A spanning tree from a given root, by flooding: whoever invites a process first becomes its parent.

The root invites its neighbours. A process accepts its first invitation and passes it on to its other neighbours; later
ones it rejects. When it has a report from every neighbour it knows all its children and is done. Which tree comes out
depends on the schedule; the number of messages does not.
"""

from modelcheck import Message, Port, Process, any_graph, initiate, receive


class Invite(Message):
    pass


class Accept(Message):
    pass


class Reject(Message):
    pass


class SpanningTree(Process):
    source = "Garg, Figure 13.3 and the Java class SpanTree"
    topology = any_graph
    networks = ("fifo", "bag")
    identifiers = "none"
    knows = ("root",)
    specs = ("spanning_tree",)
    complexity = {"exactly": "2 (2m - n + 1)"}

    joined: bool = False
    parent: Port | None = None
    children: frozenset[Port] = frozenset()
    reports: int = 0
    done: bool = False

    @initiate
    def begin(self):
        self.require(self.is_root and not self.joined)
        self.joined = True
        self.send_all(Invite())
        self.test_whether_done()

    @receive(Invite)
    def join_or_reject(self, invite, port):
        if self.joined:
            self.reply(Reject())
        else:
            self.join(invite, port)
            self.test_whether_done()

    def join(self, invite, port):
        self.joined = True
        self.parent = port
        self.reports = 1
        self.reply(Accept())
        self.send_all(invite, but=port)

    @receive(Accept)
    def adopt(self, accept, port):
        self.children |= {port}
        self.count_report(accept)

    @receive(Reject)
    def count_report(self, _):
        self.reports += 1
        self.test_whether_done()

    def test_whether_done(self):
        self.done = self.reports == len(self.ports)


class AsPrinted(SpanningTree):
    """The counter is tested on Accept and Reject only: a leaf is never done."""

    @receive(Invite)
    def join_or_reject(self, invite, port):
        if self.joined:
            self.reply(Reject())
        else:
            self.join(invite, port)
