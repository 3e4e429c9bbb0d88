"""`--resume` and `--checkpoint`, as a user types them; and runs that are killed."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Type

ROOT = Path(__file__).parents[2]
Write = Callable[..., str]
RUN = ("run", "chang_roberts", "--n", "2..4")
STATES = ("--max-states", "450")  # of more than 500, in nine worlds; going by the first of each size it would do


def timeless(report: str) -> str:
    """A report without what differs from run to run: times, and what this run took again and not the one before."""
    report = re.sub(r'"taken_again": (\{[^}]*\}|null),?', "", re.sub(r'"seconds": \d+\.\d+,', "", report))
    return re.sub(
        r"in \d+\.\d s", "", re.sub(r"^  taken again .*\n(              .*\n)*", "", report, flags=re.MULTILINE)
    )


def following(report: str) -> tuple[str, ...]:
    """The words of the command with which a report ends."""
    (command,) = re.findall(r"^  next +modelcheck (.*)$", report, re.MULTILINE)
    assert report.rstrip().endswith(command)
    return tuple(shlex.split(command))


def done(report: str) -> int:
    """How many worlds a run that was stopped has searched to the end, and kept."""
    (searched,) = re.findall(r"^  guarantee +none; (\d+) worlds searched to the end", report, re.MULTILINE)
    (kept,) = re.findall(r"^  checkpoint +(\d+) worlds are done and will not be searched again", report, re.MULTILINE)
    assert searched == kept
    return int(kept)


def checkpoints() -> list[Path]:
    """Those in the folder of whoever runs the test."""
    folder = Path(os.environ["XDG_STATE_HOME"]) / "modelcheck" / "checkpoints"
    return list(folder.iterdir()) if folder.exists() else []


# --- limits


def test_a_run_that_met_a_limit_ends_with_the_line_that_resumes_it(type_in: Type) -> None:
    stopped = type_in(*RUN, *STATES)
    assert stopped.exit_code == 20
    words = following(stopped.stdout)
    assert words == (*RUN, "--max-states", "4500", "--resume")
    resumed = type_in(*words)
    assert resumed.exit_code == 0
    assert resumed.stderr == f"resumed: {done(stopped.stdout)} worlds are done already\n"
    assert timeless(resumed.stdout) == timeless(type_in(*RUN, "--max-states", "4500").stdout)
    assert checkpoints() == []


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--network", "bag", "--losses", "1", "--initiators", "each"),
        ("--ids", "any", "--start", "simultaneous", "--property", "agreement", "--reduce", "none"),  # as the whole run
        ("--set", "elects=min", "--no-symmetry"),
        ("--spec", "termination", "--duplications", "1"),
        ("--checkpoint", "it's here.json"),
    ],
)
def test_what_a_run_was_asked_is_asked_again_in_that_line(options: tuple[str, ...], type_in: Type) -> None:
    stopped = type_in("run", "chang_roberts", "--n", "1..3", *options, "--max-states", "25")
    words = following(stopped.stdout)
    assert words[-1] == "--resume"
    resumed = type_in(*words, "--max-states", "100000", "--json")
    assert resumed.stderr.startswith("resumed: ")
    whole = type_in("run", "chang_roberts", "--n", "1..3", *options, "--max-states", "100000", "--json")
    assert timeless(resumed.stdout) == timeless(whole.stdout)


def test_a_violation_found_before_a_limit_is_in_both_reports(type_in: Type) -> None:
    words = ("run", "chang_roberts:StartUnguarded", "--n", "1..3")
    stopped = type_in(*words, "--max-states", "100")
    assert stopped.exit_code == 12
    assert "worlds it did not reach may break this in fewer steps" in stopped.stdout
    resumed = type_in(*following(stopped.stdout))
    assert timeless(resumed.stdout) == timeless(type_in(*words, "--max-states", "1000").stdout)


def test_a_world_that_exceeds_the_limit_alone_starts_anew_and_the_report_says_so(type_in: Type) -> None:
    stopped = type_in("run", "chang_roberts", "--n", "4", "--max-states", "20")
    assert "none: no world was searched to the end, and one that is cut short starts anew" in stopped.stdout
    assert following(stopped.stdout)[-2:] == ("--max-states", "200")
    assert checkpoints() == []


def test_json_says_where_the_checkpoint_is(json_of: Callable[..., dict[str, Any]]) -> None:
    found = json_of(*RUN[1:], *STATES)
    (file,) = checkpoints()
    assert found["checkpoint"] == {"file": str(file), "worlds": found["worlds"]["explored"], "trouble": None}
    assert found["next"].endswith("--resume")
    assert json_of(*RUN[1:], "--resume")["checkpoint"] is None


# --- what is refused, what is told


def test_where_there_is_nothing_to_resume_the_run_begins_and_says_so(type_in: Type) -> None:
    found = type_in(*RUN, "--resume")
    assert found.stderr.startswith("there is nothing to resume, so the run begins: there is no checkpoint /")
    assert timeless(found.stdout) == timeless(type_in(*RUN).stdout)


def test_who_starts_again_is_told_what_was_done_already(type_in: Type) -> None:
    worlds = done(type_in(*RUN, *STATES).stdout)
    found = type_in(*RUN)
    assert found.stderr == f"{worlds} worlds are done already, by a run that was left: --resume goes on from there\n"
    assert timeless(found.stdout) == timeless(type_in(*RUN).stdout)
    assert checkpoints() == []


def test_a_damaged_checkpoint_is_refused_by_name_and_exits_2(type_in: Type) -> None:
    type_in(*RUN, *STATES)
    (file,) = checkpoints()
    file.write_bytes(file.read_bytes()[:-100])
    found = type_in(*RUN, "--resume")
    assert found.exit_code == 2
    assert f"the checkpoint {file} is damaged; delete it, and start again without --resume" in found.stderr
    assert found.stdout == ""
    assert type_in(*RUN, *STATES).exit_code == 20  # in the folder it is replaced by another
    assert type_in(*RUN, "--resume").exit_code == 0


def test_another_run_is_refused_with_what_differs(type_in: Type) -> None:
    type_in(*RUN, *STATES, "--checkpoint", "kept.json")
    found = type_in("run", "chang_roberts", "--n", "4", "--losses", "1", "--checkpoint", "kept.json", "--resume")
    assert found.exit_code == 2
    assert "losses was 0, and is 1; n was 2, 3, 4, and is 4; run it as it was begun" in found.stderr


def test_a_model_that_was_edited_is_refused(type_in: Type, tmp_path: Path) -> None:
    type_in("new", "mine")
    words = ("run", "./mine.py", "--n", "2..4")
    assert following(type_in(*words, *STATES).stdout)[-1] == "--resume"
    with (tmp_path / "mine.py").open("a") as stream:
        stream.write("# a remark\n")
    found = type_in(*words, "--resume")
    assert found.exit_code == 2
    assert "mine.py has changed since; run it as it was begun, or start again without --resume" in found.stderr
    assert type_in(*words).exit_code == 0


@pytest.mark.parametrize("name", ["precious.py", "no/such/folder/kept.json", ".", "/dev/null"])
def test_a_checkpoint_takes_the_place_of_nothing_else(name: str, type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "precious.py").write_text("precious\n")
    found = type_in(*RUN, *STATES, "--checkpoint", name)
    assert found.exit_code == 2
    assert name in found.stderr
    assert (tmp_path / "precious.py").read_text() == "precious\n"
    assert Path("/dev/null").is_char_device()


def test_a_place_that_cannot_be_written_is_named_and_the_run_goes_on(
    type_in: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = type_in(*RUN, *STATES)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    found = type_in(*RUN, *STATES)
    assert found.stderr.startswith(f"the run goes on without a checkpoint, for {tmp_path / 'file'}/modelcheck")
    assert found.exit_code == whole.exit_code
    assert re.search(
        r"^  checkpoint +none; \d+ worlds are not kept: /.* cannot be written: Not a directory$", found.stdout, re.M
    )
    assert "--resume" not in found.stdout


# --- killed

# Sends itself a signal when a function is called for the nth time: a world is counted, or a checkpoint verified, synced, ...
CHILD = """
import functools, os, signal, sys
from modelcheck.check import checker, checkpoint, memory
from modelcheck.cli import main

