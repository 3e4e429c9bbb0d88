"""The options of `modelcheck run`: their names, their types and their help. What values mean the library knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from .check.request import usual_limits
from .explore.exploration import Limits
from .language.topology import TOPOLOGIES

Function = TypeVar("Function", bound=Callable[..., Any])
STDOUT = "-"  # the FILE of --json that stands for standard output


class Sizes(click.ParamType[Any]):
    """A number of processes, or a range such as 2..6."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        first, dots, last = str(value).partition("..")
        if not first.strip().isdecimal() or (dots and not last.strip().isdecimal()):
            self.fail(f"{value!r} is neither a number of processes nor a range such as 2..6", param, ctx)
        low, high = int(first), int(last) if dots else int(first)
        if low < 1:
            self.fail("a system has at least one process", param, ctx)
        if high < low:
            self.fail(f"the range {value} is empty; did you mean {high}..{low}?", param, ctx)
        return tuple(range(low, high + 1))


class Assignment(click.ParamType[Any]):
    """KEY=VALUE."""

    name = "key=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not equals or not key.strip() or not text.strip():
            self.fail(f"{value!r} is not of the form KEY=VALUE", param, ctx)
        return key.strip(), text.strip()


_HALF = "" if usual_limits().max_memory == Limits().max_memory else ", half of this machine's"

_OPTIONS: tuple[Callable[[Function], Function], ...] = (
    click.option("--n", type=Sizes(), metavar="N", help="Number of processes, or a range such as 2..6.  [default: 3]"),
    click.option("--graph", metavar="GRAPH", help=f"A topology: {', '.join(TOPOLOGIES)}; with sides (mesh:2x3), or under every port naming (line:unoriented). Or a file with an edge list or GraphML.  [default: the model's]"),
    click.option("--network", metavar="KIND", help="What links do with messages: fifo, bag, set or sticky.  [default: the model's first]"),
    click.option("--ids", metavar="IDS", help="unique, any, from:M, none, or a list such as 3,1,2.  [default: the model's]"),
    click.option("--initiators", metavar="WHO", help="Who may start by itself: all, each (every set), size:K, or a list such as 1,3.  [default: all]"),
    click.option("--start", metavar="WHEN", default="any", help="When initiators start: any (time) or simultaneous.  [default: any]"),
    click.option("--losses", type=int, default=0, metavar="K", help="At most K messages are lost."),
    click.option("--duplications", type=int, default=0, metavar="K", help="At most K messages are duplicated."),
    click.option("--crashes", type=int, default=0, metavar="K", help="At most K crashes, at any moment."),
    click.option("--recoveries", type=int, default=0, metavar="K", help="At most K recoveries."),
    click.option("--detector", metavar="KIND", default="perfect", help="perfect, or unreliable[:K]: it suspects the living, at most K times.  [default: perfect]"),
    click.option("--set", "parameters", type=Assignment(), multiple=True, metavar="KEY=VALUE", help="Set a parameter of the model; repeatable."),
    click.option("--spec", metavar="SPEC", help="Another specification than the model's: a name or a file."),
    click.option("--property", "properties", multiple=True, metavar="NAME", help="Check only this property; repeatable."),
    click.option("--expect", metavar="OUTCOME", help="Exit 0 if this comes out, and not otherwise: holds, violation, safety, stuck, liveness, assert, exception or inconclusive."),
    click.option("--no-symmetry", is_flag=True, help="Explore every world, also those that look alike."),
    click.option(
        "--engine",
        metavar="ENGINE",
        default="auto",
        show_default=True,
        help="reference (plain Python), compiled (Numba), or auto: compiled where it pays.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1),
        metavar="K",
        help="Threads that explore worlds, of the compiled engine.  [default: one for each core]",
    ),
    click.option("--max-states", type=click.IntRange(1), metavar="K", help=f"Stop after K states.  [default: {Limits().max_states}]"),
    click.option("--max-seconds", type=click.FloatRange(0, min_open=True), metavar="S", help="Stop after S seconds.  [default: 600]"),
    click.option("--max-memory", type=click.IntRange(1), metavar="MB", help=f"Stop at this much memory, in megabytes.  [default: {usual_limits().max_memory}{_HALF}]"),
    click.option("--trace", "trace_file", metavar="FILE", help="Write the counterexamples to FILE, as JSON."),
    click.option("--json", "json_file", is_flag=False, flag_value=STDOUT, metavar="[FILE]", help="Write the result to FILE as JSON; without FILE to standard output, instead of the report."),
)  # fmt: skip


def run_options(function: Function) -> Function:
    """All of them, in the order in which the help lists them."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
