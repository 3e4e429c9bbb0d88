"""A result and a run as a notebook shows them."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from bs4 import BeautifulSoup

from modelcheck import Limits, check
from modelcheck.check.result import Result
from modelcheck.report.words.steps import told_runs

from .test_html import RUDE

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_other_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython warns where a virtual environment is active that is not the one it runs in."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)


def shown(result: Result) -> BeautifulSoup:
    return BeautifulSoup(result._repr_html_().replace("<wbr>", ""), "html.parser")


def test_it_shows_the_verdict_the_properties_and_the_shortest_counterexample() -> None:
    result = check("chang_roberts", ids="1,1,2")
    box = shown(result)
    words = " ".join(box.get_text(" ").split())
    assert "VIOLATED leader_is_the_maximum, agreement, decisions_are_final, one_leader_wave" in words
    assert "leader_is_the_maximum (always) after 3 steps" in words
    assert len(box.find_all("tr")) == len(result.properties)
    (picture,) = box.find_all("img")
    svg = base64.b64decode(picture["src"].partition("base64,")[2]).decode()
    assert svg == told_runs(result)[0].trace._repr_svg_()
    assert told_runs(result)[0].trace.reason in picture["alt"]


@pytest.mark.parametrize("options", [{"n": 2}, {"n": 6, "limits": Limits(max_states=100)}, {"graph": "star", "n": 4}])
def test_a_result_without_a_counterexample_has_no_picture(options: dict[str, Any]) -> None:
    result = check("chang_roberts", **options)
    box = shown(result)
    assert result.verdict in box.get_text()
    assert not box.find_all("img")


def test_its_text_is_a_text_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich shows what it prints below the cell when it finds itself in a notebook, whatever file it was given."""
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert str(check("chang_roberts", n=2)).startswith("HOLDS")


def test_a_notebook_that_is_not_trusted_says_what_stood_there() -> None:
    """Of a frame JupyterLab's sanitizer leaves the words in it."""
    frame = BeautifulSoup(check("chang_roberts", ids="1,1,2").html()._repr_html_(), "html.parser").iframe  # type: ignore[attr-defined]
    assert frame is not None
    assert "VIOLATED" in frame.get_text()
    assert "trusted" in frame.get_text()


def test_no_style_reaches_out_of_the_box() -> None:
    text = check("chang_roberts", ids="1,1,2")._repr_html_()
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.S)
    selectors = [s.strip() for rule in re.findall(r"([^{}]+)\{", style) for s in rule.split(",")]
    assert selectors
    assert all(selector.startswith(".modelcheck") for selector in selectors)
    assert 'id="' not in text


def test_nothing_of_a_model_becomes_an_element(run: Run) -> None:
    text = run(RUDE, n=2, ids="2,1")._repr_html_()
    box = BeautifulSoup(text, "html.parser")
    assert not box.find_all(["script", "b", "i"])
    assert len(box.find_all("img")) == 1
    assert not [tag for tag in box.find_all(True) for name in tag.attrs if name.startswith("on")]


def test_a_result_has_its_whole_page() -> None:
    result = check("chang_roberts", n=2)
    assert result.html().startswith("<!DOCTYPE html>")
    assert "HOLDS" in result.html()


def test_jupyter_finds_how_to_show_both() -> None:
    formatters = pytest.importorskip("IPython.core.formatters", reason="that is asked of IPython's own formatter")
    result = check("chang_roberts", ids="1,1,2")
    formatter = formatters.DisplayFormatter()
    data, _ = formatter.format(result)
    assert "VIOLATED" in data["text/html"]
    data, _ = formatter.format(told_runs(result)[0].trace)
    assert data["image/svg+xml"].startswith("<svg")


def test_whoever_only_checks_loads_none_of_it() -> None:
    """What stands above `check` is imported when a result is shown."""
    code = "import sys, modelcheck; modelcheck.check('chang_roberts', n=2); print([m for m in sys.modules if m.startswith(('modelcheck.report', 'modelcheck.pictures', 'jinja2', 'IPython'))])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_a_model_that_stands_in_a_cell_is_checked_and_shown_with_its_text() -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell", reason="cells are IPython's")
    session = shell.InteractiveShell()
    cell = """
from modelcheck import *
class InACell(Process):
    topology = one_way_ring
    awake: bool = False
    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
found = check(InACell, n=2)
"""
    session.run_cell(cell, silent=True).raise_error()
    result = session.user_ns["found"]
    assert "HOLDS" in result._repr_html_()
    assert result.files[0].text.strip() == cell.strip()
    page = BeautifulSoup(result.html(), "html.parser")
    assert "class InACell(Process):" in [row.get_text() for row in page.select(".source code")]


@pytest.mark.parametrize("way", ["log.append(1)", "globals()['log'].append(1)", "keeper.keep()", "ways['keep']()"])
def test_a_model_in_a_cell_that_remembers_something_outside_the_state_is_found_out(way: str) -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell", reason="cells are IPython's")
    session = shell.InteractiveShell()
    cell = """
from modelcheck import *
log = []
class Keeper:
    def keep(self):
        log.append(1)
keeper = Keeper()
ways = {"keep": keeper.keep}
class Forgetful(Process):
    topology = one_way_ring
    awake: bool = False
    @initiate
    def wake_up(self):
        self.require(not self.awake)
        WAY
        self.awake = True
found = check(Forgetful, n=2)
"""
    session.run_cell(cell.replace("WAY", way), silent=True).raise_error()
    result = session.user_ns["found"]
    assert result.verdict == "INCONCLUSIVE"
    assert "the model changed log, which is no field" in str(result.error)
