"""What to expect in one world: each quantity at least and at most over all schedulers, and how the number of messages is distributed.

    ends        the probability that the run ends
    ends well   that it ends in a state in which everything holds that must hold in a state, or at the end
    messages    the expected number of messages, in total and by type
    steps       of steps; in lock-step, of rounds

Which schedulers.  A scheduler knows all that has happened and goes on as long as something can happen. It need not be fair. For
greatest values that makes no difference: whoever is unfair can be followed for k steps and then be fair, and what is expected
until then comes as close as one likes. The least number of messages or of steps is that of schedulers by which the run ends with
probability 1, which are fair. Only the least probability to end is another for fair ones: whether it is 1 for them says `run` (termination).

Greatest numbers count whether or not the run ends. They are infinite if and only if a scheduler can come, with some probability, to an end
component in which such a message is sent: it may stay there for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .building import STOP, Lotteries
from .decisions import Array, end_components
from .distribution import distribution
from .solving import greatest, least, least_of_ending
from .values import ENDS, ENDS_WELL, STEPS, Distribution, Quantity, Value, of_type

_ONE = Value(Fraction(1), Fraction(1))


@dataclass(frozen=True)
class Weighed:
    """What to expect in a world. `endless` is a state in an end component that goes on and on, by what is infinite."""

    quantities: dict[str, Quantity]
    distribution: Distribution | None
    endless: dict[str, int]


def expected(found: Lotteries, names: tuple[str, ...], well: Array) -> Weighed:
    """What to expect; `names` are those of the columns, and runs that end in states of this mask end well."""
    d, start = found.decisions, found.start
    explored = np.ones(found.explored, np.bool_)
    endless: dict[str, int] = {}

    def probability(reward: Array, sure: bool) -> Quantity:
        if sure:
            return Quantity(_ONE, _ONE)
        return Quantity(least(d, reward).of(start), greatest(d, reward).of(start))

    def amount(name: str, reward: Array, idle: Array | None = None) -> Quantity:
        most = greatest(d, reward, idle)
        if most.endless[start]:
            endless[name] = int(np.flatnonzero(most.seeds)[0])
        return Quantity(least_of_ending(d, reward).of(start), most.of(start))

    stops = d.owner[found.kind == STOP]
    ends = probability(found.stopping_in(explored), not end_components(d)[1].any())
    quantities = {ENDS: ends, ENDS_WELL: ends if well[stops].all() else probability(found.stopping_in(well), False)}
    for column, name in enumerate(names):
        quantities[of_type(name)] = amount(of_type(name), found.messages(column), found.idle[:, column])
    quantities[STEPS] = amount(STEPS, found.steps)
    return Weighed(quantities, distribution(found), endless)
