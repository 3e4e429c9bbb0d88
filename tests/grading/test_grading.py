"""A class is graded: who cheats, loops or breaks down gets what the lab says, and nobody else notices."""

from __future__ import annotations

import csv
import io
import json
import os
import time
from pathlib import Path

import pytest

from modelcheck.errors import UsageError
from modelcheck.grading import sheets
from modelcheck.grading.lab import Lab, find_lab, lab_files, read_lab
from modelcheck.grading.marking import Grade, Submission, grade, grade_all, left_out, submissions
from modelcheck.grading.pages import page, text
from modelcheck.grading.screening import refused

from . import pupils

# Of each kind one, every day: all of them are graded by test_a_class_of_forty.
EVERY_DAY = ("ada", "alone", "elects-any", "eats-memory", "table-of-n")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    file = tmp_path_factory.mktemp("lab") / "lab.toml"
    file.write_text(pupils.LAB)
    return read_lab(file)


@pytest.fixture(scope="module")
def some(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Grade]:
    """The grades of a few."""
    return graded(lab, tmp_path_factory.mktemp("some"), list(EVERY_DAY))


def graded(lab: Lab, folder: Path, names: list[str] | None = None) -> dict[str, Grade]:
    pupils.hand_in(folder, names)
    return {one.student: one for one in grade_all(lab, submissions(folder), 2)}


@pytest.mark.parametrize("name", EVERY_DAY)
def test_everyone_gets_what_the_protocol_is_worth(name: str, some: dict[str, Grade]) -> None:
    assert some[name].points == pupils.PUPILS[name][1], some[name]


@pytest.mark.thorough
def test_a_class_of_forty_and_more(lab: Lab, tmp_path: Path) -> None:
    """And no submission takes longer than its lab allows and a process needs to start and to be ended, as often as there are checks."""
    found = graded(lab, tmp_path)
    assert len(found) >= 40
    assert {name: one.points for name, one in found.items()} == {
        name: points for name, (_, points) in pupils.PUPILS.items()
    }
    assert max(one.seconds for one in found.values()) < 5 * lab.allowance.seconds


def _names(words: str) -> list[str]:
    return words.split()


def test_what_a_text_gives_away_is_refused_before_any_of_it_runs() -> None:
    seen = _names(
        "exits raises-exit os-exit patches patches-class looks-inside subclasses getattr format pattern annotation hidden-annotation typing-sys "
        "reads-others equal-to-all deep huge bundled no-python no-text"
    )
    for name in seen:
        handed_in = pupils.PUPILS[name][0]
        assert refused(handed_in if isinstance(handed_in, bytes) else handed_in.encode()), name
    for name in ("ada", "emmy", "kurt", "grace", "typed", "wordy"):
        assert refused(str(pupils.PUPILS[name][0]).encode()) == [], name


@pytest.mark.parametrize(
    "line",
    [
        "TEXT = f'{0:{1}}'; note: 'Id' = TEXT.__len__()",
        "X = list['op' + 'en(0)']\nclass A(Message):\n    x: X",
        "for X in ['open(0)']: pass\nclass A(Message):\n    x: X",
        "class A(Message):\n    x: (lambda: 1)()",
        "P = NamedTuple('P', [('x', 'open(0)')])",
        "x: 'initiate.f_globals' = 1",
        "from modelcheck import check",
        "from modelcheck import Id as Number",
        "X = Id",
        "X = [Id][0]",
        "X = list[(Y := Id)]",
        "def f(self, x=Property): pass",
        "self = ElectionProcess",
        "def f(self):\n    self.judged = ()",
        "class A(Message):\n    x: \"'op' + 'en(0)'\"",
        "from dataclasses import sys",
        "import modelcheck",
        "from .ada import Ring",
        "class A(Message, metaclass=object): pass",
        "del Message.id",
        "try:\n    pass\nexcept:\n    pass",
        "try:\n    pass\nexcept BaseException:\n    pass",
        "[e for e in [1] if globals()]",
        "if 0:\n    type = 0\nB = type('B', (), {'__' 'eq__': 1})",
        "def f(hash): return hash(1)",
        "from enum import Enum\nB = Enum('B', {'__eq__': 1})",
        "async def f(): pass",
        "def f(): yield 1",
        "x = " + "-" * 150_000 + "1",
        "exec('1')",
    ],
)
def test_ways_out_of_the_language_are_refused(line: str) -> None:
    assert refused(line.encode())


