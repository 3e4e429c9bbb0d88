"""Two runs side by side on a page: the sliders go together, and the first difference is marked."""

from __future__ import annotations

from ...runs.beside import Pair
from ..words.beside import Side, TwoRuns
from .figure import Figure, figure
from .templates import page


def document(found: TwoRuns) -> str:
    """The page of two runs. A side that ends with a failure is drawn as one that goes wrong."""
    sides = []
    for place, (side, other) in enumerate(((found.one, found.other), (found.other, found.one))):
        sides.append(
            (side, _drawn(side), f"run-{other.letter}", _meets(found.pairs, place), _differing(found.pairs, place))
        )
    title = f"{found.one.of} | {found.other.of}"
    return page("beside.html", title=title, sides=sides, found=found, first=_first(found))


def _first(found: TwoRuns) -> str:
    """Where on the page the first difference stands."""
    if found.first is None:
        return ""
    pair = found.pairs[found.first]
    side, moment = (found.other, pair.other) if pair.one is None else (found.one, pair.one)
    return f"run-{side.letter}-{moment.number}" if moment is not None else ""


def _drawn(side: Side) -> Figure:
    return figure(side.trace, f"run-{side.letter}", violated=bool(side.trace.reason))


def _meets(pairs: tuple[Pair, ...], place: int) -> str:
    """For each moment of one side the moment of the other that is shown beside it."""
    found, last = [], 0
    for pair in pairs:
        own, other = (pair.one, pair.other) if place == 0 else (pair.other, pair.one)
        last = last if other is None else other.number
        if own is not None:
            found.append(str(last))
    return " ".join(found)


def _differing(pairs: tuple[Pair, ...], place: int) -> list[int]:
    """The moments of one side that are not the same on the other."""
    own = ((pair.one, pair.other)[place] for pair in pairs if not pair.same)
    return [moment.number for moment in own if moment is not None]
