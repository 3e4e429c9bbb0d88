"""`modelcheck trace` as a user types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from modelcheck import catalog

from .conftest import Type

RUN = ("run", "chang_roberts", "--ids", "1,1,2", "--trace", "run.json")


@pytest.fixture
def kept(type_in: Type, tmp_path: Path) -> Path:
    """A file of four runs, in the folder where commands are typed."""
    assert type_in(*RUN).exit_code == 12
    return tmp_path / "run.json"


@pytest.fixture
def mine(type_in: Type, tmp_path: Path) -> Path:
    """A model of the user's own, with a run against it in run.json."""
    shutil.copy(catalog.model_files()["chang_roberts"], tmp_path / "mine.py")
    assert type_in("run", "./mine.py", *RUN[2:]).exit_code == 12
    return tmp_path / "mine.py"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.mark.usefixtures("kept")
def test_a_run_is_shown_as_the_run_had_shown_it(type_in: Type) -> None:
    shown = type_in("run", "chang_roberts", "--ids", "1,1,2").stdout
    again = type_in("trace", "run.json")
    assert again.exit_code == 0
    block = shown[shown.index("\n\nVIOLATED") + 2 : shown.rindex("\n\n")]
    without = [line for line in again.stdout.splitlines() if not line.startswith("  replayed")]
    hint = "               a property can say why"
    assert without == [line for line in block.splitlines() if not line.startswith(hint)]
    assert again.stdout.count("every step fits chang_roberts as it is now; ") == 4
    assert again.stdout.count(" is still violated\n") == 4


@pytest.mark.usefixtures("kept")
def test_one_property_can_be_chosen(type_in: Type) -> None:
    found = type_in("trace", "run.json", "--property", "agreement")
    assert found.stdout.startswith("VIOLATED  agreement  (always)  after 9 steps\n")
    assert found.stdout.count("VIOLATED") == 1
    wrong = type_in("trace", "run.json", "--property", "agrement")
    assert wrong.exit_code == 2
    assert "there is no run of the name agrement; did you mean agreement?" in wrong.stderr


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("kind", "begins"),
    [
        ("shiviz", r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})" + "\n\n"),
        ("itf", "{"),
        ("mermaid", "sequenceDiagram\n"),
        ("svg", "<svg "),
        ("html", "<!DOCTYPE html>"),
        ("text", "VIOLATED"),
    ],
)
def test_what_a_run_is_turned_into_goes_to_standard_output(kind: str, begins: str, type_in: Type) -> None:
    found = type_in("trace", "run.json", "--property", "agreement", "--to", kind)
    assert found.exit_code == 0
    assert found.stdout.lower().startswith(begins.lower())
    if kind != "text":
        assert found.stderr == "replayed: every step fits chang_roberts as it is now; agreement is still violated\n"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("file", "begins"),
    [
        ("run.svg", b"<svg "), ("run.html", b"<!DOCTYPE html>"), ("run.log", b"(?<event>"), ("run.itf.json", b"{"),
        ("run.mmd", b"sequenceDiagram"), ("run.txt", b"VIOLATED"), ("run.md", b"VIOLATED"),
    ],
)  # fmt: skip
def test_the_name_of_the_file_says_what_to_write(file: str, begins: bytes, type_in: Type, tmp_path: Path) -> None:
    found = type_in("trace", "run.json", "--property", "agreement", "--out", file)
    assert (found.exit_code, found.stdout) == (0, "")
    assert (tmp_path / file).read_bytes().lower().startswith(begins.lower())


@pytest.mark.usefixtures("kept")
def test_pictures_are_drawn_for_print_too(type_in: Type, tmp_path: Path) -> None:
    pytest.importorskip("cairosvg")
    for file, begins in (("run.png", b"\x89PNG"), ("run.pdf", b"%PDF")):
        assert type_in("trace", "run.json", "--property", "agreement", "--out", file).exit_code == 0
        assert (tmp_path / file).read_bytes().startswith(begins)


@pytest.mark.usefixtures("kept")
def test_the_picture_is_of_the_run(type_in: Type) -> None:
    found = type_in("trace", "run.json", "--property", "agreement", "--to", "svg")
    root = ElementTree.fromstring(found.stdout)
    events = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if (g.get("id") or "").startswith("event-")]
    assert len(events) == 9


@pytest.mark.usefixtures("kept")
def test_of_several_runs_the_shortest_is_drawn_and_the_others_are_named(type_in: Type) -> None:
    found = type_in("trace", "run.json", "--to", "mermaid")
    assert (
        "this is the run of leader_is_the_maximum; --property chooses another: one_leader_wave, agreement, "
        in found.stderr
    )
    assert found.stdout.count("sequenceDiagram") == 1


@pytest.mark.usefixtures("kept")
def test_an_unknown_kind_is_refused_with_those_there_are(type_in: Type) -> None:
    found = type_in("trace", "run.json", "--to", "mermade")
    assert found.exit_code == 2
    assert "--to mermade: there is no such kind; did you mean mermaid?" in found.stderr


def test_the_run_with_the_most_messages_is_kept(type_in: Type) -> None:
    words = ("messages", "chang_roberts", "--n", "3", "--start", "simultaneous", "--show", "worst")
    assert type_in(*words, "--trace", "worst.json").exit_code == 0
    found = type_in("trace", "worst.json")
    assert found.exit_code == 0
    assert found.stdout.startswith("The greatest number of messages: 9.  9 steps\n")
    assert found.stdout.endswith("  replayed     every step fits chang_roberts as it is now\n")
    again = next(line for line in found.stdout.splitlines() if line.startswith("  again"))
    assert type_in(*again.split()[2:]).exit_code == 0


