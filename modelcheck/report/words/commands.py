"""The commands a report offers: the run that shows a violation again, and the next one worth typing."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ...check.request import usual_limits
from ...check.result import PropertyResult, Result
from ...errors import AssumptionError
from ...explore.growth import UNGUARDED
from ...explore.limits import Limits
from ...language.faults import FAULTS
from ...language.networks import NETWORKS, UNORDERED
from ...language.topology import ATLAS_LIMIT
from ...semantics.worlds import World

_LIMITS = {"--max-states": "max_states", "--max-seconds": "max_seconds", "--max-memory": "max_memory"}


def again(result: Result, found: PropertyResult) -> str:
    """The run of the one world a violation happened in, and of the one property."""
    assert found.trace is not None
    parts = [*_base(result), *of_world(found.trace.world, result.options), "--property", found.name]
    return _joined(parts)


def following(result: Result, *, told: bool = False) -> str:
    """The next command worth typing after this result; `told`: the report has said already why what it shows came about."""
    if result.error is not None:
        # a model at fault would fail in the same way again
        return _show(result) if isinstance(result.error, AssumptionError) else ""
    if resumable(result):
        return raised(result)
    if result.verdict == "VIOLATED":
        return _undone(result) or ("" if told else _why(result)) or _show(result)
    if result.verdict == "INCONCLUSIVE":
        return raised(result)
    return _larger(result)


def beside(result: Result, found: PropertyResult) -> str:
    """The counterexample beside the same schedule in the mended protocol: that of which the model is a variation, or else the same with its
    parameters at their defaults. Nothing where neither was changed."""
    request = result.request
    if request is None:
        return ""
    usual = request.model.definition.parameters
    changed = [(key, usual[key].default) for key, value in request.settings.parameters if value != usual[key].default]
    protocol = _varied(result)
    mended = [protocol] if protocol else [word for key, value in changed for word in ("--set", f"{key}={value}")]
    if not mended:
        return ""
    kept = f"{again(result, found)} --trace run.json"
    return f"{kept}; {_joined(['modelcheck', 'compare', 'run.json', *mended])}"


def this(result: Result) -> str:
    """The run that this result is of, as it was asked for, with the limits that it had."""
    above = _raised_limits(result.limits)
    lowered = [word for option in _set_limits(result.limits) if option[0] not in above for word in option]
    return _joined([*_whole(result), *lowered])


def messages(result: Result, *more: str, larger: bool = False, raise_limit: bool = False) -> str:
    """`modelcheck messages` for what this result is about; `larger`: for one process more, where the graph is not given."""
    if raise_limit:
        return raised(result).replace("modelcheck run", "modelcheck messages", 1)
    sizes = _sizes(result)
    if larger:
        following_size = _next_size(result.topology, result.sizes[-1].n)
        if not sizes or following_size is None or "--graph" in result.options:
            return ""
        sizes = ["--n", str(following_size)]
    base = _base(result)
    return _joined(["modelcheck", "messages", *base[2:], *sizes, *_policy(result), *more])


def expect(result: Result, *more: str, larger: bool = False) -> str:
    """`modelcheck expect` for what this result is about; `larger`: for one process more, where the graph is not given."""
    sizes = _sizes(result)
    if larger:
        following_size = _next_size(result.topology, result.sizes[-1].n)
        if not sizes or following_size is None or "--graph" in result.options:
            return ""
        sizes = ["--n", str(following_size)]
    base = _without(_without(_base(result)[2:], "--reduce"), "--part")
    policy = [word for word in _policy(result) if not word.startswith("--check")]
    return _joined(["modelcheck", "expect", *base, *sizes, *policy, *more])


def resumable(result: Result) -> bool:
    """Whether a run that was stopped has left something to go on from."""
    return result.kept is not None and result.kept.worlds > 0


def _why(result: Result) -> str:
    """The run that shows the first violation again, told from its end back to its roots; nothing where the code itself is at fault."""
    first = next((found for found in result.properties if found.verdict == "violated"), None)
    if first is None or first.trace is None or first.kind == "exception":
        return ""
    return f"{again(result, first)} --why"


def _show(result: Result) -> str:
    return _joined(["modelcheck", "show", result.reference])


def _undone(result: Result) -> str:
    """The same run without what was done to the model: the assumptions that options break, or else parameters that are
    not at their defaults, or else the variation. Nothing where nothing was done."""
    breaking = set(result.request.broken) if result.request else set()
    if not breaking and "--set" in dict(result.option_pairs):
        breaking = {"--set"}
    protocol = "" if breaking else _varied(result)
    if not breaking and not protocol:
        return ""
    breaking |= {f.asked_by for f in FAULTS.values() if f.needs and FAULTS[f.needs[0]].asked_by in breaking}
    if "--partitions" in breaking:
        breaking.add("--across")
    kept = [word for option in result.option_pairs if option[0] not in breaking for word in option]
    policy = _policy(result)
    sizes = _sizes(result)
    if "--ids" in breaking:
        policy, sizes = _without(policy, "--ids"), ["--n", _range(result)]
    start = ["modelcheck", "run", protocol or result.reference]
    return _joined([*start, *kept, *_raised_limits(result.limits), *sizes, *policy, *_selected(result)])


def _varied(result: Result) -> str:
    """The protocol of which the model is a variation, as it is asked for; nothing where it is none."""
    if result.request is None or not result.request.model.protocol or ":" not in result.reference:
        return ""
    file, _, _ = result.reference.rpartition(":")
    _, colon, name = result.request.model.protocol.partition(":")
    return file + colon + name


def raised(result: Result) -> str:
    """The same run with the limit raised that it met, or reduced where that may do; and just the same where it was interrupted: resumed
    where it can be.

    Where a step of the model hangs, or can be taken for ever, no limit helps: then it is the code that should be looked at.
    """
    parts = _whole(result)
    resume = result.kept.options if result.kept is not None and resumable(result) else ()
    limits, stopped = result.limits, result.stopped
    if stopped is not None and (stopped.running or UNGUARDED in result.growth):
        return _show(result)
    higher = {
        "states": ("--max-states", str(10 * limits.max_states)),
        "seconds": ("--max-seconds", f"{10 * limits.max_seconds:g}"),
        "memory": ("--max-memory", str(2 * limits.max_memory)),
    }
    if stopped is None or stopped.kind not in higher:
        return _joined([*parts, *resume])
    if stopped.kind == "states" and result.reducible and not resume and limits.max_states >= Limits().max_states:
        return _joined([*parts, "--reduce", "order"])
    option = higher[stopped.kind]
    return _joined([*_without(parts, option[0]), *option, *resume])


def _larger(result: Result) -> str:
    """Larger systems while they are sure to be affordable, then what this run says nothing about."""
    if result.schedule == "lockstep" and "--schedule" in result.options:
        return _joined(_without(_whole(result), "--schedule"))
    sizes = [tally.n for tally in result.sizes]
    fixed = result.identifiers[:1].isdigit()
    graph = "--graph" in result.options
    if fixed and not graph:
        return _joined([*_base(result), "--n", str(sizes[0])])
    affordable = 40 * result.states < result.limits.max_states  # not by the clock: the same run says the same again
    larger = _next_size(result.topology, sizes[-1])
    if affordable and larger and not graph:
        wider = str(larger) if len(sizes) == 1 else f"{sizes[0]}..{larger}"
        return _joined([*_base(result), "--n", wider, *_policy(result), *_selected(result)])
    if NETWORKS[result.network].ordered:
        return _joined([*_whole(result), "--network", UNORDERED])
    if "fewer initiators" in result.unchecked:
        return _joined([*_whole(result), "--initiators", "each"])
    return _show(result)


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
    selected = result.request.selected if result.request else ()
    return [word for name in selected for word in ("--property", name)]


def _base(result: Result) -> list[str]:
    return ["modelcheck", "run", result.reference, *result.options, *_raised_limits(result.limits)]


def _raised_limits(limits: Limits) -> list[str]:
    """Limits above the default ones: a violation found under them may need them again."""
    usual = vars(usual_limits())
    above = [option for option, name in _LIMITS.items() if getattr(limits, name) > usual[name]]
    return [word for option in _set_limits(limits) if option[0] in above for word in option]


def _set_limits(limits: Limits) -> list[tuple[str, str]]:
    """The options for limits that are not the default ones."""
    usual = usual_limits()
    asked = {option: (getattr(limits, name), getattr(usual, name)) for option, name in _LIMITS.items()}
    return [(option, f"{limit:.15g}") for option, (limit, default) in asked.items() if limit != default]


def _without(parts: list[str], option: str) -> list[str]:
    if option not in parts:
        return parts
    place = parts.index(option)
    return parts[:place] + parts[place + 2 :]


def _sizes(result: Result) -> list[str]:
    """`--n` for the sizes of this run, where the graph or the list of identifiers does not fix them."""
    if not result.asked or result.identifiers[:1].isdigit():
        return []
    return ["--n", _range(result)]


def _range(result: Result) -> str:
    sizes = result.asked
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}..{sizes[-1]}"


def _policy(result: Result) -> list[str]:
    request = result.request
    as_declared = request is None or request.policy.identifiers == request.model.definition.identifiers
    parts = [] if as_declared else ["--ids", result.identifiers]
    if result.initiators != "all":
        parts += ["--initiators", result.initiators]
    if result.symmetry_check is not None:
        return [*parts, "--check-symmetry"]
    if result.reduction_check is not None:
        parts = [*parts, "--check-reductions"]
    return parts if result.symmetry else [*parts, "--no-symmetry"]


def of_world(world: World, given: Sequence[str] = ()) -> list[str]:
    """The options that single out a world, as far as options can and what is `given` does not."""
    parts = [] if world.root is None or "--root" in given else ["--root", str(world.root + 1)]
    if None in world.identifiers:
        parts += ["--n", str(world.n)]
    else:
        parts += ["--ids", ",".join(map(str, world.identifiers))]
    if len(world.initiators) < world.n:
        parts += ["--initiators", ",".join(str(i + 1) for i in sorted(world.initiators))]
    return parts


def _joined(parts: list[str]) -> str:
    return shlex.join(parts)
