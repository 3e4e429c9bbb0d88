"""The JSON face of a result: format 1, documented in the README. Fields are added within a format, never changed or removed."""

from __future__ import annotations

import json
import math
from typing import Any

from ..check.amounts import Range
from ..check.result import PropertyResult, Result, Tally
from ..check.trace import Snapshot, Trace, TraceStep
from ..errors import AssumptionError, ModelError
from ..semantics.worlds import World
from . import commands

FORMAT = 1


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
        "unreduced": dict(vars(result.unreduced)),
        "depth": result.depth,
        "seconds": round(result.seconds, 3),
        "sizes": [_size(tally) for tally in result.sizes],
        "messages": [{"n": n, **amounts(counted)} for n, counted in result.messages.items()],
        "steps_exercised": dict(result.steps),
        "never_ran": list(result.never_ran),
        "reductions": list(result.reductions),
        "symmetry_check": _symmetry_check(result),
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
    """What `--trace` writes: the counterexamples alone, the shortest first."""
    violated = [found for found in result.properties if found.verdict == "violated" and found.trace]
    violated.sort(key=lambda found: found.trace.length if found.trace else 0)
    return {
        "format": FORMAT,
        "model": result.model,
        "parameters": {name: _plain(value) for name, value in result.parameters.items()},
        "network": result.network,
        "counterexamples": [property_of(result, found) for found in violated],
    }


def dumps(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


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


def _symmetry_check(result: Result) -> dict[str, Any] | None:
    """Without symmetry all is the same, and this is what was counted; or nothing was compared, and why."""
    done = result.symmetry_check
    if done is None:
        return None
    if done.undone:
        return {"agrees": None, "undone": done.undone}
    return {"agrees": True, "undone": None, "worlds": done.worlds, **vars(done.counts)}


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
        "unreduced": dict(vars(tally.unreduced)),
        "depth": tally.depth,
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


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "world": _world(trace.world),
        "length": trace.length,
        "unit": trace.unit,
        "reason": trace.reason,
        "loop": trace.loop,
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
                "waiting": [
                    {
                        "message": waiting.message,
                        "port": waiting.port,
                        "source": waiting.source,
                        "held": waiting.held,
                    }
                    for waiting in process.waiting
                ],
            }
            for process in state.processes
        ],
        "shared": dict(state.shared),
        "blocks": [block.split() for block in state.blocks.split(" | ")] if state.blocks else None,
    }


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
