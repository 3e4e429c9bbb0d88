"""No line is wider than the terminal, but for what is to be copied: commands, and words that are longer than a line."""

from __future__ import annotations

import re

import click
import pytest

from modelcheck.cli import cli

from .conftest import Type

COPIED = re.compile(r"(  .{11}  | {2,6})modelcheck \S")  # a command, after its label or alone
BEFORE = "run chang_roberts --ids 1,1,2 --property agreement --trace run.json"
OWN = """
from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive

class AnnouncementOfAnIdentifier(Message):
    identifier: Id

class GoesWrong(ElectionProcess):
    topology = one_way_ring
    largest_identifier_seen_so_far: Id | None = None

    @initiate
    def announce_the_own_identifier(self):
        self.require(self.largest_identifier_seen_so_far is None)
        self.largest_identifier_seen_so_far = self.id
        self.send(NEXT, AnnouncementOfAnIdentifier(self.id))

    @receive(AnnouncementOfAnIdentifier)
    def compare_with_the_largest(self, message):
        self.leader = self.largest_identifier_seen_so_far
        assert message.identifier != self.id, "this is so long a sentence that no terminal has room for it in a line of its own"
"""
EXAMPLES = (
    "run chang_roberts --n 2",
    "run chang_roberts --n 2..3 --network bag --check-symmetry",
    "run chang_roberts --ids 1,1,2 --why",
    "run chang_roberts --n 3 --max-states 20 --initiators each",
    "run itai_rodeh --n 2",
    "run bully_partition:SplitBrain --n 2 --partitions 1",
    "run dijkstra --n 2",
    "run ./goes_wrong.py --n 2 --why",
    "run chang_roberts --property no_such_property_as_this",
    "run chang_robert",
    "chang_roberts --n 4 --network bag --initiators each --ids 1,1,2",
    "messages chang_roberts --n 1..3 --start simultaneous --show worst",
    "messages itai_rodeh --n 2",
    "expect anonymous_rounds --n 2 --set highest=2",
    "simulate ring_list:Circulates --n 9 --runs 5",
    "simulate chang_roberts --n 1000 --runs 3 --start simultaneous",
    "graph chang_roberts --n 2 --out states.html",
    "symmetry itai_rodeh --n 2",
    "trace run.json --why",
    "compare run.json",
    "compare chang_roberts all_the_way --n 2",
    "claims garg-passive-dkr --n 2",
    "exercises",
    "exercise harmony-25.2 --hint",
    "list",
    "help",
    "help taken_again",
    "help words",
    "export chang_roberts --n 2 --to promela --out model.pml",
)  # fmt: skip


def wide(text: str, width: int) -> list[str]:
    """The lines that the terminal would break, without its colours."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    return [line for line in lines if len(line) > width and " " in line.strip() and not COPIED.match(line)]


@pytest.fixture
def looked_at(type_in: Type, monkeypatch: pytest.MonkeyPatch) -> Type:
    """What is typed is shown on a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    with open("goes_wrong.py", "w", encoding="utf-8") as file:
        file.write(OWN)
    type_in(*BEFORE.split())
    return type_in


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_of_a_report_is_wider_than_the_terminal(
    width: int, looked_at: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    found = {example: looked_at(*example.split()) for example in EXAMPLES if width == 80 or len(example) % 3 == 0}
    assert {example: one.exit_code for example, one in found.items() if one.exit_code in (1, 70)} == {}
    assert {example: lines for example, one in found.items() if (lines := wide(one.output, width))} == {}


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_help_is_wider_than_the_terminal(width: int) -> None:
    found = {}
    for name, command in {"modelcheck": cli, **cli.commands}.items():
        with click.Context(command, info_name=name, terminal_width=width) as ctx:
            found[name] = wide(command.get_help(ctx), width)
    assert {name: lines for name, lines in found.items() if lines} == {}
