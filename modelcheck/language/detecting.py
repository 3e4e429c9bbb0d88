"""A base class for protocols that ask the failure detector: what it has said of whom is kept here, and not in every protocol."""

from __future__ import annotations

from .messages import Down, Up
from .process import Process, receive, stable
from .values import Id, Port


class Detecting(Process):
    """Base of a protocol in which everyone keeps in mind, over a crash too, which of its neighbours the detector reports as down.

    `suspected` has their identifiers, `note_crash` and `note_recovery` keep it. Who does more on hearing of either writes the step anew and
    calls that of `super()`.
    """

    knows = ("neighbours",)

    suspected: frozenset[Id] = stable(frozenset())

    @receive(Down)
    def note_crash(self, _: Down, port: Port) -> None:
        self.suspected |= {self.neighbour(port)}

    @receive(Up)
    def note_recovery(self, _: Up, port: Port) -> None:
        self.suspected -= {self.neighbour(port)}

    def suspects(self, port: Port) -> bool:
        """Whether the neighbour at `port` has been reported as down."""
        return self.neighbour(port) in self.suspected

    def begin_without(self, other: Id) -> None:
        """In `initially`: the process of this identifier is down when the run begins, and all others have been told."""
        if self.id == other:
            self.start_crashed()
        else:
            self.suspected = frozenset({other})
