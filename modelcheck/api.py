"""`modelcheck.check`, and `modelcheck.expect`: `modelcheck run` and `expect` for programs, with its options under the same names and in the same forms, and its limits.

What they mean the library knows (check/checker.py); here is what makes them easy to write.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

from . import faces as faces  # results and traces learn how they look
from .check import checker
from .check.request import usual_limits
from .check.result import Result
from .errors import UsageError, nearest
from .explore.limits import Limits, Meter
from .interrupts import interruptible
from .language.faults import FAULTS
from .language.process import Process

if TYPE_CHECKING:
    from .chance.result import ExpectResult

TEXTS = (
    "graph",
    "network",
    "start",
    "schedule",
    "across",
    "detector",
    "spec",
    "expect",
    "reduce",
    "engine",
    "part",
    "cluster",
)
NUMBERS = (*(fault.name for fault in FAULTS.values() if fault.own), "capacity", "workers")
RUNS = (
    "n", "graph", "network", "capacity", "ids", "initiators", "root", "may_crash", "start", "schedule", "across", "detector", "spec",
    *(fault.name for fault in FAULTS.values() if fault.own),
)  # fmt: skip
LIMITS = ("max_states", "max_seconds", "max_memory")


def check(
    model: str | os.PathLike[str] | type[Process],
    *,
    n: int | str | Iterable[int] | None = None,
    graph: str | os.PathLike[str] | None = None,
    network: str | None = None,
    capacity: int | None = None,
    ids: str | Sequence[int] | None = None,
    initiators: str | Sequence[int] | None = None,
    root: str | int | None = None,
    may_crash: str | Sequence[int] | None = None,
    start: str = "any",
    schedule: str | None = None,
    losses: int = 0,
    duplications: int = 0,
    crashes: int = 0,
    recoveries: int = 0,
    partitions: int = 0,
    heals: int = 0,
    across: str = "lost",
    detector: str | None = None,
    set: str | Iterable[str] | Mapping[str, object] | None = None,
    spec: str | os.PathLike[str] | None = None,
    property: str | Sequence[str] | None = None,
    expect: str | None = None,
    no_symmetry: bool = False,
    check_symmetry: bool = False,
    reduce: str = "auto",
    check_reductions: bool = False,
    engine: str = "auto",
    workers: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    part: str | None = None,
    cluster: str | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
    parameters: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    symmetry: bool = True,
    **unknown: Never,
) -> Result:
    """Explores every run of a protocol and says whether its properties hold.

    `model` is a bundled model's name, a path, or a Process subclass; the other arguments are the options of `modelcheck run`: `n=5` or
    `n="2..4"`, `ids="3,1,2"` or `ids=(3, 1, 2)`, `set={"elects": "min"}` or `set="elects=min"`, `max_seconds=5`. `checkpoint` is a file
    that is written between worlds, from which a run that was stopped goes on with `resume`. `progress` is called now and then.
    A program that has them as objects may give `parameters` for `set`, `limits` for those that are not given, `symmetry=False` for `no_symmetry`,
    and a `meter` for all limits and the progress.

    The limits hold as on the command line, also where a step of the model never ends, and Ctrl-C leads to what was found so far; outside
    the main thread there is no Ctrl-C. Raises UsageError for what does not exist or make sense; whatever is wrong with the
    model itself comes back as a Result with `error` set. `print(result)` prints the report.
    """
    if unknown:
        known = [name for name in signature(check).parameters if name not in ("model", "unknown")]
        wrong = next(iter(unknown))
        raise UsageError(f"check has no option {wrong!r}; {nearest(wrong, known)}")
    given: dict[str, Any] = {name: value for name, value in locals().items() if name in (*TEXTS, *NUMBERS)}
    asked: dict[str, Any] = {name: _text(name, given[name]) for name in TEXTS}
    asked |= {name: _number(name, given[name]) for name in NUMBERS}
    address = asked.pop("cluster")
    chosen = dict(zip(LIMITS, (max_states, max_seconds, max_memory), strict=True))
    meter = meter or Meter(_limits(limits or usual_limits(), chosen), progress)
    named = str(_text("model", model)) if isinstance(model, (str, os.PathLike)) else model
    began = time.monotonic()
    elsewhere = None
    if address is not None:
        from .cluster.gathering import Cluster

        elsewhere = Cluster(address)
    try:
        with interruptible(meter):
            return checker.check(
                named, n=_sizes(n), ids=ids, initiators=initiators, root=root, may_crash=may_crash, parameters={**(parameters or {}), **_assignments(set)},
                property=property, symmetry=symmetry and not no_symmetry, check_symmetry=check_symmetry,
                check_reductions=check_reductions, meter=meter, elsewhere=elsewhere,
                checkpoint=Path(checkpoint) if isinstance(checkpoint, (str, os.PathLike)) else checkpoint, resume=resume, **asked,
            )  # fmt: skip
    except KeyboardInterrupt:
        if meter.interrupted or meter.reached is None:
            raise
        name = named if isinstance(named, str) else named.__name__
        return checker.not_begun(name, meter, expect, time.monotonic() - began, symmetry and not no_symmetry)


def expect(
    model: str | os.PathLike[str] | type[Process],
    *,
    until: str | None = None,
    engine: str = "auto",
    workers: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
    **options: Any,
) -> ExpectResult:
    """What to expect of a protocol that draws at random, least and greatest over all schedulers: `modelcheck expect` for programs.

    The other options are those of `check` that say which runs there are: `n`, `graph`, `network`, `ids`, `initiators`, `start`, `schedule`,
    the faults, `set`, `spec` and `no_symmetry`. In the result `sizes[k].over("messages")` has `least`, `greatest`, `mean_least` and
    `mean_greatest`, and of each `exact` is a fraction. Raises UsageError for what does not exist or make sense. `print(result)` prints the report.
    """
    from .chance import expecting  # with it come SciPy's equations

    known = [name for name in signature(check).parameters if name in (*RUNS, "set", "no_symmetry")]
    wrong = next((name for name in options if name not in known), None)
    if wrong is not None:
        raise UsageError(f"expect has no option {wrong!r}; {nearest(wrong, known)}")
    asked: dict[str, Any] = {name: _text(name, value) for name, value in options.items() if name in TEXTS}
    asked |= {name: _number(name, value) for name, value in options.items() if name in NUMBERS}
    asked |= {name: value for name, value in options.items() if name in ("ids", "initiators", "root", "may_crash")}
    chosen = dict(zip(LIMITS, (max_states, max_seconds, max_memory), strict=True))
    meter = meter or Meter(_limits(usual_limits(), chosen), progress)
    named = str(_text("model", model)) if isinstance(model, (str, os.PathLike)) else model
    with interruptible(meter):
        return expecting.expect(
            named, until=_text("until", until), engine=_text("engine", engine), workers=_number("workers", workers), meter=meter,  # type: ignore[arg-type]
            n=_sizes(options.get("n")), parameters=_assignments(options.get("set")), symmetry=not options.get("no_symmetry", False), **asked,
        )  # fmt: skip


def _sizes(n: int | str | Iterable[int] | None) -> int | Iterable[int] | None:
    if isinstance(n, str):
        from .options import sizes  # Click takes a while to import

        return sizes(n)
    if n is not None and not isinstance(n, Iterable) and type(n) is not int:
        raise UsageError(f"n is a number of processes, a range such as '2..6', or several numbers, not {n!r}")
    return n


def _text(name: str, value: object) -> str | None:
    """A word, a path or nothing."""
    if value is None or isinstance(value, (str, os.PathLike)):
        return None if value is None else str(os.fspath(value))
    raise UsageError(f"{name} is given as text, not as {value!r}")


def _number(name: str, value: object) -> int | None:
    """A whole number or nothing. What it may be is for others to say."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 20:
        return int(value)
    if value is None or type(value) is int:
        return value
    raise UsageError(f"{name} is a number, not {value!r}")


def _limits(limits: Limits, given: Mapping[str, object]) -> Limits:
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        whole = type(value) is int
        if not (whole or (name == "max_seconds" and isinstance(value, float))) or math.isnan(value) or value <= 0:  # type: ignore[arg-type, operator]
            raise UsageError(f"{name} is a number greater than 0, not {value!r}")
        found[name] = value
    return replace(limits, **found)


def _assignments(given: str | Iterable[str] | Mapping[str, object] | None) -> dict[str, object]:
    """`{"a": 1}`, `"a=1"`, or several of the latter."""
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, object] = {}
    for text in (given,) if isinstance(given, str) else given or ():
        key, equals, value = (part.strip() for part in str(text).partition("="))
        if not (equals and key and value):
            raise UsageError(f"set is {{'KEY': VALUE}} or 'KEY=VALUE', not {text!r}")
        if found.setdefault(key, value) != value:
            raise UsageError(f"set gives {key} two values")
    return found
