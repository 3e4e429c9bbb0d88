"""Every command in the README and in the guide prints what they show. `python -m tests.guide.test_examples [TOPIC ...]` writes it anew."""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from modelcheck.cli import cli
from modelcheck.export.tools import TOOLS, missing

from .documents import DOCUMENTS, commands, write_files

SHOWN = [(document, example.command) for document in DOCUMENTS for example in commands(document)]


def output_of(command: str) -> str:
    """What a command prints, without what differs from run to run: times, and where the models lie."""
    result = CliRunner().invoke(cli, command.split())
    text = re.sub(r"in \d+\.\d+ s", "in 0.1 s", result.output)
    text = re.sub(r"(File \"|  )/\S*?/(models/\S+\.py)", r"\1\2", text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


@pytest.mark.witnessed
@pytest.mark.parametrize(
    ("document", "command"), SHOWN, ids=[f"{document.stem}: {command}" for document, command in SHOWN]
)
def test_what_is_shown_of_a_command_is_what_it_prints(
    document: Path, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command.startswith("confirm") and any(map(missing, TOOLS)):
        pytest.skip("spin and rumur are not both installed")
    write_files(document, tmp_path)
    monkeypatch.chdir(tmp_path)
    shown = next(example.shown for example in commands(document) if example.command == command)
    assert output_of(command) == shown


def test_every_file_that_a_page_shows_is_used_by_one_of_its_commands() -> None:
    for document in DOCUMENTS:
        typed = " ".join(example.command for example in commands(document))
        for name in re.findall(r"^```\w+ (\S+)$", document.read_text(encoding="utf-8"), re.M):
            assert re.search(rf"[ /]{re.escape(name)}\b", typed), f"{document.name} shows {name} and runs it nowhere"


def test_every_protocol_that_is_shown_in_full_is_a_file_that_runs() -> None:
    for document in DOCUMENTS:
        for block in re.findall(r"^```python(.*)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.M | re.S):
            assert block[0] or "Process):" not in block[1], f"a protocol in {document.name} has no name to be run under"


def _write_anew(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_files(document, Path(folder))
        for example in commands(document):
            before = f"$ modelcheck {example.command}\n{example.shown}```"
            text = text.replace(before, f"$ modelcheck {example.command}\n{output_of(example.command)}```")
    document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in DOCUMENTS:
        if not sys.argv[1:] or each.stem in sys.argv[1:]:
            _write_anew(each)
