"""The options of `modelcheck run` and of `symmetry`: their names, their types and their help. What values mean the library knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

import click

from . import completion
from .check.request import SEARCH_LIMITS, usual_limits
from .errors import UsageError
from .explore.limits import Limits
from .language.faults import FAULTS
from .language.networks import NETWORKS, either
from .language.topology import TOPOLOGIES
from .semantics.graphs import MOST

Function = TypeVar("Function", bound=Callable[..., Any])
MOST_IN_TABLES = 2_000_000  # states
STDOUT = "-"  # the FILE of --json that stands for standard output

causal_option = click.option(
    "--causal",
    is_flag=True,
    help="In the diagram, grey what its end does not follow from: the violation, or the last step.",
)


why_option = click.option(
    "--why",
    is_flag=True,
    help="Tell each counterexample from its end back to its roots: which step follows from which.",
)
animate_option = click.option(
    "--animate",
    "animate_file",
    metavar="FILE",
    help="Write the run as a picture of the system that moves: FILE ends in .svg (plays in any browser), .gif, or / for a folder with an SVG for each step.",
)


class Sizes(click.ParamType[Any]):
    """A number of processes, or a range such as 2..6."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        first, dots, last = str(value).partition("..")
        if not first.strip().isdecimal() or (dots and not last.strip().isdecimal()):
            self.fail(f"{value!r:.60} is neither a number of processes nor a range such as 2..6", param, ctx)
        ends = [end.strip().lstrip("0") or "0" for end in (first, last if dots else first)]
        if any(len(end) > len(str(MOST)) or int(end) > MOST for end in ends):
            self.fail(f"a system has at most {MOST:,} processes here", param, ctx)
        low, high = map(int, ends)
        if low < 1:
            self.fail("a system has at least one process", param, ctx)
        if high < low:
            self.fail(f"the range {value} is empty; did you mean {high}..{low}?", param, ctx)
        return tuple(range(low, high + 1))


class SeveralSizes(click.ParamType[Any]):
    """Numbers of processes, such as 10,100,1000."""

    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        found: list[int] = []
        for part in str(value).split(","):
            found += Sizes().convert(part, param, ctx)
        return tuple(dict.fromkeys(found))


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

