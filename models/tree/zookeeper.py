"""ZooKeeper's recipe for leader election: everyone creates a numbered node, and whoever has the smallest leads.

A client, a leaf of the star, creates a node under ELECTION: a sequential one, so that the service in the middle (at place 0)
numbers it, and an ephemeral one, which is deleted when its client's session has expired. It looks at all the nodes. If its own is
the smallest it leads; otherwise it watches the next smaller one, and no other, so that a deletion wakes one client and not a herd
of them. When that node is gone it looks again: the client that it watched need not have led.

Looking and watching are two requests: a watch on a node that has been deleted in between is answered at once. A session expires
when the failure detector says that its client is down. The checker finds that one leads as long as that is true; a client that is
declared dead and lives, as after a long pause, goes on to lead beside its successor.
"""

from modelcheck import Down, Message, Port, Process, always, at_the_end, because, listed, receive, star, step


class Create(Message):
    pass


class Created(Message):
    node: int


class GetChildren(Message):
    pass


class Children(Message):
    nodes: frozenset[int]


class Watch(Message):
    node: int


class Deleted(Message):
    node: int


class ZooKeeper(Process):
    source = "Apache ZooKeeper documentation, Recipes and Solutions, Leader Election"
    topology = star
    networks = ("fifo",)
    identifiers = "none"
    knows = ("position",)
    tolerates = ("crashes",)
    complexity = {"exactly": "max(0, 5n - 6)"}

    # of the service
    counter: int = 0
    nodes: frozenset[tuple[int, Port]] = frozenset()
    watches: frozenset[tuple[int, Port]] = frozenset()
    # of a client
    joined: bool = False
    node: int | None = None
    leads: bool = False

    @step
    def join(self):
        self.require(self.position > 0 and not self.joined)
        self.joined = True
        self.send_all(Create())

    @receive(Create)
    def create(self, _, port):
        self.nodes |= {(self.counter, port)}
        self.reply(Created(self.counter))
        self.counter += 1

    @receive(Created)
    def note(self, message):
        self.node = message.node
        self.reply(GetChildren())

    @receive(GetChildren)
    def list_children(self, _):
        self.reply(Children(frozenset(node for node, _ in self.nodes)))

    @receive(Children)
    def look(self, message):
        smaller = [node for node in message.nodes if node < self.node]
        if smaller:
            self.reply(Watch(max(smaller)))
        else:
            self.leads = True

    @receive(Watch)
    def watch(self, message, port):
        if any(node == message.node for node, _ in self.nodes):
            self.watches |= {(message.node, port)}
        else:
            self.reply(Deleted(message.node))

    @receive(Down)
    def expire(self, _, port):
        for gone in sorted(node for node, owner in self.nodes if owner == port):
            self.nodes -= {(gone, port)}
            for node, watcher in sorted(self.watches):
                if node == gone:
                    self.watches -= {(node, watcher)}
                    self.send(watcher, Deleted(gone))

    @receive(Deleted)
    def look_again(self, _):
        self.reply(GetChildren())


@always
def at_most_one_leads(view):
    """No two clients lead."""
    leaders = [p for p in view.alive if p.leads]
    return len(leaders) <= 1 or because(f"{listed(leaders)} both lead")


@at_the_end
def one_leads(view):
    """At the end one of the clients that are alive leads, as long as the service is."""
    clients = [p for p in view.alive if p.position > 0]
    return len(clients) == len(view.alive) or not clients or any(p.leads for p in clients)


class LooksOnce(ZooKeeper):
    """A client leads as soon as the node that it watched is gone."""

    @receive(Deleted)
    def look_again(self, _):
        self.leads = True


class WatchesTheGone(ZooKeeper):
    """A watch on a node that has been deleted is kept like any other."""

    @receive(Watch)
    def watch(self, message, port):
        self.watches |= {(message.node, port)}


class Herd(ZooKeeper):
    """Everyone watches the smallest node: correct, and a deletion wakes all."""

    @receive(Children)
    def look(self, message):
        if min(message.nodes) < self.node:
            self.reply(Watch(min(message.nodes)))
        else:
            self.leads = True
