"""`check`: from what the user asked for to a result. The command line is a thin layer over this function."""

from __future__ import annotations

import linecache
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import networkx as nx

from .. import catalog
from ..catalog import Model
from ..errors import AssumptionError, DefinitionError, ModelError, StepError, UsageError, nearest
from ..explore.exploration import Limits, Meter
from ..language.definition import Definition, spelled
from ..language.process import Process
from ..language.properties import Property
from ..language.topology import TOPOLOGIES, Shape, Topology, grid, undirected
from ..semantics.execution import step_code_lines
from ..semantics.settings import Settings
from ..semantics.system import System
from ..semantics.worlds import Policy, Worlds
from .growth import growth
from .result import PropertyResult, Result, Tally
from .search import ALWAYS_CHECKED, Search
from .verdict import Ledger, check_expectation, judge
from .view import ProtocolView

DEFAULT_N = 3
ENGINES = ("reference",)


@dataclass(frozen=True)
class Request:
    """What is to be checked, validated. Options left at None follow the model's declarations."""

    model: Model
    settings: Settings
    policy: Policy
    topology: Topology
    sizes: tuple[int, ...]
    given: tuple[Shape, ...]  # the graph or graphs asked for by name or file, of one size each
    properties: tuple[Property, ...]
    broken: tuple[str, ...]
    options: tuple[str, ...]
    expected: str | None
    reference: str = ""
    selected: tuple[str, ...] = ()

    def worlds(self) -> Iterator[tuple[int, list[Worlds]]]:
        """The worlds of each size in turn."""
        definition = self.model.definition
        if self.given:
            for n in sorted({shape.n for shape in self.given}):
                shapes = [shape for shape in self.given if shape.n == n]
                yield n, [Worlds(definition, self.topology, n, self.policy, shape) for shape in shapes]
        else:
            for n in self.sizes:
                yield n, [Worlds(definition, self.topology, n, self.policy)]


def check(
    model: str | type[Process],
    *,
    n: int | Iterable[int] | None = None,
    graph: str | None = None,
    network: str | None = None,
    ids: str | Sequence[int] | None = None,
    initiators: str | Sequence[int] | None = None,
    start: Literal["any", "simultaneous"] = "any",
    losses: int = 0,
    duplications: int = 0,
    crashes: int = 0,
    recoveries: int = 0,
    detector: str = "perfect",
    parameters: Mapping[str, object] | None = None,
    spec: str | None = None,
    property: str | Sequence[str] | None = None,
    expect: str | None = None,
    symmetry: bool = True,
    engine: str = "reference",
    limits: Limits | None = None,
    progress: Callable[[Meter], None] | None = None,
    meter: Meter | None = None,
) -> Result:
    """Explores every run of a protocol and says whether its properties hold.

    `model` is a bundled model's name, a path, or a Process subclass; the other arguments are the options of
    `modelcheck run`. Raises UsageError for what does not exist or make sense; whatever is wrong with the model itself
    comes back as a Result with `error` set.
    """
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; {nearest(engine, ENGINES)}")
    check_expectation(expect)
    began = time.monotonic()
    meter = meter or Meter(limits or Limits(), progress)
    try:
        found = catalog.find_model(model)
        request = _request(
            found, n, graph, network, ids, initiators, start, losses, duplications, crashes, recoveries, detector, parameters or {}, spec,
            property, expect, symmetry,
        )  # fmt: skip
        request = replace(
            request, reference=model if isinstance(model, str) else found.name, selected=_listed(property)
        )
    except (ModelError, AssumptionError) as error:
        name = model if isinstance(model, str) else model.__name__
        return _failed(name, error, expect, time.monotonic() - began, symmetry)
    return _run(request, meter, began)


