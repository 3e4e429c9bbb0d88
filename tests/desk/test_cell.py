"""`%%modelcheck`: a cell that is a model, in IPython itself."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import pytest

InteractiveShell = pytest.importorskip("IPython.core.interactiveshell", reason="cells are IPython's").InteractiveShell

CELL = """
from modelcheck import *

class Shy(ElectionProcess):
    topology = one_way_ring
    asked: bool = False

    @initiate
    def ask(self):
        self.require(not self.asked)
        self.asked = True
"""


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session that knows the magic. (IPython warns where a virtual environment is active that is not the one it runs in.)"""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "modelcheck")
    return shell


def typed(session: Any, cell: str) -> tuple[Any, str]:
    """What a cell comes to, and what is printed."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        found = session.run_cell(cell)
    return found.result, said.getvalue()


@pytest.mark.witnessed
def test_a_cell_is_checked_and_its_page_is_shown(session: Any) -> None:
    shown, _ = typed(session, f"%%modelcheck --n 2 --property everyone_decides{CELL}")
    result = shown.result
    assert result.verdict == "VIOLATED"
    assert "agreement" not in [one.name for one in result.properties]
    assert result.taken_again.undone == ""  # the cell is a file, which another interpreter reads
    assert result.files[0].text == CELL.removeprefix("\n")
    data, _ = session.display_formatter.format(shown)
    assert data["text/html"].startswith('<iframe title="The report"')
    assert data["text/plain"].startswith("VIOLATED")


def test_the_cell_is_read_anew_and_one_of_its_protocols_is_named(session: Any) -> None:
    typed(session, f"%%modelcheck --n 2{CELL}")
    both = CELL + "\nclass Shyer(Shy):\n    more: int = 0\n"
    shown, _ = typed(session, f"%%modelcheck :Shyer --n 1{both}")
    assert shown.result.model == "cell:Shyer"


def test_a_bundled_model_needs_no_cell(session: Any) -> None:
    shown, _ = typed(session, "%modelcheck chang_roberts --n 2")
    assert (shown.result.verdict, shown.result.asked) == ("HOLDS", (2,))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("%modelcheck", "which MODEL?"),
        ("%modelcheck chang", "did you mean chang_roberts"),
        ("%modelcheck chang_roberts --n nine", "neither a number of processes"),
        ("%modelcheck chang_roberts --html x.html", "--html is for the command line"),
        ("%modelcheck chang_roberts --set 'x", "No closing quotation"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(line: str, why: str, session: Any) -> None:
    shown, said = typed(session, line)
    assert shown is None
    assert why in said
    assert "Traceback" not in said


def test_a_model_with_an_error_shows_the_lesson(session: Any) -> None:
    shown, _ = typed(session, "%%modelcheck\nclass Shy(:\n    pass\n")
    assert "the file has a syntax error" in repr(shown)
    assert "cell.py:1" in repr(shown)
