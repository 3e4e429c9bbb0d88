"""Stages on a chordal ring: candidates compare with both neighbouring candidates, and chords lead from one to the next.

It is election by stages (`stages`) where each candidate knows how far the next ones are, and its messages go there by chords. Whoever
is defeated knows that too, for the last stage in which it stood, and passes what comes to it on to the next candidate of that stage.
A message counts how far it has come, so that the next stage can do without those in between. So a stage takes no more messages than
there are ways between the candidates of the stage before it, which are half as many every time: O(n) in all, where chords make them short.

After Attiya, van Leeuwen, Santoro and Zaks, who show that log n chords at each process are enough for that. Their ways, the sleepers, who
join, and the announcement, n - 1 messages, are filled in here. No process needs to know n: the longest chord is the link back.
"""

from typing import Literal

from modelcheck import ElectionProcess, Id, Message, chord, chordal_ring, complete, initiate, receive


class Candidate(Message):
    id: Id
    stage: int
    way: Literal["ahead", "back"]
    distance: int  # between the candidates
    left: int  # to the next that it is for


class Leader(Message):
    id: Id
    span: int  # so many behind the receiver are to be told by it


class ChordalStages(ElectionProcess):
    source = "after Attiya, van Leeuwen, Santoro and Zaks, Efficient elections in chordal ring networks, Algorithmica 4, 1989"
    topology = (chordal_ring(1, 2), complete.oriented)
    networks = ("fifo", "bag", "set")
    elects = "min"
    complexity = {"best": "5n - 1", "exactly of Leader": "n - 1"}

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    stage: int = 0
    ahead: int = 1  # so far to the next candidate
    back: int = 1
    waiting: frozenset[Candidate] = frozenset()

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        if self.ports:
            self.begin_stage()
        else:
            self.leader = self.id

    def begin_stage(self):
        self.stage += 1
        self.go(Candidate(self.id, self.stage, "ahead", self.ahead, self.ahead))
        self.go(Candidate(self.id, self.stage, "back", self.back, self.back))

    def go(self, message):
        """Sends it by the longest chord that does not lead too far."""
        n = int(max(self.ports)) + 1
        if message.way == "ahead":
            length = max(int(port) for port in self.ports if int(port) <= message.left)
            self.send(chord(length), message.replace(left=message.left - length))
        else:
            length = max(n - int(port) for port in self.ports if n - int(port) <= message.left)
            self.send(chord(n - length), message.replace(left=message.left - length))

    @receive(Candidate)
    def take(self, message):
        if message.left:
            self.go(message)
            return
        if self.mode == "asleep":
            self.start()
        self.waiting |= {message}
        while self.mode == "candidate" and len(found := [m for m in self.waiting if m.stage == self.stage]) == 2:
            self.waiting -= frozenset(found)
            self.compare(found)
        if self.mode == "defeated":
            for m in sorted(self.waiting, key=lambda m: m.way):
                further = self.ahead if m.way == "ahead" else self.back
                self.go(m.replace(distance=m.distance + further, left=further))
            self.waiting = frozenset()

    def compare(self, found):
        least = min(m.id for m in found)
        for m in found:
            if m.way == "ahead":
                self.back = m.distance
            else:
                self.ahead = m.distance
        if least == self.id:
            self.mode, self.leader = "defeated", self.id
            self.tell(int(max(self.ports)))
        elif least < self.id:
            self.mode = "defeated"
        else:
            self.begin_stage()

    def tell(self, span):
        """Tells the next `span` processes, each of whom tells those before the next that is told here."""
        for port in sorted(self.ports, reverse=True):
            if int(port) <= span:
                self.send(port, Leader(self.leader, span - int(port)))
                span = int(port) - 1

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        self.tell(message.span)
