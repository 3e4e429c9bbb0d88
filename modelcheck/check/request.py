"""What was asked for, read and validated: the model, its circumstances, its worlds and its properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, TypedDict, Unpack

import psutil

from .. import catalog
from ..catalog import Model
from ..errors import DefinitionError, StepError, UsageError, nearest
from ..explore.limits import Limits
from ..language.definition import Definition, spelled
from ..language.faults import FAULTS
from ..language.networks import ORDERED
from ..language.process import Process
from ..language.properties import Property
from ..language.topology import Shape, Topology
from ..properties.view import ProtocolView
from ..semantics.graphs import DEFAULT_N, MOST, graphs_asked_for
from ..semantics.partitions import MOST_TO_SPLIT
from ..semantics.settings import DETECTORS, ERRING, EVENTUALLY_PERFECT, Across, Settings
from ..semantics.system import System
from ..semantics.worlds import Policy, Worlds
from ..text.typed import natural
from .findings import ALWAYS_CHECKED

Reduce = Literal["auto", "order", "none"]
REDUCTIONS: tuple[Reduce, ...] = ("auto", "order", "none")


@dataclass(frozen=True)
class Request:
    """What is to be checked, validated: what the user left open follows the model's declarations.

    `reduce` says whether worlds are reduced (explore/stubborn.py): "order" wherever that is sound, "none" nowhere, "auto" where it is needed.
    `part` says which worlds are explored, where others are explored elsewhere (parts.py). `reference` is the model as it was asked for (a name, or path.py:Class); so are `graph`, `detector`, `spec` and `selected`, the names
    of properties: what these mean is in the other fields.
    """

    model: Model
    settings: Settings
    policy: Policy
    topology: Topology
    sizes: tuple[int, ...]
    given: tuple[Shape, ...]  # the graph or graphs asked for by name or file, of one size each
    properties: tuple[Property, ...]
    broken: dict[str, str]  # assumptions of the model that options break on purpose, by option
    expected: str | None
    reference: str
    graph: str | None = None
    detector: str | None = None
    spec: str | None = None
    selected: tuple[str, ...] = ()
    reduce: Reduce = "auto"
    part: str | None = None

    @property
    def graphs(self) -> str:
        """The family of graphs, or the names of those asked for."""
        return ", ".join(shape.name for shape in self.given) if self.given else str(self.topology)

    @property
    def options(self) -> tuple[str, ...]:
        """The words to type for this again, without those for sizes, identifiers, initiators and properties."""
        return _options(self)

    @property
    def option_pairs(self) -> tuple[tuple[str, str], ...]:
        """The same as pairs: an option, and what was given for it."""
        return tuple(zip(self.options[::2], self.options[1::2], strict=True))

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


SEARCH_LIMITS = Limits(max_states=2_000_000, max_seconds=60.0)  # of a search that is asked for in the browser


def usual_limits() -> Limits:
    """The limits of a run that asks for none: those of Limits, and at most half of the machine's memory."""
    limits = Limits()
    half = int(psutil.virtual_memory().total) // 2_000_000
    return replace(limits, max_memory=max(1, min(limits.max_memory, half)))


# --- options ---------------------------------------------------------------------------------------------------------


class Circumstances(TypedDict, total=False):
    """The arguments of `check` that say which runs there are."""

    n: int | Iterable[int] | None
    graph: str | None
    network: str | None
    capacity: int | None
    ids: str | Sequence[int] | None
    initiators: str | Sequence[int] | None
    root: str | int | None
    may_crash: str | Sequence[int] | None
    start: Literal["any", "simultaneous"]
    losses: int
    duplications: int
    crashes: int
    recoveries: int
    partitions: int
    heals: int
    across: Across
    detector: str | None
    parameters: Mapping[str, object] | None
    symmetry: bool
    reduce: str


class Asked(Circumstances, total=False):
    """And those that say how they are scheduled, and what must hold of them."""

    schedule: Literal["any", "lockstep"] | None
    spec: str | None
    property: str | Sequence[str] | None
    expect: str | None


