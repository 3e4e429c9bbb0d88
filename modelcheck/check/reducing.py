"""Whether worlds are reduced (explore/stubborn.py): where it was asked for, where only messages are counted, where they would not fit."""

from __future__ import annotations

from ..count.census import Census
from ..count.tally import Tally
from ..explore.limits import Meter
from ..explore.stubborn import refusal
from ..semantics.system import System
from .request import Request


class Reducing:
    """One search's. `refused` says why no world is reduced, where that is so.

    If nobody said, a run reduces the worlds of a size where those would have more states than there may be: as many, for each assignment
    that there is, as the first world has for each that it stands for. That one is never reduced.
    """

    def __init__(
        self, request: Request | None = None, system: System | None = None, census: Census | None = None
    ) -> None:
        """Without a request nothing is reduced."""
        self.refused = "nobody asked for it"
        self._foresees, self._always = False, False
        self._sizes: dict[int, bool] = {}  # where it is decided
        if request is None or system is None or request.reduce == "none":
            return
        self.refused = refusal(system)
        if any(prop.kind == "eventually" for prop in request.properties):
            self.refused = "an @eventually property is looked at in every state of every run"
        counts = census is not None and not census.only_total  # and nothing else: then the states are of no interest
        self._always = not self.refused and (request.reduce == "order" or counts)
        # no part knows the first world, and all must do the same
        self._foresees = not self.refused and not self._always and request.part is None

    def is_open(self, tally: Tally) -> bool:
        """Whether it depends on the first world of this size, which is not known yet."""
        return self._foresees and not tally.worlds

    def decided(self, tally: Tally, meter: Meter) -> bool:
        """Whether the worlds of this size that come are reduced."""
        if not self._foresees or self.is_open(tally):
            return self._always
        if tally.n not in self._sizes:
            earlier, limit = meter.earlier_states - tally.states, meter.limits.max_states
            expected = earlier * tally.represented + tally.states * tally.to_represent
            # more than one world is known where this run resumes another, which has decided
            fits_not = tally.worlds == 1 and expected > limit * tally.represented
            self._sizes[tally.n] = fits_not or tally.reduced > 0
        return self._sizes[tally.n]
