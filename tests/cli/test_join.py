"""`modelcheck run --part` and `modelcheck join`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Type


def test_parts_are_typed_and_joined(type_in: Type, tmp_path: Path) -> None:
    files = [str(tmp_path / f"{number}.json") for number in (1, 2)]
    for number, file in enumerate(files, 1):
        found = type_in("run", "chang_roberts", "--n", "3", "--part", f"{number}/2", "--checkpoint", file)
        assert found.exit_code == 20
        assert f"part {number} of 2 is done" in found.stdout
    together = type_in("join", *files)
    alone = type_in("run", "chang_roberts", "--n", "3")
    assert together.exit_code == 0
    assert together.stdout.splitlines()[0] == alone.stdout.splitlines()[0]
    data = json.loads(type_in("join", *files, "--json").stdout)
    assert (data["verdict"], data["worlds"]["explored"]) == ("holds", 2)
    html = tmp_path / "report.html"
    assert type_in("join", *files, "--html", str(html)).exit_code == 0
    assert "chang_roberts" in html.read_text()


def test_without_parts_there_is_nothing_to_join(type_in: Type) -> None:
    found = type_in("join")
    assert found.exit_code == 2
    assert "which parts?" in found.stderr
