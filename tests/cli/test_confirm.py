"""`modelcheck confirm` and `modelcheck export`: what is printed and written, what is refused, and how they are stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from modelcheck.export import tools
from modelcheck.export.tools import TOOLS, Spin, missing

from .conftest import Type

ROOT = Path(__file__).parents[2]
BOTH = pytest.mark.skipif(any(map(missing, TOOLS)), reason="spin and rumur are not both installed")
Write = Callable[..., str]


@BOTH
@pytest.mark.parametrize("command", ["confirm", "export"])
def test_every_example_of_its_help_works(command: str, type_in: Type) -> None:
    text = type_in(command, "--help").stdout
    examples = re.findall(r"^ +modelcheck (.+)$", text, re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        found = type_in(*example.split())
        assert found.exit_code == 0, (example, found.output)


@BOTH
def test_the_numbers_stand_side_by_side_with_what_they_confirm_and_what_they_do_not(type_in: Type) -> None:
    found = type_in("confirm", "chang_roberts", "--n", "2")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0] == "confirmed  chang_roberts  n=2  fifo  ids unique"
    rows = {line.split()[0]: line.split()[1:4] for line in lines if line.startswith(" " * 15)}
    assert rows["modelcheck"] == rows["Spin"] == rows["Rumur"]
    assert "confirms     the search" in found.stdout
    assert "not said     what a step means" in found.stdout
    assert lines[-1].split(maxsplit=1) == ["next", "modelcheck confirm chang_roberts --n 2 --no-symmetry"]


@BOTH
def test_the_json_says_the_same(type_in: Type) -> None:
    found = json.loads(type_in("confirm", "itai_rodeh", "--n", "2", "--json").stdout)
    (size,) = found["sizes"]
    assert (found["agrees"], found["exit_code"], found["differences"]) == (True, 0, [])
    assert [tool["tool"] for tool in size["tools"]] == ["spin", "rumur"]
    for answer in size["tools"]:
        assert answer["states"] == size["counts"]["states"] == size["with_symmetry"]["states"]


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Spin that is installed and says that there is a state more than there is."""

    def run(_: Spin, program: Any, *__: object) -> tools.Answer:
        counts = program.counts
        return tools.Answer("spin", counts.states + 1, counts.transitions, counts.ends, counts.failing, False)

    monkeypatch.setattr(Spin, "run", run)
    monkeypatch.setattr(tools, "missing", lambda _: [])


@pytest.mark.usefixtures("liar")
def test_a_difference_is_a_bug_and_both_numbers_are_shown(type_in: Type) -> None:
    found = type_in("confirm", "chang_roberts", "--n", "2", "--with", "spin")
    assert found.exit_code == 70
    assert found.stdout.startswith("DIFFERS  chang_roberts")
    assert "n=2: 10 states here, 11 by spin" in found.stdout  # 10: tests/explore compares it with the reference engine
    assert "confirms" not in found.stdout


def test_a_tool_that_is_not_installed_is_named_with_what_to_install(
    type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    for words in (["--with", "spin"], []):
        found = type_in("confirm", "chang_roberts", "--n", "2", *words)
        assert found.exit_code == 2
        assert "apt install spin" in found.stderr


@pytest.mark.usefixtures("liar")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chang_roberts", "--with", "spinn"], "did you mean spin?"),
        (["bully_partition", "--partitions", "1"], "a split rewrites what waits on every link it cuts"),
        (["chang_roberts", "--schedule", "lockstep"], "rounds of all processes at once"),
        (["bully", "--network", "bag", "--crashes", "1"], "what waits is not simply a multiset"),
        (["chang_roberts", "--losses", "1", "--with", "spin"], "a guard cannot look past the head of a channel"),
        (["chang_roberts", "--json", "nowhere/x.json"], "there is no folder nowhere"),
        (["no_such_model"], "no_such_model"),
    ],
)
def test_what_is_not_exported_is_refused_and_why(words: list[str], said: str, type_in: Type) -> None:
    found = type_in("confirm", *words)
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.split())


@pytest.mark.usefixtures("liar")
def test_a_limit_is_inconclusive(type_in: Type) -> None:
    found = type_in("confirm", "chang_roberts", "--n", "4", "--max-states", "20", "--with", "spin")
    assert found.exit_code == 20
    assert found.stderr.startswith("INCONCLUSIVE  the limit of 20 states was reached")


def test_a_program_goes_to_standard_output_or_to_a_file(type_in: Type) -> None:
    printed = type_in("export", "chang_roberts", "--ids", "1,3,2", "--to", "promela").stdout
    said = type_in("export", "chang_roberts", "--ids", "1,3,2", "--to", "promela", "--out", "c.pml").stdout
    assert Path("c.pml").read_text() == printed
    assert said.startswith("wrote c.pml  promela, for Spin")
    assert "one-way ring of 3, ids 1,3,2" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "promelo"], "did you mean promela?"),
        (["--to", "murphi", "--n", "2..3"], "a program is of one size: --n 2"),
        (["--to", "murphi", "--out", "nowhere/c.m"], "there is no folder nowhere"),
    ],
)
def test_a_program_that_makes_no_sense_is_refused(words: list[str], said: str, type_in: Type) -> None:
    found = type_in("export", "chang_roberts", *words)
    assert found.exit_code == 2
    assert said in found.stderr


def test_ctrl_c_ends_the_other_checker_and_all_it_started(tmp_path: Path) -> None:
    started = tmp_path / "pid"
    for name, text in (
        ("spin", f"sleep 600 & echo $! > {started}.new; mv {started}.new {started}; wait"),
        ("gcc", "true"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    words = ["confirm", "chang_roberts", "--n", "2", "--with", "spin"]
    process = subprocess.Popen(
        [sys.executable, "-m", "modelcheck", *words],
        cwd=ROOT, env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while not started.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 20
    assert "interrupted" in err
    sleeper = int(started.read_text())
    assert not psutil.pid_exists(sleeper) or psutil.Process(sleeper).status() == psutil.STATUS_ZOMBIE
