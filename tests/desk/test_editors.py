"""What the guide gives to editors matches what is printed for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from modelcheck import guide
from modelcheck.cli import cli

Write = Callable[..., str]
DISAGREES = """\
class Boaster(ElectionProcess):
    topology = one_way_ring
    @initiate
    def boast(self):
        self.require(self.leader is None)
        self.leader = self.id
"""
FAILS = """\
class Fails(Process):
    topology = one_way_ring
    a: int = 0
    @initiate
    def begin(self):
        self.b = 1
"""


def task() -> Any:
    """The task of the guide's page."""
    page = (guide.FOLDER / "desk.md").read_text()
    (text,) = [block for block in re.findall(r"^```json\n(.*?)^```", page, re.M | re.S) if '"tasks"' in block]
    (found,) = json.loads(text)["tasks"]
    return found


@pytest.mark.parametrize(("text", "line", "message"), [(DISAGREES, "boast", "VIOLATED "), (FAILS, "self.b", "")])
def test_the_pattern_of_the_task_finds_file_line_and_message(text: str, line: str, message: str, write: Write) -> None:
    path = Path(write(text))
    command = task()["command"].replace("./${relativeFile}", str(path)).removeprefix("modelcheck ")
    output = CliRunner().invoke(cli, command.split()).output
    pattern = task()["problemMatcher"]["pattern"]
    found = [match for match in (re.match(pattern["regexp"], printed) for printed in output.splitlines()) if match]
    assert found, output
    for match in found:
        assert path.name == Path(match[pattern["file"]]).name
    place = int(found[0][pattern["line"]])
    assert line in "".join(path.read_text().splitlines()[place - 1 : place + 1])
    assert found[0][pattern["message"]].startswith(message)
