"""Yo-Yo (Santoro): every link points to the greater identifier, values flow down and votes up, and sources drop out.

At first neighbours exchange identifiers. Then, round after round, a source sends its identifier down its links, and everyone else
waits for all links that lead to it and passes the least value on. Sinks vote yes on the least value that they got and no on the others;
the rest vote likewise, but no on all of them if they hear a no themselves. A link that brought a no is reversed. Links that can tell
nothing new are left out: all but one of those that brought the same value, and the only link of a sink. A source without links is the
last, has the least identifier, and leads. If no link is ever left out (`NeverPrunes`) a single source remains and never notices.

Without pruning nobody ever becomes a source again. With it the checker finds that this can happen, on four processes already: a link
may say no and be left out. So not every round has fewer sources than the one before; who wins does not change.
"""

from typing import Literal

from modelcheck import (
    ElectionProcess,
    Id,
    Message,
    Port,
    always,
    any_graph,
    because,
    every_step,
    initiate,
    receive,
)


class Setup(Message):
    id: Id


class Down(Message):
    value: Id


class Up(Message):
    yes: bool
    prune: bool


class Leader(Message):
    id: Id


class YoYo(ElectionProcess):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, section 3.8.3"
    topology = any_graph
    networks = ("fifo", "bag", "set")
    elects = "min"
    complexity = {
        "about": "2m lg n",
        "at least": "6m - n + 1",
        "exactly of Setup": "2m",
        "exactly of Leader": "2m - n + 1",
    }

    prunes = True  # what the properties go by

    phase: Literal["asleep", "setup", "down", "up", "left"] = "asleep"
    inward: frozenset[Port] = frozenset()
    outward: frozenset[Port] = frozenset()
    values: frozenset[tuple[Port, Id]] = frozenset()  # that came down in this round
    voted: frozenset[Port] = frozenset()  # these answered, of these with no, and these want to be left out
    no: frozenset[Port] = frozenset()
    pruned: frozenset[Port] = frozenset()

    # which way the links point

    @initiate
    def start(self):
        self.require(self.phase == "asleep")
        self.phase = "setup"
        self.send_all(Setup(self.id))
        if not self.ports:
            self.begin_round()

    @receive(Setup)
    def orient(self, message, port):
        if self.phase == "asleep":
            self.start()
        if message.id < self.id:
            self.inward |= {port}
        else:
            self.outward |= {port}
        if len(self.inward | self.outward) == len(self.ports):
            self.begin_round()

    # values flow down

    def begin_round(self):
        self.phase = "down"
        if not self.inward and not self.outward:
            self.leader = self.id
            self.send_all(Leader(self.id))
        elif not self.inward:
            self.pass_down(self.id)

    @receive(Down)
    def collect(self, message, port):
        self.require(self.phase == "down" and port in self.inward)
        self.values |= {(port, message.value)}
        if len(self.values) == len(self.inward):
            self.pass_down(min(value for _, value in self.values))

    def pass_down(self, value):
        self.phase = "up"
        for port in self.outward:
            self.send(port, Down(value))
        self.test_whether_all_voted()

    # votes flow up

    @receive(Up)
    def count(self, vote, port):
        self.voted |= {port}
        if not vote.yes:
            self.no |= {port}
        if vote.prune:
            self.pruned |= {port}
        self.test_whether_all_voted()

    def test_whether_all_voted(self):
        if self.voted == self.outward:
            alone = self.is_at_the_end()
            inward, outward = self.no - self.pruned, self.outward - self.no - self.pruned
            kept = self.links_to_keep()
            for port, value in self.values:
                yes = not self.no and value == min(value for _, value in self.values)
                prune = alone or port not in kept
                self.send(port, Up(yes, prune))
                if not prune and yes:
                    inward |= {port}
                elif not prune:
                    outward |= {port}
            self.inward, self.outward = inward, outward
            self.values = self.voted = self.no = self.pruned = frozenset()
            if alone:
                self.phase = "left"
            else:
                self.begin_round()

    def is_at_the_end(self):
        return not self.outward and len(self.inward) == 1

    def links_to_keep(self):
        """One of those that brought the same value, for each value."""
        values = sorted({value for _, value in self.values})
        return [self.keep([port for port, other in self.values if other == value]) for value in values]

    def keep(self, ports):
        return self.choose(ports)

    # the news

    @receive(Leader)
    def learn(self, message, port):
        if self.leader is None:
            self.leader = message.id
            self.send_all(message, but=port)


class KeepsTheFirst(YoYo):
    """Of several links that brought the same value the first port is kept."""

    complexity = YoYo.complexity

    def keep(self, ports):
        return ports[0]


class NeverPrunes(YoYo):
    """No link is ever left out: a single source remains, and never notices."""

    prunes = False

    def is_at_the_end(self):
        return False

    def links_to_keep(self):
        return [port for port, _ in self.values]


@always
def the_least_is_a_source(view):
    """No link ever leads to the process with the least identifier."""
    least = min(view.processes, key=lambda p: p.id)
    return not least.inward or because(f"a link leads to {least}")


@every_step(when=lambda protocol: not protocol.prunes)
def nobody_becomes_a_source(before, after):
    """Whoever has voted on a value is no source ever after."""
    for old, new in zip(before.processes, after.processes, strict=True):
        if old.phase == "up" and old.inward and not new.inward:
            return because(f"{new} becomes a source")
    return True