def read_request(model: str | type[Process], **asked: Unpack[Asked]) -> Request:
    """What is asked, read and validated.

    Raises UsageError for what does not exist or make sense, ModelError or AssumptionError for what is wrong with the model.
    """
    found = catalog.find_model(model)
    definition = found.definition
    settings = _settings(definition, asked)
    graph, spec, property = asked.get("graph"), asked.get("spec"), asked.get("property")
    settings.check(definition)
    if definition.cls.initially is Process.initially:  # nobody is down at first
        for fault in FAULTS.values():
            settings.check_needs(fault)
    identifiers, initiators = _identifiers(asked.get("ids"), definition), _initiators(asked.get("initiators"))
    root, may_crash = _root(asked.get("root"), definition), _may_crash(asked.get("may_crash"), definition, settings)
    policy = Policy(identifiers, initiators, asked.get("symmetry", True), root, may_crash)
    sizes = _sizes(asked.get("n"))
    if isinstance(policy.identifiers, tuple):
        sizes = sizes or (len(policy.identifiers),)
    topology, given = graphs_asked_for(graph, definition, sizes)
    if given:
        if sizes and set(sizes) != {shape.n for shape in given}:
            raise UsageError(f"--n {sizes[0]} does not fit: the graph has {given[0].n} processes")
        sizes = tuple(sorted({shape.n for shape in given}))
    sizes = sizes or (DEFAULT_N,)
    for size in sizes:
        policy.check(size)
        if settings.partitions and size > MOST_TO_SPLIT:
            raise UsageError(
                f"{size} processes can split in {2 ** (size - 1) - 1:,} ways; partitions are offered up to n={MOST_TO_SPLIT}"
            )
    if policy.identifiers == "none" != definition.identifiers:
        equal = ",".join("1" * (sizes[0] if sizes[0] <= 9 else DEFAULT_N))
        raise UsageError(
            f"--ids none: {definition.name} is written for processes with identifiers; for equal ones use --ids {equal}"
        )
    if not given:
        next(topology.shapes(sizes[0]))  # raises UsageError where the family has no member of this size
    properties = _properties(found, spec, property, System(definition, settings))
    broken = _broken(definition, settings, policy)
    reference = model if isinstance(model, str) else found.name
    return Request(
        found, settings, policy, topology, sizes, given, properties, broken, asked.get("expect"), reference, graph, asked.get("detector"),
        spec, listed(property), _reduction(asked.get("reduce", "auto")),
    )  # fmt: skip


def _settings(definition: Definition, asked: Asked) -> Settings:
    """Under which circumstances runs take place: what is asked, and where nothing is the model's own."""
    values = definition.parameter_values(dict(asked.get("parameters") or {}))
    schedule = asked.get("schedule") or definition.schedule
    kind = asked.get("detector") or ("heartbeat" if asked.get("partitions") else "perfect")
    budgets: Mapping[str, Any] = {name: count for name, count in asked.items() if name in FAULTS}
    return Settings(
        network=asked.get("network") or (ORDERED if schedule == "lockstep" else definition.networks[0]),
        parameters=tuple(values.items()),
        start=asked.get("start", "any"),
        schedule=schedule,
        suspicions=_suspicions(kind),
        across=asked.get("across", "lost"),
        cuts_reported=kind != "perfect" and not kind.startswith(EVENTUALLY_PERFECT),
        taken_back=kind.startswith(EVENTUALLY_PERFECT),
        capacity=asked.get("capacity") or 0,
        **budgets,
    )


def _sizes(n: int | Iterable[int] | None) -> tuple[int, ...]:
    sizes = () if n is None else (n,) if isinstance(n, int) else tuple(islice(n, MOST + 1))
    if n is not None and not sizes:
        raise UsageError("no number of processes was given")
    for size in sizes:
        if type(size) is not int or size < 1:
            raise UsageError("a system has at least one process")
        if size > MOST:
            raise UsageError(f"a system has at most {MOST:,} processes here")
    if len(sizes) > MOST:
        raise UsageError(f"these are more than {MOST:,} sizes")
    return tuple(dict.fromkeys(sizes))


def _reduction(reduce: str) -> Reduce:
    for known in REDUCTIONS:
        if reduce == known:
            return known
    raise UsageError(f"there is no reduction {reduce!r}; {nearest(reduce, REDUCTIONS)}")


def _suspicions(detector: str) -> int:
    kind, colon, number = detector.partition(":")
    if kind in DETECTORS and kind not in ERRING and not colon:
        return 0
    if kind in ERRING and (not colon or natural(number)):
        return natural(number) or 1
    raise UsageError(
        f"--detector is heartbeat, perfect, {' or '.join(f'{kind}[:K]' for kind in ERRING)} (K false suspicions), not {detector!r}"
    )