def test_what_a_text_hides_from_the_screening_is_not_there_when_it_runs(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The built-in names that are not for protocols are missing in the module itself: here it is loaded without having been looked at."""
    from modelcheck.errors import DefinitionError
    from modelcheck.grading.fixing import SUBMITTED, fix

    monkeypatch.chdir(tmp_path)
    (tmp_path / SUBMITTED).write_text("open('/etc/passwd')\n" + pupils.GOOD)
    with pytest.raises(DefinitionError, match="name 'open' is not defined"):
        fix(lab, tmp_path)


def test_a_submission_that_loops_costs_its_own_time_only(tmp_path: Path) -> None:
    """A step that never ends, also one that catches what would stop it: the checks that do not rest on it are done by a new process."""
    file = tmp_path / "lab.toml"
    file.write_text(pupils.LAB.replace("seconds = 12", "seconds = 1").replace('after = "small"\n', ""))
    began = time.monotonic()
    (tmp_path / "in").mkdir()
    found = graded(read_lab(file), tmp_path / "in", ["loops"])["loops"]
    assert [mark.status for mark in found.marks] == ["stopped"] * 4
    assert found.points == 0
    assert time.monotonic() - began < 60


def test_a_check_that_kills_its_process_is_not_the_end_of_the_others(tmp_path: Path) -> None:
    """Memory runs out for rings of three and more; those of one and two are checked by the processes before and after."""
    file, handed_in = tmp_path / "lab.toml", tmp_path / "eater.py"
    file.write_text(
        'title = "L"\n[fixed]\ntopology = "one_way_ring"\n[limits]\nmemory = 600\n'
        + "".join(f'[[check]]\nname = "c{place}"\nn = {n}\n' for place, n in enumerate((1, 3, 2)))
    )
    text = pupils.GOOD.replace("    awake: bool = False", "    awake: bool = False\n    heard: int = 0").replace(
        "        if message.id > self.id:",
        "        self.heard += 1\n        if self.heard > 2:\n            big = [0] * 10**9\n        if message.id > self.id:",
        1,
    )
    handed_in.write_text(text)
    found = grade(read_lab(file), Submission("eater", handed_in))
    assert [mark.status for mark in found.marks] == ["passed", "stopped", "passed"]


def test_what_is_declared_otherwise_is_named_and_costs_what_the_lab_says(some: dict[str, Grade], lab: Lab) -> None:
    assert some["alone"].different == ("topology = complete, which is one_way_ring in this lab",)
    assert (some["alone"].deducted, sum(mark.points for mark in some["alone"].marks)) == (1, 10)
    assert "it costs 1 point" in text(lab, some["alone"])
    assert some["ada"].different == ()


def test_a_page_for_students_tells_the_visible_run_and_of_hidden_checks_their_points(
    some: dict[str, Grade], lab: Lab
) -> None:
    for told in (text(lab, some["elects-any"]), page(lab, some["elects-any"])):
        assert "leader_is_the_maximum does not hold" in told
        assert "wake_up" in told
    assert "data:image/svg+xml;base64," in page(lab, some["elects-any"])
    for name, one in some.items():
        for told in (text(lab, one), page(lab, one)):
            assert "secret" not in told, name
    assert " 1 of 4  hidden checks" in text(lab, some["table-of-n"])
    assert "everyone_decides" not in text(lab, some["table-of-n"])  # which is what fails in the larger ring


@pytest.mark.parametrize(
    ("shown", "run", "sentence"), [("run", True, True), ("sentence", False, True), ("nothing", False, False)]
)
def test_a_lab_says_how_much_of_a_counterexample_is_shown(
    shown: str, run: bool, sentence: bool, some: dict[str, Grade], tmp_path: Path
) -> None:
    file = tmp_path / "lab.toml"
    file.write_text(pupils.LAB + f'\n[feedback]\ncounterexample = "{shown}"\nhidden = "titles"\n')
    told = text(read_lab(file), some["elects-any"])
    assert ("wake_up" in told, "leader_is_the_maximum" in told) == (run, sentence)
    assert "the secret of the larger ring" in told


def test_the_files_are_a_table_and_what_gradescope_reads(some: dict[str, Grade], lab: Lab, tmp_path: Path) -> None:
    sheets.write_all(lab, list(some.values()), tmp_path)
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text()))}
    assert (rows["alone"]["points"], rows["alone"]["of"], rows["alone"]["deducted"]) == ("9", "10", "1")
    assert {path.stem for path in (tmp_path / "feedback").iterdir()} == set(EVERY_DAY)
    for name, one in some.items():
        found = json.loads((tmp_path / "gradescope" / f"{name}.json").read_text())
        assert found["score"] == one.points == sum(test["score"] for test in found["tests"])
        hidden = {check.title for check in lab.checks if check.hidden}
        assert {test["name"] for test in found["tests"] if test["visibility"] == "hidden"} == hidden
        assert {test["status"] for test in found["tests"] if "status" in test} <= {"passed", "failed"}


def test_no_cell_of_the_table_is_a_formula(some: dict[str, Grade], lab: Lab) -> None:
    from dataclasses import replace

    assert "'=cmd" in sheets.table(lab, [replace(some["ada"], student="=cmd|' /C calc'!A0")])


def test_no_name_of_a_student_is_the_end_of_the_others_pages(some: dict[str, Grade], lab: Lab, tmp_path: Path) -> None:
    """Names as long as a file may have, and names that are no text."""
    from dataclasses import replace

    names = ["n" * 252, "n" * 251 + "m", "\udcff", "\x1b[31m\n", "ada"]
    sheets.write_all(lab, [replace(some["ada"], student=name) for name in names], tmp_path)
    for folder in ("feedback", "gradescope"):
        assert len({path.stem for path in (tmp_path / folder).iterdir()}) == len(names)
    table = io.StringIO((tmp_path / "grades.csv").read_text(encoding="utf-8"))
    assert len(list(csv.DictReader(table))) == len(names)


def test_what_a_submission_says_steers_no_terminal(lab: Lab, tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text(pupils.GOOD.replace("self.require(not self.awake)", "raise ValueError('\\x1b[2J\\n10 of 10')"))
    told = text(lab, grade(lab, Submission("loud\x1b", file)))
    assert "\x1b" not in told
    assert "10 of 10" not in told.splitlines()
    assert str(tmp_path.parent) not in told
    assert "/submission.py" not in told  # nor where that folder was


def test_a_visible_check_is_done_by_another_process_than_a_hidden_one_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its counterexample could tell of what was seen there."""
    from modelcheck.grading import marking

    file, handed_in, rooms = tmp_path / "lab.toml", tmp_path / "ada.py", []
    head = 'title = "L"\n[fixed]\ntopology = "one_way_ring"\n'
    file.write_text(
        head + "".join(f'[[check]]\nname = "{name}"\nn = 1\nhidden = {name}\n' for name in ("true", "false"))
    )
    handed_in.write_text(pupils.GOOD)
    own = marking.ExamRoom
    monkeypatch.setattr(marking, "ExamRoom", lambda *given, **named: rooms.append(1) or own(*given, **named))
    assert grade(read_lab(file), Submission("ada", handed_in)).points == 2
    assert len(rooms) == 2


def test_a_class_has_copies_of_the_compiled_code_where_the_solution_was_rehearsed(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one of them writes there is code that others would run."""
    from dataclasses import replace

    from modelcheck.explore.compiled.jit import folder
    from modelcheck.grading import marking

    common, used = folder(), []
    monkeypatch.setattr(marking._Marking, "grade", lambda self, *_: used.append(self.code))
    pupils.hand_in(tmp_path, ["ada"])
    for one in (replace(lab, solution="chang_roberts"), lab):
        list(grade_all(one, submissions(tmp_path), 1))
    marking.rehearse(replace(lab, solution="chang_roberts"))
    assert [code == common for code in used] == [False, True, True]
    assert used[0].name == common.name  # type: ignore[union-attr]


def test_files_and_folders_are_submissions_and_links_are_not(tmp_path: Path) -> None:
    for name in ("one.py", "two/mine.py", "three/a.py", "three/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(pupils.GOOD)
    (tmp_path / "four.py").symlink_to(tmp_path / "one.py")
    (tmp_path / "five").symlink_to(tmp_path / "two")
    os.mkfifo(tmp_path / "six.py")
    (tmp_path / "seven.txt").write_text(pupils.GOOD)
    found = {one.student: one for one in submissions(tmp_path)}
    assert sorted(found) == ["five", "four", "one", "six", "three", "two"]
    assert left_out(tmp_path) == ["seven.txt"]
    assert (found["one"].file is not None, found["two"].file is not None) == (True, True)
    assert {name: one.trouble for name, one in found.items() if one.trouble} == {
        "three": "its folder has 2 Python files in place of one",
        "four": "it is a link and no file",
        "five": "it is a link and no folder",
        "six": "it is no plain file",
    }
    (tmp_path / "two.py").write_text(pupils.GOOD)
    with pytest.raises(UsageError, match="two submissions of two"):
        submissions(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("[fixed]", "[fixd]"), "there is no field 'fixd'; did you mean fixed?"),
        (('topology = "one_way_ring"', 'topology = "one_way_rng"'), "did you mean one_way_ring"),
        (("points = 4", 'points = "four"'), "check small: points is a number"),
        (('after = "small"', 'after = "large"'), "after = 'large' is no check above it"),
        (('messages = "n(n+1)/2 + n"', 'messages = "n(("'), "check frugal"),
        (('name = "frugal"', 'name = "small"'), "there is another of this name"),
        (('[rules]', '[rules]\nallow = ["magic"]'), "allow does not know 'magic'"),
    ],
)  # fmt: skip
def test_a_lab_that_is_at_fault_says_where(change: tuple[str, str], said: str, tmp_path: Path) -> None:
    file = tmp_path / "lab.toml"
    file.write_text(pupils.LAB.replace(*change, 1))
    with pytest.raises(UsageError) as error:
        read_lab(file)
    assert said in str(error.value)


@pytest.mark.parametrize("name", lab_files())
def test_a_bundled_lab_gives_its_solution_all_points_and_its_skeleton_not(name: str) -> None:
    """Each skeleton can be read and run, and gets nothing for safety that an empty protocol has for free."""
    lab = find_lab(name)
    assert lab.solution_file is not None
    assert lab.skeleton_file is not None
    solved, empty = (grade(lab, Submission("s", file)) for file in (lab.solution_file, lab.skeleton_file))
    assert (solved.points, solved.problems) == (lab.points, ())
    assert (empty.points, empty.problems) == (0, ())
    assert "HOLE" in lab.skeleton_file.read_text()


def test_there_is_a_lab_for_each_of_the_five_sources() -> None:
    assert set(lab_files()) == {"effatparvar", "garg", "harmony", "krzyzanowski", "santoro"}
