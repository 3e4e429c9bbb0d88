"""Modified Bully (Effatparvar et al. 2010): whoever sees that the leader is down announces the greatest that answers.

Those asked only answer; they hold no elections of their own, which makes the number of messages linear. If the greatest
answer is lost a wrong leader is announced; so whoever is announced asks those greater than itself once more, and
announces the greatest that answers. The article does not say who asks again: here everyone that is told to lead.

A time-out is what the failure detector reports: a process stops waiting for those it has been told are down. Where an
answer is one of `lost_answers`, a Silence comes in its place: it stands for the time-out that its receiver runs into.

Asking again helps only if some answer did arrive; and its two announcements may overtake each other, so that a process
ends with the first. The remedy is that of Bully: ignore one that is smaller than a leader known to be up.
"""

from typing import Literal

from modelcheck import Detecting, Id, Message, Parameter, complete, initiate, receive, shared, step


class Election(Message):
    pass


class Ok(Message):
    id: Id


class Silence(Message):
    pass


class Coordinator(Message):
    id: Id


class BullyModified(Detecting):
    source = (
        "Effatparvar, Yazdani, Effatparvar, Dadlani and Khonsari, Improved Algorithms for Leader Election, section 2"
    )
    topology = complete
    networks = ("fifo",)
    tolerates = ("crashes",)
    specs = ("eventual_election",)
    complexity = {
        "best": "2(n-1)^2 - max(n-2, 0)",
        "worst": "2(n-1)^2 + max(n-2, 0)",
        "one detector i < n-1, only n down, exactly": "2(n-i) + (n-2) + 1",
        "one detector n-1, only n down, exactly": "n",
    }

    lost_answers = Parameter(0, "how many answers may get lost", among=(0, 1, 2))

    mode: Literal["idle", "electing", "checking"] = "idle"
    leader: Id | None = None
    answers: frozenset[Id] = frozenset()
    silent: frozenset[Id] = frozenset()  # whose answers did not come in time
    lost: int = shared(0)

    def initially(self):
        self.leader = max([self.id, *(self.neighbour(port) for port in self.ports)])
        self.begin_without(self.leader)

    @initiate
    def detect(self):
        self.require(self.mode == "idle" and self.leader in self.suspected)
        self.ask("electing")

    # asking

    def ask(self, mode):
        self.mode = mode
        self.answers = self.silent = frozenset()
        for port in self.higher():
            self.send(port, Election())

    @receive(Election)
    def answer(self, _):
        if self.lost < self.lost_answers and self.choose((False, True)):
            self.lost += 1
            self.reply(Silence())
        else:
            self.reply(Ok(self.id))

    @receive(Ok)
    def hear(self, message):
        self.suspected -= {message.id}
        if self.mode != "idle":
            self.answers |= {message.id}

    @receive(Silence)
    def hear_nothing(self, _, port):
        if self.mode != "idle":
            self.silent |= {self.neighbour(port)}

    @step
    def time_out(self):
        self.require(self.mode != "idle" and self.nobody_will_answer())
        if self.answers or self.mode == "electing":
            self.announce(max({self.id, *self.answers}))
        self.mode = "idle"
        self.answers = self.silent = frozenset()

    # announcing

    def announce(self, leader):
        self.leader = leader
        self.send_all(Coordinator(leader))

    @receive(Coordinator)
    def follow(self, message):
        if not self.is_stale(message.id):
            self.leader = message.id
            self.check()

    def is_stale(self, id):
        return self.leader > id and self.leader not in self.suspected

    def check(self):
        if self.leader == self.id and self.mode != "checking":
            self.ask("checking")

    # knowing

    def higher(self):
        return [port for port in self.ports if self.neighbour(port) > self.id]

    def nobody_will_answer(self):
        heard = self.answers | self.silent | self.suspected
        return all(self.neighbour(port) in heard for port in self.higher())


class NeverChecks(BullyModified):
    """Whoever is announced does not ask those greater than itself: the algorithm without its remedy for lost answers."""

    complexity = {"exactly": "2(n-1)^2", "one detector i, only n down, exactly": "2(n-i) + (n-2)"}

    def check(self):
        pass


class BelievesTheStale(BullyModified):
    """A Coordinator smaller than a leader that is up is believed, as printed."""

    def is_stale(self, id):
        return False


class TimesOutAnyTime(BullyModified):
    """A time-out may fire whenever its process waits."""

    def nobody_will_answer(self):
        return True
