"""HyperElect: on an oriented hypercube duels along one dimension after the other leave one process after d stages.

After stage i - 1 one duellist is left in every subcube of the first i - 1 dimensions. It fights the one across dimension i: each sends the
other its identifier, the lesser one goes on, and the other is defeated. Where its opponent is not the neighbour there, the message
comes to somebody who was defeated in an earlier stage, and whoever is defeated knows the way to its conqueror: the dimensions that
the conqueror's message came along, each left out that occurs twice. It passes on what comes, by the shortest way. So O(n) messages
elect, where without a sense of direction no such protocol is known.

The winner's news goes along all dimensions, and from whom it comes to along those above the one that it came by: n - 1 messages.
"""

from typing import Literal

from modelcheck import ElectionProcess, Id, Message, dimension, hypercube, initiate, receive

Dimensions = frozenset[int]


class Forward(Message):
    stage: int
    id: Id
    way: Dimensions  # come from the duellist
    ahead: Dimensions  # to the next that has been promised


class Notify(Message):
    id: Id


class HyperElect(ElectionProcess):
    source = "Santoro, Design and Analysis of Distributed Algorithms, 2007, section 3.5.1; Flocchini and Mans, JPDC 33(1), 1996"
    topology = hypercube.oriented
    networks = ("fifo", "bag", "set")
    elects = "min"
    complexity = {"at most": "7n - (lg n)^2 - 3 lg n - 7", "exactly of Notify": "n - 1"}

    mode: Literal["asleep", "duellist", "defeated"] = "asleep"
    stage: int = 1
    conqueror: Dimensions = frozenset()  # the way to it
    delayed: frozenset[Forward] = frozenset()

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "duellist"
        self.fight()

    def fight(self):
        if self.stage > len(self.ports):
            self.leader = self.id
            self.send_all(Notify(self.id))
        else:
            self.pass_on(Forward(self.stage, self.id, frozenset(), frozenset({self.stage})))

    @receive(Forward)
    def take(self, message):
        if self.mode == "asleep":
            self.start()
        if message.ahead:
            self.pass_on(message)
        elif self.mode == "defeated":
            self.pass_on(message.replace(ahead=self.conqueror))
        else:
            self.delayed |= {message}
            self.decide()

    def pass_on(self, message):
        along = min(message.ahead)
        self.send(dimension(along), message.replace(way=message.way ^ {along}, ahead=message.ahead - {along}))

    def decide(self):
        """Fights the duels of this stage and those after it, as far as the opponents have come."""
        while opponent := next((message for message in self.delayed if message.stage == self.stage), None):
            self.delayed -= {opponent}
            if opponent.id < self.id:
                self.mode, self.conqueror = "defeated", opponent.way
                for message in self.delayed:
                    self.pass_on(message.replace(ahead=self.conqueror))
                self.delayed = frozenset()
            else:
                self.stage += 1
                self.fight()

    @receive(Notify)
    def learn(self, message, port):
        self.leader = message.id
        for further in self.ports:
            if further > port:
                self.send(further, message)
