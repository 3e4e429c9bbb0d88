"""What the tests of all folders share: a protocol is written to a file, as its author would, and checked."""

from __future__ import annotations

import gc
import itertools
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from modelcheck import Limits, ahead, catalog, check
from modelcheck.check.result import Result
from modelcheck.explore import reference
from modelcheck.explore.exploration import Exploration, PlainExploration
from modelcheck.explore.limits import Meter
from modelcheck.language.definition import Definition
from modelcheck.report.files import as_json
from modelcheck.semantics.components import State
from modelcheck.semantics.lockstep import system_for
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import Policy, World, Worlds
from modelcheck.witness import interpreters

pytest_plugins = ["tests.browser"]

HEADER = """\
from __future__ import annotations
import dataclasses, enum, random, sys, time
from dataclasses import dataclass
from typing import Literal, NamedTuple
from modelcheck import *
"""

Write = Callable[..., str]

# What is too long for every day, as pytest names it.
LONG = frozenset((Path(__file__).parent / "thorough.txt").read_text().splitlines())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="also what is too long for every day, and all with witness"
    )


def pytest_configure(config: pytest.Config) -> None:
    """No test fails for taking long, and Hypothesis tries as much as there is time for."""
    settings.register_profile(
        "modelcheck",
        max_examples=300 if config.getoption("thorough") else 60,
        deadline=None,
        phases=set(Phase)
        - {Phase.explain},  # which watches lines run: then nothing else may, and no line is known to have run
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    settings.load_profile("modelcheck")
    ahead.decline()  # there are as many processes as cores already


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is marked as thorough, or named in `thorough.txt`, unless it is asked for."""
    for item in items:
        if item.nodeid in LONG:
            item.add_marker("thorough")
    if not config.getoption("thorough"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("thorough")])
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: the garbage collector need not look at it, nor for more so often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether everything is to be tried, and not only as much as there is time for every day."""
    return bool(request.config.getoption("thorough"))


@pytest.fixture(autouse=True)
def state_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes checkpoints into the home of whoever runs it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(autouse=True)
def without_witness(request: pytest.FixtureRequest, thorough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """No interpreter takes the steps of a run again: in most tests that takes longer than the run. Those that are about it, and
    those that are about whole commands, are marked as `witnessed`; under `--thorough` all are."""

    def refuse(*_: object) -> None:
        raise OSError("most tests do without")

    if not thorough and request.node.get_closest_marker("witnessed") is None:
        monkeypatch.setattr(interpreters, "_idle", {})
        monkeypatch.setattr(interpreters.Interpreter, "__init__", refuse)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a model file, with the usual imports before the given text, and returns its path."""
    numbers = itertools.count(1)

    def writer(text: str, name: str = "", *, header: str = HEADER) -> str:
        path = tmp_path / f"{name or f'model_{next(numbers)}'}.py"
        path.write_text(header + textwrap.dedent(text))
        return str(path)

    return writer


@pytest.fixture
def run(write: Write) -> Callable[..., Result]:
    """Writes a model and checks it."""

    def runner(text: str, **options: Any) -> Result:
        return check(write(text), **options)

    return runner


@pytest.fixture
def explored(write: Write) -> Callable[..., list[Explored]]:
    """Writes a model and explores its worlds with the reference engine, without any property."""

    def runner(text: str, n: int = 2, policy: Policy | None = None, **settings: Any) -> list[Explored]:
        definition = catalog.find_model(write(text)).definition
        return list(explore_worlds(definition, n, policy or Policy(), Settings(**{"network": "fifo"} | settings)))

    return runner


def said(result: Result) -> dict[str, Any]:
    """All that JSON tells but the times, and what was taken again, which is each run's own."""
    data = as_json.document(result)
    return {name: value for name, value in data.items() if name not in ("seconds", "taken_again")}


class Explored:
    """One world and all that is reachable in it. `steps` are (number, transition, number after)."""

    def __init__(self, system: System, world: World, found: Exploration) -> None:
        self.system, self.world, self.found = system, world, found
        self._numbers = {state: number for number, state in enumerate(found.states)}

    def number_of(self, state: State) -> int:
        return self._numbers[state]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """States, transitions, terminal states, depth."""
        found = self.found
        return len(found.states), found.transitions, len(found.terminals), max(found.depths)

    def fields(self, number: int) -> tuple[tuple[Any, ...], ...]:
        """The local variables of every process."""
        return tuple(component.fields for component in self.found.states[number][1:])

    @property
    def endings(self) -> set[tuple[tuple[Any, ...], ...]]:
        """The local variables in the terminal states."""
        return {self.fields(number) for number in self.found.terminals}


def explore_worlds(definition: Definition, n: int, policy: Policy, settings: Settings) -> Iterator[Explored]:
    topology = definition.topologies[0]
    system = system_for(definition, settings)
    for world in Worlds(definition, topology, n, policy):
        found = PlainExploration(world)
        reference.explore(system, found, Silent(), Meter(Limits()))
        yield Explored(system, world, found)


class Silent:
    """An observer that does not care."""

    def on_state(self, *_: object) -> None: ...
    def on_step(self, *_: object) -> None: ...
    def on_terminal(self, *_: object) -> None: ...
    def on_failure(self, *_: object) -> None: ...
