"""Compiled code is kept from run to run: never for another version of the engine, and wherever a folder can be had."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from numba import types
from numba.core import caching

from modelcheck.explore.compiled import jit

PACKAGE = Path(jit.__file__).parents[2]
COMPILED = Path(jit.__file__).parent
NOWHERE = {"HOME": "/proc/nonexistent", "XDG_CACHE_HOME": "/proc/nonexistent/caches"}

# A function in one file, and in another a constant that is compiled into it.
CONSTANT = "SIZE = {}\n"
FUNCTION = "from .constant import SIZE\nfrom .jit import jit\n\n\n@jit()\ndef size():\n    return SIZE\n"


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """The folder is looked for as in a new process, with the user's caches in a folder of the test."""
    monkeypatch.setattr(jit.numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(jit, "folder", jit.folder.__wrapped__)
    return monkeypatch


def python(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": "", **environment}
    return subprocess.run(
        [sys.executable, *words], env=surroundings, capture_output=True, text=True, check=False, timeout=300
    )


def test_a_constant_that_was_changed_in_another_file_is_compiled_anew(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / "__init__.py").touch()
    shutil.copy(jit.__file__, engine)
    (engine / "function.py").write_text(FUNCTION)
    told = []
    for size in (8, 16, 8):
        (engine / "constant.py").write_text(CONSTANT.format(size))
        ran = python(
            "-c", "import engine.function as f; print(f.size(), sum(f.size.stats.cache_hits.values()))",
            PYTHONPATH=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "caches"),
        )  # fmt: skip
        told.append(ran.stdout.split() or ran.stderr)
    assert told == [["8", "0"], ["16", "0"], ["8", "1"]]  # the last from the code of the first


def test_what_two_save_at_once_is_found_under_its_own_signature(afresh: pytest.MonkeyPatch) -> None:
    """Both have looked for a free file before either has written it, unless one waits for the other."""

    def twice(x: Any) -> Any:
        return x + x

    index, looked = caching.IndexDataCacheFile._load_index, threading.Barrier(2)

    def look_together(file: Any) -> Any:
        found = index(file)
        with contextlib.suppress(threading.BrokenBarrierError):
            looked.wait(0.5)
        return found

    signatures = [(types.int64,), (types.float64,)]
    compiled = [jit.jit()(twice) for _ in signatures]
    savings = []
    for one, signature in zip(compiled, signatures, strict=True):
        save = one._cache.save_overload
        one._cache.save_overload = lambda *_: None
        one.compile(signature)
        savings.append(threading.Thread(target=save, args=(signature, one.overloads[signature])))
    afresh.setattr(caching.IndexDataCacheFile, "_load_index", look_together)
    for saving in savings:
        saving.start()
    for saving in savings:
        saving.join()
    found = [jit.jit()(twice)._cache.load_overload(signature, compiled[0].targetctx) for signature in signatures]
    assert [one.signature.args for one in found] == signatures


def test_every_compiled_function_and_what_is_compiled_into_it_stands_in_the_folder_that_is_looked_at() -> None:
    """Elsewhere nothing is compiled; there, names come from the folder itself, from outside this project, or from the other folder."""
    for file in PACKAGE.rglob("*.py"):
        imports = [node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.ImportFrom)]
        names = {(node.level, node.module, alias.name) for node in imports for alias in node.names}
        if file.parent not in jit.SOURCES:
            assert not any(module and module.split(".")[0] == "numba" for _, module, _ in names), file
            assert not any(name == "jit" for _, _, name in names), file
        elif any(name == "jit" for _, _, name in names):
            compiled = {
                name.id
                for function in ast.walk(ast.parse(file.read_bytes()))
                if isinstance(function, ast.FunctionDef) and any("jit" in ast.dump(d) for d in function.decorator_list)
                for statement in function.body
                for name in ast.walk(statement)
                if isinstance(name, ast.Name)
            }
            assert not compiled & {
                name for level, module, name in names if level > 1 and not (module or "").startswith("compiled.")
            }, file


def test_a_change_of_any_file_of_the_engine_changes_the_folder(tmp_path: Path) -> None:
    before = jit.digest(COMPILED)
    assert set(jit.SOURCES) == {COMPILED, PACKAGE / "explore" / "sets"}
    for file in COMPILED.glob("*.py"):
        copy = tmp_path / file.stem
        shutil.copytree(COMPILED, copy, ignore=shutil.ignore_patterns("__pycache__"))
        assert jit.digest(copy) == before
        (copy / file.name).write_text(file.read_text() + "\n")
        assert jit.digest(copy) != before


