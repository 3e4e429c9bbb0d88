"""The page on which protocols are checked with nothing installed."""

from __future__ import annotations

import functools
import http.server
import io
import json
import os
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from modelcheck import catalog, check

from ..cli.conftest import type_in as type_in

FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json")
INSIDE = """
import json, sys, types
sys.path.insert(0, sys.argv[1])
sys.platform = "emscripten"
sys.modules["pyodide_js"] = types.SimpleNamespace(_module=types.SimpleNamespace(HEAP8=types.SimpleNamespace(length=10**8)))
from pathlib import Path
from modelcheck.page import inside
inside.prepare()
inside.HERE = Path(sys.argv[1])
sys.stdout.write(json.dumps([json.loads(inside.checked(json.dumps(asked))) for asked in json.loads(sys.stdin.read())]))
"""


def packed(folder: Path, files: tuple[str, ...] = FILES, name: str = "pyodide.tgz") -> str:
    """What `npm pack pyodide` writes, as far as its names go."""
    with tarfile.open(folder / name, "w:gz") as tar:
        for file in files:
            data = b'{"version": "0.29.0"}' if file == "package.json" else file.encode()
            info = tarfile.TarInfo(f"package/{file}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return name


def form(name: str, **filled: str) -> dict[str, str]:
    text = catalog.model_path(name).read_text(encoding="utf-8")
    usual = {"variation": "", "n": "3", "network": "", "losses": "0", "crashes": "0", "ids": ""}
    return {"name": name, "text": text, **usual, **filled}


def test_a_page_is_a_folder_with_all_that_it_needs_and_is_written_again_over_itself(
    type_in: Any, tmp_path: Path
) -> None:
    for _ in range(2):
        found = type_in("page", "site", "--pyodide", packed(tmp_path))
        assert found.exit_code == 0, found.output
    assert "(Pyodide 0.29.0)" in found.stdout
    assert {path.name for path in (tmp_path / "site" / "pyodide").iterdir()} == set(FILES)
    page = (tmp_path / "site" / "index.html").read_text()
    for named in ("page.css", "page.js"):
        assert f'"{named}"' in page
        assert (tmp_path / "site" / named).is_file()
    models = json.loads((tmp_path / "site" / "models.json").read_text())["models"]
    assert {model["name"] for model in models} == set(catalog.model_files())


def test_what_is_not_pyodide_or_something_else_already_is_refused(type_in: Any, tmp_path: Path) -> None:
    for words, said in (
        (("site", "--pyodide", "nowhere.tgz"), "`npm pack pyodide` fetches it"),
        (("site", "--pyodide", packed(tmp_path, FILES[:-1], "cut.tgz")), "has no package.json"),
        ((".", "--pyodide", packed(tmp_path)), "is something else already"),
    ):
        found = type_in("page", *words)
        assert (found.exit_code, said in found.stderr) == (2, True), found.stderr
    (tmp_path / "no.tgz").write_bytes(b"no")
    assert "is not Pyodide's npm package" in type_in("page", "site", "--pyodide", "no.tgz").stderr


def test_what_is_on_the_page_checks_protocols_without_anything_that_is_installed(type_in: Any, tmp_path: Path) -> None:
    """In an interpreter that has nothing but Python's own library, with a stand-in for what Pyodide says of its memory: the same states
    and verdicts as here."""
    assert type_in("page", "site", "--pyodide", packed(tmp_path)).exit_code == 0
    with zipfile.ZipFile(tmp_path / "site" / "modelcheck.zip") as archive:
        archive.extractall(tmp_path / "lib")
    asked = [form("chang_roberts"), form("chang_roberts", ids="1,1,2"), form("mega_merger"), form("itai_rodeh"), form("bully", n="many")]  # fmt: skip
    python = Path(sys._base_executable)  # type: ignore[attr-defined]
    done = subprocess.run(
        [python, "-I", "-S", "-c", INSIDE, tmp_path / "lib"], input=json.dumps(asked), capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    right, wrong, merger, drawn, ill = json.loads(done.stdout)
    assert [right["verdict"], wrong["verdict"], merger["verdict"]] == ["HOLDS", "VIOLATED", "HOLDS"]
    here = check("chang_roberts", n=3, engine="reference")
    assert f"explored     {here.states} states   {here.transitions} transitions" in right["text"]
    assert "fails        p3 (id 2) takes 1 for the leader" in wrong["text"]
    assert wrong["html"].count("<svg") > 1
    assert "modelcheck run ./chang_roberts.py" in right["text"]
    assert drawn["text"].startswith("This takes numpy, which is not on this page")
    assert ill["text"].startswith("The fields below the protocol take whole numbers")


@pytest.mark.thorough
@pytest.mark.skipif("PYODIDE" not in os.environ, reason="PYODIDE names what `npm pack pyodide` has written")
def test_the_page_works_in_a_browser(type_in: Any, tmp_path: Path, page: Any) -> None:
    assert type_in("page", "site", "--pyodide", os.environ["PYODIDE"]).exit_code == 0
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.set_default_timeout(120_000)
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_selector("#check:not([disabled])")
        page.fill("input[name=ids]", "1,1,2")
        page.click("#check")
        page.wait_for_selector("#state.VIOLATED")
        report = page.frame_locator("#report")
        report.locator("[data-go=first]").first.click()
        assert "at first" in report.locator("output.place").first.inner_text()
        server.shutdown()
