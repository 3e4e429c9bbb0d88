"""FloodMin (Lynch 1996): where processes crash in lock-step, all that live agree on the least identifier that they have heard of.

In each round everybody tells all the others the least that it knows. Whoever crashes in a round has told some of them and not others; so one round is not
enough, for one may know of a process that nobody else has heard of. With f crashes there is a round among f + 1 in which nobody crashes. After it all that live
know the same, and go on to. Who is chosen may be down: it is its identifier that they agree on.
"""

from modelcheck import Id, Message, Parameter, Process, at_the_end, because, complete, receive, step


class Least(Message):
    id: Id


class FloodMin(Process):
    source = "Lynch, Distributed Algorithms, 1996, section 7.1, for agreement on one value; crashes as in section 6.2"
    topology = complete
    schedule = "lockstep"
    tolerates = ("crashes",)
    complexity = {"exactly": "n (n - 1) (f + 1)", "exactly rounds": "f + 2"}

    f = Parameter(1, "so many crashes it is written for", among=(0, 1, 2))

    least: Id
    round: int = 0
    chosen: Id | None = None

    def initially(self):
        self.least = self.id

    @receive(Least)
    def hear(self, message):
        self.least = min(self.least, message.id)

    @step
    def begin_round(self):
        self.require(self.chosen is None)
        if self.round < self.rounds():
            self.round += 1
            self.send_all(Least(self.least))
        else:
            self.chosen = self.least

    def rounds(self):
        return self.f + 1


@at_the_end
def all_that_live_agree(view):
    """At the end all that live have chosen, and the same."""
    chosen = {p.chosen for p in view.alive}
    return (None not in chosen and len(chosen) <= 1) or because(f"{len(chosen)} are chosen")


class RoundTooFew(FloodMin):
    """As many rounds as there may be crashes, and not one more."""

    source = "Lynch, Distributed Algorithms, 1996, section 6.7"
    complexity = {}

    def rounds(self):
        return self.f
