"""ProbAsFar: AsFar on a two-way ring, where every process that starts draws the direction of its identifier at random.

Chance spares messages, not the right result: whatever is drawn, the smallest identifier comes round and nobody else's does. In the
worst case all draw the same direction, and it costs as much as on a one-way ring; on average, over arrangements and draws and
with equal delays, (sqrt 2)/2 n H_n + O(n) messages instead of n H_n + O(n): 0.49 n lg n instead of 0.69 n lg n. The O(n) is
measured here: about 0.64 n, and n to notify. No sense of direction is needed.

As there, an Election may still be on its way to a process that has decided.
"""

from modelcheck.models.as_far_bidirectional import AsFarBidirectional, Election

from modelcheck import receive


class ProbAsFar(AsFarBidirectional):
    source = "Korach, Rotem and Santoro, 1984; Santoro, slides of chapter 3, recap table"
    complexity = {**AsFarBidirectional.complexity, "about": "0.7071 n H_n + 1.64 n"}

    def first_way(self):
        return self.draw(self.ports)


class WokenStands(ProbAsFar):
    """Whoever is woken sends its own identifier, even if what woke it beats it."""

    complexity = ProbAsFar.complexity

    @receive(Election)
    def compare(self, message, port):
        if self.best is None and not self.beats(self.id, message.id):
            self.start()
        super().compare(message, port)
