"""The kinds of network: what a link may do with messages. A new kind is an entry of this table.

Everyone asks for what a kind does, and nobody for its name: the semantics (semantics/network.py), random runs, exports, reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class NetworkKind:
    """What links do with messages. There are no defaults: a kind of which this is not said is none.

    sentence  what each link does, in words
    ordered   it delivers in the order of sending
    merges    equal messages that wait become one
    keeps     a message stays where it is, and can be received again and again
    replaces  a message takes the place of the one of its type that still waits on its link
    """

    name: str
    sentence: str
    ordered: bool
    merges: bool
    keeps: bool
    replaces: bool

    def __post_init__(self) -> None:
        """Raises ValueError for what has no meaning: an order among messages that merge or stay, and one that stays twice."""
        if (
            (self.ordered and (self.merges or self.keeps))
            or (self.keeps and not self.merges)
            or (self.replaces and not self.ordered)
        ):
            raise ValueError(f"nobody has said what links of the kind {self.name} do")


_KINDS = (
    NetworkKind(
        name="fifo",
        sentence="each link delivers in the order of sending",
        ordered=True,
        merges=False,
        keeps=False,
        replaces=False,
    ),
    NetworkKind(
        name="bag",
        sentence="each link delivers in any order",
        ordered=False,
        merges=False,
        keeps=False,
        replaces=False,
    ),
    NetworkKind(
        name="set",
        sentence="any order, and equal messages on a link merge",
        ordered=False,
        merges=True,
        keeps=False,
        replaces=False,
    ),
    NetworkKind(
        name="sticky",
        sentence="any order; a message stays on its link and can be received again and again",
        ordered=False,
        merges=True,
        keeps=True,
        replaces=False,
    ),
    NetworkKind(
        name="newest",
        sentence="each link holds the newest message of each type: it takes the place of one that still waits; in the order of sending",
        ordered=True,
        merges=False,
        keeps=False,
        replaces=True,
    ),
)
NETWORKS: Mapping[str, NetworkKind] = {kind.name: kind for kind in _KINDS}
ORDERED = next(kind.name for kind in _KINDS if kind.ordered)  # the network of lock-step, and of whoever asks for none
UNORDERED = next(kind.name for kind in _KINDS if not kind.ordered)  # what to try after that


def either(names: list[str]) -> str:
    """'fifo, bag or set'."""
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
