"""TimeSlice: on a synchronous ring of known size silence tells, and the one token that is ever sent is the least identifier.

Phase v is n rounds long, and in it only a token of identifier v may go round. So whoever has identifier v and has received nothing
when phase v begins knows that no identifier is less: it leads, and its token tells everyone. That takes n messages, however bad the
arrangement, and a time that grows with the least identifier, about n rounds for each: the algorithm counts with identifiers, and
does not only compare them. Everybody begins in the first round.
"""

from modelcheck import NEXT, ElectionProcess, Message, one_way_ring, receive, step


class Token(Message):
    id: int


class TimeSlice(ElectionProcess):
    source = "Lynch, Distributed Algorithms, 1996, section 3.5.1"
    topology = one_way_ring
    schedule = "lockstep"
    knows = ("n", "integers")
    elects = "min"
    complexity = {"exactly": "n", "best rounds": "n + 1"}

    round: int = 0

    @receive(Token)
    def pass_on(self, token):
        if self.leader is None:
            self.leader, self.status = token.id, "follower"
            self.send(NEXT, token)

    @step
    def begin_round(self):
        self.require(self.leader is None)
        if self.round == (self.id - 1) * self.n:
            self.leader, self.status = self.id, "leader"
            self.send(NEXT, Token(self.id))
        self.round += 1


class BeginsLater(TimeSlice):
    """Processes wake up in different rounds, or when a token comes: whoever sleeps long does not know that others have counted."""

    source = "an exercise: why all begin in the same round"
    complexity = {}

    awake: bool = False

    @step
    def begin_round(self):
        self.require(self.leader is None)
        self.awake = self.awake or self.choose((False, True))
        if self.awake:
            super().begin_round()
