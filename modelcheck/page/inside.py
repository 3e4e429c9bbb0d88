"""What runs in the browser: a protocol and the options of a form in, a report out. Nothing here is imported anywhere else."""

from __future__ import annotations

import json
import sys
import time
import types
from pathlib import Path
from typing import Any

LIMITS: dict[str, Any] = {"max_states": 300_000, "max_seconds": 120.0, "max_memory": 1_500}
HERE = Path("/home/web_user")
_runs = 0


def prepare() -> None:
    """Before anything else of modelcheck is imported. There is no psutil here: the one process has the memory of the page's worker."""
    import pyodide_js  # type: ignore[import-not-found]

    class Process:
        def __init__(self, _: int | None = None) -> None:
            pass

        def memory_info(self) -> Any:
            return types.SimpleNamespace(rss=pyodide_js._module.HEAP8.length)

        def create_time(self) -> float:
            return time.time()

    known: Any = types.ModuleType("psutil")
    known.Process, known.Error = Process, OSError
    known.virtual_memory = lambda: types.SimpleNamespace(total=4_000_000_000)
    sys.modules["psutil"] = known


def checked(asked: str) -> str:
    """The report of a check as JSON: its text, and as a page. What is asked for are the fields of the form."""
    global _runs
    from ..api import check
    from ..errors import ModelcheckError, UsageError

    form = json.loads(asked)
    _runs += 1
    folder = HERE / f"run{_runs}"
    folder.mkdir(parents=True)
    file = folder / f"{form['name']}.py"
    file.write_text(form["text"], encoding="utf-8")
    try:
        options = _options(form)
    except ValueError:
        return _said("The fields below the protocol take whole numbers; identifiers as in 1,1,2.")
    try:
        result = check(f"{file}{form['variation']}", engine="reference", **LIMITS, **options)
    except UsageError as error:
        return _said(str(error))
    except ModelcheckError as error:
        return _said(f"{type(error).__name__}: {error}")
    except ImportError as error:
        return _said(f"This takes {error.name}, which is not on this page; where modelcheck is installed it is.")
    text = str(result).replace(f"{folder}/", "./")
    return json.dumps({"verdict": result.verdict, "text": text, "html": result.html().replace(f"{folder}/", "./")})


def _said(words: str) -> str:
    return json.dumps({"verdict": "", "text": words, "html": ""})


def _options(form: dict[str, str]) -> dict[str, Any]:
    """Those that were filled in."""
    found: dict[str, Any] = {name: int(form[name]) for name in ("losses", "crashes") if form[name].strip() not in ("", "0")}  # fmt: skip
    if form["network"]:
        found["network"] = form["network"]
    if form["ids"].strip():
        found["ids"] = [int(word) for word in form["ids"].replace(",", " ").split()]
    elif form["n"].strip():
        found["n"] = int(form["n"])
    return found
