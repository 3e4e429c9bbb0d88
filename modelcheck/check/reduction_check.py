"""Is partial-order reduction sound here? One request searched both ways, and everything compared that a reduction must not change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..errors import ReductionError
from .result import ReductionCheck, Result


def compared_in_full(reduced: Result, full: Result) -> Result:
    """The result to report of a run with reduction and the same one without: the first, where both came to an end and agree.

    Where a limit kept one of them from its end nothing is compared; then it is that one, unless the other has found a violation.
    Raises ReductionError where they differ: then there is a bug in the checker.
    """
    if reduced.error is not None or full.error is not None:
        return reduced if reduced.error is not None else full
    if reduced.stopped:
        return replace(reduced, reduction_check=ReductionCheck(undone=f"with reduction {reduced.stopped}"))
    if full.stopped:
        undone = ReductionCheck(undone=f"with reduction {reduced.verdict}, without it {full.stopped}")
        return replace(reduced if reduced.verdict == "VIOLATED" else full, reduction_check=undone)
    pairs = _pairs(reduced, full)
    differing = [f"{what}: {one} with reduction, {other} without" for what, one, other in pairs if one != other]
    if differing:
        raise ReductionError(
            f"runs of {reduced.model} with and without reduction differ\n"
            + "\n".join(f"  {line}" for line in differing)
        )
    done = ReductionCheck(len(reduced.properties), full.states, full.transitions)
    return replace(reduced, reduction_check=done)


def _pairs(reduced: Result, full: Result) -> Iterator[tuple[str, object, object]]:
    """What is compared: its name, and what the two runs say of it."""
    yield "the verdict", reduced.verdict, full.verdict
    for one, other in zip(reduced.properties, full.properties, strict=True):
        yield f"whether {one.name} holds", (one.verdict, one.note), (other.verdict, other.note)
        lengths = (one.trace and one.trace.length, other.trace and other.trace.length)
        yield f"the steps of the run against {one.name}", *lengths
    yield "the steps that ever ran", reduced.steps, full.steps
    yield "the lines that never ran", reduced.never_ran, full.never_ran
    for small, large in zip(reduced.sizes, full.sizes, strict=True):
        at = f", n={small.n}"
        yield "what the worlds stand for" + at, small.represented, large.represented
        yield "worlds" + at, small.worlds, large.worlds
        yield "terminal states" + at, small.terminal_states, large.terminal_states
        if small.n in reduced.messages and large.n in full.messages:
            yield "messages" + at, small.sent, large.sent
