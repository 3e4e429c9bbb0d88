"""The JSON face of a result: format 1, documented in the guide. Fields are added within a format, never changed or removed."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from ...check.request import Request
from ...check.result import PropertyResult, Result
from ...count.ranges import Range, big
from ...count.tally import Tally
from ...errors import AssumptionError, ModelError, UsageError
from ...runs.plain import Members, Plain, Record
from ...runs.trace import Snapshot, Trace, TraceStep
from ...semantics.settings import Settings
from ...semantics.worlds import World
from ..words import commands

FORMAT = 1
BITS = 14_000  # of a number of 4,214 digits: Python refuses to write or to read more than 4,300
RUN = "messages"  # the kind of a run that violates nothing


def document(result: Result) -> dict[str, Any]:
    """The whole result as plain data."""
    return {
        "format": FORMAT,
        "verdict": result.verdict.lower(),
        "exit_code": result.exit_code,
        "reason": result.judgement.reason,
        "model": result.model,
        "title": result.title,
        "parameters": {name: _plain(value) for name, value in result.parameters.items()},
        "topology": result.topology,
        "network": result.network,
        "identifiers": result.identifiers,
        "initiators": result.initiators,
        "schedule": result.schedule,
        "symmetry": result.symmetry,
        "faults": dict(result.faults),
        "options": list(result.options),
        "expected": result.expected,
        "expectation_met": result.judgement.expectation,
        "properties": [property_of(result, found) for found in result.properties],
        "worlds": {
            "explored": result.worlds,
            "represented": result.represented,
            "to_represent": sum(tally.to_represent for tally in result.sizes),
        },
        "states": result.states,
        "transitions": result.transitions,
        "terminal_states": result.terminal_states,
        "unreduced": None if result.reduced else dict(vars(result.unreduced)),
        "depth": None if result.reduced or result.nodes else result.depth,
        "seconds": round(result.seconds, 3),
        "sizes": [_size(tally) for tally in result.sizes],
        "messages": [{"n": n, **amounts(counted)} for n, counted in result.messages.items()],
        "steps_exercised": dict(result.steps),
        "never_ran": list(result.never_ran),
        "reductions": list(result.reductions),
        "symmetry_check": _symmetry_check(result),
        "reduction_check": _reduction_check(result),
        "taken_again": _taken_again(result),
        "broken_assumptions": list(result.broken),
        "not_checked": list(result.unchecked),
        "limits": {
            "states": result.limits.max_states,
            "seconds": result.limits.max_seconds,
            "megabytes": result.limits.max_memory,
        },
        "stopped": result.stopped,
        "growth": result.growth or None,
        "checkpoint": _checkpoint(result),
        "error": _error(result),
        "next": commands.following(result) or None,
    }


def traces(result: Result) -> dict[str, Any]:
    """What `--trace` writes: the counterexamples alone, the shortest first. tracefile.py reads it, and describes it."""
    violated = [found for found in result.properties if found.verdict == "violated" and found.trace]
    violated.sort(key=lambda found: found.trace.length if found.trace else 0)
    return _kept(result) | {"counterexamples": [property_of(result, found) for found in violated]}


def runs(result: Result, named: Sequence[tuple[str, Trace, str]]) -> dict[str, Any]:
    """The same for runs that violate nothing: each with a name, and the command that shows it again."""
    return _kept(result) | _shown(named)


def runs_of(request: Request, named: Sequence[tuple[str, Trace, str]]) -> dict[str, Any]:
    """The same where there was no search."""
    model = request.model
    return _circumstances(model.name, model.title, request.reference, None, request.settings) | _shown(named)


def _shown(named: Sequence[tuple[str, Trace, str]]) -> dict[str, Any]:
    shown = [
        {"name": name, "kind": RUN, "claim": trace.reason, "trace": _trace(trace), "again": again}
        for name, trace, again in named
    ]
    return {"counterexamples": [], "runs": shown}


def _kept(result: Result) -> dict[str, Any]:
    """What it takes to take a run again: the model and its circumstances."""
    request = result.request
    if request is None:
        raise UsageError(f"{result.model} could not be read: there is no run of it to keep")
    return _circumstances(request.model.name, request.model.title, request.reference, request.spec, request.settings)


def _circumstances(model: str, title: str, reference: str, spec: str | None, settings: Settings) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "model": model,
        "title": title,
        "reference": reference,
        "spec": spec,
        "parameters": {name: _plain(value) for name, value in settings.parameters},
        "network": settings.network,
        "settings": {
            "start": settings.start,
            "schedule": settings.schedule,
            **settings.budgets(),
            "across": settings.across,
            "detector": settings.detector,
            "capacity": settings.capacity,
        },
    }


def dumps(data: dict[str, Any]) -> str:
    return json.dumps(_written(data), indent=2, ensure_ascii=False) + "\n"


def _written(value: Any) -> Any:
    """The same data with texts for numbers of more digits than Python writes, or reads: "about 3.3 x 10^5735"."""
    if isinstance(value, dict):
        return {key: _written(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_written(inner) for inner in value]
    return big(value) if isinstance(value, int) and value.bit_length() > BITS else value


def property_of(result: Result, found: PropertyResult) -> dict[str, Any]:
    """A property's verdict, with the counterexample where there is one."""
    data: dict[str, Any] = {
        "name": found.name,
        "kind": found.kind,
        "claim": found.claim,
        "verdict": found.verdict,
        "note": found.note or None,
        "mattered": found.mattered,
    }
    if found.trace is not None:
        data["shortest"] = found.shortest
        data["trace"] = _trace(found.trace)
        if found.verdict == "violated":
            data["again"] = commands.again(result, found)
    return data


