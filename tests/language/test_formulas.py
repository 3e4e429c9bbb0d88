"""Formulas for numbers of messages: what they amount to, and how a bad one is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest

from modelcheck import DefinitionError, catalog
from modelcheck.check.result import Result
from modelcheck.language.formulas import Formula, Number, UndefinedError, close, less, read_complexity
from modelcheck.language.values import Misuse

Run = Callable[..., Result]


def formula(text: str, key: str = "exactly") -> Formula:
    return read_complexity({key: text}, {"swallow": None}, ("Election",))[0]


def value(text: str, **variables: int) -> Number:
    return formula(text).value({"n": 5, "m": 7, "d": 2, "k": 3} | variables)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n(n+1)/2 + n", 20),
        ("2n^2 - m", 43),
        ("n - 1 - 1", 3),
        ("-n + 6", 1),
        ("n/2/5", Fraction(1, 2)),
        ("2^n^2", 2**25),
        ("2^-1", Fraction(1, 2)),
        ("2 (2m - n + 1)", 20),
        ("n min(3, n + 1)", 15),
        ("max(d, k, n)", 5),
        ("0.1 n", Fraction(1, 2)),
        ("n H_n", Fraction(137, 12)),
        ("H_(n-1)", Fraction(25, 12)),
        ("fib(n) + fib(1) + fib(0)", 6),
        ("floor(lg n)", 2),
        ("fact(n - 1)", 24),
        ("binom(n, 2) + binom(2, n)", 10),
        ("sum(j, 1, n, j^2)", 55),
        ("sum(j, n, 1, j)", 0),
        ("sum(j, 1, 2, sum(i, 1, j, i j)) + n", 12),  # 1 + 2 + 4
        ("sum(j, 0, n, (-1)^j binom(n, j))", 0),
        ("alone(1, 2)", 1),
        ("alone(2, k)", Fraction(3, 2)),  # they draw the same with probability 1/3
        ("alone(3, 2)", Fraction(7, 3)),  # E = 1 + 1/4 E + 3/8 * 2
        ("ceil(lg n)", 3),
        ("floor(n/2) + ceil(n/2)", 5),
        ("n floor(lg((2 phi - 1) n + 0.5) / lg(phi))", 25),
    ],
)
def test_a_formula_has_the_value_it_has_on_paper(text: str, expected: Fraction | int) -> None:
    found = value(text)
    assert found == expected
    assert isinstance(found, Fraction)


@pytest.mark.parametrize("exponent", [-3, 0, 1, 10, 64])
def test_the_logarithm_of_a_power_of_two_is_exact(exponent: int) -> None:
    assert formula(f"lg(2^({exponent}))").value({"n": 1}) == Fraction(exponent)


@pytest.mark.parametrize("power", range(1, 12))
def test_the_floor_of_a_quotient_of_logarithms_is_exact_at_powers(power: int) -> None:
    # in floating point log(3**5) / log(3) is 4.999...
    assert formula("floor(lg(n) / lg(3))").value({"n": 3**power}) == power
    assert formula("floor(lg(n) / lg(3))").value({"n": 3**power - 1}) == power - 1


def test_irrational_values_are_close_or_not_by_the_stated_tolerance() -> None:
    golden = value("phi^2")
    assert isinstance(golden, Decimal)
    assert close(golden, value("phi + 1"))
    assert less(value("phi"), golden)
    assert not less(value("phi + 1"), golden)


def test_lg_takes_what_stands_next_to_it() -> None:
    assert value("n lg n + 1", n=8) == 25
    assert value("lg n^2", n=8) == 6
    assert value("lg(n)^2", n=8) == 9


@pytest.mark.parametrize(
    "text",
    [
        "1/(n-5)",
        "lg(n-5)",
        "fib(n-6)",
        "H_(n/2)",
        "2^(10^(n+1))",
        "alone(n, 1)",
        "alone(n-5, 2)",
        "fact(n/2)",
        "sum(j, 0, 10 n^4, j)",
    ],
)
def test_where_a_formula_has_no_value_that_is_said(text: str) -> None:
    with pytest.raises(UndefinedError):
        value(text)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("n +", 4, "missing"),
        ("n * (n", 7, "')' is missing"),
        ("n ? 2", 3, "'?'"),
        ("n log n", 3, "log means nothing"),
        ("nm", 1, "nm means nothing"),
        ("n)", 2, "one too many"),
        ("n/2 m", 5, "divided by"),
        ("__import__('os')", 1, "_"),
        ("", 1, "missing"),
    ],
)
def test_a_bad_formula_is_refused_with_the_place(text: str, place: int, words: str) -> None:
    with pytest.raises(Misuse) as refusal:
        formula(text)
    assert words in refusal.value.what
    assert f"at character {place}" in refusal.value.what


def test_a_key_says_what_is_meant_under_which_conditions_and_for_which_type() -> None:
    found = formula("c(n - i)", "one detector i, swallow=true, worst of Election")
    assert (found.word, found.message, found.conditions) == ("worst", "Election", ("one detector i", "swallow=true"))
    assert found.variables == {"c", "n", "i"}


@pytest.mark.parametrize(
    ("key", "words"), [("always", "always"), ("worst of Elect", "Elect"), ("worst, swallow=true", "swallow")]
)
def test_a_key_that_says_nothing_is_refused(key: str, words: str) -> None:
    with pytest.raises(Misuse, match=words):
        formula("n", key)


def test_letters_without_meaning_need_a_condition_that_gives_them_one() -> None:
    with pytest.raises(Misuse, match="i means nothing"):
        formula("n - i", "swallow=true, worst")


def test_a_model_with_a_bad_formula_is_a_model_error_that_names_it(run: Run) -> None:
    result = run("class M(Process):\n    complexity = {'worst': 'n log n'}\n    @step\n    def go(self): pass\n")
    assert isinstance(result.error, DefinitionError)
    assert "complexity['worst']" in result.error.what
    assert "-->log n" in result.error.cause


@pytest.mark.parametrize("name", catalog.model_files())
def test_every_formula_of_every_model_is_understood(name: str) -> None:
    definition = catalog.find_model(name).definition
    assert len(definition.formulas) == len(definition.cls.complexity)


@pytest.mark.parametrize(
    ("key", "quantity", "anyhow"),
    [
        ("expected messages", "messages", True),
        ("expected messages of Election", "messages of Election", True),
        ("swallow=true, until=done, greatest expected steps", "steps", False),
        ("each round of Election", "round of Election", True),
    ],
)
def test_a_key_may_be_about_what_is_to_be_expected(key: str, quantity: str, anyhow: bool) -> None:
    found = formula("n", key)
    assert (found.of_chance, found.quantity, found.anyhow) == (True, quantity, anyhow)


@pytest.mark.parametrize("key", ["expected steps of Election", "expected", "least messages"])
def test_a_key_about_what_is_not_expected_is_refused(key: str) -> None:
    with pytest.raises(Misuse):
        formula("n", key)


def test_the_name_of_a_parameter_stands_for_its_value() -> None:
    assert value("n + swallow", swallow=3) == 8
