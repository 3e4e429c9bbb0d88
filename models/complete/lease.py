"""A lease: the server lets one process at a time lead, for a while, and whoever leads stops by itself when the time is over.

A process asks the server, the root. If no lease is running the server grants one for some time from now, and grants no other until that is over,
whatever becomes of the answer. So nobody need tell anybody that it stops, and one that crashes is waited for no longer than its lease.

The leader counts from the moment in which it asked, which is before the server's. Counted from when the answer comes, a lease lasts longer than the
server knows, for an answer may take its time. There is one clock here, which all read, and time ends. Answers are not numbered, so none may be
repeated: the checker finds that the copy of one is taken for the answer to a later question.
"""

from modelcheck import Message, Parameter, Process, always, because, complete, receive, shared, step


class Ask(Message):
    pass


class Grant(Message):
    pass


class Lease(Process):
    source = "Gray and Cheriton, Leases: An Efficient Fault-tolerant Mechanism for Distributed File Cache Consistency, SOSP 1989"
    topology = complete
    networks = ("bag", "fifo", "set")
    identifiers = "none"
    knows = ("root",)
    tolerates = ("crashes", "losses")
    may_crash = "others"  # the server does not
    specs = ("termination",)

    end = Parameter(4, "when time ends", among=(2, 3, 4, 5, 6))
    length = Parameter(2, "how long a lease lasts", among=(1, 2, 3))

    now: int = shared(0)
    granted_until: int = 0  # of the server
    asked_at: int | None = None  # of the others
    leads_until: int = 0

    @step
    def tick(self):
        self.require(self.is_root and self.now < self.end)
        self.now += 1

    @step
    def ask(self):
        self.require(not self.is_root and self.asked_at is None and self.leads_until <= self.now < self.end)
        self.asked_at = self.now
        self.send_all(Ask())

    @receive(Ask)
    def grant(self, message):
        if self.is_root and self.granted_until <= self.now:
            self.granted_until = self.now + self.length
            self.reply(Grant())

    @receive(Grant)
    def lead(self, message):
        if self.asked_at is not None:
            self.leads_until, self.asked_at = self.begins() + self.length, None

    def begins(self):
        return self.asked_at


@always
def at_most_one_leads(view):
    """No two leases run at once."""
    leaders = [p for p in view.alive if view.shared.now < p.leads_until]
    return len(leaders) <= 1 or because(f"{leaders} lead at {view.shared.now}")


class CountsFromTheAnswer(Lease):
    """A lease is counted from the moment in which the answer comes."""

    def begins(self):
        return self.now
