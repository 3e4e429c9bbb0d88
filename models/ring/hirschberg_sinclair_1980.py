"""Hirschberg and Sinclair 1980, as published: probes twice as far in every phase, and a greater process sends a "no" back.

A candidate sends its value 2^k processes far in both directions and waits for both echoes. Whoever is greater echoes a no at
once; whoever is smaller has lost, passes the value on, and echoes an ok where it has gone far enough. One no, or a greater
value seen in the meantime, and the candidate has lost; two oks, and it goes twice as far; its own value back, and it has won.

Textbooks leave out the no and let the beaten wait for ever (`hirschberg_sinclair`); the no costs messages, and losing to what
passes by saves some. The checker finds that on links that keep the order nobody who follows probes any more, as some do there.
How a sleeper joins (a greater one becomes a candidate, a smaller one loses) and the announcement are filled in here.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, always, because, initiate, receive, two_way_ring


class From(Message):
    id: Id
    hops: int
    limit: int


class Echo(Message):
    id: Id
    ok: bool


class Leader(Message):
    id: Id


class HirschbergSinclair1980(ElectionProcess):
    source = "Hirschberg and Sinclair, Decentralized extrema-finding in circular configurations, CACM 23(11), 1980"
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "7n - 8 + 4 * 2^ceil(lg n)",
        "at most": "8n + 8 ceil(n lg n) + n",
        "exactly of Leader": "n",
    }

    role: Literal["asleep", "candidate", "lost", "won"] = "asleep"
    limit: int = 1
    echoes: int = 0

    @initiate
    def run(self):
        self.require(self.role == "asleep")
        self.role = "candidate"
        self.probe()

    def probe(self):
        self.echoes = 0
        self.send_all(From(self.id, 0, self.limit))

    @receive(From)
    def compare(self, message, port):
        if message.id < self.id:
            if self.role == "asleep":
                self.run()
            self.reply(Echo(message.id, False))
        elif message.id > self.id:
            self.role = "lost"
            if message.hops + 1 < message.limit:
                self.send(self.other(port), message.replace(hops=message.hops + 1))
            else:
                self.reply(Echo(message.id, True))
        elif self.role != "won":
            self.role = "won"
            self.status, self.leader = "leader", self.id
            self.send(NEXT, Leader(self.id))

    @receive(Echo)
    def hear(self, echo, port):
        if echo.id != self.id:
            self.send(self.other(port), echo)
            return
        self.echoes += 1
        if not echo.ok:
            self.role = "lost"
        elif self.echoes == 2 and self.role == "candidate":
            self.limit *= 2
            self.probe()

    @receive(Leader)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


@always(when=lambda protocol: protocol.network == "fifo")
def nobody_who_follows_probes(view):
    """No value of a follower is on its way."""
    followers = [p.id for p in view.processes if p.status == "follower"]
    late = [t.message for t in view.in_transit(From) if t.message.id in followers]
    return not late or because(f"{late[0]} comes from a follower")
