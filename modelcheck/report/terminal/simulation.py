"""The faces of what `modelcheck simulate` sampled: terminal and JSON."""

from __future__ import annotations

import math
import shlex
from typing import Any

from rich.text import Text

from ...check.request import initiators_text, policy_text
from ...language.properties import ON_THE_WAY
from ...simulate.sampling import AT_ENDS, Compared, Simulation, Spread
from ..files import as_json
from ..words.numbers import decimal
from .page import Page
from .writing import write_steps

FORMAT = 1
BARS = 12  # at most, in a histogram
WIDTH = 40  # of the longest bar
EIGHTHS = " ▏▎▍▌▋▊▉█"


def write(found: Simulation, page: Page, which: str | None = None) -> None:
    """The whole report; with `which` a run of the greatest size, step by step."""
    page.line(Text(_system(found), style="bold"))
    done = len(found.samples)
    page.entry(
        "guarantee", f"none: {done:,} random {'run proves' if done == 1 else 'runs prove'} nothing about the others"
    )
    page.entry("sampled", _sampled(found))
    if found.stopped:
        page.entry("stopped", Text(found.stopped, style="yellow"))
    _table(found, page)
    _formulas(found, page)
    _histogram(found, page)
    _ends(found, page)
    if which is not None:
        sample, run = found.chosen(which), found.run(which)
        page.blank()
        page.line(
            Text.assemble(
                (f"RUN {sample.number} of n={sample.n}", "bold"),
                f"  {sample.sent[0]:,} messages in {sample.steps:,} steps",
            )
        )
        page.entry("world", str(run.world))
        write_steps(run, page)
        page.blank()
    page.command("next", following(found))


def _system(found: Simulation) -> str:
    request = found.request
    sizes = ",".join(map(str, found.sizes))
    parts = [request.model.name, f"n={sizes}", request.settings.network, f"ids {policy_text(request.policy)}"]
    if request.policy.initiators != "all":
        parts.append(f"initiators {initiators_text(request.policy)}")
    for name, value in request.option_pairs:
        if name != "--network":
            parts.append(value if name == "--set" else f"{name[2:]} {value}")
    return "  ".join(parts)


def _sampled(found: Simulation) -> str:
    done, asked = len(found.samples), found.asked * len(found.sizes)
    many = f"{done:,} of {asked:,} runs" if done < asked else f"{done:,} run{'s' * (done != 1)}"
    steps = sum(sample.steps for sample in found.samples)
    return f"{many}, each in a world of its own; {steps:,} steps in {found.seconds:.1f} s; seed {found.seed}"


def _table(found: Simulation, page: Page) -> None:
    rows: list[tuple[str, ...]] = [("n", "", "runs", "least", "mean", "deviation", "greatest", "per n", "per n lg n")]
    for n in found.sizes:
        shown = [0, *_present(found, n)]
        for column in shown:
            spread = found.spread(n, column)
            if spread is not None:
                rows.append(_row(n if column == 0 else None, found.names[column], spread, n))
    if len(rows) > 1:
        page.entry("messages", "")
        if page.width is None or page.columns_width(rows, indent=4) <= page.width:
            page.columns(rows, indent=4, right=(0, 2, 3, 4, 5, 6, 7, 8))
        else:  # two narrower ones
            page.columns([row[:7] for row in rows], indent=4, right=(0, 2, 3, 4, 5, 6))
            page.columns([(*row[:2], *row[7:]) for row in rows], indent=4, right=(0, 2, 3))


def _present(found: Simulation, n: int) -> list[int]:
    """The types worth a line: those that were sent, unless there is only one."""
    sent = [k for k in range(1, len(found.names)) if any(sample.sent[k] for sample in found.of(n))]
    return sent if len(sent) > 1 else []


def _row(first: int | None, name: str, spread: Spread, n: int) -> tuple[str, ...]:
    return (
        "" if first is None else f"{first:,}",
        name,
        f"{spread.runs:,}" if first is not None else "",
        f"{spread.least:,}",
        f"{spread.mean:,.1f} ± {spread.error:,.1f}",
        f"{spread.deviation:,.1f}",
        f"{spread.greatest:,}",
        f"{spread.mean / n:,.3f}",
        f"{spread.mean / (n * math.log2(n)):.4f}" if n > 1 else "",
    )


def _formulas(found: Simulation, page: Page) -> None:
    if not found.compared:
        return
    last = found.sizes[-1]
    shown = [one for one in found.compared if one.n == last or one.agrees is False]
    widths = [
        max(len(text) for text in column)
        for column in zip(*((o.formula.key, o.formula.text) for o in shown), strict=True)
    ]
    label = "formulas"
    for one in shown:
        head = f"{one.formula.key:<{widths[0]}}  {one.formula.text:<{widths[1]}}  "
        page.entry(label, Text(head) + _compared(one))
        label = ""


def _compared(one: Compared) -> Text:
    if one.value is None:
        return Text(f"({one.note})", style="dim")
    value = f"{decimal(one.value)} at n={one.n:,}"
    if one.n > 1 and one.formula.word in ("mean", "about"):
        value += f" ({float(one.value) / (one.n * math.log2(one.n)):.4f} n lg n)"
    if one.agrees is False:
        return Text(f"{value}: a run contradicts it", style="bold red")
    if one.agrees:
        return Text(value) + Text("; no run contradicts it", style="green")
    if one.errors is not None:
        way = "above" if one.errors > 0 else "below"
        return Text(f"{value}; the mean of these runs is {abs(one.errors):.1f} standard errors {way} it")
    return Text(f"{value}{f' ({one.note})' if one.note else ''}", style="dim" if one.note else "")


