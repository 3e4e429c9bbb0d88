"""Hirschberg and Sinclair, as textbooks have it: on a two-way ring candidates probe twice as far in every phase.

In phase k a candidate sends its identifier 2^k processes far in both directions. A greater process swallows it; the last one on
its way replies. Whoever gets both replies is the greatest within 2^k and goes on to the next phase; whoever gets its own probes
back has been all the way round and leads. Few candidates go far, hence O(n log n) messages. No sense of direction is needed.

Garg gives the idea and leaves the details to the reader; the rules are those of Lynch and of Attiya and Welch. The paper has a
greater process refuse with a "no", and a candidate give up when it sees a greater value (`hirschberg_sinclair_1980`). Without
that a straggling reply can send a follower into another, hopeless phase, from n=4 on, even if one leads on the second own probe only: so
not even the leader has heard the last when it decides.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, always, because, initiate, receive, two_way_ring


class Probe(Message):
    id: Id
    phase: int
    hop: int


class Reply(Message):
    id: Id


class Leader(Message):
    id: Id


class HirschbergSinclair(ElectionProcess):
    source = (
        "Garg, section 13.2.2 and Problem 13.4; Lynch, Distributed Algorithms, 1996, section 3.4; "
        "Attiya and Welch, Distributed Computing, chapter 3; after Hirschberg and Sinclair, CACM 23(11), 1980"
    )
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "max(3, 6n - 8 + 4 * 2^ceil(lg n))",
        "at most": "8n + 8 ceil(n lg n)",
        "exactly of Leader": "n",
    }

    elects = Parameter("max", "which extreme of the identifiers wins", among=("max", "min"))

    mode: Literal["asleep", "candidate", "relay"] = "asleep"
    phase: int = 0
    replies: int = 0
    back: int = 0  # own probes that went all the way round

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        self.send_all(Probe(self.id, 0, 1))

    @receive(Probe)
    def compare(self, probe, port):
        if self.beats(probe.id, self.id):
            if self.mode == "asleep":
                self.mode = "relay"
            if probe.hop < 2**probe.phase:
                self.send(self.other(port), probe.replace(hop=probe.hop + 1))
            else:
                self.reply(Reply(probe.id))
            return
        if self.mode == "asleep":
            self.start()
        if probe.id == self.id:
            self.came_round()

    def came_round(self):
        self.back += 1
        if self.back == 2:
            self.lead()

    def lead(self):
        self.status, self.leader = "leader", self.id
        self.send(NEXT, Leader(self.id))

    @receive(Reply)
    def count(self, reply, port):
        if reply.id != self.id:
            self.send(self.other(port), reply)
            return
        self.replies += 1
        if self.replies == 2:
            self.replies = 0
            self.phase += 1
            self.send_all(Probe(self.id, self.phase, 1))

    @receive(Leader)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


class WokenStands(HirschbergSinclair):
    """Whoever is woken becomes a candidate, even if beaten."""

    complexity = HirschbergSinclair.complexity

    @receive(Probe)
    def compare(self, probe, port):
        if self.mode == "asleep":
            self.start()
        super().compare(probe, port)


class LeadsEarly(HirschbergSinclair):
    """A candidate leads on the first own probe that comes back."""

    complexity = HirschbergSinclair.complexity

    def came_round(self):
        self.back += 1
        if self.back == 1:
            self.lead()


@always
def survivors_beat_all_around(view):
    """Whoever has survived phase k beats everyone within distance 2^k."""
    best = max if view.protocol.elects == "max" else min
    for p in view.processes:
        radius = 2**p.phase // 2  # phase counts the phases survived
        near = {p.id: p}
        for _ in range(radius):
            near.update({q.at(port).id: q.at(port) for q in list(near.values()) for port in q.ports})
        if best(near) != p.id:
            return because(f"{p} has survived phase {p.phase - 1}, and {best(near)} is within {radius} of it")
    return True


@always
def few_survive_a_phase(view):
    """At most n / (2^k + 1) candidates survive phase k (Garg's text has that bound one phase later)."""
    for k in range(max(p.phase for p in view.processes)):
        survivors = sum(p.phase > k for p in view.processes)
        if survivors * (2**k + 1) > len(view.processes):
            return because(f"{survivors} candidates have survived phase {k}")
    return True
