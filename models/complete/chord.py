"""Chord's ring (Stoica et al. 2001): whoever joins finds its successor on the circle of identifiers, and the rest is mended step by step.

Everybody knows its successor and perhaps its predecessor. A new process asks a member to find its successor, and takes it. From time to time a
member asks its successor for the predecessor of that, takes over whoever stands between, and notifies its successor, which takes whoever stands nearer
for its predecessor. In the end all that have joined form one ring in the order of their identifiers, whatever they did at once.

The founder, whom the others ask, is the least: a circle has no beginning. Fingers only make the finding faster and are left out. So are
crashes: with them the published protocol is wrong (Zave 2012), and even lists of successors do not save it. On the ring that is left, the least leads: the one whose
predecessor is greater, and that stands next to 0.
"""

from modelcheck import Id, Message, Process, because, complete, eventually_always, initiate, receive, step


class Find(Message):
    id: Id


class Found(Message):
    successor: Id


class AskPredecessor(Message):
    pass


class Predecessor(Message):
    id: Id | None


class Notify(Message):
    id: Id


def between(one, id, other):
    """Whether an identifier stands between two others on the circle, which is all of it but one where the two are the same."""
    return one < id < other if one < other else id > one or id < other


class Chord(Process):
    source = (
        "Stoica et al., Chord: A Scalable Peer-to-peer Lookup Service, SIGCOMM 2001, Figure 7; Zave, CCR 42(2), 2012"
    )
    topology = complete
    knows = ("neighbours", "everyone")  # a port for each identifier; of everyone the founder alone
    specs = ()

    successor: Id | None = None
    predecessor: Id | None = None
    waits: bool = False

    def initially(self):
        if self.id == min(self.everyone):
            self.successor = self.id

    @initiate
    def join(self):
        self.require(self.successor is None and not self.waits)
        self.waits = True
        self.send(self.port_to(min(self.everyone)), Find(self.id))

    @receive(Find)
    def find(self, message):
        if between(self.id, message.id, self.successor):
            self.send(self.port_to(message.id), Found(self.successor))
        else:
            self.send(self.port_to(self.successor), message)

    @receive(Found)
    def enter(self, message):
        self.successor, self.waits = message.successor, False

    @step
    def stabilise(self):
        self.require(self.successor is not None and not self.waits)
        if self.successor == self.id:
            self.mend(self.predecessor)
        else:
            self.waits = True
            self.send(self.port_to(self.successor), AskPredecessor())

    @receive(AskPredecessor)
    def tell(self, message):
        self.reply(Predecessor(self.predecessor))

    @receive(Predecessor)
    def hear(self, message):
        self.waits = False
        self.mend(message.id)

    def mend(self, id):
        if id is not None and between(self.id, id, self.successor):
            self.successor = id
        if self.successor != self.id:
            self.send(self.port_to(self.successor), Notify(self.id))

    @receive(Notify)
    def be_notified(self, message):
        if self.predecessor is None or between(self.predecessor, message.id, self.id):
            self.predecessor = message.id


@eventually_always
def the_ring_is_ideal(view):
    """From some moment on the members form one ring in the order of their identifiers, both ways."""
    members = [p for p in view.processes if p.successor is not None]
    for before, p in zip([members[-1], *members[:-1]], members, strict=True):
        if len(members) > 1 and (before.successor, p.predecessor) != (p.id, before.id):
            return because(
                f"{before} has {before.successor} for its successor, and {p} {p.predecessor} for its predecessor"
            )
    return True


@eventually_always
def the_least_leads(view):
    """From some moment on the least member alone has a predecessor greater than itself, where there are several members."""
    members = [p for p in view.processes if p.successor is not None]
    leaders = [p for p in members if p.predecessor is not None and p.predecessor > p.id]
    return len(members) == 1 or leaders == members[:1]


class NeverNotifies(Chord):
    """Nobody notifies its successor, so that nobody learns of a predecessor."""

    def mend(self, id):
        if id is not None and between(self.id, id, self.successor):
            self.successor = id


class BelievesAnyNotice(Chord):
    """Whoever notifies a process is its predecessor from then on, nearer or not."""

    @receive(Notify)
    def be_notified(self, message):
        self.predecessor = message.id


class EntersAnywhere(Chord):
    """Whoever joins takes the founder for its successor, and leaves the rest to mending."""

    @receive(Find)
    def find(self, message):
        self.reply(Found(self.id))