# Every option of `run`, by the name of its value, in the order in which the help lists them.
_RUN: dict[str, Callable[[Function], Function]] = {
    "n": click.option("--n", "-n", type=Sizes(), metavar="N", help="Number of processes, or a range such as 2..6.  [default: 3]"),
    "graph": click.option("--graph", metavar="GRAPH", help=f"A topology: {', '.join(TOPOLOGIES)}, chordal_ring:1,2; with sides (mesh:2x3), or under every port naming (line:unoriented). Or a file with an edge list or GraphML.  [default: the model's]"),
    "network": click.option("--network", metavar="KIND", help=f"What links do with messages: {either(list(NETWORKS))}.  [default: the model's first]"),
    "capacity": click.option("--capacity", type=click.IntRange(1), metavar="K", help="At most K messages wait on a link; what is sent on a full one is lost.  [default: no bound]"),
    "ids": click.option("--ids", metavar="IDS", help="unique, any, from:M, none, or a list such as 3,1,2.  [default: the model's]"),
    "initiators": click.option("--initiators", metavar="WHO", help="Who may start by itself: all, each (every set), size:K, or a list such as 1,3.  [default: all]"),
    "root": click.option("--root", metavar="PROCESS", help="Which process is the root: each in turn, or one such as 2.  [default: each]"),
    "may_crash": click.option("--may-crash", metavar="WHO", help="Who of them: all, others (all but the root), or a list such as 2,3.  [default: the model's, or all]"),
    "start": click.option("--start", metavar="WHEN", default="any", help="When initiators start: any (time) or simultaneous.  [default: any]"),
    "schedule": click.option("--schedule", metavar="KIND", help="any (interleaving), or lockstep: all processes step at once, round after round.  [default: the model's]"),
    **{fault.name: click.option(fault.asked_by, type=int, default=0, metavar="K", help=fault.help) for fault in FAULTS.values() if fault.own},
    "across": click.option("--across", metavar="FATE", default="lost", help="What becomes of messages sent over a cut: lost, or held until it heals.  [default: lost]"),
    "detector": click.option("--detector", metavar="KIND", help="perfect, heartbeat (takes for down whoever is cut off), or one that also suspects the living, at most K times: unreliable[:K], or eventually_perfect[:K], which takes that back some day.  [default: perfect; with --partitions heartbeat]"),
    "parameters": click.option("--set", "parameters", type=Assignment(), multiple=True, metavar="KEY=VALUE", help="Set a parameter of the model; repeatable.", shell_complete=completion.parameters),
    "spec": click.option("--spec", metavar="SPEC", help="Another specification than the model's: a name or a file."),
    "properties": click.option("--property", "properties", multiple=True, metavar="NAME", help="Check only this property; repeatable.", shell_complete=completion.properties),
    "expect": click.option("--expect", metavar="OUTCOME", help="Exit 0 if this comes out, and not otherwise: holds, violation, safety, stuck, liveness, assert, exception or inconclusive."),
    "no_symmetry": click.option("--no-symmetry", is_flag=True, help="Explore every world and every state, also those that look alike."),
    "check_symmetry": click.option("--check-symmetry", is_flag=True, help="Run without symmetry as well, and compare."),
    "reduce": click.option("--reduce", metavar="HOW", default="auto", show_default=True, help="order: explore steps that do not meet in one order only; none: in every order; auto: as order, where there would be more states than --max-states."),
    "check_reductions": click.option("--check-reductions", is_flag=True, help="Run with --reduce order and with none, and compare."),
    "engine": click.option("--engine", metavar="ENGINE", default="auto", show_default=True, help="reference (plain Python), compiled (Numba), sets (decision diagrams), or auto: compiled where it pays, sets for very many states."),
    "workers": click.option("--workers", type=click.IntRange(1), metavar="K", help="Threads that explore worlds, of the compiled engine.  [default: one for each core]"),
    "max_states": click.option("--max-states", type=click.IntRange(1), metavar="K", help=f"Stop after K states.  [default: {Limits().max_states}]"),
    "max_seconds": click.option("--max-seconds", type=click.FloatRange(0, min_open=True), metavar="S", help="Stop after S seconds.  [default: 600]"),
    "max_memory": click.option("--max-memory", type=click.IntRange(1), metavar="MB", help=f"Stop at this much memory, in megabytes.  [default: {usual_limits().max_memory}{_HALF}]"),
    "part": click.option("--part", metavar="I/K", help="Explore every K-th world only, from the I-th on, and keep what is found in --checkpoint FILE: `modelcheck join` puts such files together."),
    "cluster": click.option("--cluster", metavar="ADDRESS", help="Have the work done by K processes (local:K), or by the workers of a Dask scheduler (tcp://HOST:PORT): see `modelcheck help machines`."),
    "resume": click.option("--resume", is_flag=True, help="Go on from the worlds that this run has done already, before Ctrl-C, a limit or a kill."),
    "checkpoint_file": click.option("--checkpoint", "checkpoint_file", metavar="FILE", help="Where a long run keeps what --resume goes on from.  [default: a file of its own under ~/.local/state]"),
    "trace_file": click.option("--trace", "trace_file", metavar="FILE", help="Write the counterexamples to FILE, as JSON; `modelcheck trace` reads it."),
    "diagram_file": click.option("--diagram", "diagram_file", metavar="FILE", help="Draw the shortest counterexample to FILE: time runs down, a lane for each process. FILE ends in .svg, .png, .pdf, .tex or .tikz."),
    "why": why_option,
    "causal": causal_option,
    "animate_file": animate_option,
    "junit_file": click.option("--junit", "junit_file", metavar="FILE", help="Write a test case for each property to FILE, as JUnit XML for continuous integration."),
    "sarif_file": click.option("--sarif", "sarif_file", metavar="FILE", help="Write each violation, with its line of the model and its run, to FILE as SARIF for code scanning and editors."),
    "lines": click.option("--lines", is_flag=True, help="Before the report a line for each violation, FILE:LINE: what fails, as compilers print them: editors read it."),
    "html_file": click.option("--html", "html_file", metavar="FILE", help="Write the report to FILE as a page for any browser: runs to step through, charts, the model's text."),
    "json_file": click.option("--json", "json_file", is_flag=False, flag_value=STDOUT, metavar="[FILE]", help="Write the result to FILE as JSON; without FILE to standard output, instead of the report."),
}  # fmt: skip

