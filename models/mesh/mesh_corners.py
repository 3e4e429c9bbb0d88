"""Election in a mesh: the four corners elect the least of themselves, on the ring that the border makes.

Who wakes up tells all its neighbours whether it is a corner, on the border or inside, which it sees from its number of links. A
process on the border so learns which of its links lead along the border, and passes on what comes there; the corners compete in
stages (Franklin 1982). The winner, the least of the corners and not of all, floods the mesh with the news.
The slides forward a wake-up to the other neighbours only, and then who wakes a neighbour never learns where that one is. Where one
side is 2 and the other is longer nobody is inside, and the border cannot tell its own links from those across: no leader then.
"""

from typing import Literal

from modelcheck import ElectionProcess, Id, Message, Port, always, because, initiate, mesh, receive

PLACES = {2: "corner", 3: "border", 4: "interior"}  # by the number of links


class WakeUp(Message):
    place: Literal["corner", "border", "interior"]


class Election(Message):
    id: Id


class Done(Message):
    id: Id


class MeshCorners(ElectionProcess):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, section 3.4; slides of chapter 3"
    topology = mesh
    networks = ("fifo", "bag")
    elects = "any"
    complexity = {
        "best": "2m + 4 (4n - 2m - 4) + 2m - n + 1",
        "worst": "2m + 6 (4n - 2m - 4) + 2m - n + 1",
        "exactly of WakeUp": "2m",
        "exactly of Done": "2m - n + 1",
    }

    mode: Literal["asleep", "awake", "candidate", "defeated"] = "asleep"
    heard: int = 0  # on the border: how many neighbours have said where they are
    along: frozenset[Port] = frozenset()  # the links along the border, as far as they are known
    first: Id | None = None  # at a corner: what was received first in this stage
    closed: Port | None = None  # where from

    # wake-up

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.wake_up()

    def wake_up(self, but=None):
        self.mode = "awake"
        self.send_all(WakeUp(PLACES[len(self.ports)]), but=but)
        if len(self.ports) == 2:
            self.along = frozenset(self.ports)
            self.enter_stage()

    @receive(WakeUp)
    def learn_place(self, message, port):
        if self.mode == "asleep":
            self.wake_up()
        self.note_place(message.place, port)

    def note_place(self, place, port):
        if len(self.ports) == 3:
            self.heard += 1
            if place != "interior":
                self.along |= {port}

    # election among the corners

    def enter_stage(self):
        self.mode = "candidate"
        self.first = self.closed = None
        self.send_all(Election(self.id))

    @receive(Election)
    def compete(self, message, port):
        if self.mode == "asleep":
            self.wake_up()
        if self.mode != "candidate":
            self.require(len(self.along) == 2 and (self.heard == 3 or self.mode == "defeated"))
            [other] = self.along - {port}
            self.send(other, message)
            return
        self.require(port != self.closed)
        if self.first is None:
            self.first, self.closed = message.id, port
        elif message.id == self.first == self.id:
            self.leader = self.id
            self.first = self.closed = None
            self.send_all(Done(self.id))
        elif self.id == min(self.id, self.first, message.id):
            self.enter_stage()
        else:
            self.mode = "defeated"
            self.first = self.closed = None

    # notification

    @receive(Done)
    def learn(self, message, port):
        if self.leader is None:
            self.leader = message.id
            self.send_all(message, but=port)


class AsOnTheSlides(MeshCorners):
    """A wake-up is forwarded to the other neighbours only: whoever wakes a neighbour never learns where that one is."""

    @receive(WakeUp)
    def learn_place(self, message, port):
        if self.mode == "asleep":
            self.wake_up(but=port)
        self.note_place(message.place, port)


@always
def leader_is_the_least_corner(view):
    """Whoever is named as the leader has the least identifier of the corners."""
    least = min(p.id for p in view.processes if len(p.ports) == 2)
    wrong = [p for p in view.processes if p.leader not in (None, least)]
    return not wrong or because(f"{wrong[0]} takes {wrong[0].leader} for the leader, and {least} is the least corner")