def _run(request: Request, meter: Meter, began: float) -> Result:
    definition = request.model.definition
    system = System(definition, request.settings)
    search = Search(system, request.properties, meter)
    ledger = Ledger(expected=request.expected)
    tallies: list[Tally] = []
    reductions: dict[str, None] = {}
    try:
        for n, families in request.worlds():
            tally = Tally(n, sum(worlds.represented for worlds in families))
            tallies.append(tally)
            meter.size, meter.represented, meter.to_represent = n, 0, tally.to_represent
            for worlds in families:
                tally.graphs += 1
                reductions.update(dict.fromkeys(worlds.reductions))
                search.run(worlds, tally)
        if not meter.reached:
            system.verify()
    except (ModelError, AssumptionError) as error:
        ledger.error = error
    except KeyboardInterrupt as stop:
        meter.reached = (meter.reached or "interrupted") + _hanging(definition, stop)
    except MemoryError:
        meter.reached = meter.reached or "the machine ran out of memory"
    ledger.stopped = meter.reached
    results = _property_results(search, ledger)
    ledger.violated = [found.kind for found in results if found.verdict == "violated"]
    ledger.unchecked = [found.name for found in results if found.verdict == "inconclusive"]
    return Result(
        model=request.model.name,
        title=request.model.title,
        judgement=judge(ledger),
        network=request.settings.network,
        identifiers=_policy_text(request.policy),
        parameters=dict(request.settings.parameters),
        properties=results,
        sizes=tuple(tallies),
        seconds=time.monotonic() - began,
        symmetry=request.policy.symmetry,
        topology=str(request.topology) if not request.given else ", ".join(shape.name for shape in request.given),
        options=request.options,
        reductions=tuple(reductions),
        broken=request.broken,
        unchecked=_not_checked(request),
        steps=_steps_exercised(system),
        never_ran=() if meter.reached or ledger.error else _never_ran(system),
        growth=growth(system) if meter.reached else "",
        error=ledger.error,
        reference=request.reference,
        initiators=_initiators_text(request.policy),
        varied=_varied(request),
        limits=meter.limits,
        identifiers_chosen=request.policy.identifiers != definition.identifiers,
        selected=request.selected,
        stopped=ledger.stopped,
        expected=request.expected,
    )


def _hanging(definition: Definition, stop: BaseException) -> str:
    """The line of the model that was running, where that is why the search had to be stopped from outside."""
    frames = [f for f in traceback.extract_tb(stop.__traceback__) if f.filename == definition.file]
    if not frames:
        return ""
    return (
        f" while {frames[0].name} was running, at {Path(definition.file).name}:{frames[-1].lineno}  {frames[-1].line}"
    )


def _failed(
    name: str, error: ModelError | AssumptionError, expect: str | None, seconds: float, symmetry: bool
) -> Result:
    judgement = judge(Ledger(error=error, expected=expect))
    return Result(
        name, "", judgement, "", "", {}, (), (), seconds, symmetry, error=error, reference=name, expected=expect
    )


# --- reading the request -----------------------------------------------------------------------------------------


def _request(
    model: Model, n: int | Iterable[int] | None, graph: str | None, network: str | None, ids: str | Sequence[int] | None,
    initiators: str | Sequence[int] | None, start: Literal["any", "simultaneous"], losses: int, duplications: int, crashes: int,
    recoveries: int, detector: str, parameters: Mapping[str, object], spec: str | None, selected: str | Sequence[str] | None,
    expect: str | None, symmetry: bool,
) -> Request:  # fmt: skip
    definition = model.definition
    values = definition.parameter_values(dict(parameters))
    settings = Settings(
        network=network or definition.networks[0],
        parameters=tuple(values.items()),
        start=start,
        losses=losses,
        duplications=duplications,
        crashes=crashes,
        recoveries=recoveries,
        suspicions=_suspicions(detector),
    )
    settings.check(definition)
    policy = Policy(_identifiers(ids, definition), _initiators(initiators), symmetry)
    sizes = _sizes(n)
    if isinstance(policy.identifiers, tuple):
        sizes = sizes or (len(policy.identifiers),)
    topology, given = _graph(graph, definition, sizes)
    if given:
        if sizes and set(sizes) != {shape.n for shape in given}:
            raise UsageError(f"--n {sizes[0]} does not fit: the graph has {given[0].n} processes")
        sizes = tuple(sorted({shape.n for shape in given}))
    sizes = sizes or (DEFAULT_N,)
    for size in sizes:
        policy.check(size)
    if not given:
        next(topology.shapes(sizes[0]))  # raises UsageError where the family has no member of this size
    properties = _properties(model, spec, selected, System(definition, settings))
    request = Request(
        model, settings, policy, topology, sizes, given, properties, _broken(definition, settings, policy), (), expect
    )
    return replace(request, options=_options(request, graph, detector, spec))


def _sizes(n: int | Iterable[int] | None) -> tuple[int, ...]:
    sizes = () if n is None else (n,) if isinstance(n, int) else tuple(n)
    for size in sizes:
        if not isinstance(size, int) or size < 1:
            raise UsageError(f"a system has at least one process; n={size} has not")
    return sizes


def _suspicions(detector: str) -> int:
    kind, colon, number = detector.partition(":")
    if kind == "perfect" and not colon:
        return 0
    if kind == "unreliable" and (not colon or (number.isdigit() and int(number) > 0)):
        return int(number or 1)
    raise UsageError(f"--detector is perfect, unreliable or unreliable:K (K false suspicions), not {detector!r}")


