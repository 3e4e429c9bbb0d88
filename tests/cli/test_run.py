"""`modelcheck run`: exit codes, options, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modelcheck import check
from modelcheck.check import checker, request
from modelcheck.errors import ReplayError

from ..protocols import ALL_FAULTY, GROWS, LOOKS_AT_N, PRINTS, STUCK
from .conftest import Type

Write = Callable[..., str]


def test_the_main_job_holds_and_exits_0(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "3")
    assert found.exit_code == 0
    assert found.stdout.startswith("HOLDS  at_most_one_leader")
    assert "n=3  fifo  ids unique" in found.stdout
    assert found.stderr == ""


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_each_kind_of_violation_has_its_exit_code(name: str, type_in: Type, write: Write) -> None:
    text, code = ALL_FAULTY[name]
    found = type_in("run", write(text), "--n", "2")
    assert found.exit_code == code
    assert found.stdout.startswith("VIOLATED")


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_the_command_under_a_trace_shows_the_same_run_again(
    name: str, json_of: Callable[..., dict[str, Any]], write: Write
) -> None:
    text, _ = ALL_FAULTY[name]
    _shows_it_again(json_of, write(text, name), "--n", "2")


@pytest.mark.parametrize(
    "options",
    [
        ("--ids", "1,1,2"),
        ("--ids", "any", "--n", "2"),
        ("--n", "3", "--losses", "1"),
        ("--n", "2..3", "--duplications", "1", "--network", "bag"),
        ("--n", "3", "--losses", "1", "--start", "simultaneous", "--initiators", "size:2"),
        ("--n", "3", "--losses", "1", "--no-symmetry", "--set", "elects=min"),
    ],
)
def test_options_that_matter_are_in_the_command_that_shows_it_again(
    options: tuple[str, ...], json_of: Callable[..., dict[str, Any]]
) -> None:
    _shows_it_again(json_of, "chang_roberts", *options)


def _shows_it_again(json_of: Callable[..., dict[str, Any]], *words: str) -> None:
    violated = [p for p in json_of(*words)["properties"] if p["verdict"] == "violated"]
    assert violated
    for found in violated:
        words = tuple(found["again"].split()[2:])
        (again,) = [p for p in json_of(*words)["properties"] if p["name"] == found["name"]]
        assert again["verdict"] == "violated"
        assert again["trace"]["length"] == found["trace"]["length"]
        assert again["trace"]["world"]["identifiers"] == found["trace"]["world"]["identifiers"]


def test_a_range_of_sizes_gives_a_table(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "2..4")
    rows = [line.split() for line in found.stdout.splitlines()]
    counted = [row[:6] for row in rows]  # n, worlds of assignments, and counts three independent checkers agree on
    assert ["3", "2", "6", "56", "106", "2"] in counted
    assert ["4", "6", "24", "497", "1,252", "6"] in counted


def test_an_expected_violation_exits_0(type_in: Type) -> None:
    assert type_in("run", "chang_roberts", "--ids", "1,1,2", "--expect", "safety").exit_code == 0
    assert type_in("run", "chang_roberts", "--ids", "1,1,2", "--expect", "liveness").exit_code == 12


def test_a_violation_that_does_not_come_is_no_success(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--expect", "violation")
    assert found.exit_code == 1
    assert "expected     violation: not met" in found.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rn", "chang_roberts"), "run"),
        (("run", "chang_robert"), "did you mean chang_roberts"),
        (("run", "./nowhere.py"), "there is no file ./nowhere.py"),
        (("run",), "modelcheck list"),
        (("run", "chang_roberts", "--netwerk", "fifo"), "--network"),
        (("run", "chang_roberts", "--network", "fifi"), "did you mean fifo?"),
        (("run", "chang_roberts", "--property", "agreemnt"), "did you mean agreement?"),
        (("run", "chang_roberts", "--set", "elect=min"), "did you mean elects?"),
        (("run", "chang_roberts", "--set", "elects=mix"), "max, min"),
        (("run", "chang_roberts", "--set", "elects"), "KEY=VALUE"),
        (("run", "chang_roberts", "--set", "elects=min", "--set", "elects=max"), "two values"),
        (("run", "chang_roberts", "--spec", "elections"), "did you mean election"),
        (("run", "chang_roberts", "--graph", "one_way_rin"), "did you mean one_way_ring"),
        (("run", "chang_roberts", "--n", "0"), "at least one process"),
        (("run", "chang_roberts", "--n", "many"), "neither a number"),
        (("run", "chang_roberts", "--n", "4..2"), "did you mean 2..4?"),
        (("run", "chang_roberts", "--ids", "unik"), "--ids"),
        (("run", "chang_roberts", "--ids", "1,2", "--n", "3"), "2 identifiers"),
        (("run", "chang_roberts", "--ids", "none"), "with identifiers; for equal ones use --ids 1,1,1"),
        (("run", "chang_roberts", "--ids", "none", "--n", "2"), "for equal ones use --ids 1,1"),
        (("run", "chang_roberts", "--recoveries", "1"), "nothing can recover"),
        (("run", "chang_roberts", "--initiators", "p9"), "p9"),
        (("run", "chang_roberts", "--start", "simultanious"), "did you mean simultaneous?"),
        (("run", "chang_roberts", "--detector", "imperfect"), "heartbeat, perfect, unreliable"),
        (("run", "chang_roberts", "--losses", "-1"), "losses must not be negative"),
        (("run", "chang_roberts", "--expect", "violatin"), "did you mean violation?"),
        (("run", "chang_roberts", "--engine", "refrence"), "did you mean reference?"),
        (("run", "chang_roberts", "--max-states", "0"), "--max-states"),
        (("run", "--json", "chang_roberts"), "write it last"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_hint_and_exits_2(
    words: tuple[str, ...], message: str, type_in: Type
) -> None:
    found = type_in(*words)
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stdout == ""


def test_a_limit_ends_the_run_as_inconclusive_and_names_what_grows(type_in: Type, write: Write) -> None:
    found = type_in("run", write(GROWS), "--max-states", "500")
    assert found.exit_code == 20
    assert "the limit of 500 states was reached" in found.stdout
    assert "the field `count`" in found.stdout
    assert "--max-states 5000" in found.stdout


def test_running_out_of_memory_is_inconclusive(type_in: Type, write: Write) -> None:
    found = type_in("run", write(GROWS.replace("self.count += 1", "raise MemoryError")))
    assert found.exit_code == 20
    assert "the machine ran out of memory" in found.stdout


def test_forty_processes_are_accepted_and_stopped_by_a_limit(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "40", "--max-states", "300")
    assert found.exit_code == 20
    assert found.stdout.startswith("INCONCLUSIVE")


def test_a_model_error_is_a_lesson_and_exits_75(type_in: Type, write: Write) -> None:
    found = type_in("run", write(LOOKS_AT_N, "looks"))
    assert found.exit_code == 75
    assert found.stdout.startswith("MODEL ERROR  the process looked at how many processes there are")
    for part in ("looks.py:14  self.count = self.n", "step         look", "remedy       declare knows"):
        assert part in found.stdout
    assert "Traceback" not in found.output


@pytest.mark.parametrize(
    "text",
    ["sys.exit(0)", STUCK.replace("return all(", "sys.exit(0); return all(")],
    ids=["while it is read", "in a property"],
)
def test_a_model_that_exits_decides_no_verdict(text: str, type_in: Type, write: Write) -> None:
    found = type_in("run", write(text, "quits"))
    assert found.exit_code == 75
    assert "SystemExit" in found.stdout
    assert "quits.py:" in found.stdout


def test_a_false_assumption_exits_10(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "star.txt").write_text("0 1\n0 2\n0 3\n")
    found = type_in("run", "chang_roberts", "--graph", "star.txt")
    assert found.exit_code == 10
    assert "is not a ring" in found.stdout


def test_what_a_model_prints_goes_to_standard_error(type_in: Type, write: Write) -> None:
    found = type_in("run", write(PRINTS), "--n", "1", "--json")
    assert json.loads(found.stdout)["verdict"] == "holds"
    assert "while it is read" in found.stderr
    assert "while it runs" in found.stderr


def test_json_without_a_file_replaces_the_report(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "2", "--json")
    assert json.loads(found.stdout)["exit_code"] == 0


def test_json_with_a_file_comes_beside_the_report(type_in: Type, tmp_path: Path) -> None:
    found = type_in("run", "chang_roberts", "--n", "2", "--json", "out.json")
    assert found.stdout.startswith("HOLDS")
    assert json.loads((tmp_path / "out.json").read_text())["verdict"] == "holds"


def test_trace_writes_the_counterexamples_the_shortest_first(type_in: Type, tmp_path: Path) -> None:
    found = type_in("run", "chang_roberts", "--ids", "1,1,2", "--trace", "trace.json")
    assert found.exit_code == 12
    written = json.loads((tmp_path / "trace.json").read_text())
    assert written["format"] == 1
    lengths = [p["trace"]["length"] for p in written["counterexamples"]]
    assert lengths == sorted(lengths)
    assert written["counterexamples"][0]["name"] == "leader_is_the_maximum"


def test_trace_writes_nothing_where_nothing_is_violated_and_says_so(type_in: Type, tmp_path: Path) -> None:
    found = type_in("run", "chang_roberts", "--n", "2", "--trace", "trace.json")
    assert "nothing is violated: trace.json was not written" in found.stderr
    assert not (tmp_path / "trace.json").exists()


@pytest.mark.parametrize("option", ["--json", "--trace"])
def test_a_file_that_cannot_be_written_is_refused_before_the_search(
    option: str, type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "check", lambda *_, **__: pytest.fail("it searched"))
    found = type_in("run", "chang_roberts", option, "no/such/folder/file.json")
    assert found.exit_code == 2
    assert "there is no folder" in found.stderr
    assert type_in("run", "chang_roberts", option, ".").exit_code == 2


@pytest.mark.parametrize("fault", [ReplayError("step 3 cannot be taken"), KeyError("lost"), AssertionError("never")])
def test_a_bug_of_our_own_is_called_one_and_exits_70(
    fault: Exception, type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr(checker, "check", broken)
    found = type_in("run", "chang_roberts")
    assert found.exit_code == 70
    assert "a bug in modelcheck" in found.stderr
    assert "in broken" in found.stderr  # where it happened, for us
    assert found.stdout == ""


def test_the_same_command_prints_the_same_bytes_times_aside(type_in: Type) -> None:
    def printed() -> str:
        lines = type_in("run", "chang_roberts", "--ids", "1,1,2", "--n", "3").stdout.splitlines()
        return "\n".join(line for line in lines if "explored" not in line)

    assert printed() == printed()


def test_recoveries_without_crashes_make_sense_where_somebody_is_down_at_first(type_in: Type) -> None:
    assert type_in("run", "bully", "--n", "2", "--recoveries", "1").exit_code == 0


def test_no_limit_on_memory_exceeds_half_of_the_machine_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    def machine(megabytes: int) -> None:
        memory = SimpleNamespace(total=megabytes * 1_000_000)
        monkeypatch.setattr(request.psutil, "virtual_memory", lambda: memory)

    machine(64_000)
    assert request.usual_limits().max_memory == 4_000
    machine(4_000)
    assert request.usual_limits().max_memory == 2_000
    assert check("chang_roberts", n=1).limits.max_memory == 2_000


def test_the_page_says_what_the_terminal_says_and_comes_beside_it(type_in: Type, tmp_path: Path) -> None:
    found = type_in("run", "chang_roberts", "--ids", "1,1,2", "--html", "report.html")
    assert found.exit_code == 12
    text = (tmp_path / "report.html").read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "p3 (id 2) takes 1 for the leader, and the greatest identifier is 2" in text
    assert found.stdout.startswith("VIOLATED")


def test_a_page_that_cannot_be_written_is_refused_before_the_search(type_in: Type) -> None:
    found = type_in("run", "chang_roberts", "--n", "3", "--html", "nowhere/report.html")
    assert found.exit_code == 2
    assert "there is no folder nowhere" in found.stderr


def test_messages_have_a_page_of_their_own(type_in: Type, tmp_path: Path) -> None:
    found = type_in("messages", "chang_roberts", "--n", "2..3", "--start", "simultaneous", "--html", "messages.html")
    assert found.exit_code == 0
    text = (tmp_path / "messages.html").read_text()
    for words in ("exact numbers of messages", "n(n+1)/2 + n", "agrees", "the greatest number of messages"):
        assert words in text
