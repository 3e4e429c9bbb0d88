"""Both engines on one request, and everything they find compared: by value, for they share nothing but the model."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from modelcheck import Limits, check
from modelcheck.check.result import Result
from modelcheck.explore import reference
from modelcheck.explore.compiled import engine as compiled
from modelcheck.explore.exploration import Exploration
from modelcheck.runs.trace import values
from modelcheck.semantics.worlds import World


@dataclasses.dataclass
class Finding:
    """What one engine found in one world. `edges[k]` are the targets of state k, steps that change nothing left out; None
    where the engine was not asked to record them. `everything` counts states, transitions and terminal states with their twins."""

    world: World
    engine: str
    reduced: bool
    states: list[Any]
    starts: list[Any]
    parents: list[int]
    depths: list[int]
    terminals: list[int]
    transitions: int
    everything: tuple[int, int, int]
    complete: bool
    acyclic: bool
    edges: list[list[int]] | None


def finding(found: Exploration, engine: str, records: bool = True) -> Finding:
    """A copy of an exploration by value. Raises AssertionError where a state has two numbers."""
    count = len(found.states)
    assert len(set(found.states)) == count, f"{engine} numbered a state twice"
    edges = None
    if records:
        edges = [[int(t) for t in found.successors(k) if t != k or found.group] for k in range(len(found.first) - 1)]
    return Finding(
        found.world,
        engine,
        found.reduced,
        [values(state) for state in found.states],
        [(values(start.before), values(start.state)) for start in found.starts],
        [int(parent) for parent in found.parents],
        [int(found.depths[k]) for k in range(count)],
        [int(terminal) for terminal in found.terminals],
        int(found.transitions),
        (found.all_states, found.all_transitions, found.all_terminals),
        found.complete,
        bool(found.acyclic),
        edges,
    )


@contextmanager
def recorded() -> Iterator[list[Finding]]:
    """Every exploration that ends without an error within the block."""
    findings: list[Finding] = []
    explored: list[Exploration] = []
    by_reference, by_kernel = reference.explore, compiled.CompiledEngine.explore

    def explore_plainly(system: Any, found: Exploration, *rest: Any) -> None:
        if explored and explored[-1] is found:  # begun again
            findings.pop()
            explored.pop()
        by_reference(system, found, *rest)
        explored.append(found)
        findings.append(finding(found, "reference"))

    def explore_compiled(
        worker: compiled.CompiledEngine, found: Exploration, claims: Any, meter: Any, cycles_matter: bool
    ) -> None:
        by_kernel(worker, found, claims, meter, cycles_matter)
        findings.append(finding(found, "compiled", cycles_matter))

    with (
        patch.object(reference, "explore", explore_plainly),
        patch.object(compiled.CompiledEngine, "explore", explore_compiled),
    ):
        yield findings


def disagreement(one: Finding, other: Finding) -> str:
    """The first thing two engines tell differently of a world; empty where there is none."""
    for name in (
        "world",
        "reduced",
        "starts",
        "states",
        "parents",
        "depths",
        "terminals",
        "transitions",
        "everything",
        "complete",
    ):
        if getattr(one, name) != getattr(other, name):
            return f"{name} in {one.world}"
    if one.edges is not None and other.edges is not None and one.edges != other.edges:
        return f"transitions in {one.world}"
    if other.complete and other.engine == "compiled" and other.edges is not None:  # it knows for certain
        return "" if other.acyclic != has_cycle(other.edges) else f"whether {one.world} has a cycle"
    if other.acyclic and one.edges is not None and has_cycle(one.edges):
        return f"no cycle in {one.world}"
    return ""


def has_cycle(edges: list[list[int]]) -> bool:
    """Whether a walk along the edges can come back: states are taken away once all before them are."""
    before = [0] * len(edges)
    for targets in edges:
        for target in targets:
            if target < len(before):
                before[target] += 1
    free = [k for k, count in enumerate(before) if count == 0]
    for source in free:
        for target in edges[source]:
            if target < len(before):
                before[target] -= 1
                if before[target] == 0:
                    free.append(target)
    return len(free) < len(edges)


def told(result: Result) -> dict[str, Any]:
    """Everything a result says, times left out; errors by what they say."""
    said = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    said["error"] = str(result.error)
    said["request"] = (result.model, result.options)
    said["seconds"] = None
    # Whether a property mattered is counted by how often it was evaluated, which is each engine's own affair.
    said["properties"] = [dataclasses.replace(found, mattered=True) for found in result.properties]
    return said


@dataclasses.dataclass
class Agreement:
    """What both engines found. `by_kernel` worlds were explored by the compiled one, the others handed on by it."""

    result: Result
    findings: list[Finding]
    by_kernel: int


def both(model: Any, *, limits: Limits | None = None, workers: int = 1, **options: Any) -> Agreement:
    """Checks a model with both engines. Raises AssertionError, naming what differs, where they do not agree."""
    limits = limits or Limits(max_states=1_000_000)
    options = {"reduce": "none", "schedule": "any"} | options  # in lock-step the compiled engine does not go
    results, findings = [], []
    for engine, threads in (("reference", 1), ("compiled", workers)):
        with recorded() as found:
            results.append(check(model, engine=engine, workers=threads, limits=limits, **options))  # type: ignore[arg-type]
        findings.append(found)
    plain, fast = findings
    if workers > 1:  # they end in any order
        place = {f.world: k for k, f in enumerate(plain)}
        fast.sort(key=lambda f: place[f.world])
    assert [f.world for f in plain] == [f.world for f in fast], "they do not explore the same worlds"
    for one, other in zip(plain, fast, strict=True):
        differing = disagreement(one, other)
        assert not differing, f"the engines differ: {differing}"
    said, other_said = map(told, results)
    if results[0].error is not None:  # the steps that lead there, and what was counted until then, are the search's
        said, other_said = (
            {name: str(one[name]).split("\n")[0] for name in ("error", "judgement")} for one in (said, other_said)
        )
    for name in said:
        assert said[name] == other_said[name], f"the engines differ in {name}: {said[name]} / {other_said[name]}"
    return Agreement(results[0], fast, sum(f.engine == "compiled" for f in fast))


def by_kernel(agreement: Agreement) -> Agreement:
    """The same, if no world was handed on to the reference engine."""
    assert agreement.by_kernel == len(agreement.findings) > 0
    return agreement
