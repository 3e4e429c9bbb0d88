"""Faults and networks: every table that tells of them knows each of them, and what nobody has said the meaning of is refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from modelcheck import Process, api, catalog, check, options
from modelcheck.check.request import Circumstances, read_request
from modelcheck.cli import cli
from modelcheck.errors import UsageError
from modelcheck.export.tabulate import EXPORTED
from modelcheck.graph import building
from modelcheck.language import faults
from modelcheck.language.faults import DEEDS, FAULTS, Deed, Fault
from modelcheck.language.networks import NETWORKS, NetworkKind
from modelcheck.pictures import telling
from modelcheck.pictures.diagram import diagram
from modelcheck.pictures.marks import DEED_MARKS, event_mark
from modelcheck.report.files import as_json
from modelcheck.report.files.mermaid import mermaid
from modelcheck.report.files.traceparts import States
from modelcheck.report.files.untrusted_json import Place
from modelcheck.report.words.sentences import sentence
from modelcheck.report.words.steps import in_a_line
from modelcheck.runs import causality, trace
from modelcheck.runs.trace import Trace
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System, Transition
from modelcheck.semantics.worlds import Policy, Worlds
from modelcheck.web.faces import step_data

STEPS = [(kind, name) for kind, deed in DEEDS.items() for name in deed.said]
OWN = [name for name, fault in FAULTS.items() if fault.own]
GUIDE = Path(faults.__file__).parent.parent / "guide" / "faults.md"


@cache
def run_to(kind: str, name: str) -> tuple[System, Trace, Transition]:
    """A shortest run of two processes that ends in such a step, where all faults may happen."""
    definition = catalog.find_model("bully_partition").definition
    parameters = tuple(definition.parameter_values({}).items())
    settings = Settings(
        "fifo", parameters, across="held" if name == "hold" else "lost", cuts_reported=True, **dict.fromkeys(FAULTS, 1)
    )
    system = System(definition, settings)
    world = next(iter(Worlds(definition, definition.topologies[0], 2, Policy(definition.identifiers))))
    start = next(iter(system.starts(world)))
    waiting: deque[tuple[Any, tuple[Transition, ...]]] = deque([(start.state, ())])
    seen = {start.state}
    while waiting:
        state, taken = waiting.popleft()
        for step in system.successors(world, state):
            if step.outcome.kind == kind and DEEDS[kind].name_of(step.outcome.step) == name:
                return system, trace.build(system, world, start, [*taken, step], "p1 says no"), step
            if step.after is not None and step.after not in seen:
                seen.add(step.after)
                waiting.append((step.after, (*taken, step)))
    raise AssertionError(f"nothing does {kind} {name}")


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), STEPS)
def test_what_a_fault_does_is_told_everywhere(kind: str, name: str) -> None:
    """As a sentence, in a table, in a picture, as Mermaid; read from a file it is the same."""
    system, run, _ = run_to(kind, name)
    step, deed = run.steps[-1], DEEDS[kind]
    assert step.deed is deed
    said = deed.happens(name)
    assert said in sentence(step) or deed.about == "link"
    assert step.process in str(in_a_line(step))
    assert step.process in sentence(step).replace("The", "the")
    assert said in telling.name_of(step)
    assert said in mermaid(run, "")
    assert said in step_data(step)["said"] or deed.runs_code
    assert f"kind-{kind}" in diagram(run)
    states = States(run.world)
    states.snapshot(Place("file", as_json._state(run.initial)))
    assert states.step(Place("file", as_json._step(step))) == step
    assert system.settings.budgets()[deed.fault]


@pytest.mark.parametrize(("kind", "name"), STEPS)
def test_what_a_step_of_a_fault_is_about_is_what_it_has(kind: str, name: str) -> None:
    """A message is received from a port, a link is a port, and the network takes the step by itself."""
    _, run, taken = run_to(kind, name)
    step, about = run.steps[-1], DEEDS[kind].about
    assert (step.received is not None) == (about == "message")
    assert (step.port is not None) == (about in ("message", "link"))
    assert (step.process == causality.NETWORK) == (about == "network")
    assert (building._received(taken.outcome) != "") == (about == "message")
    copies = any(flight.origin == "copy" for flight in causality.flights(run))
    assert copies == DEEDS[kind].copies
    lost = any(flight.fate == "lost" and flight.ended == len(run.steps) - 1 for flight in causality.flights(run))
    assert lost or name not in DEEDS[kind].gone


def test_a_message_that_is_said_to_be_lost_is_gone() -> None:
    gone = {(kind, name) for kind, deed in DEEDS.items() for name in deed.gone}
    assert gone == {(kind, name) for kind, name in STEPS if DEEDS[kind].said[name] == "lost"} != set()


def test_nobody_is_suspected_where_nobody_consults_a_detector() -> None:
    definition = catalog.find_model("chang_roberts").definition
    with pytest.raises(UsageError, match="it consults no failure detector, so nothing can mislead it"):
        Settings("fifo", suspicions=1).check(definition)


@pytest.mark.parametrize("kind", DEEDS)
def test_a_step_of_a_fault_in_a_file_has_one_of_its_names(kind: str) -> None:
    """But for a recovery, which may be a step of the model."""
    _, run, _ = run_to(kind, next(iter(DEEDS[kind].said)))
    states = States(run.world)
    states.snapshot(Place("file", as_json._state(run.initial)))
    written = as_json._step(run.steps[-1]) | {"step": "vanish"}
    if DEEDS[kind].runs_code:
        assert states.step(Place("file", written)).step == "vanish"
    else:
        with pytest.raises(UsageError, match=f"there is no step of the kind {kind} vanish"):
            states.step(Place("file", written))


def test_a_process_that_is_down_can_recover_and_neither_crashes_nor_is_suspected() -> None:
    """Though there is a budget for each."""
    system, _, taken = run_to("crash", "crash")
    everything = system._environment(taken.outcome.environment.shared, *system.settings.faults().values())
    assert {outcome.kind for outcome in system.outcomes(everything, taken.outcome.component)} == {"recover"}


@pytest.mark.parametrize("kind", DEEDS)
def test_a_fault_uses_up_one_of_its_budget_and_nothing_else(kind: str) -> None:
    _, _, taken = run_to(kind, next(iter(DEEDS[kind].said)))
    deed, left = DEEDS[kind], taken.outcome.environment.budgets
    if not deed.free and not FAULTS[deed.fault].of_network:
        assert left[faults.OF_ENVIRONMENT.index(deed.fault)] == 0


def test_every_fault_has_a_budget_an_option_and_an_argument_and_does_something() -> None:
    settings = {field.name for field in fields(Settings)}
    options_of_run = {option.name for option in _options(options.run_options)}
    for name, fault in FAULTS.items():
        assert name == fault.name
        assert name in settings
        assert any(deed.fault == name for deed in DEEDS.values())
        assert name in (Process.__doc__ or "")
        assert fault.asked_by in GUIDE.read_text()
        if fault.own:
            assert name in options_of_run
            assert name in signature(api.check).parameters
            assert name in Circumstances.__annotations__


def test_every_deed_is_of_a_fault_and_has_a_mark() -> None:
    for kind, deed in DEEDS.items():
        assert kind == deed.kind
        assert deed.fault in FAULTS
        assert deed.about == "network" or kind in System(*_asked({}))._deeds
    assert DEED_MARKS.keys() == {name for _, name in STEPS}
    assert all(kind in DEEDS for kind in EXPORTED)


@pytest.mark.parametrize("fault", OWN)
def test_an_option_of_a_fault_reaches_its_budget(fault: str) -> None:
    needs = dict.fromkeys((FAULTS[fault].needs or ())[:1], 1)
    request = read_request("bully_partition", n=2, **{fault: 2, **needs})  # type: ignore[arg-type]
    assert request.settings.budgets() == {**dict.fromkeys(FAULTS, 0), fault: 2, **needs}
    assert [FAULTS[fault].asked_by, "2"] in [
        list(pair) for pair in zip(request.options[::2], request.options[1::2], strict=True)
    ]


@pytest.mark.parametrize("fault", [fault for fault in FAULTS.values() if fault.needs])
def test_a_fault_that_cannot_happen_without_another_is_refused_without_it(fault: Fault) -> None:
    assert fault.needs is not None
    with pytest.raises(UsageError, match=f"add {FAULTS[fault.needs[0]].asked_by} K"):
        check("chang_roberts", n=2, **{fault.name: 1})  # type: ignore[arg-type]


def test_a_deed_that_has_no_meaning_is_refused_and_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    garble = Deed(
        kind="garble", fault="losses", about="message", said={"garble": "garbled"}, sentence="{received} {said}"
    )
    monkeypatch.setitem(DEEDS, "garble", garble)  # type: ignore[misc]
    assert check("chang_roberts", n=2).verdict == "HOLDS"
    with pytest.raises(KeyError, match="garble"):
        check("chang_roberts", n=2, losses=1)
    with pytest.raises(KeyError, match="garble"):
        event_mark("garble", 0, 0)
    with pytest.raises(click.UsageError, match="--losses is not exported"):
        _invoke("export", "chang_roberts", "--n", "2", "--losses", "1", "--to", "murphi")


def test_a_fault_without_a_budget_in_the_settings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAULTS, "omissions", Fault(name="omissions", help="", unchecked="omission"))  # type: ignore[misc]
    with pytest.raises(AttributeError, match="omissions"):
        check("chang_roberts", n=2)


# --- networks --------------------------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run", "{model}", "--n", "2", "--network", "{network}"),
    "messages": ("messages", "{model}", "--n", "2", "--network", "{network}"),
    "simulate": ("simulate", "{model}", "--n", "2", "--runs", "2", "--network", "{network}"),
    "graph": ("graph", "{model}", "--n", "2", "--network", "{network}", "--out", "{folder}/states.dot"),
    "promela": ("export", "{model}", "--n", "2", "--network", "{network}", "--to", "promela"),
    "murphi": ("export", "{model}", "--n", "2", "--network", "{network}", "--to", "murphi"),
}
ONCE = """\
from modelcheck import *