def _checkpoint(result: Result) -> dict[str, Any] | None:
    kept = result.kept
    return None if kept is None else {"file": kept.file, "worlds": kept.worlds, "trouble": kept.trouble or None}


def _taken_again(result: Result) -> dict[str, Any] | None:
    done = result.taken_again
    return None if done is None else {**vars(done), "undone": done.undone or None}


def _symmetry_check(result: Result) -> dict[str, Any] | None:
    """Without symmetry all is the same, and this is what was counted; or nothing was compared, and why."""
    done = result.symmetry_check
    if done is None:
        return None
    if done.undone:
        return {"agrees": None, "undone": done.undone}
    return {"agrees": True, "undone": None, "worlds": done.worlds, **vars(done.counts)}


def _reduction_check(result: Result) -> dict[str, Any] | None:
    """The same of partial-order reduction."""
    done = result.reduction_check
    if done is None or done.undone:
        return None if done is None else {"agrees": None, "undone": done.undone}
    return {"agrees": True, "undone": None, "states": done.states, "transitions": done.transitions}


def _size(tally: Tally) -> dict[str, Any]:
    return {
        "n": tally.n,
        "graphs": tally.graphs,
        "worlds": tally.worlds,
        "represented": tally.represented,
        "to_represent": tally.to_represent,
        "states": tally.states,
        "transitions": tally.transitions,
        "terminal_states": tally.terminal_states,
        "reduced": tally.reduced,
        "unreduced": None if tally.reduced else dict(vars(tally.unreduced)),
        "depth": None if tally.reduced or tally.nodes else tally.depth,
        "nodes": tally.nodes or None,
    }


def amounts(counted: Range) -> dict[str, Any]:
    """Least and greatest, null where no run ends or there is no bound; means as numbers and, exactly, as text."""
    low, high = counted.mean_least, counted.mean_greatest
    return {
        "least": None if counted.least == math.inf else counted.least,
        "mean_least": None if low is None else float(low),
        "mean_least_exact": None if low is None else str(low),
        "mean_greatest": None if high is None else float(high),
        "mean_greatest_exact": None if high is None else str(high),
        "greatest": None if counted.greatest == math.inf else counted.greatest,
        "unbounded": counted.greatest == math.inf,
    }


def run(trace: Trace) -> dict[str, Any]:
    """A run as counterexamples are written."""
    return _trace(trace)


