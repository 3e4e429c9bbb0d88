"""Formulas for numbers of messages, and for what is to be expected, as a model declares them: parsed, never run.

    complexity = {"worst": "n(n+1)/2 + n", "mean": "n H_n + n", "exactly of Leader": "n", "swallow=true, best": "3n - 1"}

A key is one of the words in MEANINGS, perhaps `of` one type of message, perhaps after conditions; "exactly rounds" is about the time in lock-step.
In a formula n is the number of processes, m of links (a link both ways counts once), d the diameter, k the number of initiators. There are numbers,
+ - * / ^ and parentheses, products written side by side, H_n (harmonic numbers), phi (the golden ratio), lg (to base 2), floor, ceil, min, max, fib
(1, 1, 2, 3, 5, ...), fact (n!), binom(n, k) and sum(j, 0, n, j^2), in which j is a letter of its own. `lg n` takes what stands next to it: `n lg n +
1` is n * lg(n) + 1. alone(n, q) is the expected number of rounds until one of n is left, where in each round each that is left draws one of q
numbers and those with the greatest stay. A parameter whose values are numbers stands for its value.

Values are exact fractions as long as that is possible, and decimals of 60 digits from there on. Of those two count as equal,
and one as an integer, when they differ by less than TOLERANCE.
"""

from __future__ import annotations

import decimal
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from ..errors import nearest
from .values import Misuse

MEANINGS = {
    "best": "the least over all worlds and schedules",
    "worst": "the greatest over all worlds and schedules",
    "mean": "the mean over the worlds",
    "exactly": "as many in every world, under every schedule",
    "at least": "never fewer",
    "at most": "never more",
    "about": "an estimate, which is shown and not judged",
}
COUNTED = ("messages", "steps", "rounds")
EXTREMES = {
    "": "whoever schedules",
    "least ": "the least over all schedulers",
    "greatest ": "the greatest over all schedulers",
}
OF_CHANCE = {
    "each round": "the messages of each round, by which rounds are counted",
    **{
        f"{word}expected {what}": f"the expected number of {what}, {who}"
        for word, who in EXTREMES.items()
        for what in COUNTED
    },
}
VARIABLES = {
    "n": "the number of processes",
    "m": "the number of links",
    "d": "the diameter",
    "k": "the number of initiators",
}
# what a condition may name, beside parameters: "schedule=lockstep, expected steps"
CIRCUMSTANCES = ("schedule", "until")
ROUNDS = "rounds"  # counted in lock-step, like a type of message
TOLERANCE = Decimal("1e-30")
MOST_TOKENS, MOST_DIGITS = 120, 30  # of a formula, and of a number in it
LARGEST = 100_000  # argument of H and fib, exponent
MOST_SUMMED = 1_000

Number = Fraction | Decimal
Meaning = Callable[[Mapping[str, int]], Number]

_DECIMALS = decimal.Context(prec=60)
_TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-z]+_?)|(?P<sign>[-+*/^(),]))")


class UndefinedError(Exception):
    """A formula has no value here: a division by zero, the logarithm of zero."""


@dataclass(frozen=True)
class Formula:
    """One entry of `complexity`. `conditions` are the parts of its key before the word of MEANINGS, `message` is the name of a type."""

    key: str
    text: str
    conditions: tuple[str, ...]
    word: str
    message: str | None
    variables: frozenset[str]
    meaning: Meaning

    @property
    def of_chance(self) -> bool:
        """Whether it is about what is to be expected, and not about numbers that are counted."""
        return self.word in OF_CHANCE

    @property
    def anyhow(self) -> bool:
        """Whether it is about what is to be expected whoever schedules: then also where all start at once, or step at once."""
        return self.word in ("each round", "expected messages", "expected rounds")

    @property
    def quantity(self) -> str:
        """What is to be expected, by the name that it has there: "messages of Token"."""
        what = self.word.rpartition(" ")[2]
        return f"{what} of {self.message}" if self.message else what

    def value(self, variables: Mapping[str, int]) -> Number:
        """What it amounts to. Raises UndefinedError where it has no value."""
        try:
            with decimal.localcontext(_DECIMALS):
                return self.meaning(variables)
        except (ArithmeticError, ValueError) as error:
            raise UndefinedError(str(error) or type(error).__name__) from None


def close(one: Number, other: Number) -> bool:
    """Whether two values are the same: exactly if both are exact."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    with decimal.localcontext(_DECIMALS):
        return abs(_decimal(one) - _decimal(other)) < TOLERANCE * max(Decimal(1), abs(_decimal(one)))


def less(one: Number, other: Number) -> bool:
    """Whether one value is below the other, by more than the tolerance."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one < other
    with decimal.localcontext(_DECIMALS):
        return not close(one, other) and _decimal(one) < _decimal(other)


