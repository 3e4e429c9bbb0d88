"""The report in a real browser: stepping through a run shows what the trace says, on every screen, on paper, and without scripts."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modelcheck import check
from modelcheck.report.html import run as html
from modelcheck.report.words.steps import told_runs
from modelcheck.runs.causality import events, flights
from modelcheck.runs.moments import moments
from modelcheck.runs.trace import ProcessState, Trace, sender

from ..contrast import faint
from ..protocols import ENDLESS
from .runs import simulated

Open = Callable[..., Any]

STATES = """() => [...document.querySelectorAll(".run .life")].map((life) => ({
  name: life.querySelector("h5").textContent,
  versions: [...life.querySelectorAll(".version")].filter((v) => v.checkVisibility()).map((v) => ({
    crashed: Boolean(v.querySelector(".crashed")),
    fields: [...v.querySelectorAll(".fields > div")].map((f) => [f.querySelector("dt").textContent, f.querySelector("dd").textContent]),
    inbox: [...v.querySelectorAll(".inbox li")].map((li) => [li.querySelector(".message").textContent, li.querySelector(".from").textContent]),
  })),
}))"""
HIDDEN = """() => [...document.querySelectorAll("header, nav, section, h1, h2, p, dd, li, td, .version")].filter(
  (e) => !e.closest("details:not([open])") && !e.closest("[hidden]") && !e.checkVisibility()).map((e) => e.outerHTML.slice(0, 200))"""


@pytest.fixture
def opened(page: Any, tmp_path: Path) -> Open:
    """Opens a page from a file, as a user does."""

    def opener(text: str, fragment: str = "") -> Any:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri() + fragment)
        return page

    return opener


@functools.cache
def violated() -> tuple[str, Trace]:
    """A report with several counterexamples, and the run of the first."""
    result = check("chang_roberts", ids="1,1,2")
    return html.document(result), told_runs(result)[0].trace


def of(trace: Trace) -> str:
    return html.run_page(trace, "a run")


def shown(page: Any) -> dict[str, Any]:
    """What the panel says of each process; of each there must be one state to be seen."""
    found = {}
    for life in page.evaluate(STATES):
        (version,) = life["versions"]
        found[life["name"]] = version
    return found


def as_shown(process: ProcessState) -> dict[str, Any]:
    return {
        "crashed": process.crashed,
        "fields": [list(field) for field in process.fields],
        "inbox": [[str(w), f"from {sender(w.message, w.source)}"] for w in process.waiting],
    }


def moment_of(page: Any) -> int:
    return int(page.locator(".run").first.locator("input").input_value())


def slide(page: Any, moment: int) -> None:
    page.locator(".run input").first.evaluate("(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }", moment)  # fmt: skip


# --- stepping through


RUNS: dict[str, Callable[[], Trace]] = {
    "messages cross": lambda: simulated("chang_roberts", 4, 30),
    "crashes and recoveries": lambda: simulated("bully", 3, 30, crashes=2, recoveries=2, losses=1, seed=3),
    "partitions": lambda: simulated("bully_partition", 3, 25, partitions=1, heals=1, seed=2),
    "shared variables": lambda: simulated("harmony_leader", 3, 12),
    "lock-step": lambda: told_runs(check("chang_roberts", ids="1,1,1", schedule="lockstep"))[0].trace,
    "starting steps": lambda: told_runs(check("chang_roberts", ids="1,1", start="simultaneous"))[0].trace,
}


@pytest.mark.parametrize("name", RUNS)
def test_at_every_moment_the_panel_shows_the_snapshot_of_the_trace(name: str, opened: Open) -> None:
    trace = RUNS[name]()
    page = opened(of(trace))
    for moment in moments(trace):
        slide(page, moment.number)
        found = shown(page)
        for process in moment.state.processes:
            assert found[process.process] == as_shown(process), moment.place
        if moment.state.shared:
            assert found["shared variables"]["fields"] == [list(pair) for pair in moment.state.shared]
        if "|" in moment.state.blocks:
            assert found["the network"]["fields"] == [["parts", moment.state.blocks]]


@pytest.mark.parametrize("name", RUNS)
def test_at_every_moment_what_is_still_to_come_is_faded_and_nothing_else(name: str, opened: Open) -> None:
    trace = RUNS[name]()
    page = opened(of(trace))
    for moment in moments(trace):
        slide(page, moment.number)
        faded = page.evaluate("() => [...document.querySelectorAll('.spacetime > .ahead')].map((g) => g.id)")
        ahead = {f"run-event-{k}" for k in range(moment.done, len(events(trace)))}
        ahead |= {f"run-flight-{k}" for k, flight in enumerate(flights(trace)) if flight.sent >= moment.done}
        assert {id for id in faded if id} == ahead
        assert page.locator(".cursor").count() == (1 if moment.number else 0)


def test_the_page_opens_at_the_violation(opened: Open) -> None:
    text, trace = violated()
    page = opened(text)
    assert moment_of(page) == trace.length
    assert trace.reason in page.locator(".said").first.inner_text()
    assert page.locator(".run").first.locator(".ahead").count() == 0


def test_the_sentence_says_who_received_what_from_whom(opened: Open) -> None:
    page = opened(violated()[0])
    slide(page, 2)
    assert page.locator(".said .act").first.inner_text().split("\n") == [
        "p2 (id 1) receives Election(1) from p1 and takes the step compare.",
        "awake: False → True",
        "sends Leader(1) to p3",
    ]


def test_buttons_and_arrow_keys_step_back_and_on(opened: Open) -> None:
    page = opened(violated()[0])
    run = page.locator(".run").first
    run.get_by_label("to the beginning").click()
    assert moment_of(page) == 0
    run.get_by_label("one step on").click()
    assert moment_of(page) == 1
    run.get_by_label("one step back").click()
    run.get_by_label("one step back").click()
    assert moment_of(page) == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert moment_of(page) == 2
    page.keyboard.press("End")
    assert moment_of(page) == 3
    page.keyboard.press("Home")
    assert moment_of(page) == 0


def test_arrow_keys_work_without_a_click_while_the_run_is_in_view(opened: Open) -> None:
    page = opened(violated()[0])
    page.locator(".run").first.scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('.run').scrollIntoView()")
    page.keyboard.press("ArrowLeft")
    assert moment_of(page) == 2


def test_everything_can_be_reached_by_the_keyboard_alone(opened: Open) -> None:
    page = opened(violated()[0])
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim()"))  # fmt: skip
    assert {"to the beginning", "one step back", "play", "one step on", "to the end", "moment of the run"} <= reached
    assert any(label.startswith("copy the command") for label in reached)
    assert "skip to the report" in reached


def test_a_click_on_an_event_or_on_a_line_goes_there(opened: Open) -> None:
    page = opened(violated()[0])
    page.locator("#run-1-at-event-0 .dot").click()
    assert moment_of(page) == 1
    page.locator("#run-1-at-2 .sentence").click()
    assert moment_of(page) == 2
    assert page.locator("#run-1-at-2").get_attribute("aria-current") == "step"


def test_play_goes_to_the_end_and_stops(page_of_its_own: Any, tmp_path: Path) -> None:
    page = page_of_its_own
    page.clock.install()
    (tmp_path / "report.html").write_text(violated()[0], encoding="utf-8")
    page.goto((tmp_path / "report.html").as_uri())
    page.locator(".run").first.get_by_label("play").click()
    assert moment_of(page) == 0
    page.clock.run_for(1500)
    assert moment_of(page) == 1
    page.clock.run_for(9000)
    assert moment_of(page) == 3
    assert page.locator(".run").first.get_by_label("play").count() == 1


def test_after_the_end_of_a_loop_comes_its_beginning(opened: Open, run: Callable[..., Any]) -> None:
    trace = told_runs(run(ENDLESS, n=2))[0].trace
    page = opened(of(trace))
    assert moment_of(page) == len(trace.steps)
    page.get_by_label("one step on").click()
    assert moment_of(page) == (trace.loop or 0) + 1


def test_a_link_to_a_moment_shows_it_and_unfolds_its_run(opened: Open) -> None:
    page = opened(violated()[0], "#run-2-at-3")
    run = page.locator("#run-2-at")
    assert run.is_visible()
    assert run.locator("input").input_value() == "3"
    page.locator("#run-2-at-1 .sentence").click()
    assert page.url.endswith("#run-2-at-1")


def test_what_changed_is_marked_and_only_that(opened: Open) -> None:
    page = opened(violated()[0])
    marked = "() => [...document.querySelectorAll('.run .now.just .fresh')].filter((e) => e.checkVisibility()).map((e) => e.textContent.replace(/\\s+/g, ' ').trim())"
    assert page.evaluate(marked) == ["Leader(1) from p3", "leader1"]


# --- screens, paper, no scripts


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
@pytest.mark.parametrize("wide", [False, True])
def test_no_page_is_wider_than_the_screen(width: int, wide: bool, opened: Open, page: Any) -> None:
    page.set_viewport_size({"width": width, "height": 780})
    opened(of(simulated("chang_roberts", 12, 60)) if wide else violated()[0])
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    clipped = "() => [...document.querySelectorAll('p, dd, h1, h2, td, li')].filter((e) => e.checkVisibility() && !e.closest('.scroll, .wide, nav') && e.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.evaluate(clipped) == 0


def test_a_long_run_keeps_the_names_of_its_lanes_in_view(opened: Open) -> None:
    page = opened(of(simulated("chang_roberts", 6, 60)))
    box = page.locator(".picture .scroll")
    assert box.evaluate("(e) => e.scrollTop") > 0  # the end is in view
    names = page.locator(".names svg")
    assert names.is_visible()
    assert re.findall(r"p\d", names.text_content()) == [f"p{k}" for k in range(1, 7)]
    page.get_by_label("to the beginning").click()
    names.wait_for(state="hidden")


def test_a_diagram_in_a_page_has_the_faces_that_it_was_laid_out_in(opened: Open) -> None:
    """Those of its own style sheet; sizes are those for which the words were measured."""
    page = opened(violated()[0])
    faces = page.evaluate("""() => [...document.querySelectorAll("svg.spacetime text")].map((t) => {
      const style = getComputedStyle(t);
      return [style.fontFamily.split(",")[0].replaceAll('"', ""), style.fontSize];
    })""")
    assert {family for family, _ in faces} == {"Helvetica Neue"}
    assert {size for _, size in faces} == {"10.5px", "11.5px", "12px", "13px"}
    messages = page.locator("svg.spacetime text.message")
    assert messages.count() > 3
    assert {messages.nth(k).evaluate("(t) => getComputedStyle(t).fontSize") for k in range(3)} == {"10.5px"}
    assert "mono" in page.locator(".inbox .message").first.evaluate("(m) => getComputedStyle(m).fontFamily")


def test_without_scripts_everything_is_there_to_be_read(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(violated()[0], encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator(".controls").first.is_hidden()
    assert page.evaluate(HIDDEN) == []
    assert page.locator("#run-1-at .version").count() > 3
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    context.close()


def test_on_paper_everything_is_unfolded_and_light(opened: Open, tmp_path: Path) -> None:
    page = opened(violated()[0])
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True, print_background=True)
    if shutil.which("pdftotext") is None:
        pytest.skip("the text of a PDF is read with pdftotext (Debian's package poppler-utils)")
    text = subprocess.run(["pdftotext", str(tmp_path / "report.pdf"), "-"], capture_output=True, text=True).stdout
    told = " ".join(text.split())
    for words in ("VIOLATED", "2 Leader messages are on their way", "replayed step by step", "class ChangRoberts(ElectionProcess)"):  # fmt: skip
        assert words in told
    assert "copy" not in told.split()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(scheme: str, opened: Open, page: Any) -> None:
    """With what has just changed in colour behind it, a step that nothing follows from, and lines that never ran."""
    page.emulate_media(color_scheme=scheme)
    for report in (violated()[0], html.document(check("bully_partition:SplitBrain", n=2, partitions=1))):
        opened(report)
        page.evaluate("() => document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        assert faint(page) == []


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    low, high = sorted(luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: tuple[float, ...]) -> float:
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(part * weight for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))


def test_dark_screens_get_a_dark_page_and_a_dark_picture(opened: Open, page: Any) -> None:
    page.emulate_media(color_scheme="dark")
    opened(violated()[0])
    colours = page.evaluate("() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.paper')).fill]")  # fmt: skip
    assert colours[0] == colours[1] == "rgb(20, 23, 26)"


def test_a_command_is_copied_with_one_click(opened: Open) -> None:
    page = opened(violated()[0])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#again .copy").first.click()
    page.get_by_text("copied").wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()") == "modelcheck run chang_roberts --ids 1,1,2"


# --- the system in its place


LETTERS = """() => [...document.querySelectorAll(".run .stage .letter")].filter((g) => g.querySelector(".paperwork").checkVisibility({ visibilityProperty: true }))
  .map((g) => [g.dataset.target, g.dataset.message])"""


@pytest.mark.parametrize("name", ["messages cross", "crashes and recoveries"])
def test_the_system_goes_along_with_the_moment(name: str, opened: Open) -> None:
    trace = RUNS[name]()
    page = opened(of(trace))
    page.emulate_media(reduced_motion="reduce")
    for moment in moments(trace):
        slide(page, moment.number)
        there = [[p.process.split(" (")[0], w.message] for p in moment.state.processes for w in p.waiting]
        ends = {flight.ended for flight in flights(trace) if not flight.received}
        if not ends & set(moment.events):  # then what was lost is there to be seen once more
            seen = page.evaluate(LETTERS)
            more = page.evaluate("() => [...document.querySelectorAll('.stage .rest')].filter((g) => g.checkVisibility({ visibilityProperty: true })).length")  # fmt: skip
            assert sorted(seen) == sorted(there) if not more else all(letter in there for letter in seen)
        down = {p.process.split(" (")[0] for p in moment.state.processes if p.crashed}
        assert set(page.evaluate("() => [...document.querySelectorAll('.stage .look.crashed')].filter((g) => g.checkVisibility({ visibilityProperty: true })).map((g) => g.parentNode.dataset.process)")) == down  # fmt: skip


def test_a_process_leads_to_its_next_step_and_a_message_to_the_step_that_receives_it(opened: Open) -> None:
    """In the first run against chang_roberts with identifiers 1, 1, 2 p1 takes step 1, p2 step 2 and p3 step 3."""
    page = opened(violated()[0])
    page.emulate_media(reduced_motion="reduce")
    slide(page, 0)
    page.locator(".run .stage .body[data-process=p2] .process").first.click()
    assert moment_of(page) == 2
    page.locator(".run .stage .letter[data-target=p3] text").first.click()
    assert moment_of(page) == 3


def test_letters_move_unless_motion_is_not_wanted(opened: Open) -> None:
    page = opened(violated()[0])
    lasts = "() => getComputedStyle(document.querySelector('.run .stage .letter')).transitionDuration"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(lasts) == "0.6s"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(lasts) == "0s"


def test_the_run_plays_by_itself_at_the_speed_that_is_asked_for(opened: Open) -> None:
    page = opened(violated()[0])
    run = page.locator(".run").first
    run.locator(".speed").select_option("4")
    run.get_by_label("play").click()
    page.wait_for_function("() => document.querySelector('.run input').value === '3'")
    page.wait_for_selector(".run .play:not(.playing)")


# --- why, and the lines that ran


def test_pointing_at_a_sentence_lights_up_what_that_step_follows_from(opened: Open) -> None:
    """In the first run step 2 follows from step 1, and step 3 from both; events are counted from 0."""
    page = opened(violated()[0])
    run = page.locator(".run").first
    run.locator(".why summary").click()
    for place, follows in ((0, {"2"}), (1, {"0", "1"}), (2, {"0"})):
        run.locator(".reasons li").nth(place).hover()
        dark = run.evaluate("(run) => [...run.querySelectorAll('.event.unlit')].map((g) => g.id.split('-').pop())")
        assert set(dark) == ({"0", "1", "2"} - follows if place else set())
    run.locator(".place").hover()
    assert run.locator(".unlit").count() == 0


def test_a_step_shows_the_lines_of_the_model_that_ran(opened: Open) -> None:
    text, trace = violated()
    page = opened(text)
    slide(page, 3)
    run = page.locator(".run").first
    run.locator(".said .code summary").click()
    shown = run.locator(".said .code pre").inner_text()
    assert [int(number) for number in re.findall(r"^\d+", shown, re.MULTILINE)] == [
        line for _, line in trace.steps[2].ran
    ]
    assert "self.leader = message.id" in shown
    slide(page, 2)
    assert run.locator(".said .code[open]").count() == 1


# The label of every line and column, and the kind of every property; but for names that come from the model.
LABELS = ".block dt, thead th, .properties .kind, .story .label, .counterexample:not(:has(details)) h2 .kind"
SENTENCES = """(labels) => [...document.querySelectorAll(labels)].filter((e) => !e.closest(".fields") && !e.querySelector(".gloss")).map((e) => e.textContent)"""
SAID = """(gloss) => { const style = getComputedStyle(gloss, "::after"); return style.display === "none" ? "none" : style.content; }"""


def test_every_label_has_its_sentence_at_hand(opened: Open) -> None:
    page = opened(violated()[0])
    named = {
        found.name for found in check("chang_roberts", ids="1,1,2").properties
    }  # the lines that reproduce single runs
    assert set(page.evaluate(SENTENCES, LABELS)) - named == {"what it says"}


@pytest.mark.parametrize("width", [1280, 390])
def test_a_sentence_is_shown_by_pointing_by_the_keyboard_and_by_pressing(width: int, opened: Open) -> None:
    page = opened(violated()[0])
    page.set_viewport_size({"width": width, "height": 800})
    gloss = page.locator(".gloss", has_text="guarantee")
    assert gloss.evaluate(SAID) == "none"
    said = gloss.get_attribute("aria-description")
    for show in (gloss.hover, gloss.focus, gloss.click):
        show()
        assert said.replace("“", "")[:30] in gloss.evaluate(SAID).replace("“", "")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Escape")
        assert gloss.evaluate(SAID) == "none"
        page.mouse.move(0, 0)
        gloss.blur()
