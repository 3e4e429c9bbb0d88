"""Itai and Rodeh's election with bits as the PRISM case study `leader_async` codes it: each hop is a rendezvous of a process
with its successor. So that one step changes both, the variables of all stand in one that is shared.
"""

from modelcheck import Process, one_way_ring, shared, step

S, P, C, RECV, SENT = range(5)  # s: 0 choose, 1 active, 2 active and compared, 3 inactive, 4 leader
BLANK = (0, 0, 0, 0, 0)


class Leader(Process):
    topology = one_way_ring
    identifiers = "none"
    knows = ("n", "position")

    everyone_is: tuple[tuple[int, ...], ...] = shared((BLANK,) * 8)

    def pair(self):
        return self.everyone_is[self.position], self.everyone_is[(self.position + 1) % self.n]

    def become(self, me, other):
        changed = list(self.everyone_is)
        changed[self.position], changed[(self.position + 1) % self.n] = me, other
        self.everyone_is = tuple(changed)

    @step
    def choose_bit(self):
        (s, _, c, recv, sent), successor = self.pair()
        self.require(s == 0)
        self.become((1, self.draw((0, 1)), c, recv, sent), successor)

    @step
    def send_bit(self):
        (s, p, c, recv, sent), (s2, p2, c2, recv2, sent2) = self.pair()
        self.require(sent == 0 and (s in (1, 2) or (s == 3 and recv > 0)) and recv2 == 0 and s2 in (1, 3))
        me = (s, p if s == 1 else 0, c, recv, 1)
        if s2 == 1:
            self.become(me, (3 if (p2, p) == (0, 1) else 2, p2, c2, 1, sent2))
        else:
            self.become(me, (3, p, c2, 1, sent2))

    @step
    def send_counter(self):
        (s, p, c, recv, sent), (s2, p2, c2, recv2, sent2) = self.pair()
        self.require(sent == 1 and ((s == 2 and recv > 0) or (s == 3 and recv == 2)) and recv2 == 1)
        self.require((s2 == 2) or (s2 == 3 and c < self.n - 1))
        me = (3, 0, 0, 0, 0) if s == 3 else (2, p, c, recv, 2) if recv == 1 else BLANK
        if s2 == 3:
            self.become(me, (3, p2, c + 1, 2, sent2))
        elif sent2 < 2:
            self.become(me, (2, p2, c2, 2, sent2))
        else:
            self.become(me, (4, 0, 0, 0, 0) if c == self.n - 1 else BLANK)