def test_the_folder_changes_with_the_versions_of_what_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.digest(COMPILED)
    for module in (jit.numba, jit.llvmlite, jit.np):
        with monkeypatch.context() as patch:
            patch.setattr(module, "__version__", "0.0.1")
            assert jit.digest(COMPILED) != before


def test_a_folder_that_the_user_names_is_taken_first(afresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    afresh.setattr(jit.numba.config, "CACHE_DIR", str(tmp_path / "mine"))
    found = jit.folder()
    assert found is not None
    assert found.parent == tmp_path / "mine"


@pytest.mark.usefixtures("afresh")
def test_code_is_kept_in_the_users_folder_for_caches(tmp_path: Path) -> None:
    assert jit.folder() == tmp_path / "caches" / "modelcheck" / f"modelcheck-{jit.digest(*jit.SOURCES)}"


@pytest.mark.parametrize("trouble", ["a file stands there", "it cannot be made"])
def test_without_the_users_folder_code_is_kept_in_a_temporary_one_of_ones_own(
    afresh: pytest.MonkeyPatch, tmp_path: Path, trouble: str
) -> None:
    afresh.setattr(jit.tempfile, "tempdir", str(tmp_path))
    if trouble == "a file stands there":
        (tmp_path / "caches").touch()
    else:
        afresh.setenv("XDG_CACHE_HOME", NOWHERE["XDG_CACHE_HOME"])
    found = jit.folder()
    assert found is not None
    assert found.parent == tmp_path / f"modelcheck-of-{os.getuid()}"
    assert found.parent.stat().st_mode & 0o777 == 0o700


def test_a_temporary_folder_that_others_may_write_to_is_not_used(afresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What lies in it is run: it could be anybody's."""
    afresh.setattr(jit.tempfile, "tempdir", str(tmp_path))
    afresh.setenv("XDG_CACHE_HOME", NOWHERE["XDG_CACHE_HOME"])
    theirs = tmp_path / f"modelcheck-of-{os.getuid()}"
    theirs.mkdir()
    theirs.chmod(0o777)
    assert jit.folder() is None
    theirs.rmdir()
    theirs.symlink_to(tmp_path / "elsewhere")
    assert jit.folder() is None


@pytest.mark.usefixtures("afresh")
def test_code_of_other_versions_is_removed_once_nobody_has_used_it_for_a_month(tmp_path: Path) -> None:
    root = tmp_path / "caches" / "modelcheck"
    old, recent, other = (root / name for name in (f"modelcheck-{'0' * 16}", f"modelcheck-{'1' * 16}", "notes"))
    month = time.time() - jit.UNUSED
    for place, used in ((old, month - 60), (recent, month + 3600), (other, month - 60)):
        place.mkdir(parents=True)
        os.utime(place, (used, used))
    found = jit.folder()
    assert set(root.iterdir()) == {found, recent, other}


def test_an_install_that_cannot_be_written_to_runs_the_compiled_engine_without_a_home(tmp_path: Path) -> None:
    """What is compiled already is laid into the temporary folder, so that it need not be compiled again here."""
    private = tmp_path / f"modelcheck-of-{os.getuid()}"
    private.mkdir(mode=0o700)
    known = jit.folder()
    if known is not None:
        shutil.copytree(known, private / known.name)
    words = ("-m", "modelcheck", "run", "chang_roberts", "--n", "3", "--engine", "compiled", "--workers", "1")
    ran = python("-B", *words, **NOWHERE, TMPDIR=str(tmp_path))
    assert ran.returncode == 0, ran.stderr
    assert "HOLDS" in ran.stdout
    assert list((private / f"modelcheck-{jit.digest(*jit.SOURCES)}").glob("*/kernel.search-*.nbc"))


def test_where_nothing_can_be_kept_code_is_compiled_and_run_all_the_same(tmp_path: Path) -> None:
    (tmp_path / f"modelcheck-of-{os.getuid()}").touch()
    program = (
        "from modelcheck.explore.compiled import jit; from modelcheck.explore.compiled.cycles import fill_depths; import numpy as np;"
        "depths = np.zeros(3, np.int32); fill_depths(np.array([-1, 0, 1], np.int32), depths); print(jit.folder(), depths)"
    )
    ran = python("-B", "-c", program, **NOWHERE, TMPDIR=str(tmp_path))
    assert (ran.stdout, ran.returncode) == ("None [0 1 2]\n", 0), ran.stderr


def test_numbas_own_folder_is_as_it_was_for_everything_else() -> None:
    assert str(COMPILED) not in jit.numba.config.CACHE_DIR
    assert os.environ.get("NUMBA_CACHE_DIR", "") == jit.numba.config.CACHE_DIR
