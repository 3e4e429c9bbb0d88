"""modelcheck: an exhaustive model checker for election protocols.

What this module exports is all that a model or a specification imports, and all that is promised to stay. A name is imported when it is
first asked for: a model needs the language and not the search, and the command that prints a help text needs neither.

The house, from the ground up; a room imports only from rooms above it in this list, and each says at its door which file to read first:

    language      what a model author writes            semantics     what a step means; which worlds there are
    explore       every reachable state of a world: a page of plain Python, and the compiled engine, which must find the same
    properties    what properties see                   count         messages, exactly
    witness       a fresh interpreter, which takes steps again
    runs          what a run is, once it was found      pictures      the space-time diagram of one
    check         from request to verdict               chance        what to expect of a protocol that draws
    simulate      random runs, symmetric runs           predict       questions about a state, and what is said to the answers
    graph         state graphs
    book          claims of the literature, tried out
    cluster       the worlds of a run, explored by many processes
    desk          what stands beside a model while it is written
    export        programs for other checkers           report        what is said: words, terminal, html, files
    web           the explorer in the browser           guide         the manual
    grading       what students hand in, marked         mcp           tools for assistants
    page          the reference engine in the browser, with nothing installed
    cli           the command line

Beside them: loading (files as modules, and what they import), models (the bundled ones, for programs to import), catalog (models and
specifications by name), options (of the command line), api (`check` for programs), faces (how results look in a
notebook), errors, reads (what a model's code looks at outside), interrupts, pulse (whether to go on), text (of people, and for them), completion (of
what is typed in a shell), later, pytest_plugin, ahead and compiling (another process compiles while the reference engine explores).

The way of `modelcheck run chang_roberts --n 5`: cli/run.py ──▶ check/checker.py: request.py reads what was asked, search.py hands out the
worlds of semantics/worlds.py to workers (check/worker.py), each of which has an engine (explore/) visit the states of one world while
properties/ judges them; what fails is replayed (runs/trace.py); check/verdict.py decides; report/terminal/run.py prints.

Words, and no second word for the same thing:

    protocol      what the author has written (a model: the file it stands in)
    world         one graph, one assignment of identifiers, one set of initiators: where runs begin
    component     one process's part of a state: its variables, and what waits for it          environment   all that is no process's
    step          an atomic step of a process, by its name; transition: a step taken, from one state to another
    outcome       what a step does to its own component, whatever the others are doing
    terminal      a state in which no step can be taken, unless a fault happens
    property      what must hold; claim: the same in words, or a sentence of the literature (book/)
    observation   what the properties see of a state: states of one observation are judged once
    trace         a run, step by step; counterexample: one that breaks a property, the shortest; lasso: one that never ends
    worker        a thread that searches world after another; engine: what visits the states of a world
    represented   the assignments that a world stands for, which isomorphisms make of it; twin: a state that a symmetry makes of another
    reduced       a world of which only the states are explored that partial-order reduction leaves: those reached by chosen processes' steps
    fleet         worlds of one graph that are explored at once; part: every so-manieth world of a run, explored elsewhere
    chunk         worlds that follow each other, explored by one worker of a cluster; station: what that worker's process knows of the run
    taken again   what the witness has found a second time
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .version import __version__ as __version__

if TYPE_CHECKING:
    from .api import check, expect
    from .errors import (
        AssumptionError,
        DefinitionError,
        ModelcheckError,
        ModelError,
        ReductionError,
        ReplayError,
        SearchError,
        StepError,
        SymmetryError,
        UsageError,
    )
    from .explore.limits import Limits
    from .language.detecting import Detecting
    from .language.messages import Down, Message, Up
    from .language.oriented import chordal_ring
    from .language.process import ElectionProcess, Parameter, Process, initiate, receive, recover, shared, stable, step
    from .language.properties import (
        ProcessView,
        Property,
        TransitView,
        Verdict,
        View,
        always,
        always_eventually,
        at_the_end,
        because,
        eventually,
        eventually_always,
        every_step,
        leads_to,
        listed,
        terminates,
    )
    from .language.topology import (
        any_graph,
        complete,
        hypercube,
        line,
        mesh,
        one_way_ring,
        star,
        torus,
        tree,
        two_way_ring,
    )
    from .language.values import EAST, NEXT, NORTH, PREVIOUS, SOUTH, WEST, Id, Port, chord, dimension


__all__ = [
    "EAST",
    "NEXT",
    "NORTH",
    "PREVIOUS",
    "SOUTH",
    "WEST",
    "AssumptionError",
    "DefinitionError",
    "Detecting",
    "Down",
    "ElectionProcess",
    "Id",
    "Limits",
    "Message",
    "ModelError",
    "ModelcheckError",
    "Parameter",
    "Port",
    "Process",
    "ProcessView",
    "Property",
    "ReductionError",
    "ReplayError",
    "SearchError",
    "StepError",
    "SymmetryError",
    "TransitView",
    "Up",
    "UsageError",
    "Verdict",
    "View",
    "always",
    "always_eventually",
    "any_graph",
    "at_the_end",
    "because",
    "check",
    "chord",
    "chordal_ring",
    "complete",
    "dimension",
    "eventually",
    "eventually_always",
    "every_step",
    "expect",
    "hypercube",
    "initiate",
    "leads_to",
    "line",
    "listed",
    "mesh",
    "one_way_ring",
    "receive",
    "recover",
    "shared",
    "stable",
    "star",
    "step",
    "terminates",
    "torus",
    "tree",
    "two_way_ring",
]

_HOMES = {
    "api": ("expect",),
    "errors": (
        "AssumptionError", "DefinitionError", "ModelError", "ModelcheckError", "ReductionError", "ReplayError",
        "SearchError", "StepError",
        "SymmetryError", "UsageError",
    ),
    "explore.limits": ("Limits",),
    "language.detecting": ("Detecting",),
    "language.messages": ("Down", "Message", "Up"),
    "language.process": (
        "ElectionProcess", "Parameter", "Process", "initiate", "receive", "recover", "shared", "stable", "step",
    ),
    "language.properties": (
        "ProcessView", "Property", "TransitView", "Verdict", "View", "always", "always_eventually", "at_the_end", "because", "eventually",
        "eventually_always", "every_step", "leads_to", "listed", "terminates",
    ),
    "language.topology": (
        "any_graph", "complete", "hypercube", "line", "mesh", "one_way_ring", "star", "torus", "tree", "two_way_ring",
    ),
    "language.oriented": ("chordal_ring",),
    "language.values": ("EAST", "NEXT", "NORTH", "PREVIOUS", "SOUTH", "WEST", "Id", "Port", "chord", "dimension"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext modelcheck`: from then on `%%modelcheck` checks the model in a cell."""
    from .desk.cell import register

    register(shell)


class _Face(ModuleType):
    """This module. Its `check` is the function, and never the package of that name, which whoever imports something of the package
    would put in its place."""

    @property
    def check(self) -> Any:
        from .api import check

        return check

    @check.setter
    def check(self, _: object) -> None:
        pass


sys.modules[__name__].__class__ = _Face
