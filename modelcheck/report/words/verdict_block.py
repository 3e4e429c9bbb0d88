"""The verdict block: what every face of a result says of it, in the same words and in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from ...check.findings import ALWAYS_CHECKED
from ...check.request import ranges, varied
from ...check.result import Kept, PropertyResult, ReductionCheck, Result, SymmetryCheck, TakenAgain
from ...count.census import AFFORDABLE
from ...count.ranges import big
from ...count.tally import Tally, Unreduced
from ...language.definition import spelled
from ...language.networks import NETWORKS
from . import commands
from .entries import Entry, Figures, Said, Table, Typed
from .numbers import in_a_line

SIZES = ("n", "worlds", "of", "states", "transitions", "terminal")
FOLD = 4  # lines of code that never ran before the rest is counted
_IMPLICIT = {name for name, _, _ in ALWAYS_CHECKED}


@dataclass(frozen=True)
class Headline:
    """The first line: the verdict, the properties it is about, and the model with its circumstances."""

    verdict: str
    subjects: tuple[str, ...]
    system: str


def headline(result: Result) -> Headline:
    return Headline(result.verdict, tuple(subjects(result)), described_system(result))


def entries(result: Result) -> list[Entry]:
    """What stands below the headline; of a run that met an error, what stands below the verdict that it leaves."""
    return list(_of_an_error(result) if result.error is not None else _block(result))


def undecided(result: Result) -> str:
    """What an error leaves of a verdict: none. Counts would be those of a search that means nothing."""
    violated = [found.name for found in result.properties if found.verdict == "violated"]
    words = f"nothing is decided about {result.model}"
    return words + f", but that it violates {_and(violated)} (--json shows how)" if violated else words


def _of_an_error(result: Result) -> Iterator[Entry]:
    yield from _expected(result)
    yield from _following(result)


def _following(result: Result) -> Iterator[Entry]:
    if command := commands.following(result):
        yield Typed("next", command)


# --- the first line ----------------------------------------------------------------------------------------------


def subjects(result: Result) -> list[str]:
    """The properties the verdict is about. Those checked of every model are named only where they are the point."""
    word = {"HOLDS": "holds", "VIOLATED": "violated", "INCONCLUSIVE": "inconclusive"}[result.verdict]
    found = [p.name for p in result.properties if p.verdict == word]
    if result.verdict != "VIOLATED":
        found = [name for name in found if name not in _IMPLICIT] or found
    return found


def described_system(result: Result) -> str:
    """The model and its circumstances: 'chang_roberts  n=5  fifo  ids unique'."""
    parts = [result.model]
    if sizes := result.asked:
        parts.append(f"n={sizes[0]}" if len(sizes) == 1 else f"n={sizes[0]}..{sizes[-1]}")
    if result.network:
        parts += [result.network, f"ids {result.identifiers}"]
    if result.initiators != "all":
        parts.append(f"initiators {result.initiators}")
    for name, value in result.option_pairs:
        if name == "--set":
            parts.append(value)
        elif name != "--network":
            parts.append(f"{name[2:]} {value}")
    return "  ".join(parts)


# --- the block ---------------------------------------------------------------------------------------------------


def _block(result: Result) -> Iterator[Entry]:
    yield from _expected(result)
    if result.verdict != "HOLDS":
        yield Said("because", result.judgement.reason)
        if result.stopped and result.stopped != result.judgement.reason:
            yield Said("stopped", result.stopped)
    if result.sizes:
        yield from counts(result)
        yield from _messages(result)
    if result.kept is not None:
        yield Said("checkpoint", _kept(result.kept, result.worlds))
    if result.growth:
        yield Said("growing", result.growth)
    yield from _other_verdicts(result)
    yield from _exercised(result)
    if result.taken_again is not None:
        yield Said("taken again", _taken_again(result))
    if result.reductions and result.sizes:
        yield Said("reductions", "; ".join(result.reductions))
    if result.symmetry_check is not None:
        yield Said("symmetry", _symmetry(result, result.symmetry_check))
    if result.reduction_check is not None:
        yield Said("reduction", _reduction(result, result.reduction_check))
    for broken in result.broken:
        yield Said("broken", Text(broken, style="yellow"))
    if result.unchecked:
        yield Said("not checked", "; ".join(result.unchecked))
    if result.verdict != "VIOLATED":  # else it comes after the counterexamples
        yield from _following(result)


def _expected(result: Result) -> Iterator[Entry]:
    if result.judgement.expectation is not None:
        outcome = Text("met", style="green") if result.judgement.expectation else Text("not met", style="bold red")
        yield Said("expected", Text(f"{result.expected}: ") + outcome)


def counts(result: Result) -> Iterator[Entry]:
    """How far the search went."""
    yield Said("guarantee", guarantee(result))
    seconds = f"in {_seconds(result.seconds)}"
    if len(result.sizes) == 1:
        yield Figures(
            "explored", (*_explored(result.sizes[0], " rounds" if result.schedule == "lockstep" else ""), seconds)
        )
    else:
        yield Figures("explored", (_count(result.states, "state"), _count(result.transitions, "transition"), seconds))
        yield Table(((*SIZES, "nodes" if result.nodes else "depth"), *map(_row, result.sizes)))
    if any(tally.turned for tally in result.sizes) and not result.reduced:  # without symmetry more is counted
        yield Figures("stand for", tuple(_unreduced(result.unreduced)))


def _unreduced(counts: Unreduced) -> list[str]:
    return [
        _count(counts.states, "state"),
        _count(counts.transitions, "transition"),
        _count(counts.terminal_states, "terminal state"),
    ]


def _symmetry(result: Result, done: SymmetryCheck) -> Text:
    """What came of the same run without symmetry."""
    if done.undone:
        return Text(f"not compared: {done.undone}", style="yellow")
    counts = ", ".join([_count(done.worlds, "world"), *_unreduced(done.counts)])
    return Text(
        f"checked: a run without it agrees in {_count(done.properties, 'verdict')}, the lengths of traces and the depth, and counts what "
        f"this one stands for: {counts}; {done.counts.states / max(result.states, 1):.1f} times as many states"
    )


def _reduction(result: Result, done: ReductionCheck) -> Text:
    """What came of the same run without partial-order reduction."""
    if done.undone:
        return Text(f"not compared: {done.undone}", style="yellow")
    counts = f"{_count(done.states, 'state')}, {_count(done.transitions, 'transition')}"
    return Text(
        f"checked: a run without it agrees in {_count(done.properties, 'verdict')}, the lengths of traces, terminal states and messages, "
        f"and counts {counts}; {done.states / max(result.states, 1):.1f} times as many states"
    )


def _taken_again(result: Result) -> Text:
    """What another interpreter came to as well."""
    done = result.taken_again or TakenAgain()
    if done.undone:
        return Text(f"no: {done.undone}", style="yellow")
    text = f"the steps of {done.components:,} of {_count(done.of_components, 'component')}"
    if done.states:
        judged = "view" if any(tally.nodes for tally in result.sizes) else "state"
        text += f", the verdicts on {done.states:,} of {_count(done.of_states, judged)}"
    who = (
        "a fresh interpreter"
        if done.interpreters == 1
        else f"{done.interpreters} fresh interpreters, each with its own hash seed"
    )
    before = _count(done.worlds_before, "world")
    but = f"; what had been explored before is not among it ({before})" if done.worlds_before else ""
    return Text(f"{text}: by {who}{but}")


def _kept(kept: Kept, searched: int) -> str:
    """What is left for the next run to go on from, of so many worlds that were searched to the end."""
    why = f": {kept.trouble}" if kept.trouble else ""
    if not kept.worlds:
        if searched:
            return f"none; {_those(searched, 'not kept')}{why}"
        return "none: no world was searched to the end, and one that is cut short starts anew"
    text = f"{_those(kept.worlds, 'done')} and will not be searched again; any that was cut short starts anew"
    more = searched - kept.worlds
    return f"{text}; {_those(more, 'not kept', ' more')}{why}" if more > 0 else text


def _those(worlds: int, what: str, more: str = "") -> str:
    return f"{worlds:,}{more} world{' is' if worlds == 1 else 's are'} {what}"


def _messages(result: Result) -> Iterator[Entry]:
    """How many messages runs send, of each size where they were counted."""
    for number, (n, counted) in enumerate(result.messages.items()):
        parts = in_a_line(counted, result.types)
        yield Figures("" if number else "messages", tuple(parts if len(result.sizes) == 1 else [f"n={n}", *parts]))
    if result.uncounted and result.verdict == "HOLDS":
        sizes = ", ".join(map(str, result.uncounted))
        words = f"not counted in passing above {AFFORDABLE:,} states (n={sizes}); `modelcheck messages` counts them"
        yield Said("" if result.messages else "messages", words)


def _row(tally: Tally) -> tuple[str, ...]:
    counts = (tally.worlds, tally.represented, tally.states, tally.transitions, tally.terminal_states)
    return (
        str(tally.n),
        *map(big, counts),
        big(tally.nodes) if tally.nodes else "" if tally.reduced else big(tally.depth),
    )


def _explored(tally: Tally, unit: str) -> list[str]:
    if tally.nodes and not tally.states:  # it was stopped, and sets are counted when they are complete
        return [f"a diagram of {_count(tally.nodes, 'node')} so far"]
    return [
        _count(tally.states, "state"),
        _count(tally.transitions, "transition"),
        _count(tally.terminal_states, "terminal state"),
        *([] if tally.reduced or tally.nodes else [f"depth {tally.depth}{unit}"]),
        *([f"a diagram of {_count(tally.nodes, 'node')}"] if tally.nodes else []),
    ]


def guarantee(result: Result) -> str:
    """What the counts amount to: how far the search went, and what the worlds explored stand for."""
    what = _varieties(result)
    done, of = result.represented, sum(tally.to_represent for tally in result.sizes)
    worlds = _count(result.worlds, "world")
    all_found = result.nodes and done == of and not result.stopped
    if done < of or (result.verdict == "INCONCLUSIVE" and not all_found):
        return f"none; {worlds} searched to the end, standing for {big(done)} of {big(of)} {what}{_not_begun(result)}"
    stands = f"{worlds} {'stands' if result.worlds == 1 else 'stand'} for all {big(of)} {what}"
    if of == result.worlds:
        stands = "a single world" if of == 1 else f"all {big(of)} worlds, one for each of the {what}"
    lockstep = result.schedule == "lockstep"
    kind = "exhaustive, exact" + (", of lock-step runs alone" if lockstep else "")
    if result.nodes:
        kind = "exhaustive, exact, by sets of states" + (", of what holds" if result.verdict == "INCONCLUSIVE" else "")
    if result.reduced:
        kind = "exhaustive, up to the order of steps that do not meet"
    if result.verdict == "VIOLATED":
        shortest = all(p.shortest for p in result.properties if p.verdict == "violated")
        kind = f"{'shortest ' * shortest}{'lock-step ' * lockstep}traces, each replayed step by step"
    return f"{kind}; {stands}"


def _not_begun(result: Result) -> str:
    """The sizes that a search which was stopped did not come to."""
    begun = {tally.n for tally in result.sizes}
    left = [n for n in result.asked if n not in begun]
    return f"; nothing of n={ranges(left)}" if left else ""


def _varieties(result: Result) -> str:
    """What worlds differ in: 'assignments', or 'assignments of identifiers and root'."""
    differing = list(varied(result.request)) if result.request else []
    if differing in ([], ["identifiers"]):
        return "assignments"
    if "identifiers" in differing:
        others = [word for word in differing if word != "identifiers"]
        return f"assignments ({_and(['identifiers', *others])})"
    return f"choices of {_and(differing)}"


def _other_verdicts(result: Result) -> Iterator[Entry]:
    """Properties whose verdict is not the headline's, and what qualifies those that hold."""
    if result.verdict != "HOLDS":
        holding = [p.name for p in result.properties if p.verdict == "holds"]
        if holding:
            yield Said("holds", ", ".join(holding))
        undecided = [p for p in result.properties if p.verdict == "inconclusive"]
        notes = dict.fromkeys(p.note for p in undecided if p.note)
        if undecided and (result.verdict == "VIOLATED" or notes):
            yield Said("undecided", ": ".join([", ".join(p.name for p in undecided), *notes]))
    else:
        also = [p.name for p in result.properties if p.name in _IMPLICIT]
        if len(also) < len(result.properties):
            yield Said("also", ", ".join(also))
    for found in result.properties:
        if found.note and found.verdict == "holds":
            endless = "; the runs on which it fails have probability 0 (--json shows one)" if found.trace else ""
            yield Said("note", f"{found.name} holds {found.note}{endless}")
            if found.trace:
                yield Typed(
                    "expect", commands.expect(result, *(["--until", found.name] if found.kind == "eventually" else []))
                )
    vacuous = [p for p in result.properties if not p.mattered]
    if vacuous:
        yield Said("vacuous", Text(f"{', '.join(p.name for p in vacuous)}: {idle(vacuous)}", style="yellow"))