def plain_value(value: Plain) -> Any:
    """A value as JSON has it: a tuple is a list, a set `{"set": [...]}`, a record `{"record": NAME, "fields": {...}}`."""
    if isinstance(value, Members):
        return {"set": [plain_value(item) for item in value.items]}
    if isinstance(value, Record):
        return {"record": value.name, "fields": {name: plain_value(inner) for name, inner in value.fields}}
    return [plain_value(item) for item in value] if isinstance(value, tuple) else value


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "world": _world(trace.world),
        "length": trace.length,
        "unit": trace.unit,
        "reason": trace.reason,
        "about": list(trace.about),
        "loop": trace.loop,
        "final": trace.final,
        "starts": [_step(step) for step in trace.starts],
        "initial": _state(trace.initial),
        "steps": [_step(step) for step in trace.steps],
    }


def _world(world: World) -> dict[str, Any]:
    """Processes are numbered from 1, ports from 0."""
    return {
        "n": world.n,
        "graph": world.shape.name,
        "identifiers": list(world.identifiers),
        "initiators": [place + 1 for place in sorted(world.initiators)],
        "root": None if world.root is None else world.root + 1,
        "may_crash": None if world.fallible is None else [place + 1 for place in sorted(world.fallible)],
        "stands_for": world.weight,
        "port_names": _port_names(world),
        "links": [
            {
                "from": link.source + 1,
                "out_port": int(link.out_port),
                "to": link.target + 1,
                "in_port": int(link.in_port),
            }
            for link in world.shape.links
        ],
    }


def _port_names(world: World) -> list[str]:
    """What each port is called, by number."""
    names = {int(port): str(port) for link in world.shape.links for port in (link.out_port, link.in_port)}
    return [names.get(number, f"port {number}") for number in range(max(names, default=-1) + 1)]


def _step(step: TraceStep) -> dict[str, Any]:
    return {
        "round": step.round,
        "process": step.process,
        "step": step.step,
        "kind": step.kind,
        "received": step.received,
        "port": step.port,
        "source": step.source,
        "choices": list(step.choices),
        "draws": step.draws,
        "chances": list(step.chances),
        "reads": None if step.reads is None else list(step.reads),
        "changed": [{"field": name, "before": before, "after": after} for name, before, after in step.changed],
        "sent": [
            {"port": send.port, "message": send.message, "target": send.target, "across": send.across or None}
            for send in step.sent
        ],
        "failure": step.failure,
        "where": step.where or None,
        "traceback": list(step.traceback),
        "state": _state(step.state),
    }


def _state(state: Snapshot) -> dict[str, Any]:
    return {
        "processes": [
            {
                "process": process.process,
                "crashed": process.crashed,
                "fields": dict(process.fields),
                "values": _values(process.fields, process.values),
                "waiting": [
                    {
                        "message": waiting.message,
                        "port": waiting.port,
                        "source": waiting.source,
                        "held": waiting.held,
                        "value": plain_value(waiting.value),
                    }
                    for waiting in process.waiting
                ],
            }
            for process in state.processes
        ],
        "shared": dict(state.shared),
        "shared_values": _values(state.shared, state.shared_values),
        "blocks": [block.split() for block in state.blocks.split(" | ")] if state.blocks else None,
    }


def _values(fields: tuple[tuple[str, str], ...], values: tuple[Plain, ...]) -> dict[str, Any]:
    return {name: plain_value(value) for (name, _), value in zip(fields, values, strict=True)}


def _error(result: Result) -> dict[str, Any] | None:
    error = result.error
    if error is None:
        return None
    kind = "assumption" if isinstance(error, AssumptionError) else "model"
    if not isinstance(error, ModelError):
        return {"kind": kind, "what": str(error)}
    parts = {name: getattr(error, name) or None for name in ("where", "process", "step", "state", "cause", "remedy")}
    return {"kind": kind, "what": error.what, **parts, "trace": list(error.trace), "traceback": list(error.traceback)}


def _plain(value: object) -> object:
    return value if isinstance(value, (bool, int, str)) or value is None else str(value)