def _identifiers(ids: str | Sequence[int] | None, definition: Definition) -> str | tuple[int, ...]:
    if ids is None:
        return definition.identifiers
    if not isinstance(ids, str):
        return _positive(ids, "identifiers")
    if ids in ("unique", "any", "none"):
        return ids
    if ids.startswith("from:") and (most := natural(ids[5:])) is not None:
        return f"from:{most}"
    numbers = [natural(number) for number in ids.split(",")]
    if all(numbers):
        return tuple(number for number in numbers if number)
    raise UsageError(f"--ids is unique, any, none, from:M or a list such as 3,1,2 of positive numbers, not {ids!r}")


def _positive(numbers: Sequence[int], what: str) -> tuple[int, ...]:
    """Numbers that are given as such. An empty list would make of every claim a vacuous one."""
    given = tuple(numbers)
    if not given or any(type(number) is not int or number < 1 for number in given):
        raise UsageError(f"{what} are a list of positive numbers, not {given!r}")
    return given


def _initiators(initiators: str | Sequence[int] | None) -> str | tuple[int, ...]:
    if initiators is None:
        return "all"
    if not isinstance(initiators, str):
        return tuple(sorted(set(_positive(initiators, "initiators"))))
    if initiators in ("all", "each"):
        return initiators
    if initiators.startswith("size:") and (size := natural(initiators[5:])) is not None:
        return f"size:{size}"
    places = {natural(place.strip().removeprefix("p")) for place in initiators.split(",")}
    if None not in places:
        return tuple(sorted(place for place in places if place is not None))
    raise UsageError(
        f"--initiators is all, each, size:K or a list of processes such as 1,3 or p1,p3, not {initiators!r}"
    )


def _root(root: str | int | None, definition: Definition) -> Literal["each"] | int:
    if root is None or root == "each":
        return "each"
    if "root" not in definition.knows:
        raise UsageError(f'{definition.name} has no root: it does not declare knows = ("root",)')
    place = natural(root.removeprefix("p")) if isinstance(root, str) else root
    if type(place) is not int or place < 1:
        raise UsageError(f"--root is each, or a process such as 2 or p2, not {root!r}")
    return place


def _may_crash(
    given: str | Sequence[int] | None, definition: Definition, settings: Settings
) -> Literal["all", "others"] | tuple[int, ...]:
    if given is None:
        return definition.may_crash if settings.crashes else "all"
    if not settings.crashes:
        raise UsageError("--may-crash: nobody crashes at all; add --crashes K")
    if given == "all":
        return "all"
    if given == "others":
        if "root" not in definition.knows:
            raise UsageError(f"--may-crash others: these are all but the root, and {definition.name} has none")
        return "others"
    if not isinstance(given, str):
        return tuple(sorted(set(_positive(given, "those that may crash"))))
    places = {natural(place.strip().removeprefix("p")) for place in given.split(",")}
    if None in places:
        raise UsageError(
            f"--may-crash is all, others (all but the root) or a list of processes such as 1,3, not {given!r}"
        )
    return tuple(sorted(place for place in places if place is not None))


# --- properties ------------------------------------------------------------------------------------------------------


def claimed(model: Model) -> tuple[Property, ...]:
    """The properties that are checked of a model under its defaults, those of every model left out."""
    definition = model.definition
    settings = Settings(definition.networks[0], tuple(definition.parameter_values({}).items()))
    return _properties(model, None, None, System(definition, settings))


def claimed_of(model: Model, spec: str | None, name: str, system: System) -> Property:
    """The property of this name. Raises UsageError where none is claimed of the model, with the nearest ones."""
    (found,) = _properties(model, spec, name, system)
    return found


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
    names = listed(selected)
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


def listed(names: str | Sequence[str] | None) -> tuple[str, ...]:
    if names is not None and not names:
        raise UsageError("no property was named")
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)


# --- what the report says of it --------------------------------------------------------------------------------------


