"""VariableSpeeds: on a synchronous ring the token of identifier v takes 2^v rounds for each link, and the least comes home first.

A process keeps the least token that it has met until it is time to send it on, and swallows all others. While the least token goes
round, the next gets half as far at most, the one after it a quarter: fewer than 2n messages, on a ring of unknown size, in n 2^v
rounds for the least identifier v. The announcement, another n messages, is filled in here. Everybody begins in the first round.
"""

from modelcheck import NEXT, ElectionProcess, Message, one_way_ring, receive, step


class Token(Message):
    id: int


class Leader(Message):
    id: int


class VariableSpeeds(ElectionProcess):
    source = "Frederickson and Lynch, JACM 34(1), 1987; Lynch, Distributed Algorithms, 1996, section 3.5.2"
    topology = one_way_ring
    schedule = "lockstep"
    knows = ("integers",)
    elects = "min"
    complexity = {"at most of Token": "2n - 1", "exactly of Leader": "n", "best rounds": "3n + 1"}

    least: int  # that it has met
    held: bool = True
    wait: int  # so many rounds until it is sent

    def initially(self):
        self.least = self.id
        self.wait = 2**self.id - 1

    @receive(Token)
    def hear(self, token):
        if token.id == self.id:
            self.status = "leader"
            self.send(NEXT, Leader(self.id))
        elif token.id < self.least:
            self.least, self.held, self.wait = token.id, True, 2**token.id - 1

    @step
    def begin_round(self):
        self.require(self.held)
        if self.wait == 0:
            self.held = False
            self.send(NEXT, Token(self.least))
        else:
            self.wait -= 1

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if self.status == "undecided":
            self.status = "follower"
            self.send(NEXT, message)
