"""Gossip: in every round everybody pushes the greatest identifier that it knows to one neighbour, drawn at random (after Demers et al. 1987).

Nobody knows when all have heard, so it goes on for ever; with probability 1 all know the greatest some day, on any graph. On a complete
one that takes log2 n + ln n + O(1) rounds (Pittel 1987), and `modelcheck expect gossip --until all_know_the_greatest` has it exactly for
few processes (one round more, for a round here begins with receiving). Whoever is to lead must stop: `Decides` does, after so many rounds, and may be wrong.

Rounds may also be taken away (`--schedule any --network newest`): whoever may push at any moment needs links that hold the newest alone.
"""

from modelcheck import ElectionProcess, Id, Message, Parameter, any_graph, complete, eventually, receive, step


class Rumour(Message):
    id: Id


class Gossip(ElectionProcess):
    source = (
        "after Demers et al., Epidemic Algorithms for Replicated Database Maintenance, PODC 1987, section 1.3 (push)"
    )
    topology = (complete, any_graph)
    schedule = "lockstep"
    specs = ()

    greatest: Id

    def initially(self):
        self.greatest = self.id

    @receive(Rumour)
    def hear(self, message):
        self.greatest = self.best(self.greatest, message.id)

    @step
    def push(self):
        self.send(self.draw(self.ports), Rumour(self.greatest))


@eventually
def all_know_the_greatest(view):
    """Some day all know the greatest identifier."""
    greatest = max(p.id for p in view.processes)
    return all(p.greatest == greatest for p in view.processes)


class Decides(Gossip):
    """After some rounds everybody takes the greatest that it knows for the leader: right with some probability, and no more."""

    source = "an exercise: how many rounds are enough for 9 runs in 10?"
    specs = ("election",)

    rounds = Parameter(2, "so many rounds it pushes", among=(1, 2, 3, 4))

    round: int = 0

    @step
    def push(self):
        self.require(self.leader is None)
        if self.round < self.rounds:
            self.round += 1
            super().push()
        else:
            self.leader = self.greatest
