"""The commands a report offers: the run that shows a violation again, and the next one worth typing."""

from __future__ import annotations

import re
import shlex

from ..check.result import PropertyResult, Result
from ..errors import AssumptionError
from ..explore.exploration import Limits
from ..language.topology import ATLAS_LIMIT
from ..semantics.worlds import World


def again(result: Result, found: PropertyResult) -> str:
    """The run of the one world a violation happened in, and of the one property."""
    assert found.trace is not None
    parts = [*_base(result), *_world(result, found.trace.world), "--property", found.name]
    return _joined(parts)


def following(result: Result) -> str:
    """The next command worth typing after this result."""
    if result.error is not None:
        if isinstance(result.error, AssumptionError):
            return _joined(["modelcheck", "show", result.reference])
        return _joined(_whole(result))
    if result.verdict == "VIOLATED":
        return _joined(["modelcheck", "show", result.reference])
    if result.verdict == "INCONCLUSIVE":
        return raised(result)
    return _larger(result)


def raised(result: Result) -> str:
    """The same run with the limit raised that it met; the whole run again where it was interrupted.

    Where a step of the model hangs no limit helps: then it is the code that should be looked at.
    """
    parts = _whole(result)
    limits, stopped = result.limits, result.stopped or ""
    if " was running, at " in stopped:
        return _joined(["modelcheck", "show", result.reference])
    raise_ = {
        "states": ("--max-states", str(10 * limits.max_states)),
        "seconds": ("--max-seconds", f"{10 * limits.max_seconds:g}"),
        "MB": ("--max-memory", str(2 * limits.max_memory)),
    }
    for unit, option in raise_.items():
        if re.match(rf"the limit of \S+ {unit}\b", stopped):
            return _joined([*_without(parts, option[0]), *option])
    return _joined(parts)


def _larger(result: Result) -> str:
    """Larger systems while they are sure to be affordable, then what this run says nothing about."""
    sizes = [tally.n for tally in result.sizes]
    fixed = result.identifiers[:1].isdigit()
    graph = "--graph" in result.options
    if fixed and not graph:
        return _joined([*_base(result), "--n", str(sizes[0])])
    affordable = 40 * result.states < result.limits.max_states and 40 * result.seconds < result.limits.max_seconds
    larger = _next_size(result.topology, sizes[-1])
    if affordable and larger and not graph:
        wider = str(larger) if len(sizes) == 1 else f"{sizes[0]}..{larger}"
        return _joined([*_base(result), "--n", wider, *_policy(result), *_selected(result)])
    if result.network == "fifo":
        return _joined([*_whole(result), "--network", "bag"])
    if result.initiators == "all":
        return _joined([*_whole(result), "--initiators", "each"])
    return _joined(["modelcheck", "show", result.reference])


def _next_size(topology: str, n: int) -> int | None:
    """The next size this family of graphs has a member of; None where that takes a choice."""
    family = topology.partition(":")[0]
    if family in ("mesh", "torus"):
        return None
    if family == "hypercube":
        return 2 * n
    return None if family == "any_graph" and n >= ATLAS_LIMIT else n + 1


def _whole(result: Result) -> list[str]:
    """This run, as it was asked for."""
    return [*_base(result), *_sizes(result), *_policy(result), *_selected(result)]


def _selected(result: Result) -> list[str]:
    return [word for name in result.selected for word in ("--property", name)]


def _base(result: Result) -> list[str]:
    return ["modelcheck", "run", result.reference, *result.options, *_raised_limits(result.limits)]


def _raised_limits(limits: Limits) -> list[str]:
    """Limits above the default ones: a violation found under them may need them again."""
    usual = Limits()
    parts = []
    if limits.max_states > usual.max_states:
        parts += ["--max-states", str(limits.max_states)]
    if limits.max_seconds > usual.max_seconds:
        parts += ["--max-seconds", f"{limits.max_seconds:g}"]
    if limits.max_memory > usual.max_memory:
        parts += ["--max-memory", str(limits.max_memory)]
    return parts


def _without(parts: list[str], option: str) -> list[str]:
    if option not in parts:
        return parts
    place = parts.index(option)
    return parts[:place] + parts[place + 2 :]


def _sizes(result: Result) -> list[str]:
    """`--n` for the sizes of this run, where the graph or the list of identifiers does not fix them."""
    sizes = [tally.n for tally in result.sizes]
    if not sizes or result.identifiers[:1].isdigit():
        return []
    if len(sizes) == 1:
        return ["--n", str(sizes[0])]
    return ["--n", f"{sizes[0]}..{sizes[-1]}"]


def _policy(result: Result) -> list[str]:
    parts = ["--ids", result.identifiers] if result.identifiers_chosen else []
    if result.initiators != "all":
        parts += ["--initiators", result.initiators]
    return parts if result.symmetry else [*parts, "--no-symmetry"]


def _world(result: Result, world: World) -> list[str]:
    """The options that single out a world, as far as options can."""
    parts = []
    if None in world.identifiers:
        parts += ["--n", str(world.n)]
        if result.identifiers_chosen:
            parts += ["--ids", "none"]
    else:
        parts += ["--ids", ",".join(map(str, world.identifiers))]
    if len(world.initiators) < world.n:
        parts += ["--initiators", ",".join(str(i + 1) for i in sorted(world.initiators))]
    return parts


def _joined(parts: list[str]) -> str:
    return shlex.join(parts)