def _identifiers(ids: str | Sequence[int] | None, definition: Definition) -> str | tuple[int, ...]:
    if ids is None:
        return definition.identifiers
    if not isinstance(ids, str):
        return tuple(ids)
    if ids in ("unique", "any", "none"):
        return ids
    if ids.startswith("from:") and ids[5:].isdigit():
        return ids
    numbers = ids.split(",")
    if all(number.strip().isdigit() and int(number) > 0 for number in numbers):
        return tuple(int(number) for number in numbers)
    raise UsageError(f"--ids is unique, any, none, from:M or a list such as 3,1,2 of positive numbers, not {ids!r}")


def _initiators(initiators: str | Sequence[int] | None) -> str | tuple[int, ...]:
    if initiators is None:
        return "all"
    if not isinstance(initiators, str):
        return tuple(sorted(set(initiators)))
    if initiators in ("all", "each") or (initiators.startswith("size:") and initiators[5:].isdigit()):
        return initiators
    places = [place.strip().removeprefix("p") for place in initiators.split(",")]
    if all(place.isdigit() for place in places):
        return tuple(sorted({int(place) for place in places}))
    raise UsageError(
        f"--initiators is all, each, size:K or a list of processes such as 1,3 or p1,p3, not {initiators!r}"
    )


def _graph(text: str | None, definition: Definition, sizes: tuple[int, ...]) -> tuple[Topology, tuple[Shape, ...]]:
    """The topology, and the graphs where some were asked for other than the topology's own family."""
    default = definition.topologies[0]
    if text is None:
        return default, ()
    if Path(text).is_file():
        return default, (_recognised(definition, _read_graph(Path(text))),)
    name, _, detail = text.partition(":")
    if name not in TOPOLOGIES:
        raise UsageError(f"there is no graph {text!r}: neither a file nor a topology; {nearest(name, TOPOLOGIES)}")
    family = TOPOLOGIES[name]
    unoriented = detail == "unoriented"
    if detail and not unoriented:
        sides = detail.split("x")
        if name in ("mesh", "torus") and len(sides) == 2 and all(side.isdigit() for side in sides):
            graph = grid(int(sides[0]), int(sides[1]), name == "torus")
            return default, (_recognised(definition, graph, family),)
        raise UsageError(
            f"--graph {text}: after the colon stands 'unoriented', or for mesh and torus the sides, as in mesh:2x3"
        )
    for own in definition.topologies:
        if own.name == name:
            return (
                own.unoriented if unoriented else replace(own, any_port_names=own.any_port_names and text == str(own))
            ), ()
    shapes = tuple(
        _recognised(definition, shape.graph(), family)
        for size in sizes or (DEFAULT_N,)
        for shape in family.shapes(size)
    )
    return (default.unoriented if unoriented else default), shapes


def _recognised(definition: Definition, graph: nx.Graph, family: Topology | None = None) -> Shape:
    """The graph as a member of a topology the model is written for. Raises AssumptionError where it is none."""
    reasons = []
    for topology in definition.topologies:
        try:
            shape = topology.recognise(graph)
            if topology.name == "any_graph" and family is not None:
                return undirected(graph, family.recognise(graph).name)
            return shape
        except AssumptionError as error:
            reasons.append(str(error))
    raise AssumptionError(
        f"{definition.name} is written for {' or '.join(map(str, definition.topologies))}; {reasons[0]}"
    )


def _read_graph(path: Path) -> nx.Graph:
    """An edge list or GraphML file. Raises UsageError where it is neither, AssumptionError for what no model takes."""
    try:
        if path.suffix.lower() == ".graphml":
            graph = nx.read_graphml(path)
        else:
            graph = nx.read_edgelist(path, nodetype=str, data=False)
    except Exception as error:
        raise UsageError(
            f"{path} is no {'GraphML file' if path.suffix == '.graphml' else 'edge list'}: {error}"
        ) from None
    if graph.number_of_nodes() == 0:
        raise UsageError(f"{path} has no nodes in it")
    if nx.number_of_selfloops(graph):
        raise AssumptionError(f"{path} links a process with itself")
    if graph.is_directed() and any(not graph.has_edge(b, a) for a, b in graph.edges()):
        raise AssumptionError(f"{path} is a directed graph: links lead both ways here")
    graph = nx.Graph(graph)
    names = list(graph)
    numeric = all(str(name).lstrip("-").isdigit() for name in names)
    ranked = sorted(names, key=lambda name: int(name) if numeric else 0) if numeric else sorted(names)
    simple = nx.relabel_nodes(graph, {name: i for i, name in enumerate(ranked)})
    if not nx.is_connected(simple):
        raise AssumptionError(f"the graph in {path} is not connected")
    return simple


