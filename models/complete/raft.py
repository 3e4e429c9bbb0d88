"""Raft's leader election (Ongaro and Ousterhout 2014): whoever has the votes of a majority leads for a term.

Time is divided into terms. Whoever has not heard from a leader for long begins the next term, votes for itself and asks the others.
Everyone has one vote a term, kept over a crash together with the term, and gives it to the first that asks. A message of an
earlier term counts for nothing; one of a later term makes everyone a follower in that term.

A time-out may fire at any moment, so nothing is assumed of time, and nobody need ever be elected: the votes may split in every
term. Terms end with `terms`: a verdict is about the runs that need no more. The checker finds that no term has two leaders,
however messages are reordered, lost or repeated, and whoever crashes. There is no log here, so no vote depends on one, and
nobody answers a heartbeat. Three processes and two terms are 11.4 million states, decided with `--engine sets`.
"""

from typing import Literal

from modelcheck import Id, Message, Parameter, Port, Process, always, because, complete, initiate, receive, stable


class RequestVote(Message):
    term: int
    candidate: Id


class Vote(Message):
    term: int
    granted: bool


class Heartbeat(Message):
    term: int


class Raft(Process):
    source = "Ongaro and Ousterhout, USENIX ATC 2014, section 5.2 and Figure 2"
    topology = complete
    networks = ("bag", "fifo", "set")
    knows = ("n",)
    tolerates = ("crashes", "recoveries", "losses", "duplications", "partitions", "heals")

    terms = Parameter(2, "nobody stands for election in a later term", among=(1, 2, 3, 4))

    term: int = stable(0)
    voted_for: Id | None = stable(None)
    won: frozenset[int] = stable(frozenset())  # the terms it has led: for the property alone
    role: Literal["follower", "candidate", "leader"] = "follower"
    votes: frozenset[Port] = frozenset()

    @initiate
    def time_out(self):
        self.require(self.role != "leader" and self.term < self.terms)
        self.stand(self.term + 1)

    def stand(self, term):
        self.enter(term)
        self.role, self.voted_for = "candidate", self.id
        self.send_all(RequestVote(self.term, self.id))
        self.count()

    def enter(self, term):
        self.term, self.role, self.voted_for, self.votes = term, "follower", None, frozenset()

    def is_past(self, term):
        """Whether its own term is past in this one."""
        return self.term < term

    @receive(RequestVote)
    def vote(self, request):
        if self.is_past(request.term):
            self.enter(request.term)
        granted = request.term == self.term and self.voted_for in (None, request.candidate)
        if granted:
            self.voted_for = request.candidate
        self.reply(Vote(self.term, granted))

    @receive(Vote)
    def gather(self, vote, port):
        if self.is_past(vote.term):
            self.enter(vote.term)
        elif vote.term == self.term and vote.granted and self.role == "candidate":
            self.votes |= {port}
            self.count()

    def count(self):
        if 2 * (len(self.votes) + 1) > self.n:
            self.role, self.votes = "leader", frozenset()
            self.won |= {self.term}
            self.send_all(Heartbeat(self.term))

    @receive(Heartbeat)
    def follow(self, beat):
        if self.is_past(beat.term):
            self.enter(beat.term)
        elif beat.term == self.term:
            self.role, self.votes = "follower", frozenset()


@always(when=lambda protocol: "newest" not in protocol.networks)
def at_most_one_leader_a_term(view):
    """No two processes have led in the same term."""
    for p in view.processes:
        for q in view.processes:
            if p.id < q.id and p.won & q.won:
                return because(f"{p} and {q} have both led in term {min(p.won & q.won)}")
    return True


class ForgetsItsVote(Raft):
    """The vote does not survive a crash, the term does."""

    voted_for: Id | None = None


class VotesForAll(Raft):
    """Whoever asks gets a vote, however many ask in a term."""

    @receive(RequestVote)
    def vote(self, request):
        if request.term > self.term:
            self.enter(request.term)
        self.reply(Vote(self.term, request.term == self.term))


class CountsLateVotes(Raft):
    """A vote counts in whatever term it arrives, also one that was asked for in an earlier term."""

    @receive(Vote)
    def gather(self, vote, port):
        if vote.granted and self.role == "candidate":
            self.votes |= {port}
            self.count()


class AdoptsNoTerm(Raft):
    """A voter compares a request with the vote it has given, and does not enter the term that it is asked in."""

    @receive(RequestVote)
    def vote(self, request):
        granted = self.voted_for in (None, request.candidate)
        if granted:
            self.voted_for = request.candidate
        self.reply(Vote(request.term, granted))


class HalfIsEnough(Raft):
    """Half of the votes, one's own among them, are taken for a majority."""

    def count(self):
        if 2 * (len(self.votes) + 1) >= self.n:
            self.role, self.votes = "leader", frozenset()
            self.won |= {self.term}
            self.send_all(Heartbeat(self.term))


class TermsWrap(Raft):
    """Terms are counted modulo a number, and of two that is later which is less than half of it ahead: elections without end.

    So every run is explored, however many terms it needs, but with a message that is half of the terms old one can vote for what was asked long ago.
    A term must not come again while anything of it is on its way.
    """

    source = "an exercise: how many bits must a term have?"
    networks = ("newest",)  # no other link holds so many requests
    specs = ()

    terms = Parameter(5, "terms are counted modulo this number", among=(3, 5, 7))

    @initiate
    def time_out(self):
        self.require(self.role != "leader")
        self.stand((self.term + 1) % self.terms)

    def is_past(self, term):
        return 0 < (term - self.term) % self.terms <= self.terms // 2

    def count(self):
        super().count()
        self.won = frozenset()  # a term comes again


@always(when=lambda protocol: "newest" in protocol.networks)
def at_most_one_leads_in_a_term(view):
    """No two processes lead in the same term at the same time."""
    leaders = [p for p in view.alive if p.role == "leader"]
    return len({p.term for p in leaders}) == len(leaders) or because(f"{leaders} lead in the same term")
