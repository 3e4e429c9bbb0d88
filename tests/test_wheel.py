"""The package as people install it: a wheel, in an environment of its own, used from another folder."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_it_contains_every_model_and_specification(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("models", "specs"):
        files = [path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.py")]
        assert files
        assert {f"modelcheck/{file.as_posix()}" for file in files} <= names


def test_it_contains_every_file_of_claims(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [path.relative_to(ROOT) for path in (ROOT / "specs" / "claims").glob("*.toml")]
    assert files
    assert {f"modelcheck/{file.as_posix()}" for file in files} <= names


def test_it_contains_the_page_of_the_explorer(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = list((ROOT / "modelcheck" / "web" / "static").iterdir())
    assert {"index.html", "explorer.js", "explorer.css"} <= {file.name for file in files}
    assert {file.relative_to(ROOT).as_posix() for file in files} <= names


def test_it_contains_what_draws_a_graph_in_a_browser_and_its_licences(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for file in ("graph_page.html", "vendor/viz-global.js", "vendor/LICENSES.md"):
        assert f"modelcheck/graph/{file}" in names


def test_it_contains_the_guide_and_the_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = list((ROOT / "modelcheck" / "guide").glob("*.md"))
    assert files
    assert {file.relative_to(ROOT).as_posix() for file in files} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_it_runs_a_bundled_model_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    bin = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([str(bin / "python"), "-m", "pip", "install", "-q", str(wheel)], check=True, capture_output=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run = subprocess.run(
        [str(bin / "modelcheck"), "run", "chang_roberts", "--n", "4"], cwd=elsewhere, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("HOLDS")
    assert "497 states" in run.stdout
