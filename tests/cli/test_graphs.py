"""`--graph`: files are read line by line, and no graph is taken for another."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelcheck import check
from modelcheck.errors import AssumptionError, UsageError

from .conftest import Type


@pytest.mark.parametrize(
    ("line", "shown"), [("foo", "foo"), ("1 2 3", "1 2 3"), ("1,2", "1,2"), ("2 3 {'weight': 1}", "2 3 {'weight': 1}")]
)
def test_a_line_that_is_no_edge_is_refused_with_its_number(
    line: str, shown: str, type_in: Type, tmp_path: Path
) -> None:
    (tmp_path / "bad.txt").write_text(f"1 2\n{line}\n2 3\n")
    found = type_in("run", "spanning_tree", "--graph", "bad.txt")
    assert found.exit_code == 2
    assert f'bad.txt:2: "{shown}" is not an edge: write two names' in found.stderr


def test_comments_blank_lines_and_edges_written_twice_are_fine(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "path.txt").write_text("# a path\n\n  \na b\nb a\n  # the rest\nb c # the end\na b\n")
    found = type_in("run", "spanning_tree", "--graph", "path.txt")
    assert found.exit_code == 0
    assert "n=3" in found.stdout


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"\xff\xfe\x00"])
def test_a_file_without_a_graph_is_refused(content: bytes, type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(content)
    assert type_in("run", "spanning_tree", "--graph", "empty.txt").exit_code == 2


def test_a_one_way_ring_is_refused_where_links_lead_both_ways(type_in: Type) -> None:
    found = type_in("run", "spanning_tree", "--graph", "one_way_ring", "--n", "4")
    assert found.exit_code == 10
    assert "needs links both ways; those of a one_way_ring lead one way; try --graph two_way_ring" in found.stdout


def test_a_one_way_ring_is_refused_where_its_members_would_look_complete() -> None:
    with pytest.raises(AssumptionError):
        raise check("bully", graph="one_way_ring", n=3).error or AssertionError("it ran")


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_two_way_ring_keeps_its_name_where_any_graph_will_do(n: int) -> None:
    result = check("spanning_tree", graph="two_way_ring", n=n)
    assert result.verdict == "HOLDS"
    assert result.topology == f"two-way ring of {n}"


def test_a_process_linked_with_itself_is_a_false_assumption(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "loop.txt").write_text("1 2\n2 2\n")
    assert type_in("run", "spanning_tree", "--graph", "loop.txt").exit_code == 10


def test_a_file_that_is_no_graphml_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "bad.graphml").write_text("1 2\n")
    with pytest.raises(UsageError, match="no GraphML file"):
        check("spanning_tree", graph=str(tmp_path / "bad.graphml"))
