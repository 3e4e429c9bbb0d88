"""`modelcheck simulate`: numbers of messages of random runs."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from modelcheck.report.terminal.simulation import bars
from modelcheck.simulate import sampling
from modelcheck.simulate.sampling import simulate
from tests.cli.conftest import Type
from tests.conftest import Write


def numbers(**options: Any) -> list[tuple[int, ...]]:
    return [sample.sent for sample in simulate("chang_roberts", **options).samples]


def test_the_same_seed_gives_the_same_runs() -> None:
    assert numbers(n=12, runs=8, seed=3) == numbers(n=12, runs=8, seed=3)
    assert numbers(n=12, runs=8, seed=3) != numbers(n=12, runs=8, seed=4)


def test_the_number_of_workers_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = numbers(n=(9, 12), runs=5, workers=1)
    monkeypatch.setattr(sampling, "WORTH_A_POOL", 0.0)
    assert numbers(n=(9, 12), runs=5, workers=2) == alone


def test_a_run_does_not_depend_on_how_many_others_there_are() -> None:
    assert numbers(n=12, runs=3) == numbers(n=12, runs=8)[:3]


def test_the_mean_is_that_of_the_formula() -> None:
    """n H_n + n messages in the mean with a simultaneous start (E. Chang, R. Roberts 1979): two hundred runs come within
    four standard errors."""
    found = simulate("chang_roberts", n=30, runs=200, start="simultaneous")
    spread = found.spread(30)
    assert spread is not None
    assert abs(spread.mean - 30 * sum(1 / i for i in range(1, 31)) - 30) < 4 * spread.error
    (mean,) = [one for one in found.compared if one.formula.key == "mean"]
    assert mean.errors == pytest.approx((spread.mean - float(mean.value or 0)) / spread.error)


def test_a_run_may_contradict_a_formula(write: Write) -> None:
    model = write(
        """
        class Ball(Message):
            pass

        class Thrower(Process):
            topology = one_way_ring
            complexity = {"at most": "n - 1", "best": "n", "exactly": "n", "at least": "n + 1"}
            thrown: bool = False

            @initiate
            def throw(self):
                self.require(not self.thrown)
                self.thrown = True
                self.send(NEXT, Ball())

            @receive(Ball)
            def catch(self, message):
                pass
        """
    )
    found = simulate(model, n=5, runs=3, start="simultaneous")
    assert {one.formula.word: one.agrees for one in found.compared} == {
        "at most": False,
        "best": True,
        "exactly": True,
        "at least": False,
    }
    assert found.exit_code == 12


def test_the_report_names_what_was_sampled(type_in: Type) -> None:
    found = type_in("simulate", "as_far", "--n", "5,8", "--runs", "6", "--start", "simultaneous")
    assert found.exit_code == 0
    assert "guarantee    none: 12 random runs prove nothing about the others" in found.stdout
    assert "seed 1" in found.stdout
    assert "exactly of Notify  n             8 at n=8; no run contradicts it" in found.stdout
    assert "next         modelcheck messages as_far --start simultaneous --n 2..5" in found.stdout


def test_the_json_holds_every_run(type_in: Type) -> None:
    found = type_in("simulate", "chang_roberts", "--n", "6", "--runs", "7", "--json")
    data = json.loads(found.stdout)
    (size,) = data["sizes"]
    totals = [run["messages"]["total"] for run in size["runs"]]
    assert len(totals) == 7
    assert size["messages"]["total"]["mean"] == pytest.approx(sum(totals) / 7)
    assert size["messages"]["total"]["least"] == min(totals)
    deviation = math.sqrt(sum((t - sum(totals) / 7) ** 2 for t in totals) / 6)
    assert size["messages"]["total"]["deviation"] == pytest.approx(deviation)
    assert all(
        run["messages"]["total"] == run["messages"]["Election"] + run["messages"]["Leader"] for run in size["runs"]
    )


def test_a_property_that_fails_at_an_end_is_reported(type_in: Type) -> None:
    found = type_in("simulate", "chang_roberts", "--ids", "2,2,1", "--runs", "30")
    assert found.exit_code == 12
    assert "fails        at_most_one_leader in" in found.stdout
    assert "next         modelcheck run chang_roberts --ids 2,2,1" in found.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--network", "sticky"), "on a sticky network"),
        (("--runs", "0"), "--runs"),
        (("--n", "ten"), "neither a number"),
        (("--ids", "1,2", "--n", "3"), "2 identifiers"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], message: str, type_in: Type) -> None:
    found = type_in("simulate", "chang_roberts", *words)
    assert found.exit_code == 2
    assert message in found.stderr


def test_a_limit_leaves_what_was_sampled(type_in: Type) -> None:
    found = type_in("simulate", "chang_roberts", "--n", "2000", "--runs", "200", "--max-seconds", "1", "--workers", "1")
    assert found.exit_code == 20
    assert "of 200 runs" in found.stdout
    assert "stopped      the limit of 1 seconds was reached" in found.stdout


def test_a_model_at_fault_is_named_also_where_processes_share_the_work(
    monkeypatch: pytest.MonkeyPatch, write: Write, type_in: Type
) -> None:
    monkeypatch.setattr(sampling, "WORTH_A_POOL", 0.0)
    model = write(
        """
        class Wrong(Process):
            topology = one_way_ring
            done: bool = False

            @initiate
            def begin(self):
                self.require(not self.done)
                self.done = True
                if self.draw((False, True), weights=(9, 1)):
                    self.done = 7
        """
    )
    found = type_in("simulate", model, "--n", "4", "--runs", "40", "--workers", "2")
    assert found.exit_code == 75
    assert "done" in found.stderr


def test_bars_hold_every_number() -> None:
    for values in ([5], [1, 1, 2], list(range(100)), [10**6, 3], [7, 7, 7]):
        found = bars(values)
        assert sum(count for _, _, count in found) == len(values)
        assert len(found) <= 12
        assert all(low <= high for low, high, _ in found)
        for low, high, count in found:
            assert count == sum(low <= value <= high for value in values)


def test_where_no_process_can_be_started_the_runs_are_made_here(tmp_path: Path) -> None:
    """A program that is read from standard input cannot be imported by others."""
    program = """
