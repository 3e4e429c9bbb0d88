"""Paxos (Lamport 1998): everybody proposes itself to lead, in ballots, and whom a majority votes for in one ballot is chosen, for good.

Ballots are ordered, and each has one proposer. It asks all to promise that they vote in no earlier ballot any more; with the promises come
the latest votes that were cast. When a majority has promised the proposer puts up whom the latest of these votes is for, and itself only if there is
none. Whoever has promised no later ballot votes for it. Promises and votes are on stable storage, so crashes do no harm, nor do losses, copies or splits.

At most one is chosen, and nobody need ever be: proposers may outbid each other for ever. So ballots end with `ballots`, and a verdict is about the
runs that need no more. Everybody is proposer and acceptor here, and the first to promise and to vote in its own ballots.
"""

from modelcheck import (
    Id,
    Message,
    Parameter,
    Port,
    Process,
    always,
    because,
    complete,
    every_step,
    initiate,
    listed,
    receive,
    stable,
)

Ballot = tuple[int, Id]
Vote = tuple[Ballot, Id]  # in which ballot, and for whom


class Prepare(Message):
    ballot: Ballot


class Promise(Message):
    ballot: Ballot
    vote: Vote | None


class Accept(Message):
    vote: Vote


class Accepted(Message):
    ballot: Ballot


class Paxos(Process):
    source = "Lamport, The Part-Time Parliament, ACM TOCS 16(2), 1998; Paxos Made Simple, 2001, section 2.2"
    topology = complete
    networks = ("bag", "fifo", "set")
    knows = ("n",)
    tolerates = ("crashes", "recoveries", "losses", "duplications", "partitions", "heals")

    ballots = Parameter(1, "nobody begins a ballot of a greater number", among=(1, 2, 3))

    promised: Ballot | None = stable(None)
    vote: Vote | None = stable(None)
    chosen: Id | None = stable(None)  # whom it has seen a majority vote for
    heard: Vote | None = None  # the latest vote of those that have promised
    backers: frozenset[Port] = frozenset()

    @initiate
    def prepare(self):
        number = self.promised[0] + 1 if self.promised else 1
        self.require(number <= self.ballots)
        self.promised, self.heard, self.backers = (number, self.id), None, frozenset()
        self.send_all(Prepare(self.promised))
        self.propose()

    @receive(Prepare)
    def promise(self, message):
        if self.is_open(message.ballot):
            self.promised = message.ballot
            self.reply(Promise(message.ballot, self.vote))

    def is_open(self, ballot):
        return self.promised is None or ballot >= self.promised

    @receive(Promise)
    def gather_promise(self, message, port):
        if message.ballot == self.promised and not self.has_proposed():
            self.backers, self.heard = self.backers | {port}, latest(self.heard, message.vote)
            self.propose()

    def has_proposed(self):
        return self.vote is not None and self.vote[0] == self.promised

    def propose(self):
        if self.is_backed():
            self.vote, self.backers = (self.promised, self.candidate()), frozenset()
            self.send_all(Accept(self.vote))
            self.learn()

    def candidate(self):
        vote = latest(self.heard, self.vote)
        return vote[1] if vote else self.id

    def is_backed(self):
        return 2 * (len(self.backers) + 1) > self.n

    @receive(Accept)
    def accept(self, message):
        if self.is_open(message.vote[0]):
            self.promised, self.vote = message.vote[0], message.vote
            self.reply(Accepted(message.vote[0]))

    @receive(Accepted)
    def gather_vote(self, message, port):
        if message.ballot == self.promised and self.has_proposed():
            self.backers |= {port}
            self.learn()

    def learn(self):
        if self.is_backed():
            self.chosen, self.backers = self.vote[1], frozenset()


def latest(one, other):
    """The vote of the later ballot, of two that may be missing."""
    return max((vote for vote in (one, other) if vote), default=None)


@always
def at_most_one_is_chosen(view):
    """No two are chosen."""
    know = [p for p in view.processes if p.chosen is not None]
    return len({p.chosen for p in know}) <= 1 or because(f"{listed(know)} have seen different ones chosen")


@every_step
def chosen_for_good(before, after):
    """Whoever has seen one chosen never sees another."""
    changed = [p for p, q in zip(before.processes, after.processes, strict=True) if p.chosen not in (None, q.chosen)]
    return not changed or because(f"{listed(changed)} had seen another one chosen")


class ForgetsItsPromise(Paxos):
    """Promises do not survive a crash, votes do."""

    promised: Ballot | None = None


class ForgetsItsVote(Paxos):
    """Votes do not survive a crash, promises do."""

    vote: Vote | None = None


class ProposesItself(Paxos):
    """A proposer puts itself up, whatever has been voted for in earlier ballots."""

    def candidate(self):
        return self.id


class VotesInAnyBallot(Paxos):
    """A vote is cast also in a ballot earlier than one that was promised."""

    @receive(Accept)
    def accept(self, message):
        self.vote = latest(self.vote, message.vote)
        self.reply(Accepted(message.vote[0]))


class HalfIsEnough(Paxos):
    """Half of the processes, oneself among them, are taken for a majority."""

    def is_backed(self):
        return 2 * (len(self.backers) + 1) >= self.n
