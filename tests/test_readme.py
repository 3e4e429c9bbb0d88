"""Every command of the README's tour prints what the README shows. `python tests/test_readme.py` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from modelcheck.cli import cli
from modelcheck.export.tools import TOOLS, missing

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```console\n\$ modelcheck (.*?)\n(.*?)```", re.S)


def output_of(command: str) -> str:
    """What a command prints, without what differs from run to run: times, and where the models lie."""
    result = CliRunner().invoke(cli, command.split())
    text = re.sub(r"in \d+\.\d+ s", "in 0.1 s", result.output)
    text = re.sub(r"(File \"|  )/\S*?/(models/\S+\.py)", r"\1\2", text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


@pytest.mark.witnessed
@pytest.mark.parametrize(("command", "shown"), BLOCK.findall(README.read_text()))
def test_the_tour_shows_real_output(command: str, shown: str) -> None:
    if command.startswith("confirm") and any(map(missing, TOOLS)):
        pytest.skip("spin and rumur are not both installed")
    assert output_of(command) == shown


if __name__ == "__main__":
    text = README.read_text()
    README.write_text(BLOCK.sub(lambda m: f"```console\n$ modelcheck {m[1]}\n{output_of(m[1])}```", text))
