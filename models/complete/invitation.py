"""Garcia-Molina's Invitation Algorithm (1982): where time-outs may be wrong, groups merge by invitation, and each has its coordinator.

Everyone begins as the coordinator of a group of its own. A coordinator asks the others whether they are coordinators too, and invites
those that are, and its own group, to a new one; whoever coordinated a group passes the invitation on to it. Those who accept in time are
told the task of the group, which here is who belongs to it. Whoever misses its coordinator, or recovers, forms a group of its own.

A group has a number that no other group ever has: who formed it, and the value of a counter that is kept over a crash. The checker
finds that, whatever is lost, overtaken or repeated and whoever crashes, all who are normal in a group have the same task, its coordinator among
them; and that nobody waits for ever. That one coordinator is left is not promised, and not so (`--spec one_group`).

Time-outs may fire at any moment: so nobody asks a coordinator whether it is there, a "no" is not sent, and nobody confirms a Ready. A
process looks for other coordinators `checks` times: a verdict is about the runs in which it does so no more often. The counter needs no bound
then, for a group is formed after a check, a crash, or an invitation. One's own invitation, come back, is for nobody (filled in here).
The rules follow what is commonly told of the article; its appendix, which has the program, was not compared.
"""

from typing import Literal

from modelcheck import (
    Id,
    Message,
    Parameter,
    Port,
    Process,
    always,
    at_the_end,
    because,
    complete,
    initiate,
    listed,
    receive,
    recover,
    stable,
    step,
)

Group = tuple[Id, int]  # who formed it, and the how manieth of its own it is


class AreYouCoordinator(Message):
    pass


class Yes(Message):
    pass


class Invite(Message):
    group: Group


class Accept(Message):
    group: Group


class Ready(Message):
    group: Group
    task: frozenset[Id]


class Invitation(Process):
    source = "after Garcia-Molina, Elections in a distributed computing system, IEEE Trans. Computers C-31(1), 1982"
    topology = complete
    networks = ("fifo", "bag", "set")
    knows = ("neighbours",)
    tolerates = ("crashes", "recoveries", "losses", "duplications", "partitions", "heals")

    checks = Parameter(1, "a process looks so many times for other coordinators", among=(1, 2, 3))

    state: Literal["normal", "election", "reorganization"] = "normal"
    group: Group
    task: frozenset[Id] = frozenset()
    up: frozenset[Port] = frozenset()  # its group, if it coordinates
    found: frozenset[Port] = frozenset()  # other coordinators
    checked: int = stable(0)
    counter: int = stable(0)

    def initially(self):
        self.form_a_group()

    @recover
    def form_a_group(self):
        self.state, self.group, self.task = "normal", (self.id, self.counter), frozenset({self.id})
        self.counter += 1
        self.up = self.found = frozenset()

    def coordinates(self):
        return self.group[0] == self.id

    # looking for others, and merging with them

    @initiate
    def check(self):
        self.require(self.state == "normal" and self.coordinates() and self.checked < self.checks)
        self.checked += 1
        self.send_all(AreYouCoordinator())

    @receive(AreYouCoordinator)
    def answer(self, _):
        if self.state == "normal" and self.coordinates():
            self.reply(Yes())

    @receive(Yes)
    def find(self, _, port):
        if self.state == "normal" and self.coordinates():
            self.found |= {port}

    @step
    def merge(self):
        self.require(self.found)
        invited = self.found | self.up
        self.form_a_group()
        self.state = "election"
        for port in sorted(invited):
            self.send(port, Invite(self.group))

    @receive(Invite)
    def join(self, message):
        if self.state == "normal" and message.group[0] != self.id:
            for port in sorted(self.up):
                self.send(port, message)
            self.state, self.group = "reorganization", message.group
            self.up = self.found = frozenset()
            self.send(self.port_to(message.group[0]), Accept(message.group))

    @receive(Accept)
    def count(self, message, port):
        if self.state == "election" and message.group == self.group:
            self.up |= {port}

    @step
    def begin(self):
        """It has waited long enough for those that it has invited."""
        self.require(self.state == "election")
        self.state, self.task = "normal", frozenset({self.id, *map(self.neighbour, self.up)})
        for port in sorted(self.up):
            self.send(port, Ready(self.group, self.task))

    @receive(Ready)
    def get_ready(self, message):
        if self.state == "reorganization" and message.group == self.group:
            self.state, self.task = "normal", message.task

    # being left

    @step
    def time_out(self):
        self.require(not self.coordinates())
        self.form_a_group()


@always
def one_task_in_a_group(view):
    """All who are normal in a group have the same task, in which they and their coordinator occur."""
    tasks = {}
    for p in view.alive:
        if p.state == "normal":
            if (task := tasks.setdefault(p.group, p.task)) != p.task:
                return because(f"in group {p.group} one has the task {set(task)}, and {p} has {set(p.task)}")
            if not {p.id, p.group[0]} <= p.task:
                return because(f"{p} is normal in a group whose task is of {listed(sorted(p.task))}")
    return True


@at_the_end
def nobody_waits(view):
    """At the end everyone that is up is normal."""
    waiting = [p for p in view.alive if p.state != "normal"]
    return not waiting or because(f"{listed(waiting)}: {waiting[0].state}")


class ForgetsItsCounter(Invitation):
    """The counter does not survive a crash, so that a group may have the number of an earlier one."""

    counter: int = 0


class ReadyForAny(Invitation):
    """Whoever waits for a task takes any that comes, and does not look for which group it is."""

    @receive(Ready)
    def get_ready(self, message):
        if self.state == "reorganization":
            self.state, self.task = "normal", message.task


class NobodyIsLeft(Invitation):
    """Whoever has accepted an invitation waits for its task as long as it takes."""

    @step
    def time_out(self):
        self.require(False)
