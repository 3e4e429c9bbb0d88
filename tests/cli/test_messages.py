"""`modelcheck messages` as a user types it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from click.testing import Result

from modelcheck.check import checker
from modelcheck.report.words import verdict_block

Type = Callable[..., Result]


def test_the_table_the_formulas_and_the_arrangements(type_in: Type) -> None:
    shown = type_in("messages", "chang_roberts", "--n", "2..4", "--start", "simultaneous")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("HOLDS  exact numbers of messages      chang_roberts  n=2..4")
    assert re.search(r"4  total +11 +12\.3333 +14\n", shown.stdout)
    assert re.search(r"Leader +4 +4 +4\n", shown.stdout)
    assert re.search(r"mean +n H_n \+ n +agrees\n", shown.stdout)
    assert "greatest     14: one-way ring of 4, ids 1,4,3,2; 14 steps" in shown.stdout
    assert "next         modelcheck messages chang_roberts --start simultaneous --n 2..4 --show worst" in shown.stdout


@pytest.mark.parametrize(("extreme", "number"), [("worst", 9), ("best", 8)])
def test_the_run_that_attains_an_extreme(type_in: Type, extreme: str, number: int) -> None:
    shown = type_in("messages", "chang_roberts", "--n", "3", "--start", "simultaneous", "--show", extreme).stdout
    assert re.search(rf"the (greatest|least) number of messages  {number}  in \d+ steps", shown)
    assert f"sent         Election {number - 3}, Leader 3" in shown
    assert shown.count("sends ") == number


def test_without_a_simultaneous_start_formulas_are_shown_and_not_judged(type_in: Type) -> None:
    shown = type_in("messages", "chang_roberts", "--n", "3")
    assert shown.exit_code == 0
    assert "9 for n=3 (stated for a simultaneous start)" in shown.stdout
    assert "agrees" not in shown.stdout
    assert re.search(r"total +6 +6 to 8\.5 +9\n", shown.stdout)


def test_an_unbounded_number_and_its_cycle(type_in: Type) -> None:
    shown = type_in("messages", "itai_rodeh", "--n", "2", "--show", "worst").stdout
    assert re.search(r"2  total +3 +3 to unbounded +unbounded\n", shown)
    assert "the steps marked * repeat for ever" in shown


MODEL = """
from modelcheck import *

class Note(Message):
    pass

class M(Process):
    topology = one_way_ring
    complexity = {"exactly": "2n", "exactly of Note": "n"}
    done: bool = False
    @initiate
    def go(self):
        self.require(not self.done)
        self.done = True
        self.send(NEXT, Note())
    @receive(Note)
    def take(self, message): pass
"""


def test_a_formula_that_disagrees_is_named_and_exits_as_a_refuted_claim(type_in: Type) -> None:
    with open("mine.py", "w") as stream:
        stream.write(MODEL)
    shown = type_in("messages", "./mine.py", "--n", "2..3", "--start", "simultaneous")
    assert shown.exit_code == 12
    assert shown.stdout.startswith("VIOLATED  exactly      mine")
    assert "VIOLATED: n=2: 2 counted, 4 by the formula; n=3: 3 counted, 6 by the formula" in shown.stdout


def test_the_numbers_as_json(type_in: Type) -> None:
    shown = type_in("messages", "chang_roberts", "--n", "3", "--start", "simultaneous", "--json")
    data = json.loads(shown.stdout)
    assert (data["verdict"], data["exit_code"], data["start"]) == ("holds", 0, "simultaneous")
    (count,) = data["messages"]
    assert (count["n"], count["least"], count["greatest"]) == (3, 8, 9)
    assert (count["mean_least"], count["mean_least_exact"], count["mean_greatest_exact"]) == (8.5, "17/2", "17/2")
    assert count["types"]["Leader"]["least"] == 3
    assert sum(len(step["sent"]) for part in ("starts", "steps") for step in count["greatest_run"][part]) == 9
    assert {formula["key"]: formula["agrees"] for formula in data["formulas"]}["mean"] is True


def test_a_run_has_the_numbers_in_its_block_and_in_its_json(type_in: Type) -> None:
    block = type_in("run", "chang_roberts", "--n", "3", "--start", "simultaneous").stdout
    assert "messages     least 8   mean 8.5   greatest 9   (Election + Leader)" in block
    data = json.loads(type_in("run", "chang_roberts", "--n", "3", "--json").stdout)
    assert [(count["least"], count["mean_greatest_exact"]) for count in data["messages"]] == [(6, "17/2")]


def test_a_large_run_says_that_it_did_not_count(type_in: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (checker, verdict_block):
        monkeypatch.setattr(module, "AFFORDABLE", 1_000)
    block = type_in("run", "chang_roberts", "--n", "5").stdout
    assert "messages     not counted in passing above 1,000 states (n=5)" in block


def test_a_limit_leaves_what_was_finished(type_in: Type) -> None:
    shown = type_in("messages", "chang_roberts", "--n", "2..6", "--max-states", "500")
    assert shown.exit_code == 20
    assert shown.stdout.startswith("INCONCLUSIVE")
    assert re.search(r"3  total", shown.stdout)
    assert not re.search(r"6  total", shown.stdout)
    assert "next         modelcheck messages chang_roberts --n 2..6 --max-states 5000" in shown.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--show", "worse"), "--show is worst or best"),
        (("--plot", "nowhere/curves.png"), "there is no folder"),
        (("--start", "later"), "later"),
        (("--property", "agreement"), "No such option"),
    ],
)
def test_what_does_not_exist_is_refused(type_in: Type, words: tuple[str, ...], says: str) -> None:
    refused = type_in("messages", "chang_roberts", "--n", "2", *words)
    assert refused.exit_code == 2
    assert says in refused.stderr


def test_curves_need_matplotlib_and_are_drawn_with_it(type_in: Type) -> None:
    words = ("messages", "chang_roberts", "--n", "2..4", "--start", "simultaneous", "--plot")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        refused = type_in(*words, "curves.svg")
        assert refused.exit_code == 2
        assert "pip install 'modelcheck[plot]'" in refused.stderr
        return
    assert type_in(*words, "curves.svg").exit_code == 0
    with open("curves.svg") as stream:
        assert "<svg" in stream.read()
    assert type_in(*words, "curves.xyz").exit_code == 2
