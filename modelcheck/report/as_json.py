"""The JSON face of a result: format 1, documented in the README. Fields are added within a format, never changed or removed."""

from __future__ import annotations

import json
from typing import Any

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
        "symmetry": result.symmetry,
        "options": list(result.options),
        "expected": result.expected,
        "expectation_met": result.judgement.expectation,
        "properties": [_property(result, found) for found in result.properties],
        "worlds": {
            "explored": result.worlds,
            "represented": result.represented,
            "to_represent": sum(tally.to_represent for tally in result.sizes),
        },
        "states": result.states,
        "transitions": result.transitions,
        "terminal_states": result.terminal_states,
        "depth": result.depth,
        "seconds": round(result.seconds, 3),
        "sizes": [_size(tally) for tally in result.sizes],
        "steps_exercised": dict(result.steps),
        "never_ran": list(result.never_ran),
        "reductions": list(result.reductions),
        "broken_assumptions": list(result.broken),
        "not_checked": list(result.unchecked),
        "limits": {
            "states": result.limits.max_states,
            "seconds": result.limits.max_seconds,
            "megabytes": result.limits.max_memory,
        },
        "stopped": result.stopped,
        "growth": result.growth or None,
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
        "counterexamples": [_property(result, found) for found in violated],
    }


def dumps(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _property(result: Result, found: PropertyResult) -> dict[str, Any]:
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


def _size(tally: Tally) -> dict[str, int]:
    return {
        "n": tally.n,
        "graphs": tally.graphs,
        "worlds": tally.worlds,
        "represented": tally.represented,
        "to_represent": tally.to_represent,
        "states": tally.states,
        "transitions": tally.transitions,
        "terminal_states": tally.terminal_states,
        "depth": tally.depth,
    }


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "world": _world(trace.world),
        "length": trace.length,
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
        "process": step.process,
        "step": step.step,
        "kind": step.kind,
        "received": step.received,
        "port": step.port,
        "source": step.source,
        "choices": list(step.choices),
        "changed": [{"field": name, "before": before, "after": after} for name, before, after in step.changed],
        "sent": [{"port": send.port, "message": send.message, "target": send.target} for send in step.sent],
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
                    {"message": waiting.message, "port": waiting.port, "source": waiting.source}
                    for waiting in process.waiting
                ],
            }
            for process in state.processes
        ],
        "shared": dict(state.shared),
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
