"""The page of a result: one file that needs nothing else, drawn from the same object as the terminal's report and in its words.

Whatever comes from a model is escaped: by Jinja2 in the templates, by the diagram in its picture. Besides, the page forbids itself
to load anything and to run any script but its own, which it names by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from rich.text import Text

from ..check.result import Result
from ..check.trace import Trace
from ..pictures.style import DARK, LIGHT
from . import block, commands
from .chart import Chart, chart
from .entries import Entry, Typed
from .figure import Figure, figure
from .lesson import OF_THE_MODEL, lesson
from .listing import listing
from .run import Told, short, told_runs

ASSETS = Path(__file__).parent / "assets"
MARKS = {"HOLDS": "\u2713", "VIOLATED": "\u2717", "INCONCLUSIVE": "?"}
UNFOLDED = 1  # counterexamples whose run is seen at once


@dataclass(frozen=True)
class Group:
    """Entries under one label."""

    label: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Counterexample:
    """What is told of a counterexample, and its run; None where it is that of another above."""

    run: Told
    anchor: str
    same_anchor: str
    shown: Figure | None
    folded: bool
    above: tuple[Group, ...]
    below: tuple[Group, ...]
    again: tuple[Group, ...]


def document(result: Result) -> str:
    """The whole report."""
    told = _counterexamples(told_runs(result))
    improbable = [
        figure(found.trace, f"improbable-{number}", found.name, found.note)
        for number, found in enumerate(result.properties, 1)
        if found.verdict == "holds" and found.trace is not None
    ]
    messages = _messages(result) if result.error is None else None
    error = None if result.error is None else lesson(result.error)
    head = block.headline(result)
    rests_on, assumed = grouped(block.entries(result)), block.assumptions(result)
    shown = {
        "error": error.kind.lower() if error else "",
        "run-1": ("counterexample" if len(told) == 1 else f"{len(told)} counterexamples") if told else "",
        "checked": "verdict" if rests_on else "",
        "properties": "properties" if result.properties else "",
        "messages": "messages" if messages else "",
        "unchecked": "not checked" if assumed else "",
        "again": "reproduce",
    }
    return _page(
        "report.html",
        title="  ".join([head.verdict, ", ".join(head.subjects), head.system]),
        result=result,
        head=head,
        lead=lead(result),
        about=result.title,
        subject=block.undecided(result) if error else ", ".join(head.subjects) or result.model,
        undecided=block.undecided(result),
        error=error,
        error_groups=grouped(error.entries) if error else (),
        contents=[(anchor, words) for anchor, words in shown.items() if words],
        runs_told=told,
        anchors={one.run.name: one.anchor for one in told} | {one.name: f"{one.id}-of" for one in improbable},
        improbable=improbable,
        block_groups=rests_on,
        idle=lambda found: block.idle([found]),
        chart=messages,
        graph=None,
        assumptions=assumed,
        reproduce=_reproduce(result, told),
        listing=listing(result.file, result.never_ran) if result.file else (),
    )


def run_page(trace: Trace, heading: str) -> str:
    """A page of one run alone: its diagram, and each moment."""
    shown = figure(trace, "run", violated=bool(trace.reason))
    return _page("one_run.html", title=heading, world=str(trace.world), shown=shown, reason=trace.reason)


# --- what stands where -------------------------------------------------------------------------------------------


def lead(result: Result) -> str:
    """The one sentence to take away."""
    if result.error is not None:
        return ""
    runs = told_runs(result)
    if runs:
        return runs[0].trace.reason
    return block.guarantee(result) if result.verdict == "HOLDS" else result.judgement.reason


def _counterexamples(runs: list[Told]) -> list[Counterexample]:
    anchors = {run.name: f"run-{number}" for number, run in enumerate(runs, 1)}
    found = []
    drawn = 0
    for run in runs:
        anchor = anchors[run.name]
        shown = None if run.same else figure(run.trace, f"{anchor}-at", run.name)
        drawn += shown is not None
        folded = shown is not None and drawn > UNFOLDED
        groups = (grouped(entries) for entries in (run.above, run.below, (Typed("again", run.again),)))
        found.append(Counterexample(run, anchor, anchors.get(run.same, ""), shown, folded, *groups))
    return found


def grouped(entries: Iterable[Entry]) -> tuple[Group, ...]:
    """Entries without a label belong to the one above."""
    groups: list[tuple[str, list[Entry]]] = []
    for entry in entries:
        label = getattr(entry, "label", "")
        if label or not groups:
            groups.append((label, []))
        groups[-1][1].append(entry)
    return tuple(Group(label, tuple(members)) for label, members in groups)


def _messages(result: Result) -> Chart | None:
    counted = [(f"n={n}", "", numbers) for n, numbers in result.messages.items()]
    return chart(counted) if counted else None


def _reproduce(result: Result, told: list[Counterexample]) -> list[tuple[str, str]]:
    if not result.asked:  # the model could not even be read
        return []
    found = [("this run", commands.this(result))]
    found += [(one.run.name, one.run.again) for one in told]
    following = commands.following(result)
    return [*found, ("next", following)] if following else found


# --- the page ----------------------------------------------------------------------------------------------------


def _page(template: str, **parts: Any) -> str:
    from .. import __version__

    script = (ASSETS / "page.js").read_text(encoding="utf-8").strip()
    return environment().get_template(template).render(
        css=Markup(_style()),
        script=Markup(script),
        policy=_policy(f"\n{script}\n"),
        version=__version__,
        python=platform.python_version(),
        marks=MARKS,
        OF_THE_MODEL=OF_THE_MODEL,
        **parts,
    ).lstrip()  # fmt: skip


@cache
def environment() -> Environment:
    """The templates. Whatever is put into one is escaped."""
    found = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    found.filters.update(marked=marked, short=short, breakable=breakable)
    return found


def _style() -> str:
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{palette(DARK)}}}}}"
    rules = (ASSETS / "page.css").read_text(encoding="utf-8").strip()
    return f":root{{{palette(LIGHT)}}}\n{dark}\n{rules}"


def _policy(script: str) -> str:
    """What the page may do: nothing from elsewhere, and no script but this."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def palette(colours: dict[str, str]) -> str:
    """The colours of the diagrams for what stands around them."""
    return ";".join(f"--{name}:{value}" for name, value in colours.items())


def breakable(name: str) -> Markup:
    """A name that may be broken after each underscore, where there is no room for it."""
    return escape(name).replace("_", Markup("_<wbr>"))


def marked(words: str | Text) -> Markup:
    """Words escaped, with the marks of Rich's Text as classes."""
    text = words if isinstance(words, Text) else Text(words)
    return Markup("").join(_spans(text))


def _spans(text: Text) -> Iterator[Markup]:
    spans = [(0, len(text), str(text.style)), *((span.start, span.end, str(span.style)) for span in text.spans)]
    styles = [" ".join(style for start, end, style in spans if style and start <= k < end) for k in range(len(text))]
    for style, part in groupby(zip(styles, text.plain, strict=True), lambda pair: pair[0]):
        words = escape("".join(letter for _, letter in part))
        yield Markup('<span class="{}">{}</span>').format(style, words) if style else words
