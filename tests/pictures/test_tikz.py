"""Pictures for papers: what TikZ draws is what the SVG draws."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from modelcheck.pictures.diagram import diagram
from modelcheck.pictures.stage.moving import frames
from modelcheck.pictures.tikz import document, tikz

from .runs import VIOLATED, violation

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", VIOLATED)
def test_every_word_of_the_diagram_stands_where_it_stood_and_on_its_side(name: str) -> None:
    svg = diagram(violation(name))
    found = re.findall(r"\\node\[anchor=(\w+(?: \w+)?),.*?\] at \(\S+,\S+\) \{(.*)\};", tikz(svg))
    texts = list(ElementTree.fromstring(svg).iter(f"{SVG}text"))
    assert len(found) == len(texts)
    plain = [(text.text or "") + "".join(title.tail or "" for title in text) for text in texts]
    assert all(plain)
    assert [letters(word) for _, word in found] == list(map(letters, plain))
    sides = {"start": "base west", "middle": "base", "end": "base east"}
    asked = [(anchor, sides.get(text.get("text-anchor", ""))) for (anchor, _), text in zip(found, texts, strict=True)]
    assert all(anchor == side for anchor, side in asked if side)


def letters(words: str) -> str:
    """Only those that every notation writes in the same way."""
    return re.sub(r"[^A-Za-z0-9]", "", re.sub(r"\\to\b|\\dots|\\textbackslash|\\times|\\cdot", "", words))


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX (Debian's texlive-pictures)")
@pytest.mark.parametrize("name", VIOLATED)
def test_latex_draws_it_on_a_page_of_its_size(name: str, tmp_path: Path) -> None:
    svg = diagram(violation(name))
    (tmp_path / "run.tex").write_text(document(svg), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "run.tex"], cwd=tmp_path, capture_output=True, text=True, errors="replace"
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert "1 page" in done.stdout
    assert "Missing character" not in done.stdout


def test_arrows_lanes_and_marks_are_paths_in_their_colours() -> None:
    """The red of a violation is #b23600 of style.py, and the blue of messages #005f9e."""
    drawn = tikz(diagram(violation("equal identifiers")))
    assert "fill={rgb,255:red,178;green,54;blue,0}" in drawn
    assert "draw={rgb,255:red,0;green,95;blue,158}" in drawn
    assert "circle[radius=3.8pt]" in drawn  # a dot of 5 pixels
    assert "nan" not in drawn
    assert drawn.count("{") == drawn.count("}")


def test_what_is_special_to_latex_is_escaped() -> None:
    drawn = document('<svg xmlns="http://www.w3.org/2000/svg"><text x="1" y="2">a_b {50%} \\x \u2192 #1</text></svg>')
    assert r"{a\_b \{50\%\} \textbackslash{}x $\to$ \#1};" in drawn
    assert drawn.startswith(r"\documentclass")


def test_the_picture_of_the_system_can_be_had_as_well() -> None:
    *_, last = frames(violation("split"))
    drawn = tikz(last)
    assert "{p1};" in drawn
    assert "dash pattern=" in drawn  # the links that are cut
