"""The mutants are what they say, and the one in charge of them tells the killed from the living."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import MUTANTS
from .mutant import PROJECT, Bench, Mutant, remembered

VERDICT = "modelcheck/check/verdict.py"


def test_there_is_one_mutant_of_each_name() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 120


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_mutant_still_changes_one_place_and_compiles(mutant: Mutant) -> None:
    assert mutant.fits, f"{mutant.file} has another text by now"
    assert mutant.before != mutant.after
    compile(mutant.mutated(), mutant.file, "exec")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_tests_of_every_mutant_exist(mutant: Mutant) -> None:
    assert mutant.tests
    for test in mutant.tests:
        file, _, name = test.partition("::")
        assert f"def {name.partition('[')[0]}" in (PROJECT / file).read_text()


def test_the_tests_that_are_asked_first_exist() -> None:
    names = {mutant.name for mutant in MUTANTS}
    for mutant, test in remembered().items():
        assert mutant in names
        file, _, name = test.partition("::")
        assert f"def {name.partition('[')[0]}" in (PROJECT / file).read_text()


def test_a_change_that_a_test_notices_is_killed_and_taken_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    tests = ("tests/check/test_verdict.py::test_holds_is_said_only_of_a_complete_search_that_found_nothing",)
    wrong = Mutant("wrong", VERDICT, "    elif ledger.stopped or ledger.unchecked:", "    elif False:", tests)
    trial = bench.try_out(wrong, 1000)
    assert (trial.fate, trial.by) == ("killed", tests[0])
    assert (tmp_path / VERDICT).read_bytes() == (PROJECT / VERDICT).read_bytes()
    harmless = Mutant("harmless", VERDICT, '"not everything was searched"', '"not all was searched"', tests)
    assert bench.try_out(harmless, 1000).fate == "lives"