def test_messages_keeps_no_run_that_it_is_not_to_show(type_in: Type) -> None:
    found = type_in("messages", "chang_roberts", "--n", "2", "--trace", "worst.json")
    assert found.exit_code == 2
    assert "--trace writes the run that --show names: add --show worst" in found.stderr


# --- models that change --------------------------------------------------------------------------------------------


def test_a_trace_whose_model_has_changed_is_refused_with_the_first_step_that_no_longer_fits(
    mine: Path, type_in: Type
) -> None:
    edit(mine, "self.send(NEXT, Leader(self.id))", "self.send(NEXT, Leader(message.id)); self.leader = message.id")
    found = type_in("trace", "run.json", "--property", "agreement")
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith("CHANGED  agreement  step 2 no longer fits ./mine.py\n")
    lines = dict(line.split(None, 1) for line in found.stderr.replace("model now", "now").splitlines())
    assert lines["because"] == "it has another effect now"
    assert lines["file"] == "p2 (id 1)  compare  Election(1) from p1  awake False -> True; sends Leader(1) to p3"
    assert (
        lines["now"]
        == "p2 (id 1)  compare  Election(1) from p1  leader None -> 1; awake False -> True; sends Leader(1) to p3"
    )


def test_a_step_that_is_gone_is_named_with_what_the_process_can_do_instead(mine: Path, type_in: Type) -> None:
    edit(mine, "def learn(", "def heed(")
    found = type_in("trace", "run.json", "--property", "agreement")
    assert found.exit_code == 1
    assert "step 6 no longer fits" in found.stderr
    assert "p3 (id 2) cannot take learn with Leader(1) here" in found.stderr
    assert "p3 (id 2)  heed  Leader(1) from p2" in found.stderr


def test_a_changed_model_leaves_no_file_behind(mine: Path, type_in: Type, tmp_path: Path) -> None:
    edit(mine, "def learn(", "def heed(")
    assert type_in("trace", "run.json", "--out", "run.svg").exit_code == 1
    assert not (tmp_path / "run.svg").exists()
    assert type_in("trace", "run.json", "--out", "run.svg", "--no-replay").exit_code == 0
    assert (tmp_path / "run.svg").exists()


def test_an_edit_that_changes_no_step_does_not_matter(mine: Path, type_in: Type) -> None:
    mine.write_text("\n\n" + mine.read_text() + "\n# the end\n")
    assert type_in("trace", "run.json").exit_code == 0


@pytest.mark.usefixtures("mine")
def test_a_property_that_holds_now_is_said_to(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "always_true.py").write_text(
        "from modelcheck import always\n@always\ndef agreement(view):\n    'Nothing.'\n    return False\n"
    )
    words = ("run", "./mine.py", "--n", "2", "--spec", "./always_true.py", "--trace", "other.json")
    assert type_in(*words).exit_code == 12
    assert type_in("trace", "other.json").exit_code == 0
    edit(tmp_path / "always_true.py", "return False", "return True")
    found = type_in("trace", "other.json")
    assert found.exit_code == 1
    assert "agreement is no longer violated: it holds at the end of this run" in found.stdout


def test_a_model_that_is_gone_is_named_and_not_needed_without_replay(mine: Path, type_in: Type, tmp_path: Path) -> None:
    mine.rename(tmp_path / "moved.py")
    found = type_in("trace", "run.json")
    assert found.exit_code == 2
    assert "run.json is a run of ./mine.py: there is no file ./mine.py; --model says where it is now" in found.stderr
    for kind in ("text", "svg", "html", "shiviz", "itf", "mermaid"):
        assert type_in("trace", "run.json", "--no-replay", "--to", kind).exit_code == 0
    moved = type_in("trace", "run.json", "--model", "./moved.py")
    assert moved.exit_code == 0
    assert "is still violated" in moved.stdout


def test_without_replay_no_code_of_a_model_runs(mine: Path, type_in: Type, tmp_path: Path) -> None:
    mine.write_text("from pathlib import Path\nPath('ran').touch()\n" + mine.read_text())
    type_in("trace", "run.json", "--no-replay")
    assert not (tmp_path / "ran").exists()
    type_in("trace", "run.json")
    assert (tmp_path / "ran").exists()


def test_a_model_that_is_broken_now_is_an_error_of_the_model(mine: Path, type_in: Type) -> None:
    mine.write_text("class Broken(\n")
    found = type_in("trace", "run.json")
    assert found.exit_code == 75
    assert "mine.py:1" in found.stderr


def test_a_damaged_file_is_named_with_the_place(kept: Path, type_in: Type) -> None:
    document = json.loads(kept.read_text())
    document["counterexamples"][0]["trace"]["steps"][1]["process"] = "p9"
    kept.write_text(json.dumps(document))
    found = type_in("trace", "run.json")
    assert found.exit_code == 2
    assert "run.json: counterexamples[0].trace.steps[1].process: there is no p9; known are p1 (id 1)" in " ".join(
        found.stderr.split()
    )
    assert "Traceback" not in found.stderr


def test_a_file_that_is_not_there_is_named(type_in: Type) -> None:
    found = type_in("trace", "none.json")
    assert found.exit_code == 2
    assert "none.json cannot be read: No such file or directory" in found.stderr


def test_a_model_is_no_trace(type_in: Type) -> None:
    found = type_in("trace", "./mine.py")
    assert found.exit_code == 2
    assert "is a model; FILE is one in which `modelcheck run ./mine.py --trace FILE`" in " ".join(found.stderr.split())
