"""Are the symmetry and the partial order sound? One request searched both ways, and everything compared that must not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from ..count.tally import Tally, Unreduced
from ..errors import ReductionError, SymmetryError
from .result import ReductionCheck, Result, SymmetryCheck

Pairs = Iterator[tuple[str, object, object]]  # what is compared: its name, and what the two runs say of it


def compared(reduced: Result, plain: Result, closely: Callable[[], Result]) -> Result:
    """The result to report of a run with symmetry and the same one without: the first, where both came to an end and agree.

    Where a limit kept one of them from its end nothing is compared; then it is that one, unless the other has found a violation.
    Where they differ it is that of `closely`, the run with symmetry once more, where everything is tried under all that symmetry takes
    for the same, if that finds the model at fault. Raises SymmetryError if not: then there is a bug in the checker.
    """
    not_both = _of_one(reduced, plain, "symmetry", lambda r, why: replace(r, symmetry_check=SymmetryCheck(undone=why)))
    if not_both is not None:
        return not_both
    if differing := _differing("symmetry", chain(_of_runs(reduced, plain), _of_sizes(reduced, plain, _orbits))):
        looked_at = closely()
        if looked_at.error is not None:
            return looked_at
        differing += [f"whether the model is at fault is not known: {looked_at.stopped}"] if looked_at.stopped else []
        raise SymmetryError(_said(reduced, "symmetry", differing))
    return replace(reduced, symmetry_check=SymmetryCheck(len(reduced.properties), plain.worlds, plain.unreduced))


def compared_in_full(reduced: Result, full: Result) -> Result:
    """The result to report of a run with reduction and the same one without: the first, where both came to an end and agree.

    Where a limit kept one of them from its end nothing is compared; then it is that one, unless the other has found a violation.
    Raises ReductionError where they differ: then there is a bug in the checker.
    """
    not_both = _of_one(
        reduced, full, "reduction", lambda r, why: replace(r, reduction_check=ReductionCheck(undone=why))
    )
    if not_both is not None:
        return not_both
    if differing := _differing("reduction", chain(_of_runs(reduced, full), _of_sizes(reduced, full, _ends))):
        raise ReductionError(_said(reduced, "reduction", differing))
    return replace(reduced, reduction_check=ReductionCheck(len(reduced.properties), full.states, full.transitions))


def _of_one(reduced: Result, full: Result, by: str, undone: Callable[[Result, str], Result]) -> Result | None:
    """The result to report where not both runs came to their end; None where they did."""
    if reduced.error is not None or full.error is not None:
        return reduced if reduced.error is not None else full
    if reduced.stopped:
        return undone(reduced, f"with {by} {reduced.stopped}")
    if full.stopped:
        of = reduced if reduced.verdict == "VIOLATED" else full
        return undone(of, f"with {by} {reduced.verdict}, without it {full.stopped}")
    return None


def _differing(by: str, pairs: Iterable[tuple[str, object, object]]) -> list[str]:
    return [f"{what}: {one} with {by}, {other} without" for what, one, other in pairs if one != other]


def _said(reduced: Result, by: str, differing: list[str]) -> str:
    lines = "\n".join(f"  {line}" for line in differing)
    return f"runs of {reduced.model} with and without {by} differ\n{lines}"


def _of_runs(reduced: Result, full: Result) -> Pairs:
    """What no reduction changes in the run as a whole."""
    yield "the verdict", reduced.verdict, full.verdict
    for one, other in zip(reduced.properties, full.properties, strict=True):
        yield f"whether {one.name} holds", (one.verdict, one.note), (other.verdict, other.note)
        lengths = (one.trace and one.trace.length, other.trace and other.trace.length)
        yield f"the steps of the run against {one.name}", *lengths
    yield "the steps that ever ran", reduced.steps, full.steps


def _of_sizes(reduced: Result, full: Result, counts: Callable[[Tally, Tally], Pairs]) -> Pairs:
    """What no reduction changes at each size, and the `counts` of this one."""
    for small, large in zip(reduced.sizes, full.sizes, strict=True):
        yield f"what the worlds stand for, n={small.n}", small.represented, large.represented
        for what, one, other in counts(small, large):
            yield f"{what}, n={small.n}", one, other
        if small.n in reduced.messages and large.n in full.messages:
            yield f"messages, n={small.n}", small.sent, large.sent


def _orbits(small: Tally, large: Tally) -> Pairs:
    """Each world, and each state of it, stands for as many as there are without symmetry."""
    yield "worlds", small.represented, large.worlds
    yield "depth", small.depth, large.depth
    counted = Unreduced(large.states, large.transitions, large.terminal_states)
    for name, value in vars(small.unreduced).items():
        yield name.replace("_", " "), value, vars(counted)[name]


def _ends(small: Tally, large: Tally) -> Pairs:
    """A reduced search takes fewer states and transitions, and comes to the same terminal states."""
    yield "worlds", small.worlds, large.worlds
    yield "terminal states", small.terminal_states, large.terminal_states
