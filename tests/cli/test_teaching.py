"""`modelcheck grade`, `modelcheck exercise`, and skeletons with holes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from modelcheck.book.shelf import find_exercises
from modelcheck.check.request import usual_limits
from modelcheck.cli import cli
from modelcheck.web import faces, paths
from modelcheck.web.exercising import Stage, opened_at

from ..grading import pupils
from .conftest import Type


def test_a_class_is_graded_in_a_table_and_in_files(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text(pupils.LAB)
    (tmp_path / "class").mkdir()
    pupils.hand_in(tmp_path / "class", ["ada", "nobody", "exits"])
    found = type_in("grade", "./lab.toml", "class", "--out", "grades", "--jobs", "2")
    assert found.exit_code == 0
    rows = {line.split()[0]: line.split()[1:6] for line in found.stdout.splitlines() if line}
    assert rows["ada"] == ["10", "4", "2", "3", "1"]
    assert rows["nobody"] == ["0", "0", "-", "-", "-"]
    assert rows["exits"] == ["0", "-", "-", "-", "-"]
    assert "line 1: sys is not for protocols" in found.stdout
    assert "3 submissions: 3.33 of 10 points on average" in found.stdout
    assert (Path("grades") / "grades.csv").read_text().count("\n") == 4
    assert (Path("grades") / "feedback" / "exits.txt").read_text().splitlines()[1] == "exits: 0 of 10 points"


def test_an_autograder_gets_the_results_of_its_only_submission(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text(pupils.LAB)
    pupils.hand_in(tmp_path, ["does-nothing"])
    found = type_in("grade", "lab.toml", "does-nothing.py", "--gradescope", "results.json")
    assert found.exit_code == 0
    assert json.loads(Path("results.json").read_text())["score"] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("grade", "grag", "."), "there is no lab 'grag'; did you mean garg?"),
        (("grade", "garg", "nowhere"), "there is no folder nowhere"),
        (("grade", "garg", "."), "there are no submissions in ."),
        (("new", "mine", "--skeleton", "grag"), "there is no lab 'grag'; did you mean garg?"),
        (("exercise", "harmony-25.2", "--hint", "--answer"), "--hint and --answer are two steps"),
        (("exercise", "harmony", "--hint"), "name one exercise"),
    ],
)
def test_what_is_not_there_is_refused_with_what_to_do(words: tuple[str, ...], said: str, type_in: Type) -> None:
    found = type_in(*words)
    assert found.exit_code == 2
    assert said in found.stderr


def test_a_skeleton_has_the_exercise_above_it_and_holes_in_it_and_runs(type_in: Type) -> None:
    found = type_in("new", "homework", "--skeleton", "garg")
    assert found.exit_code == 0
    assert found.stdout.endswith("next         modelcheck grade garg ./homework.py\n")
    text = Path("homework.py").read_text()
    assert text.startswith("# Garg, chapter 13: whoever wakes up sends its identifier on;")
    assert text.count("HOLE") == 3  # two holes, and the sentence that tells of them
    assert type_in("run", "./homework.py", "--expect", "violation").exit_code == 0


def test_an_exercise_tells_what_is_asked_for_and_no_more(type_in: Type) -> None:
    look, explained = "A run of four steps after which", "Both read the empty network"
    listed, tried, hinted, answered = (
        type_in(*words).stdout
        for words in (
            ("exercise", "harmony"),
            ("exercise", "harmony-25.2"),
            ("exercise", "harmony-25.2", "--hint"),
            ("exercise", "harmony-25.2", "--answer", "--n", "2"),
        )
    )
    assert [look in text for text in (listed, tried, hinted, answered)] == [False, False, True, True]
    assert [explained in text for text in (listed, tried, hinted, answered)] == [False, False, False, True]
    assert ["Split the first send" in text for text in (listed, tried)] == [False, True]


@pytest.mark.parametrize(("stage", "steps"), [("try", 0), ("hint", 2), ("answer", 4)])
def test_an_exercise_is_explored_from_where_its_step_is(stage: Stage, steps: int) -> None:
    """The run of exercise 25.2 fails after four steps: what to look for says so."""
    [(_, [claim])] = find_exercises("harmony-25.2")
    subject, path = opened_at(claim, stage, usual_limits())
    run = paths.read(subject, path)
    assert len(run.transitions) == steps
    assert bool(faces.run(subject, run)["reason"]) == (stage == "answer")


@pytest.mark.thorough
@pytest.mark.parametrize("stage", ["try", "hint", "answer"])
def test_every_exercise_can_be_explored(stage: Stage) -> None:
    for _, claims in find_exercises(None):
        for claim in claims:
            subject, path = opened_at(claim, stage, usual_limits())
            assert faces.run(subject, paths.read(subject, path)), claim.reference


def test_what_happens_next_is_asked_before_it_is_shown() -> None:
    """Chang and Roberts: whoever wakes up sends its identifier on, and the largest of three wins."""
    typed = ["c", "ace", "a", "leeder=1", "awake=True", "Election(1) to p2", "?", "b", "nothing", "nothing", "q"]
    words = ["exercise", "chang_roberts", "--predict", "--n", "3"]
    found = CliRunner().invoke(cli, words, input="\n".join(typed) + "\n", prog_name="modelcheck")
    assert found.exit_code == 0, found.output
    asked = found.stdout.split("\n> ")
    assert asked[1].splitlines()[1].startswith("  right  In every run that ends p3 leads")
    assert "right  possible: a, c, e" in asked[2]
    assert "there is no variable 'leeder'; did you mean leader?" in asked[4]
    assert asked[6].splitlines()[1:3] == ["  right  awake: False -> True", "  right  sends Election(1) to p2"]
    assert "sends Election(1)" not in "".join(asked[:6])
    assert "shown  possible: " in asked[7]
    assert "  no  sends Election(" in asked[10]
    assert "self.send(NEXT" in asked[10]
    assert found.stdout.endswith("right\n")


def test_an_exercise_is_predicted_and_in_lock_step_there_is_nothing_to(type_in: Type) -> None:
    words = ["exercise", "harmony-25.2", "--predict"]
    found = CliRunner().invoke(cli, words, input="e\nq\n", prog_name="modelcheck")
    assert "right  It depends on what happens: " in found.stdout
    assert type_in("exercise", "harmony", "--predict").exit_code == 2
    assert type_in("exercise", "--predict").exit_code == 2
    assert "name one exercise" in type_in("exercise", "harmony", "--predict").stderr
