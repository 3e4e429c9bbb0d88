"""Searches that are asked for in the browser: for a violation, for a terminal state, for a state where a condition holds.

Each runs in a thread of its own and is told to stop by its meter. A thread is a daemon: a step of a model that never returns
must not keep the server from ending.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..check.search import Search
from ..count.tally import Tally
from ..errors import ModelcheckError, ModelError, UsageError, nearest
from ..explore.limits import Limits, Meter, Stopped
from ..language.properties import Property
from ..pulse import StoppedError, watched_by
from ..runs.trace import numbered
from ..semantics.worlds import World, Worlds
from . import paths
from .meaning import condition, is_terminal
from .paths import WrittenRun
from .shortest import Found, shortest
from .subject import Subject

Kind = Literal["violation", "terminal", "condition"]
KINDS = ("violation", "terminal", "condition")


@dataclass(frozen=True)
class Wanted:
    """What is looked for, validated. `here` where the search begins at the end of the run, not at the initial states."""

    kind: Kind
    run: WrittenRun
    here: bool
    properties: tuple[Property, ...] = ()
    text: str = ""


def wanted(subject: Subject, kind: str, path: str, *, here: bool, named: str, text: str) -> Wanted:
    """Raises UsageError, PathError or ConditionError for what cannot be looked for."""
    run = paths.read(subject, path)
    if kind not in KINDS:
        raise UsageError(f"one can look for {', '.join(KINDS)}, not for {kind[:40]!r}")
    if here and (run.failure is not None or run.loop is not None):
        raise UsageError("from here on nothing can happen: go back, or search from the beginning")
    properties = subject.request.properties
    if named:
        properties = tuple(prop for prop in properties if prop.name == named)
        if not properties:
            known = nearest(named[:60], [prop.name for prop in subject.request.properties])
            raise UsageError(f"there is no property {named[:60]!r}; {known}")
    if kind == "condition":
        condition(text, subject.system, run.world)
    return Wanted(kind, run, here, properties, text)  # type: ignore[arg-type]


class _FirstFound(Meter):
    """Stops a search as soon as something is violated: in one world that is met first what is nearest."""

    search: Search | None = None

    def stop(self, states: int | None = None) -> bool:
        watching = self.search.workers[0].watching if self.search else None
        if watching is not None and watching.first and not self.reached:
            self.reached = Stopped("found")
        return super().stop(states)


class Searching:
    """One search, as it goes. `answer` stands once it is over."""

    def __init__(self, subject: Subject, asked: Wanted, limits: Limits) -> None:
        self.subject, self.asked = subject, asked
        self.meter = _FirstFound(limits)
        self.answer: dict[str, Any] | None = None
        self.over = threading.Event()
        self._found = Found()
        threading.Thread(target=self._work, daemon=True).start()

    def cancel(self) -> None:
        self.meter.interrupted = True

    @property
    def progress(self) -> dict[str, Any]:
        states = max(self.meter.states, self._found.states)
        return {"states": states, "depth": self._found.depth, "seconds": round(self.meter.seconds(), 1)}

    def _work(self) -> None:
        try:
            look = self._violation if self.asked.kind == "violation" else self._shortest
            self.answer = look()
        except ModelError as error:
            self.answer = {
                "outcome": "error",
                "sentence": f"the model's code is at fault: {error.what}",
                "where": error.where,
            }
        except MemoryError as error:
            self.answer = {"outcome": "limit", "sentence": f"Not found: {error or 'the machine ran out of memory'}."}
        except ModelcheckError as error:
            self.answer = {"outcome": "error", "sentence": str(error)}
        except BaseException as error:  # a thread has nobody else to tell
            self.answer = {"outcome": "error", "sentence": f"a bug in modelcheck: {type(error).__name__}: {error}"}
        finally:
            self.over.set()

    # --- a state

    def _shortest(self) -> dict[str, Any]:
        asked, run, found = self.asked, self.asked.run, self._found
        system = self.subject.fresh_system()
        holds: Callable[[Any], bool] = (
            condition(asked.text, system, run.world)
            if asked.kind == "condition"
            else lambda state: is_terminal(system, run.world, state)
        )
        begin = [same(system, run.state)] if asked.here else []
        firsts = [0] if asked.here else []
        for number, start in enumerate(() if asked.here else system.starts(run.world)):
            if not (start.steps and start.steps[-1].after is None):
                begin.append(start.state)
                firsts.append(number)
        with watched_by(self.meter), suppress(StoppedError):  # a condition may look at much in one state
            shortest(system, run.world, begin, holds, self.meter, found)
        what = "terminal state" if asked.kind == "terminal" else "such state"
        whence = "from here" if asked.here else "from the beginning"
        if found.steps is not None:
            path = (
                paths.continued(self.subject, run, found.steps)
                if asked.here
                else paths.written(self.subject, run.choice, firsts[found.first], found.steps)
            )
            many = _count(len(found.steps), "round" if self.subject.settings.schedule == "lockstep" else "step")
            sentence = (
                f"The nearest {what} is {many} away {whence}."
                if found.steps
                else f"This is {'a ' + what if asked.kind == 'terminal' else 'such a state'} already."
            )
            return {"outcome": "found", "path": path, "steps": len(found.steps), "sentence": sentence}
        if found.exhausted:
            return {
                "outcome": "none",
                "sentence": f"There is none: all {_count(found.states, 'state')} that can be reached {whence} were looked at.",
            }
        return {"outcome": "limit", "sentence": self._not_found(found.states, found.depth)}

    def _not_found(self, states: int, depth: int | None) -> str:
        if self.meter.reached == self.meter.interruption:
            return f"Stopped after {_count(states, 'state')}: nothing was found so far."
        tried = f" every run of up to {_count(depth, 'step')} was tried, longer ones were not" if depth else ""
        return f"Not found within {_count(states, 'state')} ({self.meter.reached}):{tried or ' what is farther away is not known'}."

    # --- a violation

    def _violation(self) -> dict[str, Any]:
        system, run = self.subject.fresh_system(), self.asked.run
        search = Search(system, self.asked.properties, self.meter)
        self.meter.search = search
        worlds = WorldSearch(
            self.subject.definition, self.subject.request.topology, self.subject.n,
            replace(self.subject.request.policy, symmetry=False), run.world.shape, run.world,
        )  # fmt: skip
        tally = Tally(self.subject.n, 1)
        search.run(worlds, tally)
        entries = search.known.findings.violations.entries
        if not entries:
            if self.meter.reached is None:
                held = ", ".join(prop.name for prop in self.asked.properties)
                return {
                    "outcome": "none",
                    "sentence": f"There is none in this world: all {_count(tally.states, 'state')} were looked at, and every run. Held: {held or 'everything'}.",
                }
            return {"outcome": "limit", "sentence": self._not_found(self.meter.states, None)}
        name, entry = min(entries.items(), key=lambda item: (len(item[1].transitions), item[0]))
        first, taken = numbered(system, run.world, entry.start, entry.transitions)
        path = paths.written(self.subject, run.choice, first, taken, entry.loop)
        many = _count(entry.trace.length, entry.trace.unit)
        return {
            "outcome": "found",
            "path": path,
            "property": name,
            "steps": len(taken),
            "sentence": f"{name} is violated after {many}, and after no fewer: {entry.trace.reason}",
        }


@dataclass(frozen=True)
class WorldSearch(Worlds):
    """A single world, as a family to search."""

    only: World | None = None

    def __iter__(self) -> Iterator[World]:
        assert self.only is not None
        yield self.only


def same(system: Any, state: Any) -> Any:
    """A state of another System in this one."""
    from ..semantics.partitions import Network

    environment, *components = state
    found = [system._environment(*environment.values())]
    for component in components:
        if isinstance(component, Network):
            found.append(system._network(component.profile, *component.fields))
        else:
            found.append(system._intern(component.profile, component.crashed, component.fields, component.inbox))
    return tuple(found)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
