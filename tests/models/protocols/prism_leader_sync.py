"""Itai and Rodeh's synchronous election as the PRISM case study `leader_sync` codes it, variable by variable. For lock-step.

There, processes read their successor's variables; here, the successor sends what will be read in the next round. Whether to go on
depends on everybody's `u`, so everybody sends it to everybody, on a complete graph. All that is sent is a function of the
sender's variables: states correspond one to one.
"""

from modelcheck import Message, Parameter, Process, complete, receive, step


class Value(Message):
    v: int


class Unique(Message):
    u: bool


class Leader(Process):
    topology = complete
    identifiers = "none"
    knows = ("n",)

    K = Parameter(
        2, "so many numbers to draw from, 0 the least: also the value of variables that are reset", among=range(2, 9)
    )

    s: int = 0  # 0 pick, 1 read, 2 all is read, 3 done
    c: int = 1
    u: bool = False
    v: int = 0
    p: int = 0
    heard: int = 0  # within a round
    rest: bool = False  # within a round: it has just gone back to s=0

    def send_value(self):
        self.send(self.ports[-1], Value(self.v))  # port k leads k+1 processes on: the last one to the process before

    @receive(Value)
    def read(self, message):
        last, unique = self.c == self.n - 1, self.u and self.p != message.v
        if self.u == last:
            self.p = 0
        self.u, self.v = unique, 0 if last else message.v
        if last:
            self.s = 2
            self.send_all(Unique(self.u))
        else:
            self.c += 1
            self.send_value()

    @receive(Unique)
    def hear(self, message):
        self.heard += 1
        self.u = self.u or message.u
        if self.heard == self.n - 1:
            self.heard, self.p = 0, 0
            self.s, self.c, self.u, self.rest = (3, self.c, False, False) if self.u else (0, 1, False, True)

    @step
    def pick(self):
        self.require(self.s == 0 and not self.rest)
        self.p = self.v = self.draw(range(self.K))
        self.s, self.u = 1, True
        self.send_value()

    @step
    def end_round(self):
        self.require(self.rest)
        self.rest = False
