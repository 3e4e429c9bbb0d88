"""Bully with a quorum: in a network that splits, the greatest process in reach leads, if a majority of all acknowledges it.

Who has lost its leader asks those above it who leads; the greatest in reach takes over. In Bully it announces itself at once
(`SplitBrain`), and every part of a split network has its own leader. Here it polls all processes under a new
term, of which each acknowledges one candidate, and leads once a majority of all has; a part without a majority has no leader.

The slides say no more than that. The checker finds that terms keep two processes from leading in one term, and not from
leading at once: others may have elected while the old leader has still to be told that it is cut off. That takes a lease: an
acknowledgement is a promise to acknowledge nobody else until the detector reports the leader, and a leader acts only while the
promises of a majority run. Clocks tell a real leader when they have run out; here the property looks at them. Also found: who has
lost its leader must ask, for one that was cut off and back before it was told of both sides still leads, and nobody else knows.
"""

from modelcheck import (
    Detecting,
    Down,
    Id,
    Message,
    Up,
    Verdict,
    View,
    always,
    at_the_end,
    because,
    complete,
    listed,
    receive,
    recover,
    stable,
    step,
)


class Election(Message):
    pass


class Poll(Message):
    term: int


class Ack(Message):
    term: int


class Refuse(Message):
    term: int


class Withdraw(Message):
    pass


class Coordinator(Message):
    id: Id
    term: int


class BullyPartition(Detecting):
    source = "Krzyzanowski, Elections and network partitions; Garcia-Molina, IEEE Trans. Computers 31(1), 1982"
    topology = complete
    networks = ("fifo",)
    tolerates = ("crashes", "recoveries", "partitions", "heals")

    quorum, majority_of, leases = True, "all", True  # what the properties go by

    leader: Id | None = None
    reign: int = 0  # the term in which the leader was elected
    term: int = stable(0)  # the greatest it has polled under or acknowledged
    promised: frozenset[Id] = stable(frozenset())  # to follow nobody else; it runs out when the detector reports them
    polling: bool = False
    acks: frozenset[Id] = frozenset()

    def initially(self):
        self.leader = max([self.id, *(self.neighbour(port) for port in self.ports)])
        self.promise(self.leader)

    # noticing

    @receive(Down)
    def note_crash(self, message, port):
        super().note_crash(message, port)
        self.let_go(self.neighbour(port))
        if (self.polling or self.leader == self.id) and not self.reaches_enough():
            self.give_up()

    @receive(Up)
    def note_recovery(self, message, port):
        super().note_recovery(message, port)
        if self.leader == self.id:
            self.send(port, Coordinator(self.id, self.reign))
        elif self.polling and self.neighbour(port) > self.id:
            self.give_up()
        elif self.polling:
            self.send(port, Poll(self.term))

    @recover
    def come_back(self):
        self.leader = None
        self.promised -= {self.id}
        self.ask_who_leads()

    def let_go(self, other):
        if other == self.leader or other in self.promised:
            self.leader = None
            self.promised -= {other}
            self.ask_who_leads()

    # electing

    def ask_who_leads(self):
        for port in self.ports:
            if self.neighbour(port) > self.id and not self.suspects(port):
                self.send(port, Election())

    @receive(Election)
    def answer(self, _):
        if self.leader == self.id:
            self.reply(Coordinator(self.id, self.reign))
        elif self.polling:
            self.reply(Poll(self.term))

    @step
    def take_over(self):
        self.require(self.leader is None and not self.polling and self.promised <= {self.id} and self.reaches_enough())
        self.require(all(self.suspects(port) for port in self.ports if self.neighbour(port) > self.id))
        self.poll()

    # asking a majority

    def poll(self):
        self.term += 1
        self.polling, self.acks = True, frozenset({self.id})
        self.promise(self.id)
        self.send_all(Poll(self.term))
        self.count()

    @receive(Poll)
    def acknowledge(self, message, port):
        candidate = self.neighbour(port)
        if self.is_bound_to_another_than(candidate) or candidate < self.id:
            return
        if self.is_late(message):
            self.reply(Refuse(self.term))
        else:
            self.term = max(self.term, message.term)
            self.promise(candidate)
            self.reply(Ack(message.term))

    @receive(Ack)
    def gather(self, message, port):
        if self.polling and message.term == self.term:
            self.acks |= {self.neighbour(port)}
            self.count()

    @receive(Refuse)
    def ask_again(self, message):
        if self.polling and message.term >= self.term:
            self.term = message.term
            self.poll()

    def count(self):
        if len(self.acks) >= self.needed():
            self.announce()

    def give_up(self):
        self.leader, self.polling, self.acks = None, False, frozenset()
        self.promised -= {self.id}
        self.send_all(Withdraw())

    @receive(Withdraw)
    def take_back(self, _, port):
        self.let_go(self.neighbour(port))

    # announcing

    def announce(self):
        self.leader, self.reign, self.polling, self.acks = self.id, self.term, False, frozenset()
        self.send_all(Coordinator(self.id, self.reign))

    @receive(Coordinator)
    def follow(self, message):
        if self.leader in (None, message.id) or (message.term, message.id) > (self.reign, self.leader):
            if self.polling or self.leader == self.id:
                self.give_up()
            self.leader, self.reign, self.term = message.id, message.term, max(self.term, message.term)
            self.promise(self.leader)

    # knowing

    def promise(self, other):
        self.promised = frozenset({other})

    def is_bound_to_another_than(self, candidate):
        return self.leader is not None or self.promised - {candidate}

    def is_late(self, poll):
        return poll.term <= self.term

    def needed(self):
        return (len(self.ports) + 1) // 2 + 1

    def reachable(self):
        return len(self.ports) + 1 - len(self.suspected)

    def reaches_enough(self):
        return self.reachable() >= self.needed()


