"""A run in the Informal Trace Format, which Apalache and Quint write and read: https://apalache-mc.org/docs/adr/015adr-trace.html

Each variable is a map from processes to values: the local variables by their names, `inbox` with what waits for each process
in order, and `crashed`. A process that is down has no local variables. Beside these stand the shared variables and, where
the network can split, its `blocks`; the parameter `id` has the identifiers. In lock-step a state is that after a round. A
lasso ends in the state from which it began to repeat, and `loop` is the number of that.

Values have the types that Quint knows:

    an integer, an identifier, a port     {"#bigint": "3"}
    a tuple, of one length throughout     {"#tup": [...]}, otherwise a list
    a set                                 {"#set": [...]}
    a message or another record           {"tag": "Election", "value": {"id": ...}}
    what is None at some time             {"tag": "None", "value": {"#tup": []}} or {"tag": "Some", "value": ...}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...runs.moments import moments
from ...runs.plain import Members, Plain, Record
from ...runs.trace import Snapshot, Trace
from ..words.steps import in_a_line, short

Encoder = Callable[[Plain], Any]
UNIT: dict[str, Any] = {"#tup": []}
NONE = {"tag": "None", "value": UNIT}


def itf(trace: Trace, described: str) -> str:
    """The run as JSON; `described` says what it shows."""
    passed = moments(trace)
    variables = _variables(trace, [moment.state for moment in passed])
    states: list[dict[str, Any]] = []
    for moment in passed:
        happened = [in_a_line(step).plain for step in moment.steps]
        meta = {"index": moment.number, "steps": happened}
        states.append({"#meta": meta, **{name: values[moment.number] for name, values in variables.items()}})
    document: dict[str, Any] = {
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": described,
            "world": str(trace.world),
            "status": trace.reason,
        }
    }
    identifiers = trace.world.identifiers
    if None not in identifiers:
        document["params"] = ["id"]
        states[0] = {
            **states[0],
            "id": _map((process, _number(value or 0)) for process, value in enumerate(identifiers)),
        }
    document |= {"vars": list(variables), "states": states}
    if trace.loop is not None:
        document["loop"] = next(moment.number for moment in passed if moment.repeats) - 1
    return _laid_out(document) + "\n"


def _laid_out(document: dict[str, Any]) -> str:
    """JSON with a line for each variable of a state."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    def entries(values: dict[str, Any], indent: str) -> str:
        return ",\n".join(f"{indent}{line(name)}: {line(value)}" for name, value in values.items())

    states = ",\n".join(f"  {{\n{entries(state, '    ')}\n  }}" for state in document["states"])
    others = entries({name: value for name, value in document.items() if name != "states"}, " ")
    return f'{{\n{others},\n "states": [\n{states}\n ]\n}}'


def _variables(trace: Trace, states: Sequence[Snapshot]) -> dict[str, list[Any]]:
    """Every variable with its value in each state."""
    found: dict[str, list[Any]] = {}
    names = dict.fromkeys(name for state in states for process in state.processes for name, _ in process.fields)
    for name in names:
        values = [_of_each(state, name) for state in states]
        encode = _encoder([value for state in values for _, value in state])
        found[name] = [_map((process, encode(value)) for process, value in state) for state in values]
    for place, (name, _) in enumerate(trace.initial.shared):
        encode = _encoder([state.shared_values[place] for state in states])
        found[name] = [encode(state.shared_values[place]) for state in states]
    encode = _encoder([waiting.value for state in states for process in state.processes for waiting in process.waiting])
    own = {
        "inbox": [_inbox(state, encode) for state in states],
        "crashed": [_map((k, process.crashed) for k, process in enumerate(state.processes)) for state in states],
    }
    if trace.initial.blocks:
        own["blocks"] = [_blocks(state.blocks) for state in states]
    for name, kept in own.items():
        while name in found:  # a variable of the model's own is called so
            name += "_"
        found[name] = kept
    return found


def _of_each(state: Snapshot, name: str) -> list[tuple[int, Plain]]:
    """The values of a local variable, with the numbers of the processes that have it."""
    found = []
    for number, process in enumerate(state.processes):
        found += [(number, v) for (other, _), v in zip(process.fields, process.values, strict=True) if other == name]
    return found


def _inbox(state: Snapshot, encode: Encoder) -> dict[str, Any]:
    return _map(
        (
            number,
            [
                {"port": w.port, "source": short(w.source), "held": w.held, "message": encode(w.value)}
                for w in process.waiting
            ],
        )
        for number, process in enumerate(state.processes)
    )


def _blocks(blocks: str) -> dict[str, Any]:
    return {"#set": [{"#set": block.split()} for block in blocks.split(" | ")]}


def _map(pairs: Iterable[tuple[int, Any]]) -> dict[str, Any]:
    return {"#map": [[f"p{process + 1}", value] for process, value in pairs]}


# --- values --------------------------------------------------------------------------------------------------------


def _number(value: int) -> dict[str, str]:
    return {"#bigint": str(value)}


def _encoder(values: Sequence[Plain]) -> Encoder:
    """How to write values that have a type in common, which is that of all these."""
    present = [value for value in values if value is not None]
    encode = _some(present) if present else _as_it_is
    if len(present) == len(values):
        return encode
    return lambda value: NONE if value is None else {"tag": "Some", "value": encode(value)}


def _as_it_is(value: Plain) -> Any:
    return value


def _some(values: Sequence[Plain]) -> Encoder:
    """The same where none is None. Values of several kinds are each written in its own way."""
    tuples = _tuples([value for value in values if isinstance(value, tuple)])
    inner = _encoder([item for value in values if isinstance(value, Members) for item in value.items])
    records = _records([value for value in values if isinstance(value, Record)])

    def encode(value: Plain) -> Any:
        if isinstance(value, tuple):
            return tuples(value)
        if isinstance(value, Members):
            return {"#set": [inner(item) for item in value.items]}
        if isinstance(value, Record):
            return records(value)
        return _number(value) if isinstance(value, int) and not isinstance(value, bool) else value

    return encode


def _tuples(values: Sequence[tuple[Plain, ...]]) -> Callable[[tuple[Plain, ...]], Any]:
    """Tuples of one length have a type for each place; those of several are lists, of one type."""
    lengths = {len(value) for value in values}
    if len(lengths) == 1 and lengths != {0}:
        columns = [_encoder(column) for column in zip(*values, strict=True)]
        return lambda value: {"#tup": [encode(item) for encode, item in zip(columns, value, strict=True)]}
    encode = _encoder([item for value in values for item in value])
    return lambda value: [encode(item) for item in value]


def _records(values: Sequence[Record]) -> Callable[[Record], Any]:
    """A record is tagged with its name, for others may wait beside it."""
    parts: dict[tuple[str, str], list[Plain]] = {}
    for value in values:
        for name, inner in value.fields:
            parts.setdefault((value.name, name), []).append(inner)
    encoders = {place: _encoder(found) for place, found in parts.items()}

    def encode(value: Record) -> Any:
        fields = {name: encoders[value.name, name](inner) for name, inner in value.fields}
        return {"tag": value.name, "value": fields or UNIT}

    return encode
