"""Formulas in the book: lengths of traces, counts, numbers of messages, and how two of them compare.

They are written as on the cards of the models (see language/formulas.py); here any letter may be a variable.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ..errors import UsageError, nearest
from ..language.formulas import Meaning, Number, close, less, parse
from ..language.values import Misuse

_SIGNS = re.compile(r"(<=|>=|!=|=|<|>)")
_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "=": close,
    "!=": lambda a, b: not close(a, b),
    "<": less,
    ">": lambda a, b: less(b, a),
    "<=": lambda a, b: not less(b, a),
    ">=": lambda a, b: not less(a, b),
}


@dataclass(frozen=True)
class BookFormula:
    """A formula that was understood; `text` is how it was written."""

    text: str
    meaning: Meaning
    variables: frozenset[str]

    def __call__(self, **values: int) -> Number:
        """Its value where the letters mean these numbers. Raises UsageError for one without."""
        for name in sorted(self.variables - set(values)):
            raise UsageError(f"the formula {self.text!r} speaks of {name}; {nearest(name, values)}")
        try:
            with decimal.localcontext(decimal.Context(prec=60)):
                return self.meaning(values)
        except (ArithmeticError, ValueError) as error:
            raise UsageError(f"the formula {self.text!r} has no value here: {error}") from None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class FormulaComparison:
    """Two formulas and how they compare, such as `i < n`."""

    text: str
    left: BookFormula
    sign: str
    right: BookFormula

    def __call__(self, **values: int) -> bool:
        return _COMPARISONS[self.sign](self.left(**values), self.right(**values))


def read_formula(text: str) -> BookFormula:
    """Raises UsageError for what is no formula."""
    try:
        return BookFormula(text, *parse(text))
    except Misuse as misuse:
        raise UsageError(misuse.what) from None


def read_comparison(text: str) -> FormulaComparison:
    """Raises UsageError for what is no comparison of two formulas."""
    parts = _SIGNS.split(text)
    if len(parts) != 3:
        raise UsageError(f"{text!r} should be two formulas with one of {' '.join(_COMPARISONS)} between them")
    return FormulaComparison(text, read_formula(parts[0].strip()), parts[1], read_formula(parts[2].strip()))


def shown(value: Number) -> str:
    """`37/3`, `12`, `7.61`."""
    return str(value) if isinstance(value, Fraction) else f"{value:.2f}"
