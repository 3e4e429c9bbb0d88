"""The parts of a trace in a file, each checked: the world, states, steps, values. What stands where tracefile.py says."""

from __future__ import annotations

import re

from ...language.faults import DEEDS
from ...language.topology import Link, Shape
from ...language.values import Port, port_called
from ...runs.plain import Members, Plain, Record
from ...runs.trace import ProcessState, Send, Snapshot, TraceStep, Waiting
from ...semantics.worlds import World
from .untrusted_json import Place

MOST_PROCESSES = 1_000
MOST_PORTS = 1_000  # of one process
DEEPEST = 40  # values within values
ABOUT = {"initiate": "process", "step": "process", "receive": "message"} | {kind: DEEDS[kind].about for kind in DEEDS}


# --- the world -----------------------------------------------------------------------------------------------------


def read_world(place: Place) -> World:
    n = place["n"].number(1, MOST_PROCESSES)
    shape = _shape(place, n)
    identifiers = tuple(None if item.value is None else item.number(0) for item in place["identifiers"].items())
    if len(identifiers) != n or (None in identifiers and any(identifiers)):
        place["identifiers"].refuse(f"all {n} processes have an identifier, or none has")
    initiators = [item.number(1, n) - 1 for item in place["initiators"].items()]
    given = place.get("root")
    root = given.number(1, n) - 1 if given else None
    those = place.get("may_crash")
    fallible = frozenset(item.number(1, n) - 1 for item in those.items()) if those else None
    return World(shape, identifiers, frozenset(initiators), root, place["stands_for"].number(1), fallible)


def _shape(place: Place, n: int) -> Shape:
    names = [item.name() for item in place["port_names"].items()]
    if len(names) > MOST_PORTS:
        place["port_names"].refuse(f"no process has more than {MOST_PORTS} ports")
    known = [_port(number, name, place) for number, name in enumerate(names)]
    links: list[Link] = []
    for item in place["links"].items():
        links.append(
            Link(
                item["from"].number(1, n) - 1,
                known[item["out_port"].number(0, len(known) - 1)],
                item["to"].number(1, n) - 1,
                known[item["in_port"].number(0, len(known) - 1)],
            )
        )
    for ends in ([(k.source, k.out_port) for k in links], [(k.target, k.in_port) for k in links]):
        if len(set(ends)) < len(ends):
            place["links"].refuse("two links share a port")
    out: list[list[Port]] = [[] for _ in range(n)]
    for link in links:
        out[link.source].append(link.out_port)
    return Shape(place["graph"].name(), n, tuple(links), tuple(tuple(sorted(ports)) for ports in out))


def _port(number: int, name: str, place: Place) -> Port:
    found = port_called(name, number)
    return found if found is not None else place["port_names"].refuse(f"port {number} is not called {name}")


# --- states and steps ----------------------------------------------------------------------------------------------