class SplitBrain(BullyPartition):
    """Whoever takes over leads at once, as in Bully."""

    quorum = False

    def poll(self):
        self.term += 1
        self.announce()

    def reaches_enough(self):
        return True


class MajorityInReach(BullyPartition):
    """A majority of those in reach is enough."""

    majority_of = "those in reach"

    def needed(self):
        return self.reachable() // 2 + 1


class StopsWhenTold(BullyPartition):
    """Nobody promises anything: a leader acts until it is told of the cut."""

    leases = False

    def promise(self, other):
        pass

    def is_bound_to_another_than(self, candidate):
        return False


class NeverStops(StopsWhenTold):
    """Nobody promises anything, and a leader acts for ever."""

    @receive(Down)
    def note_crash(self, _, port):
        self.suspected |= {self.neighbour(port)}
        self.let_go(self.neighbour(port))


class WithoutTerms(StopsWhenTold):
    """Nobody promises anything, and every poll is acknowledged, whatever its term."""

    def is_late(self, poll):
        return False


def leads(p):
    return p.leader == p.id


def acts(view, p):
    """Whether it leads and, where there are leases, its own runs."""
    if not (view.protocol.quorum and view.protocol.leases):
        return leads(p)
    asked = len(view.processes) - (len(p.suspected) if view.protocol.majority_of == "those in reach" else 0)
    return leads(p) and sum(p.id in q.promised for q in view.processes) > asked // 2


def parts(view, with_a_majority):
    """The living of each part of the network that has, or has not, a majority of all; where there is no quorum each has."""
    found = [[p for p in block if not p.crashed] for block in view.blocks]
    fewer = len(view.processes) // 2 if view.protocol.quorum else 0
    return [part for part in found if part and (len(part) > fewer) == with_a_majority]


@always
def at_most_one_leader_acts(view: View) -> Verdict:
    """No two leaders act at once."""
    acting = [p for p in view.processes if acts(view, p)]
    return len(acting) <= 1 or because(f"{listed(acting)} act as the leader at once")


@always(when=lambda protocol: protocol.quorum)
def at_most_one_leader_per_term(view: View) -> Verdict:
    """No two processes lead in the same term."""
    for p in view.processes:
        for q in view.processes:
            if p.id < q.id and leads(p) and leads(q) and p.reign == q.reign:
                return because(f"{p} and {q} both lead in term {p.reign}")
    return True


@at_the_end
def a_part_with_a_majority_has_its_leader(view: View) -> Verdict:
    """At the end all of it follow the same leader, one of them, which acts."""
    for part in parts(view, with_a_majority=True):
        for p in part:
            if p.leader is None:
                return because(f"nothing more can happen, and {p} has no leader")
            if p.leader != part[0].leader:
                return because(f"{part[0]} follows {part[0].leader}, and {p} follows {p.leader}")
        if not any(acts(view, p) for p in part):
            return because(f"all of {listed(part)} follow {part[0].leader}, which does not act")
    return True


@at_the_end
def no_other_part_has_one(view: View) -> Verdict:
    """At the end nobody leads a part without a majority."""
    leaders = [p for part in parts(view, with_a_majority=False) for p in part if leads(p)]
    return not leaders or because(f"without a majority in reach {listed(leaders)} still leads")
