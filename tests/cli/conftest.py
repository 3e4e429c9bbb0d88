"""The command line as a user types it, in an empty folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from modelcheck.cli import cli

Type = Callable[..., Result]


@pytest.fixture
def type_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Type:
    """Runs `modelcheck` with these words; standard output and standard error are kept apart."""
    monkeypatch.chdir(tmp_path)

    def typed(*words: str) -> Result:
        return CliRunner().invoke(cli, list(words), prog_name="modelcheck")

    return typed


@pytest.fixture
def json_of(type_in: Type) -> Callable[..., dict[str, Any]]:
    """The JSON that `modelcheck run` prints with these words."""

    def parsed(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(type_in("run", *words, "--json").stdout)
        return found

    return parsed
