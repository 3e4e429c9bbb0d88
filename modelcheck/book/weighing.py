"""What the book says of expected values, held against what `expect` computes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..chance.result import Expectation
from ..chance.values import Value
from ..errors import UsageError, nearest
from ..language.formulas import close
from .formulas import BookFormula, shown

INFINITE = "infinite"
EXTREMES = ("least", "greatest")
Wanted = BookFormula | None  # None: it is infinite


def differences(wanted: Mapping[str, Wanted], size: Expectation, variables: Mapping[str, int]) -> list[str]:
    """Where "rounds", or "greatest messages of Token", are not as wanted for this size. Without an extreme it is what any scheduler comes
    to, in the mean over the assignments."""
    found = []
    for key, formula in wanted.items():
        extreme, _, rest = key.partition(" ")
        name = rest if extreme in EXTREMES else key
        if name not in size.names:
            raise UsageError(f"nothing is expected of {name!r}; {nearest(name, size.names)}")
        spread = size.over(name)
        own = {"least": [spread.least], "greatest": [spread.greatest]}
        values = own.get(extreme, [spread.mean_least, spread.mean_greatest])
        if not all(_is(value, formula, variables) for value in values):
            told = " to ".join(dict.fromkeys(map(_told, values)))
            want = INFINITE if formula is None else shown(formula(**variables))
            found.append(f"{key} is {told} at n={size.n}, not {want}")
    return found


def _is(value: Value, formula: Wanted, variables: Mapping[str, int]) -> bool:
    if formula is None or value.exact is None:
        return formula is None and value.infinite
    return close(value.exact, formula(**variables))


def _told(value: Value) -> str:
    if value.infinite:
        return INFINITE
    if value.exact is not None:
        return str(value.exact)
    ends = [end for end in (value.low, value.high) if isinstance(end, Fraction)]
    return " to ".join(f"{float(end):.6f}" for end in ends)