def claimed(model: Model) -> tuple[Property, ...]:
    """The properties that are checked of a model under its defaults, those of every model left out."""
    definition = model.definition
    settings = Settings(definition.networks[0], tuple(definition.parameter_values({}).items()))
    return _properties(model, None, None, System(definition, settings))


def _properties(
    model: Model, spec: str | None, selected: str | Sequence[str] | None, system: System
) -> tuple[Property, ...]:
    """The properties to check: those of the specification that apply, and those of the model's own file."""
    specs = (spec,) if spec is not None else model.definition.specs
    stated = [prop for name in specs for prop in catalog.find_spec(name)] + list(model.properties)
    applying: dict[str, Property] = {}
    protocol = ProtocolView(system)
    for prop in stated:
        try:
            applies = bool(prop.applies(protocol))
        except AttributeError as error:
            raise UsageError(f"the property {prop.name} does not fit {model.name}: {error}") from None
        except (Exception, SystemExit) as error:
            cause = f"{type(error).__name__}: {error}"
            raise StepError(f"the condition of the property {prop.name} raised", cause, "", prop.where) from None
        if applies:
            _refuse_double(prop, applying.get(prop.name))
            applying[prop.name] = prop
    if selected is None:
        return tuple(applying.values())
    names = _listed(selected)
    implicit = [name for name, _, _ in ALWAYS_CHECKED]
    for name in names:
        if name not in applying and name not in implicit:
            raise UsageError(
                f"no property {name!r} is claimed of {model.name}; {nearest(name, [*applying, *implicit])}"
            )
    return tuple(prop for name, prop in applying.items() if name in names)


def _refuse_double(prop: Property, other: Property | None) -> None:
    """Of two properties with one name only one would be checked."""
    if prop.name in [name for name, _, _ in ALWAYS_CHECKED] or (
        other is not None and other is not prop and {prop.kind, other.kind} != {"terminates"}
    ):
        places = f"{other.where} and {prop.where}" if other else prop.where
        raise DefinitionError(f"there are two properties called {prop.name}", "", "rename one of them", places)


def _listed(names: str | Sequence[str] | None) -> tuple[str, ...]:
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)


def _broken(definition: Definition, settings: Settings, policy: Policy) -> tuple[str, ...]:
    """Assumptions of the model that an option breaks on purpose."""
    found = []
    if settings.network not in definition.networks:
        found.append(f"network {settings.network} (written for {' or '.join(definition.networks)})")
    if definition.identifiers == "unique":
        repeated = isinstance(policy.identifiers, tuple) and len(set(policy.identifiers)) < len(policy.identifiers)
        if policy.identifiers in ("any", "none") or repeated:
            found.append(f"identifiers {_policy_text(policy)} (written for unique ones)")
    for fault, budget in settings.faults().items():
        if budget and fault not in definition.tolerates:
            found.append(f"{fault} up to {budget} (not written for any)")
    return tuple(found)


def _policy_text(policy: Policy) -> str:
    return ",".join(map(str, policy.identifiers)) if isinstance(policy.identifiers, tuple) else policy.identifiers


def _initiators_text(policy: Policy) -> str:
    given = policy.initiators
    return given if isinstance(given, str) else ",".join(map(str, given))


def _varied(request: Request) -> tuple[str, ...]:
    """What the worlds of one size differ in."""
    policy, definition = request.policy, request.model.definition
    found = []
    if request.topology.name in ("tree", "any_graph", "mesh", "torus") and not request.given:
        found.append("graph")
    if policy.identifiers in ("unique", "any") or str(policy.identifiers).startswith("from:"):
        found.append("identifiers")
    if request.topology.any_port_names:
        found.append("port names")
    if policy.initiators == "each" or str(policy.initiators).startswith("size:"):
        found.append("initiators")
    if "root" in definition.knows:
        found.append("root")
    return tuple(found)


