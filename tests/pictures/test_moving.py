"""Pictures that move by themselves: at each moment they show what the frame of that moment shows, and stand still where asked to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from modelcheck.pictures.files import write_gif
from modelcheck.pictures.stage.moving import PACE, animated, frames
from modelcheck.runs.moments import moments

from .runs import violation

SEEN = """() => [...document.querySelectorAll(".paperwork, .look, .caption, .acting, .struck")]
  .filter((e) => getComputedStyle(e).opacity === "1" && getComputedStyle(e).visibility === "visible" && (e.closest(".paperwork") === null || getComputedStyle(e.closest(".paperwork")).opacity === "1"))
  .map((e) => { const { x, y } = e.getBoundingClientRect(); return [e.getAttribute("class").split(" ")[0], e.textContent, Math.round(x), Math.round(y)]; }).sort()"""
AT = "(seconds) => document.getAnimations().forEach((motion) => { motion.pause(); motion.currentTime = seconds * 1000; })"


@pytest.mark.parametrize("name", ["crash and recovery", "a message is lost", "split"])
def test_at_every_moment_it_shows_what_the_frame_of_that_moment_shows(name: str, page: Any, tmp_path: Path) -> None:
    trace = violation(name)
    (tmp_path / "moving.svg").write_text(animated(trace))
    for number, frame in enumerate(frames(trace)):
        (tmp_path / f"{number}.svg").write_text(frame)
    page.emulate_media(reduced_motion="no-preference")
    for moment in moments(trace):
        page.goto((tmp_path / "moving.svg").as_uri())
        page.evaluate(AT, (moment.number + 0.9) * PACE)
        moving = page.evaluate(SEEN)
        page.goto((tmp_path / f"{moment.number}.svg").as_uri())
        assert moving == page.evaluate(SEEN)


def test_where_motion_is_not_wanted_it_shows_the_last_moment(page: Any, tmp_path: Path) -> None:
    trace = violation("split")
    (tmp_path / "moving.svg").write_text(animated(trace))
    (tmp_path / "last.svg").write_text(list(frames(trace))[-1])
    page.emulate_media(reduced_motion="reduce")
    page.goto((tmp_path / "moving.svg").as_uri())
    assert page.evaluate("() => document.getAnimations().length") == 0
    still = page.evaluate(SEEN)
    page.goto((tmp_path / "last.svg").as_uri())
    assert still == page.evaluate(SEEN)


def test_it_has_no_script_and_asks_for_nothing() -> None:
    text = animated(violation("lasso"))
    ElementTree.fromstring(text)
    assert not re.search(r"<script|href|url\(|@import|on\w+=", text)


def test_the_last_frame_says_what_is_wrong_and_no_other_does() -> None:
    trace = violation("a message is lost")
    texts = [" ".join(ElementTree.fromstring(frame).itertext()) for frame in frames(trace)]
    assert [trace.reason in " ".join(text.split()) for text in texts] == [False] * (len(texts) - 1) + [True]


def test_a_gif_has_a_frame_for_each_moment(tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    pytest.importorskip("typst")
    trace = violation("a message is lost")
    write_gif(frames(trace), tmp_path / "run.gif", PACE)
    with pillow.open(tmp_path / "run.gif") as image:
        assert image.n_frames == len(moments(trace))
