"""Peterson 1982: on a one-way ring active processes compare with the two before them; the owner of the value that is left leads.

Everyone is active at first, with its identifier for its value, and sends that. An active process sends on the greater of its own
value and the one it received, receives a second one, and stays active with the first in place of its own if that is the greatest
of the three; so at least half of the active ones become relays in every phase, and relays pass on what comes. Whoever receives its
own identifier, active or relay, is elected: its value has gone round. (`dolev_klawe_rodeh` is the same idea, but there whoever
receives the value it holds is the last, and the second message is what it received.)

The improved algorithm of the same paper saves half of the messages of a phase: `uni_alternate`. The announcement, and that the
elected passes on nothing, are filled in here; so is how sleepers join, with the first message. The checker finds that the test for
one's own identifier does not carry over to the improved algorithm: there a process can be active with another value when
its own comes by, and from n=5 on the wrong one is elected.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive


class Value(Message):
    value: Id


class Leader(Message):
    id: Id


class Peterson(ElectionProcess):
    source = "Peterson, An O(n log n) unidirectional algorithm for the circular extrema problem, TOPLAS 4(4), 1982"
    topology = one_way_ring
    networks = ("fifo",)
    complexity = {"best": "min(4n - 1, 2n^2)", "at most": "2n floor(lg n) + 3n", "exactly of Leader": "n"}

    mode: Literal["asleep", "active", "relay"] = "asleep"
    value: Id
    first: Id | None = None

    def initially(self):
        self.value = self.id

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.begin_phase()

    def begin_phase(self):
        self.mode, self.first = "active", None
        self.send(NEXT, Value(self.value))

    @receive(Value)
    def hear(self, message):
        if self.leader is not None:
            return
        if self.mode == "asleep":
            self.start()
        if message.value == self.id:
            self.leader = self.id
            self.send(NEXT, Leader(self.id))
        elif self.mode == "relay":
            self.send(NEXT, message)
        else:
            self.compare(message.value)

    def compare(self, value):
        if self.first is None:
            self.first = value
            self.send(NEXT, Value(max(value, self.value)))
        elif self.first >= max(value, self.value):
            self.value = self.first
            self.begin_phase()
        else:
            self.mode = "relay"

    @receive(Leader)
    def learn(self, message):
        if self.leader is None:
            self.leader = message.id
            self.send(NEXT, message)


class ByTurns(Peterson):
    """The steps of the improved algorithm with this test: keep a value if it beats the one before, or then the one after, by turns."""

    odd: bool = False

    def begin_phase(self):
        self.odd = not self.odd
        Peterson.begin_phase(self)

    def compare(self, value):
        if self.odd and self.value > value:
            self.begin_phase()
        elif not self.odd and self.value < value:
            self.value = value
            self.begin_phase()
        else:
            self.mode = "relay"
