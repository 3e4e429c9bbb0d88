"""Controlled distance: on a two-way ring a candidate goes as far as a limit, waits to hear from both sides, then goes further.

It is the protocol of Hirschberg and Sinclair without their "no", and with any distances: in stage i a candidate sends its identifier
dis^(i-1) processes far in both directions. A smaller process drops it, a greater one is defeated and starts no further stage; at the
limit it turns back. How much that early defeat, which is theirs too, saves depends on the schedule. Stages are never compared: the smaller wins, whatever its stage.

The slides count hops only at candidates, advance on each message back, and lead on the first own message that has gone round, which
leaves the second to meet those who have decided; these are variations, and here the leader waits for both. What comes to a leader is
dropped. On the slides a message back says its stage, which nobody needs, and a Notify says nothing; here it names the leader. At most 7 n lg n + O(n) messages where the distance doubles, 6.31 n lg n + O(n) where it triples.
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
    dis = Parameter(2, "the distance grows by this factor with every stage", among=(2, 3, 4))

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
        if self.beats(forth.id, self.id):
            self.mode = "defeated"
            if forth.limit > 1:
                self.send(self.other(port), forth.replace(limit=forth.limit - 1))
            else:
                self.reply(Back(forth.id))
            return
        if self.mode == "asleep":
            self.start()
        if forth.id == self.id and self.status == "undecided":
            self.came_round()

    def came_round(self):
        self.round += 1
        if self.round == 2:
            self.lead()

    def lead(self):
        self.status, self.leader = "leader", self.id
        self.send(NEXT, Notify(self.id))

    @receive(Back)
    def check(self, message, port):
        if message.id != self.id:
            if self.mode == "defeated":
                self.send(self.other(port), message)
        elif self.mode == "candidate" and self.status == "undecided":
            self.came_back()

    def came_back(self):
        self.back += 1
        if self.back == 2:
            self.begin_stage()

    @receive(Notify)
    def learn(self, message, port):
        if message.id != self.id:
            self.status, self.leader = "follower", message.id
            self.send(self.other(port), message)


class WokenStands(ControlledDistance):
    """Whoever is woken becomes a candidate, even if beaten."""

    complexity = ControlledDistance.complexity

    @receive(Forth)
    def compare(self, forth, port):
        if self.mode == "asleep":
            self.start()
        super().compare(forth, port)


class EachBackAdvances(ControlledDistance):
    """Every single message that comes back begins the next stage."""

    source = "Santoro, slides of chapter 3, Controlled Distance, CHECK: if count = 1"

    def came_back(self):
        self.begin_stage()


class LeadsEarly(ControlledDistance):
    """A candidate leads on the first own message that has gone round."""

    source = "Santoro, slides of chapter 3, Controlled Distance"
    complexity = ControlledDistance.complexity

    def came_round(self):
        self.lead()


class DefeatedRelay(ControlledDistance):
    """The defeated pass everything on and count no hops."""

    source = "Santoro, slides of chapter 3, Controlled Distance, DEFEATED: send(*) to other"

    @receive(Forth)
    def compare(self, forth, port):
        if self.mode == "defeated":
            self.send(self.other(port), forth)
        else:
            super().compare(forth, port)

    @receive(Back)
    def check(self, message, port):
        if self.mode == "defeated":
            self.send(self.other(port), message)
        else:
            super().check(message, port)


class DefeatedRelayLeadsEarly(DefeatedRelay, LeadsEarly):
    """Both as on the slides: the defeated count no hops, and a candidate leads on the first own message that has gone round."""


@always
def each_has_two_messages_at_most(view):
    """Nobody has more than two messages on their way, forth and back."""
    for p in view.processes:
        own = [t for t in view.in_transit(Forth, Back) if t.message.id == p.id]
        if len(own) > 2:
            return because(f"{p} has {len(own)} messages on their way")
    return True
