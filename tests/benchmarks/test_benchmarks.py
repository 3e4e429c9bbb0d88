"""The benchmarks run, and what they compare is the same. Nothing here depends on a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from modelcheck import check

from . import __main__ as command
from . import peers, search, tables
from .peers import tool
from .rows import WORDS, Case, LeftOut, PeerRow, Row, Way


@pytest.mark.parametrize("network", ["fifo", "bag"])
@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.NAME)
def test_a_peer_explores_the_same_states_and_transitions(peer: peers.Peer, network: str) -> None:
    if commands := peers.missing(peer):
        pytest.skip(f"{' and '.join(commands)} not installed (Debian: {' '.join(peers.PACKAGES)})")
    row = peers.measure(peer, Case("chang_roberts", network, 4), budget=60)
    ours = check("chang_roberts", n=4, network=network, engine="reference")
    assert isinstance(row, PeerRow)
    assert (row.states, row.transitions) == (ours.states, ours.transitions)


def test_a_search_is_measured_in_a_process_of_its_own() -> None:
    row = search.measure(Case("chang_roberts", "", 4), "compiled", workers=2, budget=600)
    assert isinstance(row, Row)
    assert (row.network, row.states, row.transitions) == ("fifo", 497, 1_252)  # as Spin and Rumur count
    assert min(row.seconds, row.memory, row.inserts or 0) > 0


@pytest.mark.parametrize(("way", "nodes"), [("order", False), ("sets", True)])
def test_other_ways_are_measured_as_they_are_named(way: Way, nodes: bool) -> None:
    """Of the 56 states of two worlds there are as many in a set, and fewer where orders are left out."""
    row = search.measure(Case("chang_roberts", "fifo", 3, way=way), "compiled", workers=1, budget=600)
    assert isinstance(row, Row)
    assert row.states == 56 if nodes else row.states < 56
    assert bool(row.nodes) == nodes
    report = tables.Report("compiled", 1, rows=[row])
    assert f"`{WORDS[way]}`" in report.markdown()


def test_a_search_beyond_its_budget_is_left_out() -> None:
    row = search.measure(Case("chang_roberts", "bag", 7), "reference", workers=1, budget=0.01)
    assert isinstance(row, LeftOut)
    assert "limit" in row.reason


def test_a_peer_beyond_its_budget_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(tool.Stopped, match=r"the limit of 0\.1 seconds"):
        tool.run(tmp_path, 0.1, "sleep", "60")


def test_the_command_writes_between_the_marks_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"before\n{tables.BEGIN}\nold\n{tables.END}\nafter\n")
    monkeypatch.setattr(command, "PAGE", page)
    arguments = ["--engine", "reference", "--most", "3", "--model", "bully", "--no-peers", "--write"]
    result = CliRunner().invoke(command.main, arguments, catch_exceptions=False)
    text = page.read_text()
    assert result.exit_code == 0
    assert "| bully | fifo | 3 | " in text
    assert "old" not in text
    assert text.startswith(f"before\n{tables.BEGIN}\n")
    assert text.endswith(f"\n{tables.END}\nafter\n")


def test_what_is_not_installed_is_named_with_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    arguments = ["--engine", "reference", "--most", "2"]
    result = CliRunner().invoke(command.main, arguments, catch_exceptions=False)
    assert "- Left out: Spin (not installed: spin, gcc;" in result.output
    assert "apt-get install spin rumur gcc" in result.output


def test_the_guide_has_a_place_for_the_tables() -> None:
    text = command.PAGE.read_text()
    assert 0 < text.find(tables.BEGIN) < text.find(tables.END)


def test_numbers_stand_on_the_right_in_a_table() -> None:
    assert tables.table(("a", "b"), [("x", "1")], left=1) == "| a | b |\n| --- | ---: |\n| x | 1 |"
