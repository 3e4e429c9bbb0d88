"""Controlled distance: on a two-way ring a candidate goes as far as a limit, waits to hear from both sides, then goes further.

It is the protocol of Hirschberg and Sinclair with early defeat: in stage i a candidate sends its identifier dis^(i-1) processes far
in both directions. A smaller process drops it, a greater one is defeated and starts no further stage; at the limit it turns back.
How much the early defeat saves depends on the schedule. Stages are never compared: the smaller wins, whatever its stage.

The slides count hops only at candidates, and advance on each message back; both are parameters here. They lead on the first own
message that has gone round, which leaves the second to meet those who have decided; here the leader waits for both. What comes
to a leader is dropped. At most 7 n lg n + O(n) messages where the distance doubles, 6.31 n lg n + O(n) where it triples.
"""

from typing import Literal

from modelcheck import NEXT, ElectionProcess, Id, Message, Parameter, always, because, initiate, receive, two_way_ring


class Forth(Message):
    id: Id
    stage: int
    limit: int


class Back(Message):
    id: Id


class Notify(Message):
    id: Id


class ControlledDistance(ElectionProcess):
    source = "Santoro, slides of chapter 3, Controlled Distance; Hirschberg and Sinclair, CACM 23(11), 1980"
    topology = two_way_ring.unoriented
    networks = ("fifo", "bag", "set")
    complexity = {
        "best": "max(3, 6n - 8 + 4 * 2^ceil(lg n))",
        "at most": "8n + 8 ceil(n lg n)",
        "exactly of Notify": "n",
    }

    elects = Parameter("min", "which extreme of the identifiers wins", among=("min", "max"))
    wake = Parameter("mixed", "join: whoever is woken becomes a candidate, even if beaten", among=("mixed", "join"))
    dis = Parameter(2, "the distance grows by this factor with every stage", among=(2, 3, 4))
    trigger = Parameter(2, "1: every single message back begins the next stage, as on the slide", among=(2, 1))
    defeated = Parameter(
        "count", "relay: the defeated pass everything on and count no hops, as on the slide", among=("count", "relay")
    )
    early = Parameter(False, "true: lead on the first own message that has gone round, as on the slide")

    mode: Literal["asleep", "candidate", "defeated"] = "asleep"
    stage: int = 0
    back: int = 0  # own messages that came back in this stage
    round: int = 0  # own messages that went all the way round

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        self.begin_stage()

    def begin_stage(self):
        self.stage += 1
        self.back = 0
        self.send_all(Forth(self.id, self.stage, self.dis ** (self.stage - 1)))

    @receive(Forth)
    def compare(self, forth, port):
        beaten = self.beats(forth.id, self.id)
        if self.mode == "asleep" and not (beaten and self.wake == "mixed"):
            self.start()
        if self.mode == "defeated" and self.defeated == "relay":
            self.send(self.other(port), forth)
        elif beaten:
            self.mode = "defeated"
            if forth.limit > 1:
                self.send(self.other(port), forth.replace(limit=forth.limit - 1))
            else:
                self.reply(Back(forth.id))
        elif forth.id == self.id and self.status == "undecided":
            self.round += 1
            if self.round == 2 or self.early:
                self.status, self.leader = "leader", self.id
                self.send(NEXT, Notify(self.id))

    def beats(self, one, other):
        return one < other if self.elects == "min" else one > other

    @receive(Back)
    def check(self, message, port):
        if self.mode == "defeated" and (message.id != self.id or self.defeated == "relay"):
            self.send(self.other(port), message)
        elif self.mode == "candidate" and message.id == self.id and self.status == "undecided":
            self.back += 1
            if self.back == self.trigger:
                self.begin_stage()

    @receive(Notify)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


@always
def each_has_two_messages_at_most(view):
    """Nobody has more than two messages on their way, forth and back."""
    for p in view.processes:
        own = [t for t in view.in_transit(Forth, Back) if t.message.id == p.id]
        if len(own) > 2:
            return because(f"{p} has {len(own)} messages on their way")
    return True