def parse(text: str) -> tuple[Meaning, frozenset[str]]:
    """The meaning of a formula in which any letter may be a variable, and which are. Raises Misuse."""
    try:
        parser = _Parser(text, None)
        meaning = parser.whole()
    except _SyntaxError as error:
        raise Misuse(f"{text!r} is no formula: {error}, at character {error.at + 1}", "", "") from None
    return meaning, frozenset(parser.variables)


def read_complexity(
    complexity: Mapping[str, str], parameters: Mapping[str, object], messages: tuple[str, ...]
) -> tuple[Formula, ...]:
    """The formulas a model declares. Raises Misuse for one that says nothing that could be understood."""
    if not isinstance(complexity, Mapping):
        raise Misuse("complexity is no dict", "", 'write complexity = {"worst": "n(n+1)/2"}')
    return tuple(_formula(key, text, parameters, messages) for key, text in complexity.items())


def measured(key: str) -> tuple[str, str, str]:
    """The word of a key, and what is counted: "worst of Election" is ("worst", "of", "Election"), "exactly rounds" ("exactly", "of", "rounds")."""
    word, of, column = (part.strip() for part in key.partition(" of "))
    bare = word.removesuffix(f" {ROUNDS}")
    return (
        (bare, "of", ROUNDS)
        if bare != word and bare in (*MEANINGS, "least", "greatest") and not of
        else (word, of, column)
    )


def _formula(key: object, text: object, parameters: Mapping[str, object], messages: tuple[str, ...]) -> Formula:
    if not isinstance(key, str) or not isinstance(text, str):
        raise Misuse(f"complexity: {key!r}: {text!r} is not a formula", "", "write both as text")
    *conditions, last = (part.strip() for part in key.split(","))
    word, of, message = measured(last)
    words = {**MEANINGS, **OF_CHANCE}
    if word not in words:
        raise Misuse(
            f"complexity[{key!r}]: {word!r} is no word for a number of messages",
            nearest(word, words),
            'write "worst", or with a type of message "worst of Election"',
        )
    if of and message not in (*messages, ROUNDS):
        raise Misuse(f"complexity[{key!r}]: no step receives a {message}", nearest(message, messages), "")
    if of and word.endswith(("steps", "rounds")):
        raise Misuse(f"complexity[{key!r}]: only messages are of a type", "", f'write "{word}"')
    told = all(condition.partition("=")[0].strip() in (*parameters, *CIRCUMSTANCES) for condition in conditions)
    try:
        parser = _Parser(text, {**VARIABLES, **dict.fromkeys(parameters, "")} if told else None)
        meaning = parser.whole()
    except _SyntaxError as error:
        pointer = f"here: {text[: error.at]} -->{text[error.at :] or ' (the end)'}"
        raise Misuse(
            f"complexity[{key!r}] is no formula: {error}, at character {error.at + 1}",
            pointer,
            "write it as in n(n+1)/2 + n lg n; `modelcheck messages --help` says what there is",
        ) from None
    return Formula(key, text, tuple(conditions), word, message or None, frozenset(parser.variables), meaning)


# --- parsing ---------------------------------------------------------------------------------------------------------


class _SyntaxError(Exception):
    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.at = at


class _Token(NamedTuple):
    kind: str  # number, word, sign or end
    text: str
    at: int


def _tokens(text: str) -> list[_Token]:
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise _SyntaxError(f"there is no {text[at]!r} in a formula", at)
        assert match.lastgroup is not None
        found.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        at = match.end()
    return [*found, _Token("end", "", len(text.rstrip()))]


