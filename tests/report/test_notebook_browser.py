"""What a notebook shows, in a real browser, among Jupyter's own rules: readable in its light theme, in its dark one, and whatever
the reader's screen prefers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.report.words.steps import told_runs

from .test_html_browser import contrast

LIGHT, DARK = ("#ffffff", "#111111", "#f5f5f5"), ("#111111", "#f2f2f2", "#2b2b2b")  # behind, in front, every other row

# The rules of JupyterLab 4 that reach into what a cell shows: packages/rendermime/style/base.css
JUPYTER = """
body {{ background: {0}; }}
.jp-RenderedHTMLCommon {{ color: {1}; font-size: 14px; line-height: 1.6; }}
.jp-RenderedHTMLCommon table {{ border-collapse: collapse; border: none; color: {1}; font-size: 12px; table-layout: fixed; margin: 0 auto 1em; }}
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr {{ vertical-align: middle; padding: .5em; line-height: normal; max-width: none; border: none; }}
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td, :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon tr {{ text-align: right; }}
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) {{ background: {0}; }}
.jp-RenderedHTMLCommon tbody tr:nth-child(even) {{ background: {2}; }}
.jp-RenderedHTMLCommon p {{ text-align: left; margin: 0 0 1em; }}
.jp-RenderedHTMLCommon dt {{ font-weight: bold; float: left; width: 20%; }}
.jp-RenderedHTMLCommon pre, .jp-RenderedHTMLCommon code {{ color: {1}; background: {2}; }}
"""
WORDS = """() => [...document.querySelectorAll(".modelcheck *")].filter((e) => e.tagName !== "STYLE" && e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())).map((e) => {
  const colours = [];
  for (let behind = e; behind; behind = behind.parentElement) colours.push(getComputedStyle(behind).backgroundColor);
  return [e.textContent.slice(0, 60), getComputedStyle(e).color, colours.find((c) => !c.endsWith(", 0)"))];
})"""
CELLS = """() => [...document.querySelectorAll(".modelcheck table")].map((table) => [getComputedStyle(table).tableLayout,
  ...[...table.querySelectorAll("td")].map((td) => getComputedStyle(td).textAlign)])"""
PAPERS = """() => [getComputedStyle(document.querySelector("svg.spacetime .paper")).fill,
  getComputedStyle(document.querySelector("iframe").contentDocument.body).backgroundColor,
  getComputedStyle(document.querySelector("iframe").contentDocument.querySelector("svg.spacetime .paper")).fill]"""


@pytest.fixture(scope="module")
def result() -> Result:
    return check("chang_roberts", ids="1,1,2")


def colour(shown: str) -> tuple[float, ...]:
    return tuple(map(float, shown[shown.index("(") + 1 : -1].split(",")[:3]))


@pytest.mark.parametrize(("theme", "screen"), [(LIGHT, "dark"), (DARK, "dark"), (DARK, "light")])
def test_all_that_it_shows_can_be_read_and_has_the_colours_of_paper(
    theme: tuple[str, str, str], screen: str, result: Result, page: Any, tmp_path: Path
) -> None:
    outputs = (result._repr_html_(), told_runs(result)[0].trace._repr_svg_(), result.html()._repr_html_())  # type: ignore[attr-defined]
    cells = "".join(f'<div class="jp-RenderedHTMLCommon jp-OutputArea-output">{shown}</div>' for shown in outputs)
    (tmp_path / "lab.html").write_text(
        f"<!DOCTYPE html><style>{JUPYTER.format(*theme)}</style>{cells}", encoding="utf-8"
    )
    page.emulate_media(color_scheme=screen)
    page.goto((tmp_path / "lab.html").as_uri())
    page.locator(".modelcheck summary").first.click()
    words = page.evaluate(WORDS)
    assert len(words) > 40
    for text, ink, paper in words:
        assert contrast(colour(ink), colour(paper)) >= 4.5, text  # as WCAG 2 AA asks
        assert min(colour(paper)) > 200, text
    for layout, *aligned in page.evaluate(CELLS):
        assert layout == "auto"
        assert set(aligned) == {"left"}
    assert page.evaluate(PAPERS) == ["rgb(255, 255, 255)"] * 3
    assert page.locator(".modelcheck img").evaluate("(image) => image.naturalWidth") > 200
    assert "prefers-color-scheme" not in result._repr_html_()