moment, number, sent = sys.argv.pop(1), int(sys.argv.pop(1)), getattr(signal, sys.argv.pop(1))
holder, name = {
    "counting": (memory.Done, "add"),
    "verified": (checkpoint.Keeper, "write"),
    "syncing": (os, "fsync"),
    "replacing": (os, "replace"),
    "written": (checkpoint.Keeper, "rest"),
}[moment]
original = getattr(holder, name)

def with_a_signal(*arguments):
    global number
    number -= 1
    if number == 0:
        os.kill(os.getpid(), sent)
    return original(*arguments)

setattr(holder, name, with_a_signal)
checkpoint.Keeping = functools.partial(checkpoint.Keeping, interval=0, share=0, haste=1000)
main()
"""
MOMENTS = ("counting", "verified", "syncing", "replacing", "written")


def child(moment: str, number: int, sent: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A run in a process of its own that keeps a checkpoint after every world, and gets a signal at that moment."""
    return subprocess.run(
        [sys.executable, "-c", CHILD, moment, str(number), sent, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_is_killed_at_any_moment_is_resumed_and_ends_the_same(moment: str, type_in: Type) -> None:
    words = ("run", "chang_roberts:StartUnguarded", "--n", "1..3", "--json")
    for _ in range(2):  # the second world is never done, or it is
        killed = child(moment, 2, "SIGKILL", *words, "--resume")
        assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "")
    resumed = type_in(*words, "--resume")
    assert resumed.stderr.startswith("resumed: ")
    assert timeless(resumed.stdout) == timeless(type_in(*words).stdout)
    assert checkpoints() == []


def test_a_run_that_is_killed_in_several_threads_is_resumed_and_ends_the_same(type_in: Type) -> None:
    words = ("run", "chang_roberts", "--n", "2..4", "--json")
    killed = child("counting", 7, "SIGKILL", *words, "--engine", "compiled", "--workers", "3")
    assert killed.returncode == -signal.SIGKILL
    assert timeless(type_in(*words, "--resume").stdout) == timeless(type_in(*words).stdout)


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_leaves_a_partial_report_and_a_run_that_can_be_resumed(moment: str, type_in: Type) -> None:
    words = ("run", "chang_roberts", "--n", "1..3")
    stopped = child(moment, 3, "SIGINT", *words)
    assert (stopped.returncode, stopped.stderr) == (20, "")
    assert re.search(r"^  because +interrupted$", stopped.stdout, re.MULTILINE)
    assert following(stopped.stdout) == (*words, "--resume")
    assert timeless(type_in(*words, "--resume").stdout) == timeless(type_in(*words).stdout)
