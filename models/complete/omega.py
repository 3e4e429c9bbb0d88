"""Omega from suspicions: everyone trusts the least process that it does not suspect (Chandra, Hadzilacos and Toueg 1996).

Omega is the failure detector by which everybody trusts the same living process from some moment on: enough for consensus, and no
weaker one is. With a detector that is eventually perfect, one that suspects wrongly a few times and takes that back, it is two lines.
Nobody knows when that moment has come. With suspicions that are not taken back two may trust two for ever.
"""

from modelcheck import Down, Id, Process, Up, because, complete, eventually_always, receive


class Omega(Process):
    source = "Chandra, Hadzilacos and Toueg, The Weakest Failure Detector for Solving Consensus, JACM 43(4), 1996"
    topology = complete
    networks = ("fifo", "bag", "set")
    knows = ("neighbours",)
    tolerates = ("crashes", "suspicions")
    specs = ("termination",)

    suspected: frozenset[Id] = frozenset()
    trusted: Id

    def initially(self):
        self.trust()

    @receive(Down)
    def suspect(self, message, port):
        self.suspected |= {self.neighbour(port)}
        self.trust()

    @receive(Up)
    def take_back(self, message, port):
        self.suspected -= {self.neighbour(port)}
        self.trust()

    def trust(self):
        others = {self.neighbour(port) for port in self.ports}
        self.trusted = min({self.id, *others} - self.suspected)


@eventually_always
def one_living_process_is_trusted_by_all(view):
    """From some moment on all that live trust the same, who lives."""
    trusted = {p.trusted for p in view.alive}
    if len(trusted) > 1:
        return because(f"{len(trusted)} are trusted")
    return trusted <= {p.id for p in view.alive} or because("who is trusted is down")
