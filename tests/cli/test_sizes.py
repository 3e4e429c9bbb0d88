"""Sizes beyond what can be searched: a verdict at the limit, in numbers that people read, or a usage error, never a traceback."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from modelcheck import Limits, UsageError, check
from modelcheck.catalog import find_model
from modelcheck.count.ranges import big
from modelcheck.explore.limits import Meter
from modelcheck.language.topology import one_way_ring
from modelcheck.report.terminal.progress import sentence
from modelcheck.semantics.settings import Settings
from modelcheck.semantics.system import System
from modelcheck.semantics.worlds import World

from .conftest import Type

# log10(2000!) = 5735.52 by Stirling's formula, n log n - n + log(2 pi n)/2 + 1/(12 n): so 2000! is 3.3 x 10^5735
STIRLING = (2000 * math.log(2000) - 2000 + math.log(2 * math.pi * 2000) / 2 + 1 / 24000) / math.log(10)


def test_a_number_that_nobody_reads_is_told_by_its_power_of_ten() -> None:
    assert big(5040) == "5,040"
    assert big(10**30 - 1) == ",".join(["999"] * 10)
    assert big(10**30) == "about 1.0 x 10^30"
    assert (
        big(math.factorial(2000)) == f"about {10 ** (STIRLING % 1):.1f} x 10^{int(STIRLING)}" == "about 3.3 x 10^5735"
    )
    assert big(-3 * 10**40) == "about -3.0 x 10^40"
    assert big(10**5000 - 1) == "about 1.0 x 10^5000"


def test_two_thousand_processes_end_at_the_limit_with_a_verdict(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "2000", "--max-seconds", "0.5")
    assert found.exit_code == 20
    assert found.stdout.startswith("INCONCLUSIVE")
    assert "standing for 0 of about 3.3 x 10^5735 assignments" in found.stdout
    assert "the limit of 0.5 seconds was reached" in found.stdout


@pytest.mark.parametrize("command", ["run", "messages"])
def test_so_does_their_json_with_a_text_for_the_number(command: str, type_in: Type, tmp_path: Path) -> None:
    found = type_in(command, "chang_roberts", "--n", "2000", "--max-seconds", "0.5", "--json", "found.json")
    assert found.exit_code == 20
    written = json.loads((tmp_path / "found.json").read_text())
    if command == "run":
        assert written["worlds"]["to_represent"] == "about 3.3 x 10^5735"
        assert written["sizes"][0]["n"] == 2000


def test_their_page_is_written_as_well(type_in: Type, tmp_path: Path) -> None:
    found = type_in("run", "chang_roberts", "--n", "2000", "--max-seconds", "0.5", "--html", "found.html")
    assert found.exit_code == 20
    assert "about 3.3 x 10^5735" in (tmp_path / "found.html").read_text()


def test_of_a_range_of_sizes_the_report_says_which_were_not_begun(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "1..99999", "--max-states", "200")
    assert found.exit_code == 20
    assert "; nothing of n=5..99999" in found.stdout  # n=4 has 497 states
    assert "n=1..99999" in found.stdout.splitlines()[0]


def test_a_range_of_sizes_ends_at_the_limit_while_its_graphs_are_built(type_in: Type) -> None:
    found = type_in("run", "echo_extinction", "--graph", "star", "--n", "2..99999", "--max-seconds", "0.5")
    assert found.exit_code == 20
    assert found.stdout.startswith("INCONCLUSIVE")
    assert "the limit of 0.5 seconds was reached" in found.stdout


@pytest.mark.parametrize("command", ["run", "messages", "graph", "simulate"])
@pytest.mark.parametrize(
    "sizes", ["9" * 5000, "1.." + "9" * 5000, "1..10000000000", "100001", "100001..100002", "0" * 5000, "1.." * 2000]
)
def test_what_is_no_size_of_a_system_is_a_usage_error(command: str, sizes: str, type_in: Type) -> None:
    found = type_in(command, "chang_roberts", "--n", sizes)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert "Traceback" not in found.stderr
    assert len(found.stderr) < 2000


def test_so_it_is_for_a_caller() -> None:
    for n in (100_001, 10**5000, range(1, 10**9)):
        with pytest.raises(UsageError, match="at most 100,000 processes"):
            check("chang_roberts", n=n)


def test_progress_tells_large_numbers_in_the_same_way() -> None:
    meter = Meter(Limits())
    meter.size, meter.represented, meter.to_represent = 2000, 2000, math.factorial(2000)
    assert sentence(meter).startswith("n=2000: 2,000 of about 3.3 x 10^5735 assignments, 0 states")
    assert "left" not in sentence(meter)


def test_a_thousand_and_more_processes_can_all_begin_at_once() -> None:
    definition = find_model("chang_roberts").definition
    parameters = tuple(definition.parameter_values({}).items())
    system = System(definition, Settings("fifo", parameters, start="simultaneous"))
    world = World(next(one_way_ring.shapes(1100)), tuple(range(1, 1101)), frozenset(range(1100)), None, 1)
    (start,) = system.starts(world)
    assert len(start.steps) == 1100