from modelcheck.simulate import sampling
sampling.WORTH_A_POOL = 0.0
found = sampling.simulate("chang_roberts", n=6, runs=5, workers=2)
print([sample.sent[0] for sample in found.samples])
"""
    found = subprocess.run(
        [sys.executable, "-"], input=program, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True
    )
    assert found.stdout.strip() == str([sent[0] for sent in numbers(n=6, runs=5)])


# --- one of the runs


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"n": 5}),
        ("chang_roberts", {"n": 4, "network": "bag", "start": "simultaneous"}),
        ("itai_rodeh", {"n": 3}),
        ("bully", {"n": 4}),
        ("harmony_leader", {"n": 2}),
        ("spanning_tree", {"n": 5, "graph": "complete"}),
        ("stages", {"n": 4, "network": "set"}),
        ("prob_as_far", {"n": 4, "start": "simultaneous"}),
    ],
)
def test_every_run_is_one_that_the_plain_semantics_knows(model: str, options: dict[str, Any]) -> None:
    """Step by step, with the state it ends in: `run` raises ReplayError otherwise."""
    found = simulate(model, runs=6, **options)
    for sample in found.samples:
        shown = found.run(str(sample.number))
        assert len(shown.steps) + len(shown.starts) == sample.steps
        assert sum(len(step.sent) for step in (*shown.starts, *shown.steps)) == sample.sent[0]


def test_the_worst_run_is_printed_drawn_and_kept(type_in: Type, tmp_path: Path) -> None:
    picture, kept = tmp_path / "worst.svg", tmp_path / "worst.json"
    words = ("--n", "5", "--runs", "9", "--show", "worst", "--diagram", str(picture), "--trace", str(kept))
    found = type_in("simulate", "chang_roberts", *words)
    assert found.exit_code == 0
    greatest = re.search(r"^ +5  total +9 .* (\d+)(?:  +[\d.]+){2}$", found.stdout, re.M)
    assert greatest
    assert re.search(rf"^RUN \d of n=5  {greatest[1]} messages", found.stdout, re.M)
    assert "<svg" in picture.read_text()
    again = type_in("trace", str(kept))
    assert again.exit_code == 0
    assert f"{greatest[1]} messages are sent" in again.stdout


def test_a_run_that_fails_is_shown_to_its_last_step(write: Write) -> None:
    model = write(
        """
        class Ball(Message):
            pass

        class Careless(Process):
            topology = one_way_ring
            thrown: bool = False

            @initiate
            def throw(self):
                self.require(not self.thrown)
                self.thrown = True
                self.send(NEXT, Ball())
        """
    )
    shown = simulate(model, n=3, runs=1).run("1")
    assert shown.steps[-1].failure == "Ball() arrives and no step receives it"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--show", "7"), "there is no run '7' of n=3: it is worst, best, or a number up to 2"),
        (("--show", "worse"), "there is no run 'worse'"),
        (("--diagram", "run.svg"), "give --show 1 as well"),
        (("--show", "1", "--diagram", "run.txt"), ".svg, .png, .pdf"),
    ],
)
def test_a_run_that_is_not_there_is_refused(words: tuple[str, ...], message: str, type_in: Type) -> None:
    found = type_in("simulate", "chang_roberts", "--n", "3", "--runs", "2", *words)
    assert found.exit_code == 2
    assert message in found.stderr


def test_a_run_too_long_to_look_at_is_refused(type_in: Type) -> None:
    found = type_in("simulate", "chang_roberts", "--n", "500", "--runs", "1", "--show", "1")
    assert found.exit_code == 2
    assert "choose a smaller --n" in found.stderr