def _options(request: Request, graph: str | None, detector: str, spec: str | None) -> tuple[str, ...]:
    """The options to type for this run again, without those for sizes, identifiers and properties."""
    settings, definition = request.settings, request.model.definition
    options = []
    if graph is not None:
        options += ["--graph", graph]
    if settings.network != definition.networks[0]:
        options += ["--network", settings.network]
    if settings.start != "any":
        options += ["--start", settings.start]
    for fault in ("losses", "duplications", "crashes", "recoveries"):
        if settings.faults()[fault]:
            options += [f"--{fault}", str(settings.faults()[fault])]
    if detector != "perfect":
        options += ["--detector", detector]
    for name, value in settings.parameters:
        if value != definition.parameters[name].default:
            options += ["--set", f"{name}={spelled(value)}"]
    if spec is not None:
        options += ["--spec", spec]
    return tuple(options)


# --- reporting what was and was not done -------------------------------------------------------------------------


def _property_results(search: Search, ledger: Ledger) -> tuple[PropertyResult, ...]:
    complete = search.worlds_complete and ledger.error is None and ledger.stopped is None
    results = []
    failures = [(name, kind, claim) for name, kind, claim in ALWAYS_CHECKED]
    for name, kind, claim in failures:
        found = search.violations.get(name)
        verdict = "violated" if found else "holds" if complete else "inconclusive"
        results.append(PropertyResult(name, kind, claim, verdict, trace=found, shortest=complete))
    for prop in search.properties:
        found, note = search.violations.get(prop.name), ""
        verdict = "violated" if found else "holds" if complete and not search.failed else "inconclusive"
        if verdict == "holds" and prop.name in search.improbable:
            note, found = "with probability 1", search.improbable[prop.name]
        if verdict == "inconclusive" and search.failed:
            note = "runs end where a step fails"
        monitor = search.monitors.get(prop.name)
        # ends that all look alike are no sign of vacuity; no end at all is
        least = 1 if prop.kind == "at the end" else 2
        mattered = verdict != "holds" or monitor is None or len(monitor.distinct) >= least
        results.append(PropertyResult(prop.name, prop.kind, prop.claim, verdict, note, mattered, found, complete))
    return (*results[len(failures) :], *results[: len(failures)])


def _steps_exercised(system: System) -> dict[str, bool]:
    ran: set[str] = set()
    for component in system.components():
        for outcomes in component.cache.values():
            if isinstance(outcomes, tuple):
                ran.update(outcome.step for outcome in outcomes)
    steps = {step.name: step.name in ran for step in system.definition.steps}
    if system.definition.recovery is not None and system.settings.recoveries:
        steps[system.definition.recovery.name] = system.definition.recovery.name in ran
    return steps


def _never_ran(system: System) -> tuple[str, ...]:
    """Lines of the model's methods that never ran, as 'file:12-14  source of line 12'."""
    ran = system.runner.lines
    if not ran:
        return ()
    file = system.definition.file
    found = []
    for lines in step_code_lines(system.definition).values():
        missing = sorted(lines - ran)
        while missing:
            block = [missing.pop(0)]
            while missing and missing[0] <= block[-1] + 1:
                block.append(missing.pop(0))
            span = str(block[0]) if len(block) == 1 else f"{block[0]}-{block[-1]}"
            found.append(f"{Path(file).name}:{span}  {linecache.getline(file, block[0]).strip()}")
    return tuple(found)


def _not_checked(request: Request) -> tuple[str, ...]:
    """What this run says nothing about."""
    settings = request.settings
    named = {"losses": "loss", "duplications": "duplication", "crashes": "crashes", "suspicions": "false suspicions"}
    faults = [words for fault, words in named.items() if not settings.faults()[fault]]
    if "suspicions" in request.model.definition.tolerates or settings.crashes:
        pass
    else:
        faults = [fault for fault in faults if fault != "false suspicions"]
    if settings.crashes and not settings.recoveries:
        faults.append("recoveries")
    if settings.network == "fifo":
        faults.append("reordering")
    found = [", ".join(faults)] if faults else []
    found.append("n other than " + _ranges(request.sizes))
    policy = request.policy
    if policy.identifiers == "unique":
        found.append("repeated identifiers")
    elif isinstance(policy.identifiers, tuple):
        found.append("other identifiers")
    if policy.initiators != "each":
        found.append("fewer initiators" if policy.initiators == "all" else "other initiators")
    if settings.start == "simultaneous":
        found.append("later starts")
    several_ports = request.topology.name not in ("one_way_ring",) and not request.topology.any_port_names
    if several_ports:
        found.append("other port namings")
    if request.given:
        found.append("other graphs")
    return tuple(found)


def _ranges(sizes: tuple[int, ...]) -> str:
    if len(sizes) > 1 and sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]}..{sizes[-1]}"
    return ", ".join(map(str, sizes))
