"""Dijkstra 1974, with K states: from whatever state a ring begins in, one privilege is left, and goes round for ever.

Every process sees its own state and that of the process before it, in one atomic step. The first is privileged where the two are
equal, and then counts on; any other where they differ, and then takes over what it sees. A run may begin in any state. However
it goes, somebody is privileged, privileges never become more, and from some moment on there is exactly one.

Dijkstra asks for K > N of the machines 0..N, that is for as many states as there are processes. One fewer will do (Fokkink, Hoepman
and Pang 2005); with two fewer, as for four processes with two states, the checker finds a run on which two privileges chase each
other round the ring for ever.
"""

from modelcheck import (
    Parameter,
    Process,
    always,
    always_eventually,
    because,
    eventually_always,
    every_step,
    one_way_ring,
    shared,
    step,
)


class Dijkstra(Process):
    source = "Dijkstra, Self-stabilizing Systems in Spite of Distributed Control, CACM 17(11), 1974, first solution"
    topology = one_way_ring
    identifiers = "none"
    knows = ("n", "position")
    specs = ()

    k = Parameter(4, "so many states a process has", among=(2, 3, 4, 5, 6))

    states: tuple[int, ...] = shared(())

    def shared_initially(self):
        self.states = tuple(self.choose(range(self.k)) for _ in range(self.n))

    @step
    def count_on(self):
        self.require(self.position == 0 and self.states[0] == self.states[-1])
        self.become((self.states[0] + 1) % self.k)

    @step
    def take_over(self):
        self.require(self.position > 0 and self.states[self.position] != self.states[self.position - 1])
        self.become(self.states[self.position - 1])

    def become(self, state):
        self.states = (*self.states[: self.position], state, *self.states[self.position + 1 :])


def privileged(view):
    """The places of those that are privileged."""
    states = view.shared.states
    return [place for place in range(len(states)) if (states[place] == states[place - 1]) == (place == 0)]


@always
def somebody_is_privileged(view):
    """There is a privilege."""
    return bool(privileged(view))


@every_step
def privileges_never_become_more(before, after):
    """A step does not make privileges."""
    return len(privileged(after)) <= len(privileged(before))


@eventually_always
def one_is_privileged(view):
    """From some moment on there is one privilege."""
    return len(privileged(view)) == 1 or because(f"{len(privileged(view))} are privileged")


@always_eventually
def the_privilege_comes_round(view):
    """The first process has the privilege again and again."""
    return 0 in privileged(view)
