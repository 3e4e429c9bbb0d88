"""How a split network reads: on the terminal, as JSON, and in the commands a report offers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from modelcheck import check
from modelcheck.cli import cli
from modelcheck.report.files import as_json

TOLD = """
class Note(Message):
    x: int
class Told(Process):
    topology = complete
    sent: bool = False
    got: int = 0
    @initiate
    def tell(self):
        self.require(not self.sent)
        self.sent = True
        self.send_all(Note(7))
    @receive(Note)
    def note(self, message):
        self.got += 1
@at_the_end
def everyone_got_two(view):
    "At the end everyone got two notes."
    return all(p.got == 2 for p in view.processes)
"""


def report(path: str, *options: str) -> str:
    return CliRunner().invoke(cli, ["run", path, *options]).output


def lines(text: str, *starts: str) -> list[str]:
    """The lines of the report that begin with one of these, inner space evened out."""
    plain = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in plain if line.startswith(starts)]


def test_splits_heals_and_the_fate_of_messages_are_said_in_words(write: Callable[..., str]) -> None:
    path = write(TOLD, "told")
    lost = report(path, "--partitions", "1", "--ids", "1,2,3", "--initiators", "1")
    assert "1 the network splits p1 | p2 p3" in lines(lost, "1 ")
    assert any("sends Note(7) to p2 (lost), p3 (lost)" in line for line in lines(lost, "2 "))
    assert lines(lost, "split ") == ["split p1 | p2 p3"]
    held = report(path, "--partitions", "1", "--across", "held", "--ids", "1,2,3", "--initiators", "1")
    assert any("sends Note(7) to p2 (held), p3 (held)" in line for line in lines(held, "2 "))
    assert any("waiting: Note(7) (held)" in line for line in lines(held, "p2"))


def test_a_message_that_was_in_transit_and_does_not_get_through_is_a_step_of_its_receiver(
    write: Callable[..., str],
) -> None:
    """Speak, split, and then it is lost: without a step of a process that receives it."""
    text = (
        TOLD
        + """
@every_step
def what_leaves_a_link_is_received(before, after):
    left = len(before.in_transit(Note)) - len(after.in_transit(Note))
    return left <= sum(p.got for p in after.processes) - sum(p.got for p in before.processes)
"""
    )
    found = check(write(text), n=2, partitions=1).property("what_leaves_a_link_is_received")
    assert found.trace is not None
    kinds = [(step.step, step.kind) for step in found.trace.steps]
    assert sorted(kinds[:2]) == [("split", "split"), ("tell", "initiate")]
    assert kinds[2:] == [("lose", "strand")]
    assert any(
        "lose Note(7) from p" in line for line in lines(report(write(text), "--n", "2", "--partitions", "1"), "3")
    )
    held = check(write(text), n=2, partitions=1, across="held").property("what_leaves_a_link_is_received")
    assert held.verdict == "holds", "what is held is still on its way"


def test_json_has_the_budgets_the_blocks_and_the_fate_of_messages(write: Callable[..., str]) -> None:
    result = check(write(TOLD), n=3, partitions=1, heals=1, across="held", property="everyone_got_two")
    document: dict[str, Any] = json.loads(as_json.dumps(as_json.document(result)))
    assert document["faults"]["partitions"] == document["faults"]["heals"] == 1
    assert (document["faults"]["across"], document["faults"]["detector"]) == ("held", "heartbeat")
    assert document["options"] == ["--partitions", "1", "--heals", "1", "--across", "held"]
    assert document["broken_assumptions"][0] == "partitions up to 1 (not written for any)"
    trace = document["properties"][0]["trace"]
    split = next(step for step in trace["steps"] if step["kind"] == "split")
    assert split["process"] == "the network"
    assert split["changed"] == [{"field": "blocks", "before": "p1 p2 p3", "after": "p1 p3 | p2"}]
    assert trace["initial"]["blocks"] == [["p1", "p2", "p3"]]
    assert trace["steps"][-1]["state"]["blocks"] == [["p1", "p3"], ["p2"]]
    fates = {send["across"] for step in trace["steps"] for send in step["sent"]}
    assert fates == {None, "held"}
    waiting = [w["held"] for p in trace["steps"][-1]["state"]["processes"] for w in p["waiting"]]
    assert waiting
    assert all(waiting)
    whole = as_json.document(check(write(TOLD), n=2))
    assert whole["faults"]["detector"] == "perfect"


@pytest.mark.parametrize(
    ("options", "unchecked"),
    [
        ((), {"partitions"}),
        (("--partitions", "1"), {"heals"}),
        (("--partitions", "1", "--heals", "1"), set()),
    ],
)
def test_partitions_and_heals_that_cannot_happen_are_named(
    write: Callable[..., str], options: tuple[str, ...], unchecked: set[str]
) -> None:
    (line,) = lines(report(write(TOLD), "--n", "2", *options), "not checked")
    assert {word for word in ("partitions", "heals") if word in line} == unchecked


def test_the_commands_of_a_report_have_the_options_and_undo_them_together(write: Callable[..., str]) -> None:
    path = write(TOLD)
    output = report(path, "--n", "2", "--partitions", "1", "--heals", "1", "--across", "held", "--detector", "perfect")
    (again,) = lines(output, "again")
    assert "--partitions 1 --heals 1 --across held --detector perfect" in again
    (following,) = lines(output, "next")
    assert not {"--partitions", "--heals", "--across"} & set(following.split())
    assert "--detector" not in report(path, "--n", "2", "--partitions", "1", "--detector", "heartbeat")