# Which runs there are; what is claimed of them; where a search gives up; files and what else is about the report.
_SYSTEM = (
    "n", "graph", "network", "capacity", "ids", "initiators", "root", "may_crash", "start", "schedule", *(fault.name for fault in FAULTS.values() if fault.own),
    "across", "detector", "parameters",
)  # fmt: skip
_CLAIMS = ("spec", "properties")
_LIMITS = ("max_states", "max_seconds", "max_memory")
_FILES = ("trace_file", "html_file", "diagram_file", "causal", "animate_file", "junit_file", "sarif_file")
_REPORT = (
    "cluster",
    "resume",
    "checkpoint_file",
    "trace_file",
    "diagram_file",
    "why",
    "causal",
    "animate_file",
    "junit_file",
    "sarif_file",
    "lines",
    "html_file",
    "json_file",
)

# Titles under which the help lists options, and the names of their values.
GROUPS = {
    "Which runs there are": ("n", "graph", "ids", "initiators", "root", "start", "schedule", "parameters", "network", "capacity", "no_symmetry"),
    "Faults": (*(fault.name for fault in FAULTS.values() if fault.own), "may_crash", "across", "detector"),
    "What must hold": (*_CLAIMS, "expect"),
    "How it is searched": (
        "check_symmetry", "reduce", "check_reductions", "engine", "workers", *_LIMITS, "part", "cluster", "resume", "checkpoint_file",
    ),
    "What is shown and written": (
        "why", "show", "diagram_file", "picture_file", "causal", "animate_file", "plot_file", "html_file", "junit_file", "sarif_file", "lines", "trace_file", "runs_file",
        "json_file",
    ),
}  # fmt: skip
OTHER = "Other options"


def group_of(name: str) -> str:
    """The title under which the option of this value is listed."""
    return next((title for title, names in GROUPS.items() if name in names), OTHER)


_BOOK: tuple[Callable[[Function], Function], ...] = (
    click.option("--n", "-n", type=click.IntRange(1), metavar="N", help="Up to N processes: fewer than the book tries, or more."),
    click.option("--fast", is_flag=True, help="Only what takes seconds."),
)  # fmt: skip

_SYMMETRY = (
    click.option("--n", "-n", type=click.IntRange(2, MOST), metavar="N", help="Number of processes.  [default: 3]"),
    click.option("--graph", metavar="GRAPH", help="A topology, or a file with an edge list or GraphML.  [default: the model's]"),
    click.option("--set", "parameters", type=Assignment(), multiple=True, metavar="KEY=VALUE", help="Set a parameter of the model; repeatable.", shell_complete=completion.parameters),
    _RUN["max_seconds"],
    _RUN["max_memory"],
)  # fmt: skip


def run_option(name: str) -> Callable[[Function], Function]:
    """One of the options of `run`, by the name of its value."""
    return _RUN[name]


def run_options(function: Function) -> Function:
    """The options of `run`."""
    return _with(_RUN.values(), function)


def watch_options(function: Function) -> Function:
    """Those of `run` but the ones about runs that take long."""
    without = (
        "expect",
        "check_symmetry",
        "check_reductions",
        "part",
        "cluster",
        "resume",
        "checkpoint_file",
        "json_file",
    )
    return _those((name for name in _RUN if name not in without), function)


def join_options(function: Function) -> Function:
    """Those about the report, and where it takes too long."""
    return _those((*_LIMITS, "trace_file", "html_file", "json_file"), function)


def messages_options(function: Function) -> Function:
    """Those that say which runs there are; properties are not looked at."""
    names = (*_SYSTEM, "no_symmetry", "reduce", "engine", "workers", "cluster", *_LIMITS, "html_file", "json_file")
    return _those(names, function)


def expect_options(function: Function) -> Function:
    """Those that say which runs there are, and what must hold at their end."""
    names = (*_SYSTEM, "spec", "no_symmetry", "engine", "workers", *_LIMITS, "html_file", "json_file")
    return _those(names, function)


def graph_options(function: Function) -> Function:
    """Those that say which worlds there are, and what must hold in them."""
    return _those((*_SYSTEM, *_CLAIMS, "engine", *_LIMITS), function)


def confirm_options(function: Function) -> Function:
    """Those that say which runs there are, and where a search gives up."""
    return _those((*_SYSTEM, "no_symmetry", "engine", *_LIMITS, "json_file"), function)


def export_options(function: Function) -> Function:
    """The same for one program."""
    return _those((*_SYSTEM, "no_symmetry", "engine", *_LIMITS), function)


