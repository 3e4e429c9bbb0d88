"""MinMax: on a one-way ring candidates take over the value they receive if it is smaller, and if it is larger, by turns.

In odd steps a value survives, at the next candidate, if it is smaller than the value there; in even steps if it is larger. So
the number of candidates falls like the Fibonacci numbers, as in UniAlternate, but neither extreme need survive. Whoever
receives the value it holds is the last candidate and leads, whatever its identifier.

The slides give this protocol's name and cost only; the rules are those by which Higham and Przytycka introduce MinMax+.
A candidate takes only messages of its own step, which makes it stand any reordering.
"""

from modelcheck.models.uni_alternate import UniAlternate

from modelcheck import NEXT, Id, Message, Parameter, receive


class MinMax(UniAlternate):
    source = "Santoro, slides of chapter 3, MinMax; Higham and Przytycka, Information Processing Letters 58, 1996"
    complexity = UniAlternate.complexity
    elects = "any"

    def survivor(self, received):
        """In odd steps the value received if it is smaller than the own, in even steps if it is larger."""
        return received if (received < self.value) == self.the_smaller_survives() else None

    def the_smaller_survives(self):
        return self.step % 2 == 1

    def finish(self):
        self.announce(self.id)


class Collect(Message):
    best: Id


class ElectsAnExtreme(MinMax):
    """Where an extreme is wanted after all, one more message goes round and collects it: n more messages."""

    elects = Parameter("min", "which extreme of the identifiers is collected", among=("min", "max"))

    def finish(self):
        self.send(NEXT, Collect(self.id))

    @receive(Collect)
    def collect(self, message):
        if self.mode == "candidate":  # the last one, which sent it
            self.announce(message.best)
        else:
            self.send(NEXT, Collect(self.best(message.best, self.id)))


class LargerFirst(MinMax):
    """The larger survives in odd steps, the smaller in even ones."""

    complexity = MinMax.complexity

    def the_smaller_survives(self):
        return self.step % 2 == 0


class KeepsItsValue(MinMax):
    """The mirror image: the own value is compared with the one received, and stays where it is if it survives."""

    complexity = MinMax.complexity

    def survivor(self, received):
        return self.value if (self.value < received) == self.the_smaller_survives() else None


class TakesAnyStep(MinMax):
    """A candidate takes messages of any step, which is correct where links keep the order."""

    complexity = MinMax.complexity

    def takes(self, _):
        return True