class States:
    """Reads the states and the steps of one run, whose world and whose variables are known."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.labels = {world.label(k): k for k in range(world.n)}
        self.network = world.label(world.n)
        self.senders = [{str(port): world.label(k) for port, k in ports.items()} for ports in world.sender]
        self.targets = [{str(p): world.label(k) for p, (k, _) in ports.items()} for ports in world.route]
        self.names: list[str] | None = None  # of the local variables, known from the first process that is up
        self.shared: list[str] | None = None

    def snapshot(self, place: Place) -> Snapshot:
        here = place["processes"].items()
        if len(here) != self.world.n:
            place["processes"].refuse(f"there are {self.world.n} processes, and {len(here)} stand here")
        processes = tuple(self._process(item, label) for item, label in zip(here, self.labels, strict=True))
        shared, values = self._variables(place, "shared", "shared_values", self.shared)
        self.shared = [name for name, _ in shared]
        return Snapshot(processes, shared, self._blocks(place), values)

    def _process(self, place: Place, label: str) -> ProcessState:
        if place["process"].word(self.labels, "") != label:
            place["process"].refuse(f"{label} stands in this place")
        crashed = place["crashed"].truth()
        variables, values = self._variables(place, "fields", "values", self.names, crashed)
        if not crashed:
            self.names = [name for name, _ in variables]
        waiting = tuple(self._waiting(item, self.senders[self.labels[label]]) for item in place["waiting"].items())
        return ProcessState(label, crashed, variables, waiting, values)

    def _variables(
        self, place: Place, texts: str, values: str, known: list[str] | None, crashed: bool = False
    ) -> tuple[tuple[tuple[str, str], ...], tuple[Plain, ...]]:
        """Variables by name, which are the same in all states; a crashed process has some of them."""
        found = tuple((name, given.text()) for name, given in place[texts].each_field())
        names = [name for name, _ in found]
        if known is not None and names != [name for name in known if name in names or not crashed]:
            place[texts].refuse(
                f"the variables are {', '.join(names) or 'none'}, and should be {', '.join(known) or 'none'}"
            )
        beside = dict(place[values].each_field())
        if list(beside) != names:
            place[values].refuse(f"they are not those of the {texts!r} beside them")
        return found, tuple(_plain(given) for given in beside.values())

    def _waiting(self, place: Place, senders: dict[str, str]) -> Waiting:
        port = place["port"].word(senders, "way in by ")
        source = place["source"].word((senders[port],), f"link to {port} from ")
        return Waiting(place["message"].text(), port, source, place["held"].truth(), _plain(place["value"]))

    def _blocks(self, place: Place) -> str:
        given = place.get("blocks")
        if given is None:
            return ""
        blocks = [[item.text() for item in block.items()] for block in given.items()]
        everyone = sorted(f"p{k + 1}" for k in range(self.world.n))
        if sorted(name for block in blocks for name in block) != everyone or not all(blocks):
            given.refuse("each process stands in one block")
        return " | ".join(map(" ".join, blocks))

    def step(self, place: Place) -> TraceStep:
        process = place["process"].word((*self.labels, self.network), "")
        kind = place["kind"].word(ABOUT, "kind of step ")
        if (ABOUT[kind] == "network") != (process == self.network):
            place["kind"].refuse(f"that is no step of {process}")
        received, port, source = self._received(place, kind, process)
        rounds, failure, where = place.get("round"), place.get("failure"), place.get("where")
        choices = tuple(item.text() for item in place["choices"].items())
        draws, reads, chances = place.get("draws"), place.get("reads"), place.get("chances")
        return TraceStep(
            process=process,
            step=self._name(place["step"], kind),
            kind=kind,
            received=received,
            port=port,
            source=source,
            changed=self._changed(place["changed"], kind),
            sent=tuple(self._sent(item, process) for item in place["sent"].items()),
            choices=choices,
            failure=failure.text() if failure else None,
            state=self.snapshot(place["state"]),
            where=where.text() if where else "",
            traceback=tuple(item.text() for item in place["traceback"].items()),
            round=rounds.number(1) if rounds else None,
            draws=draws.number(0, len(choices)) if draws else 0,
            chances=tuple(map(self._chance, chances.items())) if chances else (),
            reads=tuple(item.word(self.shared or (), "shared variable ") for item in reads.items()) if reads else None,
        )

    @staticmethod
    def _chance(place: Place) -> str:
        """A probability: '1/3', or '1'."""
        text = place.text()
        if not re.fullmatch(r"1|[1-9]\d{0,30}/[1-9]\d{0,30}", text):
            place.refuse("a probability is written as 1/3")
        return text

    def _name(self, place: Place, kind: str) -> str:
        """What the step is called; of a fault one of its own names, unless a step of the model may run in it."""
        deed = DEEDS.get(kind)
        return place.text() if deed is None or deed.runs_code else place.word(deed.said, f"step of the kind {kind} ")

    def _received(self, place: Place, kind: str, process: str) -> tuple[str | None, str | None, str | None]:
        """What was received, at which port and from whom; a false suspicion has a port, and who it misleads."""
        wanted = {"received": ABOUT[kind] == "message", "port": ABOUT[kind] in ("message", "link")}
        for name in ("received", "port", "source"):
            if (place.get(name) is not None) != wanted.get(name, wanted["port"]):
                place[name].refuse(
                    f"a step of the kind {kind} has {'one' if wanted.get(name, wanted['port']) else 'none'}"
                )
        if not wanted["port"]:
            return None, None, None
        ends = (self.senders if wanted["received"] else self.targets)[self.labels[process]]
        port = place["port"].word(ends, "")
        source = place["source"].word((ends[port],), f"link over {port} to ")
        return place["received"].text() if wanted["received"] else None, port, source

    def _changed(self, place: Place, kind: str) -> tuple[tuple[str, str, str], ...]:
        changed = tuple((item["field"].text(), item["before"].text(), item["after"].text()) for item in place.items())
        if ABOUT[kind] == "network" and [name for name, _, _ in changed] != ["blocks"]:
            place.refuse("a step of the network changes its blocks, and nothing else")
        return changed

    def _sent(self, place: Place, process: str) -> Send:
        ports = self.targets[self.labels[process]] if process in self.labels else {}
        port, across = place["port"].word(ports, "way out by "), place.get("across")
        return Send(
            port,
            place["message"].text(),
            place["target"].word((ports[port],), f"link over {port} to "),
            across.word(("lost", "held"), "fate ") if across else "",
        )


def _plain(place: Place, depth: int = 0) -> Plain:
    """A value as plain data."""
    if depth > DEEPEST:
        place.refuse("values do not go so deep")
    value = place.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return place.text()
    if isinstance(value, list):
        return tuple(_plain(item, depth + 1) for item in place.items())
    if "set" in value:
        return Members(tuple(_plain(item, depth + 1) for item in place["set"].items()))
    inner = tuple((name, _plain(given, depth + 1)) for name, given in place["fields"].each_field())
    return Record(place["record"].text(), inner)
