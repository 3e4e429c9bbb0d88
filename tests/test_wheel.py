"""The package as people install it: a wheel, in an environment of its own, used from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = "Scripts" if sys.platform == "win32" else "bin"


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


def test_it_runs_a_bundled_model_from_another_folder_and_one_that_builds_on_it(wheel: Path, tmp_path: Path) -> None:
    """Beside the libraries that there are, and by the engine that has nothing to compile."""
    installed = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(installed), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    where = [sys.executable, "-c", "import modelcheck; print(modelcheck.__file__)"]
    found = subprocess.run(where, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(installed)
    _runs(installed / BIN / "modelcheck", tmp_path, environment, "--engine", "reference")
    builds = "from modelcheck.models.chang_roberts import ChangRoberts\nclass Mine(ChangRoberts): pass\n"
    (tmp_path / "mine.py").write_text(builds)
    subprocess.run([sys.executable, "mine.py"], env=environment, cwd=tmp_path, check=True)
    command = [str(installed / BIN / "modelcheck"), "run", "./mine.py", "--n", "2", "--engine", "reference"]
    assert subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True).returncode == 0


@pytest.mark.thorough
def test_it_brings_all_that_it_needs(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    bin = tmp_path / "env" / BIN
    subprocess.run([str(bin / "python"), "-m", "pip", "install", "-q", str(wheel)], check=True, capture_output=True)
    _runs(bin / "modelcheck", tmp_path, {**os.environ, "PYTHONPATH": ""})


def _runs(program: Path, folder: Path, environment: dict[str, str], *options: str) -> None:
    """A bundled model holds with as many states as Spin and Rumur count, in a folder where nothing else is."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    words = [str(program), "run", "chang_roberts", "--n", "4", *options]
    run = subprocess.run(words, cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("HOLDS")
    assert "497 states" in run.stdout
