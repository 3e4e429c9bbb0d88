"""A leader that stabilises by itself: everyone tells its neighbours the least identifier it knows of, and how far that is.

Whatever a process believes at first, and whatever is on its links, in the end all take the least identifier for the leader. An
identifier that nobody has may be among what is believed (0 here, which is less than any): it has no process at distance 0, so whoever
passes it on believes it further away, and at distance n it is believed no more. Without that bound it lives for ever.

Everybody goes on telling, so runs do not end: links hold the newest message alone, as registers that one side writes and the other
reads. With `noise` a run begins not only with anything in the variables but also with nothing or any message on each link.
"""

from modelcheck import Message, Parameter, Process, any_graph, because, eventually_always, line, receive, step


class Tell(Message):
    leader: int
    distance: int


class StabilizingLeader(Process):
    source = "after Dolev, Israeli and Moran, Distributed Computing 7, 1993; Arora and Gouda, IEEE Trans. Computers 43(9), 1994"
    topology = (line, any_graph)
    networks = ("newest",)
    knows = ("n", "integers")
    specs = ()

    noise = Parameter(False, "true: anything may be on the links at first")

    leader: int  # follows from what was heard
    heard: tuple[Tell, ...]  # by port, what the neighbour there last told

    def initially(self):
        self.heard = tuple(self.anything() for _ in self.ports)
        self.leader, _ = self.best()
        for port in self.ports:
            if self.noise and self.choose((False, True)):
                self.start_with(port, self.anything())

    def anything(self):
        return Tell(self.choose(range(self.n + 1)), self.choose(range(self.n)))

    def best(self):
        """The least leader that may be, at the least distance, as (leader, distance)."""
        near = [(tell.leader, tell.distance + 1) for tell in self.heard if tell.distance + 1 < self.n]
        return min([(self.id, 0), *near])

    @step
    def tell(self):
        self.send_all(Tell(*self.best()))

    @receive(Tell)
    def hear(self, message, port):
        place = self.ports.index(port)
        self.heard = (*self.heard[:place], message, *self.heard[place + 1 :])
        self.leader, _ = self.best()


@eventually_always
def the_least_leads(view):
    """From some moment on everyone alive takes the least identifier of all for the leader."""
    least, named = min(p.id for p in view.processes), {p.leader for p in view.alive}
    return named == {least} or because(f"{sorted(named)} are taken for the leader, and {least} is the least")


class BelievesFromAfar(StabilizingLeader):
    """Distances do not count: the least identifier that is told anywhere is believed."""

    def best(self):
        return min([(self.id, 0), *((tell.leader, tell.distance) for tell in self.heard)])
