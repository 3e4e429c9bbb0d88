"""Are the symmetry and the partial order sound? One request searched both ways, and everything compared that must not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..count.tally import Unreduced
from ..errors import ReductionError, SymmetryError
from .result import ReductionCheck, Result, SymmetryCheck


def compared(reduced: Result, plain: Result, closely: Callable[[], Result]) -> Result:
    """The result to report of a run with symmetry and the same one without: the first, where both came to an end and agree.

    Where a limit kept one of them from its end nothing is compared; then it is that one, unless the other has found a violation.
    Where they differ it is that of `closely`, the run with symmetry once more, where everything is tried under all that symmetry takes
    for the same, if that finds the model at fault. Raises SymmetryError if not: then there is a bug in the checker.
    """
    if reduced.error is not None or plain.error is not None:
        return reduced if reduced.error is not None else plain
    if reduced.stopped:
        return replace(reduced, symmetry_check=SymmetryCheck(undone=f"with symmetry {reduced.stopped}"))
    if plain.stopped:
        undone = SymmetryCheck(undone=f"with symmetry {reduced.verdict}, without it {plain.stopped}")
        return replace(reduced if reduced.verdict == "VIOLATED" else plain, symmetry_check=undone)
    differing = [
        f"{what}: {one} with symmetry, {other} without" for what, one, other in _pairs(reduced, plain) if one != other
    ]
    if differing:
        looked_at = closely()
        if looked_at.error is not None:
            return looked_at
        differing += [f"whether the model is at fault is not known: {looked_at.stopped}"] if looked_at.stopped else []
        raise SymmetryError(
            f"runs of {reduced.model} with and without symmetry differ\n" + "\n".join(f"  {line}" for line in differing)
        )
    return replace(reduced, symmetry_check=SymmetryCheck(len(reduced.properties), plain.worlds, plain.unreduced))


def _pairs(reduced: Result, plain: Result) -> Iterator[tuple[str, object, object]]:
    """What is compared: its name, and what the two runs say of it."""
    yield "the verdict", reduced.verdict, plain.verdict
    for one, other in zip(reduced.properties, plain.properties, strict=True):
        yield f"whether {one.name} holds", (one.verdict, one.note), (other.verdict, other.note)
        yield (
            f"the steps of the run against {one.name}",
            one.trace and one.trace.length,
            other.trace and other.trace.length,
        )
    yield "the steps that ever ran", reduced.steps, plain.steps
    for small, large in zip(reduced.sizes, plain.sizes, strict=True):
        at = f", n={small.n}"
        yield "what the worlds stand for" + at, small.represented, large.represented
        yield "worlds" + at, small.represented, large.worlds
        yield "depth" + at, small.depth, large.depth
        counted = Unreduced(large.states, large.transitions, large.terminal_states)
        if small.n in reduced.messages and large.n in plain.messages:
            yield "messages" + at, small.sent, large.sent
        for name, value in vars(small.unreduced).items():
            yield name.replace("_", " ") + at, value, vars(counted)[name]


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
    pairs = _pairs_in_full(reduced, full)
    differing = [f"{what}: {one} with reduction, {other} without" for what, one, other in pairs if one != other]
    if differing:
        raise ReductionError(
            f"runs of {reduced.model} with and without reduction differ\n"
            + "\n".join(f"  {line}" for line in differing)
        )
    done = ReductionCheck(len(reduced.properties), full.states, full.transitions)
    return replace(reduced, reduction_check=done)


def _pairs_in_full(reduced: Result, full: Result) -> Iterator[tuple[str, object, object]]:
    """What is compared: its name, and what the two runs say of it."""
    yield "the verdict", reduced.verdict, full.verdict
    for one, other in zip(reduced.properties, full.properties, strict=True):
        yield f"whether {one.name} holds", (one.verdict, one.note), (other.verdict, other.note)
        lengths = (one.trace and one.trace.length, other.trace and other.trace.length)
        yield f"the steps of the run against {one.name}", *lengths
    yield "the steps that ever ran", reduced.steps, full.steps
    for small, large in zip(reduced.sizes, full.sizes, strict=True):
        at = f", n={small.n}"
        yield "what the worlds stand for" + at, small.represented, large.represented
        yield "worlds" + at, small.worlds, large.worlds
        yield "terminal states" + at, small.terminal_states, large.terminal_states
        if small.n in reduced.messages and large.n in full.messages:
            yield "messages" + at, small.sent, large.sent