def bars(numbers: list[int]) -> list[tuple[int, int, int]]:
    """A histogram: (from, to, how many) for ranges of equal width that hold all numbers, BARS at most."""
    least, greatest = min(numbers), max(numbers)
    width = max(1, math.ceil((greatest - least + 1) / BARS))
    for nice in sorted(m * 10**e for e in range(13) for m in (1, 2, 5)):
        first = least - least % nice
        if nice >= width and (greatest - first) // nice < BARS:
            width = nice
            break
    first = least - least % width
    found = [[first + k * width, first + (k + 1) * width - 1, 0] for k in range((greatest - first) // width + 1)]
    for number in numbers:
        found[(number - first) // width][2] += 1
    return [(low, high, count) for low, high, count in found]


def _histogram(found: Simulation, page: Page) -> None:
    """Of the greatest size that was sampled."""
    sampled = [n for n in found.sizes if len(found.of(n)) > 1]
    if not sampled:
        return
    n = sampled[-1]
    shown = bars([sample.sent[0] for sample in found.of(n)])
    most = max(count for _, _, count in shown)
    page.entry("histogram", f"messages of the runs with n={n:,}")
    rows = []
    for low, high, count in shown:
        eighths = math.ceil(8 * WIDTH * count / most)
        bar = EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8].strip()
        rows.append((f"{low:,}" if low == high else f"{low:,} to {high:,}", f"{count:,}", bar))
    page.columns(rows, indent=4, right=(0, 1))


def _ends(found: Simulation, page: Page) -> None:
    """What holds at the end of every run, and what does not."""
    judged = [p.name for p in found.request.properties if p.kind in AT_ENDS]
    holding = [name for name in judged if name not in found.failing]
    if holding and found.samples:
        page.entry("at the end", f"{', '.join(holding)}: so in every run (earlier states were not looked at)")
    others = [p.name for p in found.request.properties if p.kind in ON_THE_WAY]
    if others:
        page.entry("not judged", f"{', '.join(others)}: that takes all the states of a run")
    for name, failing in found.failing.items():
        first = failing[0]
        reason = next(reason.sentence for known, _, reason in first.failures if known == name)
        where = f" ({first.world})" if first.world else ""
        text = f"{name} in {len(failing):,} of {len(found.samples):,} runs, first in run {first.number} of n={first.n:,}{where}: {reason}"
        page.entry("fails", Text(text, style="bold red"))


def following(found: Simulation) -> str:
    """The exact numbers of small sizes; what a run has refuted is looked for there too."""
    request = found.request
    command = "run" if found.failing else "messages"
    fixed = "--graph" in request.options or isinstance(request.policy.identifiers, tuple)
    sizes = [] if fixed else ["--n", "2..5"]
    if request.policy.identifiers != request.model.definition.identifiers:
        sizes += ["--ids", policy_text(request.policy)]
    return shlex.join(["modelcheck", command, request.reference, *request.options, *sizes])


def traces(found: Simulation, which: str) -> dict[str, Any]:
    """What `--trace` writes: the run that --show names."""
    options = ["--n", str(found.sizes[-1]), "--seed", str(found.seed), "--runs", str(found.asked), "--show", which]
    again = shlex.join(["modelcheck", "simulate", found.request.reference, *found.request.options, *options])
    return as_json.runs_of(found.request, [(f"run {found.chosen(which).number}", found.run(which), again)])


# --- JSON --------------------------------------------------------------------------------------------------------------


def document(found: Simulation) -> dict[str, Any]:
    """Everything that was sampled, run by run."""
    request = found.request
    return {
        "format": FORMAT,
        "model": request.model.name,
        "parameters": {name: value if isinstance(value, (bool, int, str)) else str(value) for name, value in request.settings.parameters},
        "network": request.settings.network,
        "identifiers": policy_text(request.policy),
        "initiators": initiators_text(request.policy),
        "start": request.settings.start,
        "seed": found.seed,
        "exit_code": found.exit_code,
        "stopped": found.stopped,
        "seconds": round(found.seconds, 3),
        "sizes": [_size(found, n) for n in found.sizes],
        "formulas": [
            {
                "n": one.n, "key": one.formula.key, "formula": one.formula.text,
                "value": None if one.value is None else float(one.value), "agrees": one.agrees,
                "standard_errors": one.errors, "note": one.note or None,
            }
            for one in found.compared
        ],
    }  # fmt: skip


def _size(found: Simulation, n: int) -> dict[str, Any]:
    columns = {name: found.spread(n, k) for k, name in enumerate(found.names)}
    return {
        "n": n,
        "asked": found.asked,
        "messages": {
            name: {
                "least": s.least, "mean": s.mean, "deviation": s.deviation, "standard_error": s.error, "greatest": s.greatest,
            }
            for name, s in columns.items()
            if s is not None
        },
        "runs": [
            {
                "run": sample.number,
                "messages": dict(zip(found.names, sample.sent, strict=True)),
                "steps": sample.steps,
                "failures": [{"name": a, "kind": b, "reason": c.sentence} for a, b, c in sample.failures],
            }
            for sample in found.of(n)
        ],
    }  # fmt: skip