def explore_options(function: Function) -> Function:
    """Those that say which system it is, what is claimed of it, and where a search gives up."""
    function = _those((*_SYSTEM, *_CLAIMS, *_LIMITS), function)
    helps = {
        "n": "Number of processes.  [default: 3]",
        "max_states": f"A search stops after K states.  [default: {SEARCH_LIMITS.max_states}]",
        "max_seconds": f"A search stops after S seconds.  [default: {SEARCH_LIMITS.max_seconds:g}]",
        "max_memory": f"A search stops when there is this much memory in use, in megabytes.  [default: {usual_limits().max_memory}{_HALF}]",
        "properties": "Watch only this property; repeatable.",
    }
    options: list[click.Option] = function.__click_params__  # type: ignore[attr-defined]
    for option in options:
        option.help = helps.get(str(option.name), option.help)
    return function


def simulate_options(function: Function) -> Function:
    """Those that say what a random run is like."""
    names = (
        "graph",
        "network",
        "capacity",
        "ids",
        "initiators",
        "root",
        "start",
        "parameters",
        "cluster",
        "max_seconds",
        "max_memory",
        "json_file",
    )
    return _those(names, function)


def symmetry_options(function: Function) -> Function:
    """The options of `symmetry`."""
    return _with(_SYMMETRY, function)


def claims_options(function: Function) -> Function:
    """The options of `claims`, which may have others try the tests of the book."""
    return _with((*_BOOK, *(_RUN[name] for name in ("cluster", *_LIMITS, "json_file"))), function)


def exercises_options(function: Function) -> Function:
    """The options of `exercises`."""
    return _with((*_BOOK, *(_RUN[name] for name in (*_LIMITS, "json_file"))), function)


def _those(names: Iterable[str], function: Function) -> Function:
    """Some of the options of `run`."""
    return _with((_RUN[name] for name in names), function)


def _with(options: Iterable[Callable[[Function], Function]], function: Function) -> Function:
    for option in reversed(list(options)):
        function = option(function)
    return function


# --- from options to the library ---------------------------------------------------------------------------------


def limits_asked_for(options: dict[str, Any]) -> Limits:
    """Takes the options about limits out of all of them."""
    chosen = {name: options.pop(name, None) for name in ("max_states", "max_seconds", "max_memory")}
    return replace(usual_limits(), **{name: value for name, value in chosen.items() if value is not None})


def limits_of_tables(options: dict[str, Any]) -> Limits:
    """The same where tables are made of all states of a world at once: there are fewer states than a run may have."""
    asked = options["max_states"]
    return replace(limits_asked_for(options), max_states=asked or MOST_IN_TABLES)


def files_asked_for(options: dict[str, Any]) -> dict[str, Any]:
    """Takes the options about files that are written beside the report out of all of them."""
    return {name: options.pop(name) for name in _FILES}


def arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `check` that the options of `run` stand for (or those of `count_messages`), limits and files apart.

    Raises UsageError where --set contradicts itself.
    """
    asked = dict(options)
    parameters: tuple[tuple[str, str], ...] = asked.pop("parameters")
    for key in {key for key, _ in parameters}:
        if len({value for name, value in parameters if name == key}) > 1:
            raise UsageError(f"--set gives {key} two values")
    if "properties" in asked:  # `messages` has none
        asked["property"] = asked.pop("properties") or None
    symmetry = not asked.pop("no_symmetry", False)
    return {**asked, "parameters": dict(parameters), "symmetry": symmetry}


@cache
def _command(options: Callable[..., Any]) -> click.Command:
    """A command with these options, as far as its words go."""
    argument = click.argument("model")
    return click.command("run", add_help_option=False)(argument(options(lambda **_: None)))


def parsed(words: Sequence[str], options: Callable[..., Any] = run_options) -> dict[str, Any]:
    """The values of MODEL and of all options in words as they are typed after `modelcheck run`, or another command. Raises UsageError."""
    try:
        return dict(_command(options).make_context("modelcheck run", list(words)).params)
    except click.ClickException as error:
        raise UsageError(error.format_message()) from None


def reporting(options: dict[str, Any]) -> list[str]:
    """The names of those that are about files and about the report."""
    return [name for name in _REPORT if name in options]


def asked_for(words: Sequence[str]) -> tuple[str, Limits, dict[str, Any]]:
    """Model, limits and arguments of `check` in words as they are typed after `modelcheck run`. Raises UsageError."""
    options = parsed(words)
    for name in _REPORT:
        options.pop(name)
    limits, model = limits_asked_for(options), str(options.pop("model"))
    return model, limits, arguments(options)


def sizes(text: str) -> tuple[int, ...]:
    """`3` or `2..6`. Raises UsageError."""
    try:
        found: tuple[int, ...] = Sizes().convert(text, None, None)
    except click.ClickException as error:
        raise UsageError(error.message) from None
    return found
