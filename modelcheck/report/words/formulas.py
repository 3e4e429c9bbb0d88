"""The formulas on a model's card, against what was found: how each came out, in words and as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from rich.text import Text

from ...check.request import ranges
from ...check.result import Judged
from ...language.formulas import Formula
from .numbers import decimal

Found = TypeVar("Found")


def told(
    formulas: Iterable[Formula], judged: Iterable[Judged[Found]], difference: Callable[[Judged[Found]], str]
) -> list[tuple[str, str, Text]]:
    """For each what it is for, the formula, and how it came out; `difference` says it of one that is refuted."""
    every = list(judged)
    return [
        (formula.key, formula.text, _outcome([one for one in every if one.formula is formula], difference))
        for formula in formulas
    ]


def _outcome(judged: list[Judged[Found]], difference: Callable[[Judged[Found]], str]) -> Text:
    refuted = [one for one in judged if one.agrees is False]
    if refuted:
        said = "; ".join(dict.fromkeys(difference(one) for one in refuted[:3]))
        more = f"; and {len(refuted) - 3} more" if len(refuted) > 3 else ""
        return Text(f"VIOLATED: {said}{more}", style="bold red")
    agreeing = sorted({one.n for one in judged if one.agrees})
    notes = list(dict.fromkeys(one.note for one in judged if one.agrees is None))
    if agreeing and not notes:
        return Text("agrees", style="green")
    if agreeing:
        return Text.assemble((f"agrees for n={ranges(agreeing)}", "green"), f" ({'; '.join(notes)})")
    values = [f"{decimal(one.value)} for n={one.n}" for one in judged[-1:] if one.value is not None]
    return Text(" ".join([*values, *(f"({note})" for note in notes)]), style="dim")


def as_data(one: Judged[Any]) -> dict[str, Any]:
    """For JSON, all but what it was judged by."""
    return {
        "n": one.n,
        "key": one.formula.key,
        "formula": one.formula.text,
        "value": None if one.value is None else float(one.value),
        "value_exact": str(one.value) if isinstance(one.value, Fraction) else None,
        "agrees": one.agrees,
        "note": one.note or None,
    }
