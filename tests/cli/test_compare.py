"""`modelcheck compare`: the faulty run beside the mended one, two runs, and protocols over n."""

from __future__ import annotations

import html
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Type

UNGUARDED = ("run", "chang_roberts:StartUnguarded", "--n", "3", "--property", "one_leader_wave")


@pytest.fixture
def faulty(type_in: Type) -> str:
    assert type_in(*UNGUARDED, "--trace", "run.json").exit_code == 12
    return "run.json"


def test_the_same_schedule_in_the_mended_protocol_ends_where_it_cannot_be_followed(type_in: Type, faulty: str) -> None:
    """Without the guard p3 wakes up again after it has sent its identifier; with it, it cannot: that is the fault."""
    result = type_in("compare", faulty, "chang_roberts", "--html", "both.html")
    assert result.exit_code == 0
    assert "p3 (id 3) cannot take wake_up" in result.stdout
    assert "one_leader_wave: it holds at the end of this run" in result.stdout
    (marked,) = [line for line in result.stdout.splitlines() if "\u2260" in line]
    assert re.search(r"A\s+5\s+p3 .*wake_up", marked)
    assert Path("both.html").read_text().count('class="run whole"') == 2


def test_steps_that_are_the_same_are_shown_once(type_in: Type, faulty: str) -> None:
    lines = type_in("compare", faulty, "chang_roberts").stdout.splitlines()
    shared = [line for line in lines if re.match(r"\s+2  p3 \(id 3\)  compare", line)]
    assert len(shared) == 1


def test_a_run_beside_itself_is_the_same(type_in: Type, faulty: str) -> None:
    assert "none: the runs are the same" in type_in("compare", faulty, faulty).stdout
    followed = type_in("compare", faulty, "chang_roberts:StartUnguarded")
    assert "none: the runs are the same" in followed.stdout


def test_protocols_are_compared_over_n(type_in: Type) -> None:
    """Started simultaneously, Chang-Roberts sends at most n(n+1)/2 + n messages: 5, 9 (Garg, chapter 13)."""
    result = type_in("compare", "chang_roberts", "stages", "--n", "2..3", "--start", "simultaneous")
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    most = rows[rows.index(["most", "messages"]) + 1 :]
    assert most[0] == ["n", "chang_roberts", "stages"]
    assert [row[:2] for row in most[1:3]] == [["2", "5"], ["3", "9"]]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("run.json",), "beside a run stands one other"),
        (("chang_roberts",), "name two or more"),
        (("run.json", "run.json", "--set", "elects=min"), "leave it out"),
    ],
)
@pytest.mark.usefixtures("faulty")
def test_what_cannot_be_compared_is_refused(type_in: Type, words: tuple[str, ...], complaint: str) -> None:
    result = type_in("compare", *words)
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("words", "mended"),
    [(UNGUARDED, "chang_roberts"), (("run", "chang_roberts", "--ids", "1,1,2", "--set", "elects=min"), "--set elects=max")],
)  # fmt: skip
def test_a_report_has_the_commands_that_put_its_run_beside_the_mended_protocol(
    words: tuple[str, ...], mended: str, type_in: Type
) -> None:
    assert type_in(*words, "--html", "report.html").exit_code == 12
    told = html.unescape(Path("report.html").read_text())
    (line,) = set(re.findall(r"modelcheck run [^;<\n]* --trace run\.json; modelcheck compare run\.json [^<\n]*", told))
    assert line.endswith(f"compare run.json {mended}")
    for command in line.split("; "):
        assert type_in(*shlex.split(command)[1:]).exit_code in (0, 11, 12)
