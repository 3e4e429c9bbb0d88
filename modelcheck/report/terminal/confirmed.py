"""What other checkers make of a search: the numbers side by side, and what these confirm."""

from __future__ import annotations

import shlex
from typing import Any

from rich.text import Text

from ...check.request import policy_text
from ...export.confirming import Confirmation, Exported, Size
from ...export.tools import TOOLS, Answer
from ...graph.dot import plural
from ..files.as_json import FORMAT
from .page import Page

LABELS = {tool.name: tool.label for tool in TOOLS}
COLUMNS = ("", "states", "transitions", "failing", "no step", "no change")


def write(found: Confirmation, page: Page) -> None:
    """The verdict on the numbers, the numbers, what they say and what they do not."""
    request = found.request
    agrees = not found.differences
    sizes = ",".join(str(size.n) for size in found.sizes)
    word = Text("confirmed", style="bold green") if agrees else Text("DIFFERS", style="bold red")
    page.line(
        word + f"  {request.model.name}  n={sizes}  {request.settings.network}  ids {policy_text(request.policy)}"
    )
    for size in found.sizes:
        stand = (
            ""
            if size.represented == size.worlds
            else f", which {'stands' if size.worlds == 1 else 'stand'} for {size.represented:,}"
        )
        page.entry(f"n={size.n}", plural(size.worlds, "world") + stand)
        page.columns([list(COLUMNS), *_rows(size)], indent=15, right=range(1, len(COLUMNS)))
    for line in found.differences:
        page.entry("differs", Text(line, style="red"))
    if agrees:
        page.entry("confirms", _confirms(found))
        if any(size.answers for size in found.sizes):
            page.entry("", "nothing was met that the search had not met: local states, messages, lengths of channels")
    else:
        page.entry("", "this is a bug in modelcheck, or in the other checker: please report it")
    page.entry("not said", "what a step means (the tables are ours), properties, whether runs end")
    page.entry(
        "columns", "failing: transitions that fail; no step: states in which none is enabled (Spin counts them);"
    )
    page.entry("", "no change: states that no step changes, those included (Rumur counts them)")
    page.command("next", following(found))


def _rows(size: Size) -> list[list[str]]:
    counts = size.counts
    ours = (counts.states, counts.transitions, counts.failing, counts.ends, counts.still)
    rows = [["modelcheck", *(f"{number:,}" for number in ours)]]
    for how, found in (("with symmetry", size.reduced), ("by sets", size.by_sets)):
        if found is not None:
            rows.append([how, f"{found.states:,}", f"{found.transitions:,}", "", "", ""])
    return rows + [[LABELS[answer.tool], *_numbers(answer)] for answer in size.answers]


def _numbers(answer: Answer) -> list[str]:
    ends = f"{answer.ends:,}"
    counted = [f"{number:,}" for number in (answer.states, answer.transitions, answer.failing)]
    return [*counted, *(["", ends] if answer.stuttering else [ends, ""])]


def _confirms(found: Confirmation) -> str:
    parts = ["the search: no state and no transition was missed or counted twice"]
    if any(size.reduced is not None for size in found.sizes):
        parts.append("the symmetry: with it as many are counted as there are")
    if any(size.by_sets is not None for size in found.sizes):
        parts.append("sets of states: they hold as many")
    return "; ".join(parts)


def following(found: Confirmation) -> str:
    """The next command worth typing."""
    sizes = [size.n for size in found.sizes]
    request = found.request
    size = (
        []
        if "--graph" in request.options
        else ["--n", str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}..{sizes[-1]}"]
    )
    if isinstance(request.policy.identifiers, tuple):
        size = ["--ids", policy_text(request.policy)]
    symmetric = request.policy.symmetry and any(size.represented > size.worlds for size in found.sizes)
    command = "confirm" if symmetric else "run"
    more = ["--no-symmetry"] if symmetric else []
    return shlex.join(["modelcheck", command, request.reference, *request.options, *size, *more])


def write_export(exported: Exported, file: str, page: Page) -> None:
    """The file, and what is in it."""
    program = exported.program
    page.line(Text(f"wrote {file}", style="bold") + f"  {exported.tool.language}, for {exported.tool.label}")
    page.entry("holds", f"{plural(len(program.worlds), 'world')}, {plural(len(program.locals), 'local state')}, {plural(len(program.messages), 'message')}, {plural(len(program.rows), 'command')}")  # fmt: skip
    counts = program.counts
    page.entry("comes to", f"{plural(counts.states, 'state')}, {plural(counts.transitions, 'transition')}")


def document(found: Confirmation) -> dict[str, Any]:
    """The same as plain data."""
    request = found.request
    return {
        "format": FORMAT,
        "agrees": not found.differences,
        "exit_code": found.exit_code,
        "model": request.model.name,
        "network": request.settings.network,
        "identifiers": policy_text(request.policy),
        "symmetry": request.policy.symmetry,
        "options": list(request.options),
        "sizes": [_size(size) for size in found.sizes],
        "differences": list(found.differences),
        "not_asked": dict(found.unasked),
        "seconds": round(found.seconds, 3),
        "next": following(found),
    }


def _size(size: Size) -> dict[str, Any]:
    return {
        "n": size.n,
        "worlds": size.worlds,
        "represented": size.represented,
        "counts": dict(vars(size.counts)),
        "with_symmetry": None if size.reduced is None else dict(vars(size.reduced)),
        "by_sets": None if size.by_sets is None else dict(vars(size.by_sets)),
        "tools": [
            {
                "tool": answer.tool,
                "states": answer.states,
                "transitions": answer.transitions,
                "failing": answer.failing,
                "ends": None if answer.stuttering else answer.ends,
                "still": answer.ends if answer.stuttering else None,
                "objections": dict(answer.objections),
                "seconds": round(answer.seconds, 3),
            }
            for answer in size.answers
        ],
    }
