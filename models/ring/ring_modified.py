"""Modified Ring (Effatparvar et al. 2010): one identifier goes round, and everyone puts its own in place of a smaller one.

The ring is that of the processes alive; whoever notices that the leader is down sends its identifier on. After one round
the message holds the greatest of all. The article says that it then "returns back to the initial node" and that, "if the
received ID equals that of the initial sender, it declares itself as the leader". Read to the letter, an election that the
greatest did not start never ends. Here it ends when the greatest gets its own identifier back.

Each detector's message goes all the way and is followed by an announcement. The article's "preventing smaller IDs from
being sent" needs a memory (`Swallowing`); then messages are those of Chang and Roberts, at most n(n+1)/2 and n to announce.

On a complete graph port k leads to the (k+1)-st process clockwise, and dead ones are skipped. No rule to stop survives a
crash: an Election or a Coordinator whose owner is gone goes round for ever; a memory stops the Election only.
"""

from modelcheck import Down, ElectionProcess, Id, Message, Port, complete, initiate, one_way_ring, receive


class Election(Message):
    id: Id
    origin: Id


class Coordinator(Message):
    id: Id
    origin: Id


class RingModified(ElectionProcess):
    source = "Effatparvar, Yazdani, Effatparvar, Dadlani and Khonsari, ICCET 2010, section 3, equation 4"
    topology = (one_way_ring, complete)
    networks = ("fifo", "bag")
    complexity = {
        "exactly": "2n^2 + n(n-1)/2",
        "one detector at distance d before the greatest, exactly": "(n + d) + n",
    }

    detected: bool = False
    down: frozenset[Port] = frozenset()

    @receive(Down)
    def note_crash(self, _, port):
        self.down |= {port}

    @initiate
    def detect(self):
        self.require(self.leader is None and not self.detected)
        self.detected = True
        self.circulate(self.id, self.id)

    @receive(Election)
    def replace(self, message):
        if self.came_home(message):
            self.leader = max(message.id, self.id)
            self.pass_on(Coordinator(self.leader, self.id))
        else:
            self.circulate(max(message.id, self.id), message.origin)

    def came_home(self, message):
        return message.id == self.id

    def circulate(self, id, origin):
        self.pass_on(Election(id, origin))

    @receive(Coordinator)
    def learn(self, message):
        if message.origin != self.id:
            self.leader = message.id
            self.pass_on(message)

    def pass_on(self, message):
        for port in self.ports:
            if port not in self.down:
                self.send(port, message)
                return
        self.leader = self.id  # nobody else is alive


class InitiatorAnnounces(RingModified):
    """Who started the election announces its result, when its message comes back."""

    complexity = {"one detector, exactly": "2n"}

    def came_home(self, message):
        return message.origin == self.id


class ToTheLetter(RingModified):
    """Only a process that started the election and has the greatest identifier announces it."""

    source = "Effatparvar, Yazdani, Effatparvar, Dadlani and Khonsari, ICCET 2010, section 3"

    def came_home(self, message):
        return message.id == message.origin == self.id


class Swallowing(RingModified):
    """Nothing is passed on that is not greater than what was passed on before."""

    complexity = {"best": "3n - 1", "worst": "n(n+1)/2 + n", "mean": "n H_n + n"}

    passed_on: Id | None = None  # the greatest

    def circulate(self, id, origin):
        if self.passed_on is None or id > self.passed_on:
            self.passed_on = id
            super().circulate(id, origin)


class SwallowingToTheLetter(Swallowing, ToTheLetter):
    """Both: nothing smaller is passed on, and the greatest announces only what it started."""

    complexity = {}