def _broken(definition: Definition, settings: Settings, policy: Policy) -> dict[str, str]:
    """Assumptions of the model that an option breaks on purpose, by the option that does."""
    found = {}
    if settings.network not in definition.networks:
        found["--network"] = f"network {settings.network} (written for {' or '.join(definition.networks)})"
    if settings.schedule != definition.schedule == "lockstep":
        found["--schedule"] = "any interleaving (written for lock-step)"
    if definition.identifiers == "unique":
        repeated = isinstance(policy.identifiers, tuple) and len(set(policy.identifiers)) < len(policy.identifiers)
        if policy.identifiers == "any" or repeated:
            found["--ids"] = f"identifiers {policy_text(policy)} (written for unique ones)"
    for fault, budget in settings.budgets().items():
        if budget and fault not in definition.tolerates:
            found[FAULTS[fault].asked_by] = f"{fault} up to {budget} (not written for any)"
    return found


def policy_text(policy: Policy) -> str:
    return ",".join(map(str, policy.identifiers)) if isinstance(policy.identifiers, tuple) else policy.identifiers


def initiators_text(policy: Policy) -> str:
    given = policy.initiators
    return given if isinstance(given, str) else ",".join(map(str, given))


def varied(request: Request) -> tuple[str, ...]:
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
    if "root" in definition.knows and policy.root == "each":
        found.append("root")
    return tuple(found)


def _options(request: Request) -> tuple[str, ...]:
    settings, definition, detector = request.settings, request.model.definition, request.detector
    options = []
    if request.graph is not None:
        options += ["--graph", request.graph]
    if settings.network != definition.networks[0]:
        options += ["--network", settings.network]
    if settings.capacity:
        options += ["--capacity", str(settings.capacity)]
    policy = request.policy
    if policy.root != "each":
        options += ["--root", str(policy.root)]
    if settings.crashes and policy.may_crash != definition.may_crash:
        places = policy.may_crash
        options += ["--may-crash", places if isinstance(places, str) else ",".join(map(str, places))]
    if settings.start != "any":
        options += ["--start", settings.start]
    if settings.schedule != definition.schedule:
        options += ["--schedule", settings.schedule]
    for fault, budget in settings.budgets().items():
        if budget and FAULTS[fault].own:
            options += [FAULTS[fault].asked_by, str(budget)]
    if settings.across != "lost":
        options += ["--across", settings.across]
    if detector not in (None, "heartbeat" if settings.partitions else "perfect"):
        options += ["--detector", str(detector)]
    for name, value in settings.parameters:
        if value != definition.parameters[name].default:
            options += ["--set", f"{name}={spelled(value)}"]
    if request.spec is not None:
        options += ["--spec", request.spec]
    if request.reduce != "auto":
        options += ["--reduce", request.reduce]
    if request.part is not None:
        options += ["--part", request.part]
    return tuple(options)


def not_checked(request: Request) -> tuple[str, ...]:
    """What this run says nothing about."""
    settings = request.settings
    budgets, tolerates = settings.budgets(), request.model.definition.tolerates
    without = [fault for fault in FAULTS.values() if not budgets[fault.name]]
    # where nobody crashes and nothing is said of a detector, nobody asks whether it errs
    faults = [f.unchecked for f in without if not f.needs and (f.own or f.name in tolerates or settings.crashes)]
    faults += [fault.unchecked for fault in without if fault.needs and budgets[fault.needs[0]]]
    if settings.links.ordered:
        faults.append("reordering")
    found = ["interleavings other than lock-step"] if settings.schedule == "lockstep" else []
    found += [", ".join(faults)] if faults else []
    found.append("n other than " + ranges(request.sizes))
    policy = request.policy
    if policy.identifiers == "unique":
        found.append("repeated identifiers")
    elif isinstance(policy.identifiers, tuple):
        found.append("other identifiers")
    if policy.initiators != "each" and any(step.kind == "initiate" for step in request.model.definition.steps):
        found.append("fewer initiators" if policy.initiators == "all" else "other initiators")
    if policy.root != "each":
        found.append("other roots")
    if settings.crashes and policy.may_crash != "all":
        found.append("crashes of the root" if policy.may_crash == "others" else "crashes of others")
    if settings.start == "simultaneous" or settings.schedule == "lockstep":
        found.append("later starts")
    several_ports = request.topology.name not in ("one_way_ring",) and not request.topology.any_port_names
    if several_ports:
        found.append("other port namings")
    if request.given:
        found.append("other graphs")
    return tuple(found)


def ranges(sizes: Sequence[int]) -> str:
    """'2..6', or '2, 4, 6'."""
    if len(sizes) > 1 and list(sizes) == list(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]}..{sizes[-1]}"
    return ", ".join(map(str, sizes))
