"""Election by Lamport's mutual exclusion (1978): the first process to enter the critical section leads.

Whoever stands for election stamps its request with a logical clock and asks all others. A request is acknowledged unless an
earlier one is known; whoever is acknowledged by everybody leads and says so. There is nothing to release. The leader is
the process with the earliest request, (clock, id) in order, and so anybody: it depends on the schedule.

Messages may overtake each other. Lamport's original (`AcknowledgesAll`) acknowledges every request and enters when no earlier
one is known, which relies on fifo links: an acknowledgement must not overtake the request sent before it.
"""

from modelcheck import ElectionProcess, Id, Message, always, because, complete, initiate, receive


class Request(Message):
    clock: int
    id: Id


class Ack(Message):
    pass


class Leader(Message):
    id: Id


class LamportMutexElection(ElectionProcess):
    source = "Garg, sections 13.1 and 13.3; Lamport, CACM 21(7), 1978"
    topology = complete
    networks = ("fifo", "bag", "set")
    elects = "any"
    complexity = {
        "best": "(n - 1)(n + 2)",
        "worst": "3n(n - 1)/2 + n - 1",
        "exactly of Request": "n(n - 1)",
        "best of Ack": "n - 1",
        "worst of Ack": "n(n - 1)/2",
        "exactly of Leader": "n - 1",
        "one initiator, exactly": "3(n - 1)",
        "c initiators, worst": "c(n - 1) + c(c - 1)/2 + c(n - c) + (n - 1)",
    }

    clock: int = 0
    request: Request | None = None  # its own
    earliest: Request | None = None  # of all it knows
    acks: int = 0

    @initiate
    def stand(self):
        self.require(self.request is None and self.leader is None)
        self.ask()

    def ask(self):
        self.clock += 1
        self.request = Request(self.clock, self.id)
        self.note(self.request)
        self.send_all(self.request)
        self.lead_if_acknowledged()

    @receive(Request)
    def acknowledge(self, request):
        self.clock = max(self.clock, request.clock) + 1
        self.note(request)
        if self.earliest == request:
            self.reply(Ack())

    def note(self, request):
        if self.earliest is None or self.before(request, self.earliest):
            self.earliest = request

    def before(self, one, other):
        return (one.clock, one.id) < (other.clock, other.id)

    @receive(Ack)
    def count(self, _):
        self.acks += 1
        self.lead_if_acknowledged()

    def lead_if_acknowledged(self):
        if self.acks == len(self.ports) and self.leader is None:
            self.leader = self.id
            self.send_all(Leader(self.id))

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id


class AcknowledgesAll(LamportMutexElection):
    """Every request is acknowledged, and whoever is acknowledged by everybody leads if it knows of no earlier one."""

    source = "Lamport, CACM 21(7), 1978"

    @receive(Request)
    def acknowledge(self, request):
        self.clock = max(self.clock, request.clock) + 1
        self.note(request)
        self.reply(Ack())

    def lead_if_acknowledged(self):
        if self.earliest == self.request:
            super().lead_if_acknowledged()


class SmallestFirst(LamportMutexElection):
    """The smaller identifier goes first, whatever the clocks."""

    def before(self, one, other):
        return one.id < other.id


class ClockStands(LamportMutexElection):
    """A request that is received does not advance the clock."""

    @receive(Request)
    def acknowledge(self, request):
        self.note(request)
        if self.earliest == request:
            self.reply(Ack())


class StandsLate(LamportMutexElection):
    """A process may stand for election even when it knows the leader."""

    @initiate
    def stand(self):
        self.require(self.request is None)
        self.ask()


@always
def the_leader_asked_first(view):
    """Whoever leads has made the earliest request of all."""
    first = min(((p.request.clock, p.id) for p in view.processes if p.request), default=None)
    for p in view.processes:
        if p.leader == p.id and (not p.request or (p.request.clock, p.id) != first):
            return because(f"{p} leads, and the earliest request, (clock, id), is {first}")
    return True