class Word(Message):
    pass

class Once(Process):
    topology = one_way_ring
    networks = {networks!r}
    said: bool = False
    heard: bool = False

    @initiate
    def say(self):
        self.require(not self.said)
        self.said = True
        self.send(NEXT, Word())

    @receive(Word)
    def hear(self, message):
        self.heard = True
"""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_is_known_to_every_command(network: str, command: str, tmp_path: Path) -> None:
    """Random runs alone refuse one that keeps messages, and programs one that replaces them, and say so."""
    (tmp_path / "once.py").write_text(ONCE.format(networks=tuple(NETWORKS)))
    words = [word.format(model=tmp_path / "once.py", network=network, folder=tmp_path) for word in COMMANDS[command]]
    if command == "simulate" and NETWORKS[network].keeps:
        with pytest.raises(click.UsageError, match=f"on a {network} network messages are received again and again"):
            _invoke(*words)
    elif words[0] == "export" and NETWORKS[network].replaces:
        with pytest.raises(click.UsageError, match=f"--network {network} is not exported"):
            _invoke(*words)
    else:
        assert _invoke(*words)


@pytest.mark.parametrize("network", NETWORKS.values(), ids=lambda kind: kind.name)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_a_network_that_keeps_messages_refuses_the_faults_that_mean_nothing_there(
    network: NetworkKind, fault: Fault
) -> None:
    definition, _ = _asked({})
    needs = dict.fromkeys((fault.needs or ())[:1], 1)
    settings = Settings(network.name, cuts_reported=True, **{fault.name: 1, **needs})  # type: ignore[arg-type]
    senseless = [name for name in (fault.name, *needs) if FAULTS[name].never_kept]
    if network.replaces and fault.name == "duplications":
        with pytest.raises(UsageError, match="a copy would take the place of its original"):
            settings.check(definition)
    elif network.keeps and senseless:
        with pytest.raises(UsageError, match=f"a {network.name} network"):
            settings.check(definition)
    else:
        settings.check(definition)


def test_a_kind_of_network_says_all_that_its_links_do() -> None:
    with pytest.raises(TypeError, match="keeps"):
        NetworkKind(name="weird", sentence="", ordered=False, merges=False, replaces=False)  # type: ignore[call-arg]
    for ordered, merges, keeps, replaces in (
        *(
            (True, True, False, False),
            (True, False, True, False),
            (True, True, True, False),
            (False, False, True, False),
        ),
        (False, False, False, True),
    ):
        with pytest.raises(ValueError, match="nobody has said what links of the kind weird do"):
            NetworkKind(name="weird", sentence="", ordered=ordered, merges=merges, keeps=keeps, replaces=replaces)


# --- what they share -------------------------------------------------------------------------------------------------


def _asked(around: dict[str, Any]) -> tuple[Any, Settings]:
    definition = catalog.find_model("bully_partition").definition
    return definition, Settings("fifo", tuple(definition.parameter_values({}).items()), **around)


def _options(of: Callable[[Any], Any]) -> list[click.Option]:
    def command() -> None: ...

    return list(of(command).__click_params__)


def _invoke(*words: str) -> str:
    found = CliRunner().invoke(cli, list(words), prog_name="modelcheck", standalone_mode=False)
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code in (0, 12), found.output
    return found.output
