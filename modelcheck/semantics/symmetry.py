"""A world's own symmetry: states that differ only in which of several processes that are alike is which.

Where identifiers repeat, or there are none, a permutation of the processes may keep everything that never changes: links,
port names and every profile (so identifiers, who initiates, who is the root, and whatever is known of positions). These
permutations are the world's group G. With (g s)[g(i)] = s[i], and the environment left as it is:

    Steps go along.  What a process can do is a function of the environment and its component, and what it sends arrives where
    its links lead. So s -> t by process i if and only if g s -> g t by process g(i), with the same outcome. Initial states are
    chosen for each profile, so they go along as well, and a state is reachable if and only if its twins g s are, in as many steps.

    One for all.  So of each orbit {g s} one state is explored, the one met first. It has as many transitions as each of its
    twins, and is terminal if they are; there are |G| / |{g : g s = s}| of them. What is claimed of states or steps is tried
    under every g where it is evaluated (properties/view.py), so it holds of all twins or of none.

    Cycles are kept.  A cycle of states leads to a closed walk of orbits; and along a closed walk of orbits, begun at s, one comes
    to some g s, and going on to g g s, ... and at last, G being finite, back to s. A step from s to a twin of s is such a walk:
    it counts as a cycle, a step that changes nothing does not. Fairness speaks of processes, which orbits mix up: so runs that
    never end are looked for among all twins of the states on such walks, which is all there is of cycles (check/liveness.py).

A graph with named ports has at most n automorphisms, so all of G is tried for each state.
"""

from __future__ import annotations

from collections.abc import Iterator

from .components import Component, State
from .isomorphism import Permutation, automorphisms
from .worlds import World

Group = tuple[Permutation, ...]


def own_group(world: World, knows: frozenset[str]) -> Group:
    """The permutations g that keep the world as its processes know it, the identity first; empty where there is no other."""
    if world.distinct:
        return ()
    profiles = world.profiles(knows)
    found = tuple(
        g for g in automorphisms(world.shape) if all(profiles[there] == profiles[here] for here, there in enumerate(g))
    )
    return found if len(found) > 1 else ()


def turned(g: Permutation, state: State) -> State:
    """The state in which process g[i] is what process i is in `state`."""
    moved = list(state)
    for here, there in enumerate(g):
        moved[there + 1] = state[here + 1]
    return tuple(moved)


class Orbits:
    """States up to a group; without one, every state is the only one of its orbit."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self._ranks: dict[Component, int] = {}  # an order of components, for the least of the twins

    def twins(self, state: State) -> list[State]:
        """The states of its orbit, itself first."""
        return list(dict.fromkeys(turned(g, state) for g in self.group)) if self.group else [state]

    def representative(self, state: State) -> State:
        """The same state for all of an orbit."""
        if not self.group:
            return state
        ranks = self._ranks
        for component in state[1:]:
            ranks.setdefault(component, len(ranks))
        return min(self._turned(state), key=lambda twin: [ranks[component] for component in twin[1:]])

    def size(self, state: State) -> int:
        """How many states are in its orbit."""
        return len(set(self._turned(state))) if self.group else 1

    def _turned(self, state: State) -> Iterator[State]:
        return (turned(g, state) for g in self.group)
