"""Omega by a rotating coordinator: rounds, each with a coordinator of its own, and whoever misses it begins the next (Aguilera et al. 2001).

The coordinator of round r is the process at place r mod n. As long as it is in its own round it tells all, for ever, that all is well. Whoever
hears of a later round joins it; whoever runs out of patience with a coordinator begins the next round, and tells its coordinator. In the
end all stay in a round whose coordinator lives.

Patience is the failure detector's word: it runs out for good when the coordinator is down, and for K rounds too soon (`--detector
unreliable:K`). So the rounds are finitely many, and links that hold the newest message of each type lose nothing: a later round makes up for
an earlier one. Start is needed: if the next coordinator is not told, the others may be content with an earlier one for ever.
"""

from modelcheck import Down, Message, Process, because, chord, complete, eventually_always, receive, step


class Ok(Message):
    round: int


class Start(Message):
    round: int


class OmegaRotating(Process):
    source = "Aguilera, Delporte-Gallet, Fauconnier and Toueg, Stable leader election, DISC 2001, section 4"
    topology = complete.oriented
    networks = ("newest",)
    identifiers = "none"
    knows = ("n", "position")
    tolerates = ("crashes", "suspicions")
    specs = ()

    round: int = 0
    missed: frozenset[int] = frozenset()  # the places of those with whom it has run out of patience

    def coordinator(self):
        return self.round % self.n

    def enter(self, round):
        self.round = round
        if self.coordinator() != self.position:
            self.send(chord((self.coordinator() - self.position) % self.n), Start(round))

    @step
    def all_is_well(self):
        self.require(self.coordinator() == self.position)
        self.send_all(Ok(self.round))

    @receive(Ok, Start)
    def join(self, message, port):
        self.missed -= {self.behind(port)}
        if message.round > self.round:
            self.enter(message.round)

    @receive(Down)
    def time_out(self, _, port):
        self.missed |= {self.behind(port)}
        if self.coordinator() in self.missed:
            self.enter(next(r for r in range(self.round, self.round + self.n) if r % self.n not in self.missed))

    def behind(self, port):
        return (self.position + int(port)) % self.n


@eventually_always
def one_living_process_coordinates_all(view):
    """From some moment on all that live are in one round, whose coordinator lives."""
    rounds = {p.round for p in view.alive}
    if len(rounds) > 1:
        return because(f"some are in round {min(rounds)} and some in round {max(rounds)}")
    places = {p.position for p in view.alive}
    return all(r % len(view.processes) in places for r in rounds) or because(
        f"the coordinator of round {min(rounds)} is down"
    )


class TellsNobody(OmegaRotating):
    """Whoever enters a round does not tell its coordinator, which may be in an earlier one."""

    def enter(self, round):
        self.round = round


class EarlierRoundsCount(OmegaRotating):
    """Whoever hears from the coordinator of an earlier round goes back to it."""

    @receive(Ok, Start)
    def join(self, message, port):
        self.missed -= {self.behind(port)}
        if message.round != self.round:
            self.enter(message.round)
