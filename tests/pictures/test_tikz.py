"""Pictures for papers: what TikZ draws is what the SVG draws."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from modelcheck.pictures.diagram import diagram
from modelcheck.pictures.stage.moving import frames
from modelcheck.pictures.tikz import document, tikz

from .runs import VIOLATED, violation

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", VIOLATED)
def test_every_word_of_the_diagram_stands_where_it_stood(name: str) -> None:
    svg = diagram(violation(name))
    found = re.findall(r"\\node\[.*?\] at \(\S+,\S+\) \{(.*)\};", tikz(svg))
    root = ElementTree.fromstring(svg)
    assert len(found) == len(list(root.iter(f"{SVG}text")))
    plain = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert [word for word in found if word.isalnum()] == [word for word in plain if word.isalnum()]


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
