"""`modelcheck.check` takes the options of `modelcheck run` as they are typed, keeps its limits, and its results can be read."""

from __future__ import annotations

import inspect
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import modelcheck
from modelcheck import Limits, UsageError, check
from modelcheck.check.result import Result
from modelcheck.cli import cli
from modelcheck.cli.run import run as command
from modelcheck.explore.limits import Meter
from tests.conftest import Write

HANGS = """
    class Hangs(Process):
        topology = one_way_ring
        done: bool = False

        @initiate
        def tick(self):
            self.require(not self.done)
            self.done = True
            while True:
                pass
"""
HANGS_WHEN_READ = "while True:\n    pass\n"
SOON = 0.2  # seconds
FILES = {
    "trace_file", "diagram_file", "causal", "html_file", "json_file", "checkpoint_file", "animate_file", "junit_file", "why", "sarif_file", "lines",
}  # fmt: skip


def in_a_thread(function: Any) -> Any:
    """What a function returns in a thread that is not the main one."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join(60)
    assert found, "it has not come to an end"
    return found[0]


# --- limits


@pytest.mark.parametrize("thread", ["the main thread", "another thread"])
@pytest.mark.parametrize("options", [{"workers": 1}, {"engine": "compiled", "workers": 2}], ids=["one", "several"])
def test_a_step_that_never_ends_is_ended_at_the_time_limit(write: Write, thread: str, options: dict[str, Any]) -> None:
    model = write(HANGS, "hangs")

    def found() -> Result:
        return check(model, n=2, max_seconds=SOON, **options)

    result = found() if thread == "the main thread" else in_a_thread(found)
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 20)
    assert "the limit of 0.2 seconds was reached" in str(result.stopped)
    assert check("chang_roberts", n=2).verdict == "HOLDS"  # nothing comes late


@pytest.mark.parametrize("thread", ["the main thread", "another thread"])
def test_a_model_that_is_never_read_to_its_end_is_given_up_at_the_time_limit(write: Write, thread: str) -> None:
    model = write(HANGS_WHEN_READ, "endless", header="")

    def found() -> Result:
        return check(model, max_seconds=SOON)

    result = found() if thread == "the main thread" else in_a_thread(found)
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 20)


def test_a_limit_on_states_is_given_by_its_name() -> None:
    result = check("chang_roberts", n=5, max_states=100)
    assert result.stopped == "the limit of 100 states was reached"
    assert check("chang_roberts", n=3, limits=Limits(max_states=5), max_states=1000).verdict == "HOLDS"


# --- options


def test_every_option_of_the_command_is_an_argument_under_its_name() -> None:
    typed = {
        (option.opts[0].removeprefix("--").replace("-", "_"))
        for option in command.params
        if option.param_type_name == "option" and str(option.name) not in FILES
    }
    assert typed <= set(inspect.signature(check).parameters)
    assert "max_seconds" in typed


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ({"n": "2..4"}, ["--n", "2..4"]),
        (
            {"n": "3", "max_seconds": 60, "max_states": 10_000, "max_memory": 100_000},
            ["--n", "3", "--max-seconds", "60", "--max-states", "10000", "--max-memory", "100000"],
        ),
        ({"ids": "3,1,2"}, ["--ids", "3,1,2"]),
        ({"ids": (3, 1, 2), "initiators": (1, 3)}, ["--ids", "3,1,2", "--initiators", "1,3"]),
        ({"initiators": "1,3"}, ["--initiators", "1,3"]),
        ({"set": {"elects": "min"}}, ["--set", "elects=min"]),
        ({"set": "elects=min"}, ["--set", "elects=min"]),
        ({"set": ["elects=min"], "property": "agreement"}, ["--set", "elects=min", "--property", "agreement"]),
        ({"losses": "1", "network": "bag"}, ["--losses", "1", "--network", "bag"]),
        ({"no_symmetry": True}, ["--no-symmetry"]),
        ({"spec": "election", "expect": "holds"}, ["--spec", "election", "--expect", "holds"]),
    ],
)  # fmt: skip
def test_what_is_written_in_a_program_is_what_is_typed(written: dict[str, Any], typed: list[str]) -> None:
    """The report is the same but for the time that it took."""
    report = CliRunner().invoke(cli, ["run", "chang_roberts", *typed]).stdout
    printed = str(check("chang_roberts", **written))
    assert _without_times(printed) == _without_times(report)


def _without_times(report: str) -> list[str]:
    return [line.split(" in ")[0].rstrip() for line in report.rstrip("\n").split("\n")]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_second": 5}, "check has no option 'max_second'; did you mean max_seconds"),
        ({"network": 3}, "network is given as text, not as 3"),
        ({"n": 2.5}, "n is a number of processes, a range such as '2..6', or several numbers, not 2.5"),
        ({"n": "two"}, "'two' is neither a number of processes nor a range such as 2..6"),
        ({"n": "4..2"}, "the range 4..2 is empty; did you mean 2..4?"),
        ({"losses": "one"}, "losses is a number, not 'one'"),
        ({"crashes": True}, "crashes is a number, not True"),
        ({"max_seconds": float("nan")}, "max_seconds is a number greater than 0, not nan"),
        ({"max_states": 0}, "max_states is a number greater than 0, not 0"),
        ({"max_memory": 1.5}, "max_memory is a number greater than 0, not 1.5"),
        ({"set": "elects"}, "set is {'KEY': VALUE} or 'KEY=VALUE', not 'elects'"),
        ({"set": ["elects=max", "elects=min"]}, "set gives elects two values"),
        ({"set": {"elect": "min"}}, "has no parameter 'elect'; did you mean elects?"),
    ],
)
def test_what_has_no_meaning_is_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        check("chang_roberts", **options)
    assert sentence in str(refused.value)


def test_a_path_is_a_model_too(write: Write) -> None:
    path = Path(write("class Idle(Process):\n    topology = one_way_ring\n    specs = ()\n"))
    assert check(path, n=2).verdict == "HOLDS"


# --- results


def test_a_result_is_one_line_where_it_is_not_printed() -> None:
    shown = repr(check("chang_roberts", n="2..3"))
    assert shown.startswith("<HOLDS chang_roberts n=2..3, ")
    assert "\n" not in shown


def test_a_printed_result_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    printed = str(check("chang_roberts", ids="1,1,2"))
    assert printed.startswith("VIOLATED")
    assert "\x1b" not in printed


def test_a_result_with_an_error_can_be_printed(write: Write) -> None:
    result = check(write("def (:\n", header=""))
    assert "MODEL ERROR" in str(result)
    assert repr(result).startswith("<INCONCLUSIVE")


def test_progress_is_told() -> None:
    told: list[Meter] = []
    check("chang_roberts", n=4, engine="reference", progress=told.append)
    assert told


def test_every_name_of_the_public_face_is_there() -> None:
    assert all(hasattr(modelcheck, name) for name in modelcheck.__all__)
