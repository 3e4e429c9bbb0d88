"""The explorer in a real browser: by mouse, by keys alone, on a phone, and two at once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ..contrast import faint
from .conftest import Served

PHONE = {"width": 390, "height": 844}


def opened(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#page:not([hidden])")


def shows(page: Any, selector: str, words: str | re.Pattern[str]) -> None:
    """Waits until it does. (To wait for an expression would be to evaluate text, which the page forbids.)"""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_text(words)


def steps_taken(page: Any, number: int) -> None:
    """Waits until so many steps are shown."""
    unit = "step" if number == 1 else "steps"
    shows(page, "#count", f"{number} {unit}")


def take(page: Any, words: str, then: int) -> None:
    page.locator("#steps button.step", has_text=words).first.click()
    steps_taken(page, then)


def events(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "#diagram .event", "all => all.map(e => e.dataset.process + ' ' + e.dataset.step)"
    )
    return found


def field(page: Any, process: str, name: str) -> str:
    text: str = page.eval_on_selector(
        f"[data-process={process}].process dl",
        f"dl => [...dl.children].find(e => e.textContent === '{name}').nextSibling.textContent",
    )
    return text


def test_the_names_of_the_lanes_stay_in_sight_and_above_their_lanes(served: Served, page: Any) -> None:
    """On a small screen, so that the diagram is scrolled down and to its side as well; what each process has in its inbox is
    said in the words of the report, and whether this run has ended too."""
    page.set_viewport_size({"width": 900, "height": 330})
    address = served("chang_roberts", n=3)
    opened(page, address)
    page.locator("#to-end").click()
    page.wait_for_selector(".ending.good")
    assert page.locator("#diagram").evaluate("(box) => box.scrollTop") > 40
    names = page.locator("#diagram .names svg")
    assert names.is_visible()
    places = """() => ["#diagram > svg .lane", "#diagram .names .lane"].map((lanes) => [...document.querySelectorAll(lanes)].map(
      (lane) => [lane.querySelector(".process").textContent, Math.round(lane.querySelector("rect").getBoundingClientRect().x)]))"""
    below, above = page.evaluate(places)
    assert [name for name, _ in above] == ["p1", "p2", "p3"]
    assert above == below
    frame = page.locator("#diagram").evaluate("(box) => box.getBoundingClientRect().top")
    assert abs(names.evaluate("(e) => e.getBoundingClientRect().top") - frame) < 2
    page.locator("#diagram").evaluate("(box) => { box.scrollTop = 0; }")
    names.wait_for(state="hidden")
    assert {e.inner_text() for e in page.locator(".process .inbox").all()} == {"inbox empty"}
    ended = page.locator("#properties [data-property=termination]")
    assert ended.get_attribute("data-here") == "holds"
    assert "this run has ended" in ended.inner_text()


def test_a_run_is_clicked_together_and_the_diagram_grows_with_it(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    assert events(page) == []
    take(page, "wake_up", 1)
    take(page, "compare", 2)
    assert events(page) == ["p1 wake_up", "p2 compare"]
    assert page.locator("#diagram .flight").count() == 2
    assert field(page, "p2", "awake") == "True"
    assert "Step 2: p2 compare" in page.locator("#live").text_content()
    assert page.locator("#properties li.holds").count() >= 4


def test_back_redo_and_the_browsers_own_back_button(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    take(page, "wake_up", 1)
    take(page, "compare", 2)
    address = page.url
    page.click("#back")
    steps_taken(page, 1)
    page.click("#back")
    steps_taken(page, 0)
    assert page.locator("#back").is_disabled()
    page.click("#redo")
    steps_taken(page, 1)
    page.click("#redo")
    steps_taken(page, 2)
    assert page.url == address
    assert page.locator("#redo").is_disabled()
    page.go_back()
    steps_taken(page, 1)
    page.go_forward()
    steps_taken(page, 2)
    take(page, "wake_up", 3)
    page.click("#restart")
    steps_taken(page, 0)


def test_a_dot_of_the_diagram_leads_back_to_its_step(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    for number in (1, 2, 3):
        take(page, "", number)
    page.locator("#event-0 .dot").click()
    steps_taken(page, 1)


def test_the_link_shows_the_same_run_after_a_reload_and_in_a_second_browser(
    served: Served, page: Any, browser: Any
) -> None:
    opened(page, served("chang_roberts", n=3))
    for number in (1, 2, 3, 4):
        take(page, "", number)
    before = events(page)
    page.reload()
    steps_taken(page, 4)
    assert events(page) == before

    other = browser.new_context().new_page()
    opened(other, page.url)
    steps_taken(other, 4)
    assert events(other) == before
    other.click("#restart")
    steps_taken(other, 0)
    take(other, "wake_up", 1)
    assert events(page) == before  # whatever the other does
    page.click("#back")
    steps_taken(page, 3)
    assert other.locator("#count").text_content() == "1 step"
    other.context.close()


def test_it_jumps_to_the_violation_and_shows_it(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", ids="1,1,2"))
    page.click("#to-violation")
    steps_taken(page, 3)
    assert "is violated after 3 steps" in page.locator("#answer").text_content()
    assert page.locator("#properties li.fails").count() >= 1
    assert page.locator("#diagram .violating").count() >= 1
    page.click("#back")
    steps_taken(page, 2)
    assert page.locator("#steps .warn", has_text="breaks").count() >= 1


def test_it_jumps_to_the_end_and_says_that_it_is_the_end(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.click("#to-end")
    page.wait_for_selector(".ending.good")
    assert "Nothing: no step is enabled" in page.locator("#steps").text_content()
    assert page.locator("#properties li[data-property=everyone_decides]").get_attribute("data-here") == "holds"


def test_a_condition_is_searched_for_and_a_bad_one_is_marked_where_it_is_bad(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.fill("#condition", "p2.leder == 3")
    page.wait_for_selector("#condition-said mark")
    assert page.locator("#condition-said mark").text_content() == "leder"
    assert "did you mean leader" in page.locator("#condition-said").text_content()
    page.click("#where button[type=submit]")
    page.fill("#condition", "p2.leader == 3 and not p1.leader == 3")
    page.click("#where button[type=submit]")
    page.wait_for_selector("#answer:not(:empty)")
    assert "There is none" in page.locator("#answer").text_content()  # the news comes to p1 first
    page.fill("#condition", "p1.leader == 3 and not p2.leader == 3")
    page.keyboard.press("Enter")
    shows(page, "#answer", re.compile("away from the beginning"))
    shows(page, "#count", re.compile(r"[1-9]\d* steps"))
    assert (field(page, "p1", "leader"), field(page, "p2", "leader")) == ("3", "None")


def test_a_search_can_be_stopped(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", ids="12,11,10,9,8,7,6,5,4,3,2,1"))
    page.fill("#condition", "leaders >= 2")
    page.keyboard.press("Enter")
    shows(page, "#progress", re.compile("[1-9][0-9,]* states"))
    page.click("#stop")
    page.wait_for_selector("#search", state="hidden")
    assert page.locator("#answer").text_content() == "Stopped."


def test_by_keys_alone(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    for number in (1, 2, 3):
        page.keyboard.press("1")
        steps_taken(page, number)
    page.keyboard.press("Backspace")
    steps_taken(page, 2)
    page.keyboard.press("ArrowLeft")
    steps_taken(page, 1)
    page.keyboard.press("ArrowRight")
    steps_taken(page, 2)
    page.keyboard.press("Home")
    steps_taken(page, 0)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the link past the header
    assert "step" in page.evaluate("document.activeElement.className")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    steps_taken(page, 1)
    assert "step" in page.evaluate("document.activeElement.className")  # the focus is where it was


def test_keys_that_are_typed_faster_than_steps_are_shown_are_not_lost(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=4))
    for _ in range(6):
        page.keyboard.press("1", delay=0)
    steps_taken(page, 6)


def test_digits_in_a_field_take_no_step(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.click("#condition")
    page.keyboard.type("p1.leader == 1")
    assert page.locator("#count").text_content() == "0 steps"


def test_another_world_is_chosen_by_typing_by_swapping_and_at_random(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=4))
    page.click("#choose")
    page.fill("#ids", "4 3 2")
    shows(page, "#world-said", re.compile("4 processes need 4 identifiers"))
    assert page.locator("#begin").is_disabled()
    page.fill("#ids", "4 3 2 1")
    shows(page, "#world-said", "")
    page.locator("#swaps button").nth(0).click()
    page.locator("#swaps button").nth(3).click()
    shows(page, "#swaps", re.compile("p4 4"))
    assert page.input_value("#ids") == "1, 3, 2, 4"
    page.click("#begin")
    shows(page, "#world-name", re.compile("ids 1,3,2,4"))
    assert "ids=1,3,2,4" in page.url
    page.click("#choose")
    page.fill("#ids", "1 1 1 1")
    shows(page, "#world-said", re.compile("written for unique identifiers"))
    page.click("#random")
    shows(page, "#world-said", "")
    page.click("#begin")
    page.wait_for_selector("#world", state="hidden")
    ids = re.search(r"ids=([\d,]+)", page.url)
    assert ids
    assert sorted(ids[1].split(",")) == ["1", "2", "3", "4"]


def test_on_a_phone_the_diagram_is_on_top_and_nothing_sticks_out(served: Served, page: Any) -> None:
    page.set_viewport_size(PHONE)
    opened(page, served("bully", n=4, crashes=1))
    for number in (1, 2, 3, 4):
        page.locator("#steps button.step").first.click()
        steps_taken(page, number)
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 780})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = [page.locator(name).bounding_box() for name in (".run", ".next", ".state", ".goto", ".properties")]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert all(
        box["height"] >= 44 for box in (b.bounding_box() for b in page.locator("#steps button.step").all()) if box
    )


def test_many_steps_can_be_narrowed_and_faults_are_folded(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=20, losses=1, duplications=1))
    assert page.locator("#steps button.step").count() == 20
    page.fill("#filter", "Election(17)")
    assert page.locator("#steps .offer:not([hidden])").count() == 1
    page.fill("#filter", "")
    page.locator("#title").click()
    for number, key in enumerate(["1", "9", "a", "b", "c"], 1):
        page.keyboard.press(key)
        steps_taken(page, number)
    fold = page.locator("#steps details.fault")
    assert "Faults: 6 steps (lose, duplicate)" in fold.text_content()
    assert not fold.evaluate("fold => fold.open")
    fold.locator("summary").click()
    page.wait_for_selector("#steps details.fault[open] button.step")
    page.locator("#steps details.fault button.step").first.click()
    steps_taken(page, 6)


def test_the_code_of_a_step_is_shown_with_the_lines_that_run(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.locator(".codebutton").first.click()
    page.wait_for_selector("#steps .snippet li.ran")
    assert "self.send(NEXT, Election(self.id))" in page.locator("#steps .snippet li.ran").all_text_contents()[1]
    assert page.locator("#count").text_content() == "0 steps"  # looking is not taking


def test_what_a_model_prints_stays_text(served: Served, page: Any, tmp_path: Any) -> None:
    file = tmp_path / "odd.py"
    file.write_text(
        "from modelcheck import *\n"
        "class Note(Message):\n    text: str\n"
        "class Odd(Process):\n    topology = one_way_ring\n    specs = ()\n    said: str = '<b>&\"'\n"
        "    @initiate\n    def go(self):\n"
        "        self.require(self.said != 'x')\n        self.said = 'x'\n        self.send(NEXT, Note('<img src=x onerror=alert(1)>'))\n"
        "    @receive(Note)\n    def take(self, message): ...\n"
    )
    opened(page, served(str(file), n=2))
    take(page, "go", 1)
    assert page.locator("img").count() == 0
    assert "<img src=x onerror=alert(1)>" in page.locator("#processes").text_content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_background_in_light_and_in_dark(scheme: str, served: Served, page: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, served("chang_roberts", ids="1,1,2"))
    page.click("#to-violation")
    steps_taken(page, 3)
    colours = page.evaluate(
        """() => ["--ink", "--soft", "--message", "--change", "--wrong", "--good", "--paper"].map(
            (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"""
    )
    paper = luminance(colours[-1])
    for colour in colours[:-1]:
        light, dark = sorted((luminance(colour), paper), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, colour  # WCAG 2, AA


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_bad_address_is_explained_with_a_way_back(browser: Any, served: Served) -> None:
    page = browser.new_context().new_page()  # a refused request is noted in the console
    page.goto(served("chang_roberts", n=3) + "#1/bully+--n+3/ids=1,2,3/0/")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "modelcheck explore bully --n 3" in page.locator("#trouble").text_content()
    page.locator("#trouble a").click()
    steps_taken(page, 0)
    page.context.close()


def test_a_process_and_a_message_in_the_picture_are_pressed_for_their_step(served: Served, page: Any) -> None:
    """p1 of chang_roberts can only wake up at first; then what it sent waits for p2, which can wake up as well."""
    opened(page, served("chang_roberts", n=3))
    page.emulate_media(reduced_motion="reduce")
    page.locator("#stage .body[data-process=p1] .process").click()
    steps_taken(page, 1)
    assert events(page) == ["p1 wake_up"]
    page.locator("#stage .letter.can text").click()
    steps_taken(page, 2)
    assert events(page) == ["p1 wake_up", "p2 compare"]


def test_a_process_with_several_steps_points_to_them_in_the_list(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.locator("#stage .body[data-process=p1]").focus()
    page.keyboard.press("Enter")
    steps_taken(page, 1)
    page.locator("#stage .body[data-process=p2]").focus()
    page.keyboard.press("Enter")
    steps_taken(page, 1)
    assert page.locator("#steps button.meant .name").all_inner_texts() == ["wake_up", "compare"]


def test_the_picture_of_the_system_goes_over_the_run_again(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.emulate_media(reduced_motion="reduce")
    take(page, "wake_up", 1)
    take(page, "wake_up", 2)
    assert page.locator("#moment").input_value() == "2"
    page.locator("#moment").fill("0")
    assert page.locator("#stage .paperwork:not(.off)").count() == 0
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    page.wait_for_selector("#play:not(.playing)")
    assert page.locator("#moment").input_value() == "2"


def test_what_happens_next_is_predicted_by_keys_alone_and_nothing_is_told_before(served: Served, page: Any) -> None:
    opened(page, served("chang_roberts", n=3))
    page.locator("#predict").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#steps input[type=checkbox]")
    assert page.locator("#steps button.step").count() == 0
    assert page.locator("#stage .can").count() == 0
    boxes = page.locator("#steps li", has_text="wake_up").locator("input")
    for number in range(boxes.count()):
        boxes.nth(number).focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    shows(page, "#score", "1 of 1 answer right")
    assert "no Election waits for p1" in page.locator("#steps").inner_text()
    assert "sends" not in page.locator("#steps button.step").first.inner_text()
    page.keyboard.press("2")
    page.wait_for_selector("#sent")
    page.locator("#sent").fill("Election(2) to p3")
    page.keyboard.press("Enter")
    shows(page, "#score", "2 of 3 answers right")  # that p2 is awake then has been forgotten
    assert "awake: False -> True (you said: awake=False)" in page.locator("#steps").inner_text()
    page.keyboard.press("Enter")
    steps_taken(page, 1)
    page.locator("select[aria-label^=Who]").select_option("p3")
    page.locator("form[aria-label^=Who] [type=submit]").click()
    shows(page, "#score", "3 of 4 answers right")
    page.locator("#predict").click()
    page.wait_for_selector("#steps button.step >> text=sends")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(scheme: str, served: Served, page: Any) -> None:
    """Also those of questions and of what is said to the answers, and where something fails."""
    page.emulate_media(color_scheme=scheme)
    opened(page, served("chang_roberts:StartUnguarded", n=3))
    page.locator("#predict").click()
    page.locator("#steps [type=submit]").first.click()
    page.wait_for_selector("#steps button.step")
    assert faint(page) == []
    page.locator("#predict").click()
    page.locator("#properties [data-property=one_leader_wave] button").click()
    page.wait_for_selector("#properties .fails")
    assert faint(page) == []


def test_a_wide_diagram_has_the_system_above_it_and_a_narrow_one_beside_it(served: Served, page: Any) -> None:
    page.set_viewport_size({"width": 1600, "height": 900})
    for n, above in ((3, False), (8, True)):
        opened(page, served("chang_roberts", n=n))
        take(page, "wake_up", 1)
        system, diagram = (page.locator(part).bounding_box() for part in ("#system", "#diagram"))
        assert (system["y"] + system["height"] <= diagram["y"] + 1) == above