class _Parser:
    """Recursive descent: sum, product, power, atom. `known` are the variables there are; None: any letter is one."""

    def __init__(self, text: str, known: Mapping[str, str] | None) -> None:
        self.tokens = _tokens(text)
        if len(self.tokens) > MOST_TOKENS:
            raise _SyntaxError(f"it has more than {MOST_TOKENS} words and signs", self.tokens[MOST_TOKENS].at)
        self.known = known
        self.at = 0
        self.variables: set[str] = set()
        self.bound: list[str] = []  # by the sums around

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, *signs: str) -> str:
        """The next sign if it is one of these, else nothing."""
        if self.next.kind == "sign" and self.next.text in signs:
            self.at += 1
            return self.tokens[self.at - 1].text
        return ""

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            found = f"stands {self.next.text!r}" if self.next.text else "it ends"
            raise _SyntaxError(f"{sign!r} is missing where {found}", self.next.at)

    def whole(self) -> Meaning:
        meaning = self.sum()
        if self.next.kind != "end":
            raise _SyntaxError(f"{self.next.text!r} is one too many", self.next.at)
        return meaning

    def sum(self) -> Meaning:
        value = _negative(self.product()) if self.take("-") else self.product()
        while sign := self.take("+", "-"):
            value = _OPERATIONS[sign](value, self.product())
        return value

    def product(self) -> Meaning:
        value = self.power()
        divided = False
        while True:
            if sign := self.take("*", "/"):
                value, divided = _OPERATIONS[sign](value, self.power()), sign == "/"
            elif self.next.kind in ("number", "word") or self.next.text == "(":
                if divided:
                    raise _SyntaxError("what is divided by? write a/(b c) or (a/b) * c", self.next.at)
                value = _times(value, self.power())
            else:
                return value

    def power(self) -> Meaning:
        base = self.atom()
        if self.take("^"):
            return _power(base, _negative(self.power()) if self.take("-") else self.power())
        return base

    def atom(self) -> Meaning:
        token = self.next
        self.at += 1
        if token.kind == "number":
            if len(token.text) > MOST_DIGITS:
                raise _SyntaxError(f"the number has more than {MOST_DIGITS} digits", token.at)
            return _constant(Fraction(token.text))
        if token.kind == "word":
            return self.word(token)
        if token.text == "(":
            value = self.sum()
            self.expect(")")
            return value
        raise _SyntaxError(f"{token.text!r} has no place here" if token.text else "something is missing", token.at)

    def word(self, token: _Token) -> Meaning:
        name = token.text
        if name == "phi":
            return lambda _: (1 + Decimal(5).sqrt()) / 2
        if name == "H_":
            return _apply(_harmonic, self.atom())
        if name in _FUNCTIONS:
            # `lg n^2` is lg(n^2), `lg(n) / lg(3)` a quotient
            return _apply(_FUNCTIONS[name], self.atom() if self.next.text == "(" else self.power())
        if name in ("min", "max"):
            return self.extreme(name)
        if name in _OF_TWO:
            return self.of_two(_OF_TWO[name])
        if name == "sum":
            return self.total()
        if name in self.bound:
            return lambda variables: Fraction(variables[name])
        if (self.known is None and len(name) == 1) or (self.known is not None and name in self.known):
            self.variables.add(name)
            return lambda variables: Fraction(variables[name])
        known = [*(self.known or "n"), *_FUNCTIONS, *_OF_TWO, "sum", "min", "max", "phi", "H_n"]
        raise _SyntaxError(f"{name} means nothing; {nearest(name, known)}", token.at)

    def extreme(self, name: str) -> Meaning:
        self.expect("(")
        values = [self.sum()]
        while self.take(","):
            values.append(self.sum())
        self.expect(")")
        choose = min if name == "min" else max
        return lambda variables: choose((value(variables) for value in values), key=_decimal)

    def of_two(self, function: Callable[[Number, Number], Number]) -> Meaning:
        self.expect("(")
        left = self.sum()
        self.expect(",")
        right = self.sum()
        self.expect(")")
        return lambda variables: function(left(variables), right(variables))

    def total(self) -> Meaning:
        self.expect("(")
        token = self.next
        if token.kind != "word" or len(token.text) != 1:
            raise _SyntaxError("a letter is missing, as in sum(j, 0, n, j^2)", token.at)
        self.at += 1
        self.expect(",")
        begin = self.sum()
        self.expect(",")
        end = self.sum()
        self.expect(",")
        self.bound.append(token.text)
        part = self.sum()
        self.bound.pop()
        self.expect(")")
        return _summed(token.text, begin, end, part)


# --- what the parts mean -----------------------------------------------------------------------------------------------


def _decimal(number: Number) -> Decimal:
    if isinstance(number, Decimal):
        return number
    return _DECIMALS.divide(Decimal(number.numerator), Decimal(number.denominator))


def _constant(number: Fraction) -> Meaning:
    return lambda _: number


def _apply(function: Callable[[Number], Number], argument: Meaning) -> Meaning:
    return lambda variables: function(argument(variables))


def _negative(value: Meaning) -> Meaning:
    return lambda variables: -value(variables)


def _binary(
    exact: Callable[[Fraction, Fraction], Fraction], rounded: Callable[[Decimal, Decimal], Decimal]
) -> Callable[[Meaning, Meaning], Meaning]:
    def combine(left: Meaning, right: Meaning) -> Meaning:
        def value(variables: Mapping[str, int]) -> Number:
            a, b = left(variables), right(variables)
            if isinstance(a, Fraction) and isinstance(b, Fraction):
                return exact(a, b)
            return rounded(_decimal(a), _decimal(b))

        return value

    return combine


