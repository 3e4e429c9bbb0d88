"""Files of runs, as `--trace` writes them: JSON that says all it takes to draw a run, and to take it again.

    {"format": 1,
     "model": "chang_roberts",            the model's name, and how it was asked for: a name, or path.py:Class
     "reference": "chang_roberts",
     "spec": null,                        another specification than the model's
     "parameters": {"elects": "max"},
     "network": "fifo",
     "settings": {"start": "any", "schedule": "any", "losses": 0, "duplications": 0, "crashes": 0, "recoveries": 0,
                  "suspicions": 0, "partitions": 0, "heals": 0, "across": "lost", "detector": "perfect"},
     "counterexamples": [                 the shortest first
       {"name": "agreement", "kind": "always", "claim": "...", "verdict": "violated", "note": null, "mattered": true,
        "shortest": true, "again": "modelcheck run ...", "trace": TRACE}],
     "runs": [                            runs that violate nothing, such as one that sends the most messages
       {"name": "greatest", "kind": "messages", "claim": "...", "again": "modelcheck messages ...", "trace": TRACE}]}

A TRACE has the `world`, where processes are numbered from 1 and ports from 0, named by `port_names`; `starts`, the steps taken
before the run begins where all initiators start first; the `initial` state; the `steps`; `loop`, the number of steps before
the part that repeats for ever; `reason`, what went wrong, and which processes it is `about`; `length`, in steps or, in lock-step,
in rounds (`unit`). Of a step that received something there is what it `received`, at which `port` and from whom (`source`); `choices`
are what it chose and then drew, in order, and the last `draws` of them are draws, with the probabilities `chances` ("1/3"); `reads` names the shared variables that it looked at. `state` is
what is after it, in lock-step after its round. The state after the last step is a terminal one where the run is `final`.

Texts are what people read: `fields` of a process, the `message` that waits for it. Beside them stand values (`values`,
`value`, `shared_values`): null, true and false, numbers (also for identifiers and ports), texts (also for members of enums),
lists for tuples, {"set": [...]}, and {"record": "Election", "fields": {"id": 3}} for messages and other records.

Fields are added within a format, never changed or removed; fields that are not known are passed over. What a file says is
never trusted: it is parsed as data, and each place is checked (untrusted_json.py); whether the model does what it says only a replay
can tell (check/retaking.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...check.result import PropertyResult
from ...language.faults import FAULTS
from ...language.networks import NETWORKS
from ...language.properties import OF_WHOLE_RUNS
from ...runs.trace import Trace, TraceStep
from ...semantics.settings import DETECTORS, ERRING, EVENTUALLY_PERFECT, Settings
from .as_json import FORMAT, RUN
from .traceparts import States, read_world
from .untrusted_json import Place, read_json

MOST_BYTES = 200_000_000
PROPERTIES = ("always", "every step", "at the end", *OF_WHOLE_RUNS, "assert", "exception", "unspecified reception")


@dataclass(frozen=True)
class Recorded:
    """One run of a file: the property with its trace, and the command that shows it again. A run that violates nothing is of
    the kind "messages", and its verdict is ""."""

    found: PropertyResult
    trace: Trace
    again: str

    @property
    def violates(self) -> bool:
        return self.found.verdict == "violated"


@dataclass(frozen=True)
class TraceFile:
    """What a file says: the model, the circumstances of its runs, and the runs. Parameters in `settings` are as in the file."""

    name: str
    model: str
    reference: str
    spec: str | None
    settings: Settings
    runs: tuple[Recorded, ...]

    def choose(self, names: Sequence[str]) -> tuple[Recorded, ...]:
        """The runs of these names, or all. Raises UsageError where there is none of a name."""
        known = [recorded.found.name for recorded in self.runs]
        for name in names:
            Place(self.name, name).word(known, "run of the name ")
        return tuple(recorded for recorded in self.runs if not names or recorded.found.name in names)


def read(file: Path) -> TraceFile:
    """Reads a file of runs. Raises UsageError with the place of what is wrong."""
    document = read_json(file, MOST_BYTES)
    try:
        return _document(document)
    except RecursionError:
        document.refuse("it is nested too deeply")


def _document(document: Place) -> TraceFile:
    if "counterexamples" not in document.fields() and "properties" in document.fields():
        document.refuse("this is a result, as --json writes it; --trace FILE writes the runs")
    if document["format"].number(1) > FORMAT:
        document["format"].refuse(
            f"it is of format {document['format'].value}, and this modelcheck reads formats up to {FORMAT}: "
            "a newer one has written it"
        )
    counterexamples = [_counterexample(place) for place in document["counterexamples"].items()]
    others = document.get("runs")
    runs = [_run(place) for place in others.items()] if others else []
    if not counterexamples and not runs:
        document.refuse("there is no run in it")
    spec = document.get("spec")
    return TraceFile(
        name=document.file,
        model=document["model"].text(),
        reference=document["reference"].text(),
        spec=spec.text() if spec else None,
        settings=_settings(document),
        runs=(*counterexamples, *runs),
    )


def _settings(document: Place) -> Settings:
    place = document["settings"]
    parameters = tuple(
        (name, given.number(-(10**18), 10**18) if type(given.value) is int else _scalar(given))
        for name, given in document["parameters"].each_field()
    )
    detector = place["detector"].word(DETECTORS, "detector ")
    budgets = {name: place[name].number(0, 10**6) for name in FAULTS}
    if (detector in ERRING) != (budgets["suspicions"] > 0):
        place["suspicions"].refuse(f"a detector that is {detector} has not {budgets['suspicions']} of them")
    start: Literal["any", "simultaneous"] = (
        "simultaneous" if place["start"].word(("any", "simultaneous"), "start ") == "simultaneous" else "any"
    )
    capacity = place.get("capacity")
    lockstep = place["schedule"].word(("any", "lockstep"), "schedule ") == "lockstep"
    return Settings(
        network=document["network"].word(NETWORKS, "network "),
        parameters=parameters,
        start=start,
        schedule="lockstep" if lockstep else "any",
        across="held" if place["across"].word(("lost", "held"), "fate ") == "held" else "lost",
        cuts_reported=detector not in ("perfect", EVENTUALLY_PERFECT),
        taken_back=detector == EVENTUALLY_PERFECT,
        capacity=capacity.number(0, 10**6) if capacity else 0,
        **budgets,
    )


def _scalar(place: Place) -> object:
    return place.value if place.value is None or isinstance(place.value, bool) else place.text()


# --- runs ----------------------------------------------------------------------------------------------------------


def _counterexample(place: Place) -> Recorded:
    note, again = place.get("note"), place.get("again")
    trace = _trace(place["trace"])
    found = PropertyResult(
        name=place["name"].text(),
        kind=place["kind"].word(PROPERTIES, "kind of property "),
        claim=place["claim"].text(),
        verdict=place["verdict"].word(("violated",), "counterexample to what is "),
        note=note.text() if note else "",
        mattered=place["mattered"].truth(),
        trace=trace,
        shortest=place["shortest"].truth(),
    )
    return Recorded(found, trace, again.text() if again else "")


def _run(place: Place) -> Recorded:
    again = place.get("again")
    trace = _trace(place["trace"])
    kind = place["kind"].word((RUN,), "kind of run ")
    found = PropertyResult(place["name"].text(), kind, place["claim"].text(), "", trace=trace)
    return Recorded(found, trace, again.text() if again else "")


def _trace(place: Place) -> Trace:
    states = States(read_world(place["world"]))
    starts = tuple(states.step(step) for step in place["starts"].items())
    initial = states.snapshot(place["initial"])
    steps = tuple(states.step(step) for step in place["steps"].items())
    loop, final, about = (place.get(name) for name in ("loop", "final", "about"))
    for name, run in (("starts", starts), ("steps", steps)):
        _check_order(place[name], run, last=name == "steps" or not steps)
    trace = Trace(
        world=states.world,
        starts=starts,
        steps=steps,
        initial=initial,
        reason=place["reason"].text(),
        loop=None if loop is None else loop.number(0, len(steps) - 1),
        final=final is not None and loop is None and final.truth(),
        about=() if about is None else tuple(name.word(states.labels, "process ") for name in about.items()),
    )
    place["unit"].word((trace.unit,), "other unit here than that of the steps: ")
    place["length"].number(trace.length, trace.length)
    return trace


def _check_order(place: Place, run: tuple[TraceStep, ...], *, last: bool) -> None:
    """Rounds are numbered from 1 on, or there are none; and a step that fails is the last."""
    before = 0
    for step, here in zip(run, place.items(), strict=True):
        if (step.round is None) != (run[0].round is None) or (step.round or before) not in (before, before + 1):
            here["round"].refuse(f"after round {before} this cannot be round {step.round}")
        before = step.round or before
        if step.failure and not (last and (step is run[-1] or (step.round and step.round == run[-1].round))):
            here["failure"].refuse("nothing follows a step that fails")