def idle(properties: list[PropertyResult]) -> str:
    """Why these properties never mattered."""
    if all(p.kind == "at the end" for p in properties):
        return "no run ends, so nothing was ever checked"
    if all(p.kind == "leads to" for p in properties):
        return "what leads to it never happens, so nothing was ever owed"
    return "nothing it reads ever changed" if len(properties) == 1 else "nothing they read ever changed"


def _exercised(result: Result) -> Iterator[Entry]:
    if result.steps:
        never = [name for name, ran in result.steps.items() if ran is False]
        text = Text(f"{sum(map(bool, result.steps.values()))}/{len(result.steps)} steps")
        if never:
            text += Text("; never ran: " + ", ".join(never), style="yellow")
        yield Said("exercised", text)
    folded = len(result.never_ran) - FOLD
    shown = result.never_ran if folded <= 1 else result.never_ran[:FOLD]
    for number, line in enumerate(shown):
        yield Said("" if number else "never ran", line)
    if folded > 1:
        yield Said("", f"and {folded} more places (--json lists them)")


# --- the assumptions ---------------------------------------------------------------------------------------------


def assumptions(result: Result) -> list[tuple[str, str]]:
    """Under which the verdict was found: a label and words for each."""
    if not result.asked:
        return []
    options = dict(result.option_pairs)
    budgets = {name: budget for name, budget in result.faults.items() if isinstance(budget, int)}
    faults = [f"{name} up to {budget}" for name, budget in budgets.items() if budget]
    found = [
        ("topology", result.topology),
        ("processes", ranges(result.asked)),
        ("network", f"{result.network}: {NETWORKS[result.network].sentence}"),
        ("identifiers", result.identifiers),
        ("initiators", result.initiators),
        ("start", options.get("--start", "any") + (" time" if "--start" not in options else "")),
        ("schedule", "all processes step at once" if result.schedule == "lockstep" else "any interleaving of steps"),
        ("faults", ", ".join(faults) or "none"),
    ]
    if faults:
        found.append(("detector", str(result.faults["detector"] or "perfect")))
    if budgets.get("partitions"):
        found.append(("over a cut", f"messages are {result.faults['across']}"))
    if result.parameters:
        found.append(("parameters", ", ".join(f"{name}={spelled(value)}" for name, value in result.parameters.items())))
    limits = result.limits
    found.append(("limits", f"{limits.max_states:,} states, {limits.max_seconds:g} seconds, {limits.max_memory:,} MB"))
    return found


# --- words -------------------------------------------------------------------------------------------------------


def _count(number: int, noun: str) -> str:
    return f"{big(number)} {noun}" + ("" if number == 1 else "s")


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _and(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