_times = _binary(lambda a, b: a * b, lambda a, b: a * b)
_OPERATIONS = {
    "+": _binary(lambda a, b: a + b, lambda a, b: a + b),
    "-": _binary(lambda a, b: a - b, lambda a, b: a - b),
    "*": _times,
    "/": _binary(lambda a, b: a / b, lambda a, b: a / b),
}


def _power(base: Meaning, exponent: Meaning) -> Meaning:
    def value(variables: Mapping[str, int]) -> Number:
        a, b = base(variables), exponent(variables)
        if abs(_decimal(b)) > LARGEST:
            raise ValueError(f"the exponent {b} is too large")
        if isinstance(a, Fraction) and isinstance(b, Fraction) and b.denominator == 1:
            return a**b.numerator
        return _decimal(a) ** _decimal(b)

    return value


def _logarithm(x: Number) -> Number:
    """To base 2; exact for a power of two."""
    if isinstance(x, Fraction) and x > 0:
        for whole, sign in ((x, 1), (1 / x, -1)):
            if whole.denominator == 1 and whole.numerator & (whole.numerator - 1) == 0:
                return Fraction(sign * (whole.numerator.bit_length() - 1))
    if x <= 0:
        raise ValueError(f"lg({x}) is not defined")
    return _decimal(x).ln() / Decimal(2).ln()


def _floor(x: Number) -> Number:
    if isinstance(x, Fraction):
        return Fraction(x.__floor__())
    whole = x.to_integral_value(decimal.ROUND_HALF_EVEN)  # which it is taken for, if it is that close
    return Fraction(int(whole if abs(x - whole) < TOLERANCE else x.to_integral_value(decimal.ROUND_FLOOR)))


def _ceiling(x: Number) -> Number:
    return -_floor(-x)


def _whole(x: Number, name: str, most: int = LARGEST) -> int:
    if not isinstance(x, Fraction) or x.denominator != 1 or not 0 <= x <= most:
        raise ValueError(f"{name} of {x} is not defined")
    return x.numerator


def _harmonic(x: Number) -> Number:
    return _harmonics(_whole(x, "H"))


@cache
def _harmonics(n: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def _fibonacci(x: Number) -> Number:
    a, b = 0, 1
    for _ in range(_whole(x, "fib")):
        a, b = b, a + b
    return Fraction(a)


def _factorial(x: Number) -> Number:
    return Fraction(math.factorial(_whole(x, "fact", MOST_SUMMED)))


def _binomial(n: Number, k: Number) -> Number:
    return Fraction(math.comb(_whole(n, "binom", MOST_SUMMED), _whole(k, "binom", MOST_SUMMED)))


def _alone(n: Number, q: Number) -> Number:
    """E(n) = 1 + sum of P(n, j) E(j) for j from 2 to n, where of n draws j are the greatest with probability P(n, j)."""
    number, numbers = _whole(n, "alone", MOST_SUMMED), _whole(q, "alone", MOST_SUMMED)
    if not number or (numbers < 2 and number > 1):
        raise ValueError(f"alone({n}, {q}) is not defined")
    expected = [Fraction(0), Fraction(1)]
    for size in range(2, number + 1):
        ways = [math.comb(size, j) * sum(low ** (size - j) for low in range(numbers)) for j in range(size + 1)]
        total = Fraction(numbers**size)
        others = sum((ways[j] / total * expected[j] for j in range(2, size)), Fraction(1))
        expected.append(others / (1 - ways[size] / total))
    return expected[number]


def _summed(letter: str, begin: Meaning, end: Meaning, part: Meaning) -> Meaning:
    def value(variables: Mapping[str, int]) -> Number:
        first, last = _whole(begin(variables), "sum"), _whole(end(variables) + 1, "sum")
        if last - first > MOST_SUMMED:
            raise ValueError(f"a sum of more than {MOST_SUMMED} numbers")
        total: Number = Fraction(0)
        for number in range(first, last):
            total = _add(total, part({**variables, letter: number}))
        return total

    return value


def _add(one: Number, other: Number) -> Number:
    both_exact = isinstance(one, Fraction) and isinstance(other, Fraction)
    return one + other if both_exact else _decimal(one) + _decimal(other)  # type: ignore[operator]


_FUNCTIONS: dict[str, Callable[[Number], Number]] = {
    "lg": _logarithm,
    "floor": _floor,
    "ceil": _ceiling,
    "fib": _fibonacci,
    "fact": _factorial,
}
_OF_TWO: dict[str, Callable[[Number, Number], Number]] = {"binom": _binomial, "alone": _alone}
