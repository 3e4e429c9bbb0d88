"""The report as a page: it says what the terminal says, and lets nothing in that comes from a model."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from rich.console import Console
from rich.text import Text

from modelcheck import Limits, catalog, check
from modelcheck.check.result import Result
from modelcheck.count.ranges import Range
from modelcheck.report.html import run as html
from modelcheck.report.html.chart import chart
from modelcheck.report.html.figure import figure
from modelcheck.report.html.model_text import listing
from modelcheck.report.html.state_graph import states
from modelcheck.report.html.templates import marked
from modelcheck.report.words import verdict_block
from modelcheck.report.words.entries import Figures, Said, Table, Typed
from modelcheck.report.words.steps import told_runs
from modelcheck.runs.causality import events
from modelcheck.runs.moments import lives, moments

from ..protocols import ALL_FAULTY, ASSERTS, ENDLESS, GROWS, LOOKS_AT_N, RAISES, UNLUCKY
from .runs import simulated

Run = Callable[..., Result]

RUDE = """
class Quote(Message):
    text: str

class Rude(Process):
    topology = one_way_ring
    said: str = '"><script>alert(1)</script>'

    @initiate
    def speak(self):
        self.require(self.said.startswith('"'))
        self.said = "'</script><img src=x onerror=alert(2)>&amp;"
        self.send(NEXT, Quote("]]></style></title><script>alert(3)</script>"))

    @receive(Quote)
    def listen(self, message):
        self.said = message.text

@always
def polite(view):
    '''Nobody says <b>"bold"</b> & such.'''
    return all("onerror" not in p.said for p in view.processes) or because('<i onclick="alert(4)">bold</i>')
"""

FOUND: dict[str, Callable[[], Result]] = {
    "violated": lambda: check("chang_roberts", ids="1,1,2"),
    "holds": lambda: check("chang_roberts", n=[2, 3]),
    "inconclusive": lambda: check("chang_roberts", n=6, limits=Limits(max_states=100)),
    "false assumption": lambda: check("chang_roberts", graph="star", n=4),
    "probability 1": lambda: check("itai_rodeh", n=3),
    "lock-step": lambda: check("chang_roberts", ids="1,1,1", schedule="lockstep"),
    "starting steps": lambda: check("chang_roberts", ids="1,1", start="simultaneous"),
    "lost": lambda: check("chang_roberts", n=3, losses=1),
    "expected": lambda: check("chang_roberts", n=2, expect="violation"),
    "partition": lambda: check("bully_partition:SplitBrain", n=2, partitions=1),
    "shared": lambda: check("harmony_leader", ids="1,1,2"),
    "compared": lambda: check("itai_rodeh", n=3, check_symmetry=True),
}
FOUND = {name: cache(run) for name, run in FOUND.items()}  # each is run once, for all that is asked of its page


def soup_of(result: Result) -> BeautifulSoup:
    return parsed(html.document(result))


@cache
def parsed(text: str) -> BeautifulSoup:
    """The page, which nobody changes; where a name may be broken does not matter."""
    return BeautifulSoup(text.replace("<wbr>", ""), "html.parser")


def words_of(element: Any) -> str:
    """The text a reader sees, spaces evened out."""
    return " ".join(element.get_text(" ").split()) if element is not None else ""


def bare(words: str) -> str:
    """Without spaces: those of a page stand where its elements end."""
    return re.sub(r"\s", "", words)


# --- what it says


@pytest.mark.parametrize("name", FOUND)
def test_every_entry_of_the_terminals_block_is_on_the_page_under_its_label(name: str) -> None:
    result = FOUND[name]()
    page = soup_of(result)
    shown = {
        bare(words_of(group.find("dt"))): bare("".join(words_of(dd) for dd in group.find_all("dd", recursive=False)))
        for group in page.select("#checked .block > div")
    }
    label = ""
    for entry in verdict_block.entries(result):
        label = bare(getattr(entry, "label", "")) or label
        match entry:
            case Said(_, words):
                parts = [str(words)]
            case Figures(_, figures):
                parts = list(figures)
            case Table(rows):
                parts = [cell for row in rows for cell in row]
            case Typed(_, command):
                parts = [command]
        for part in parts:
            assert bare(part) in shown[label]


@pytest.mark.parametrize("name", FOUND)
def test_the_verdict_and_what_it_is_about_come_first_and_are_those_of_the_terminal(name: str) -> None:
    result = FOUND[name]()
    header = soup_of(result).select_one("header.verdict")
    assert header is not None
    words = bare(words_of(header))
    assert result.verdict.lower() in header["class"]
    assert result.verdict in words
    others = {"HOLDS", "VIOLATED", "INCONCLUSIVE"} - {result.verdict}
    assert not any(word in words for word in others)
    subject = verdict_block.undecided(result) if result.error else ", ".join(verdict_block.headline(result).subjects)
    assert bare(subject) in words


@pytest.mark.parametrize("name", ALL_FAULTY)
def test_every_line_of_the_terminals_report_is_said_by_the_page(name: str, run: Run) -> None:
    """Steps apart, which the page tells in sentences."""
    from modelcheck.report.terminal import run as terminal
    from modelcheck.report.terminal.page import Page

    result = run(ALL_FAULTY[name][0], n=2)
    stream = io.StringIO()
    terminal.write(result, Page(Console(file=stream, width=10_000)))
    page = bare(words_of(soup_of(result)))
    for line in stream.getvalue().splitlines():
        steps = re.match(r" +(\*? ?\d+|start|at last|at first|and again) |^ {15}", line)
        if not steps:
            assert bare(re.sub(r"^  loop ", "", line)) in page or bare(line[15:]) in page, line


@pytest.mark.parametrize("name", FOUND)
def test_every_property_has_its_verdict_and_its_claim(name: str) -> None:
    result = FOUND[name]()
    rows = soup_of(result).select("#properties tbody tr")
    assert len(rows) == len(result.properties)
    for row, found in zip(rows, result.properties, strict=True):
        assert words_of(row.select_one(".chip")).endswith(found.verdict)
        assert bare(found.name) == bare(words_of(row.select_one(".name")))
        assert found.claim in words_of(row)
        assert row.find("a") or not found.trace


@pytest.mark.parametrize("name", [name for name in FOUND if name not in ("holds", "inconclusive", "false assumption")])
def test_every_counterexample_has_its_diagram_its_steps_and_its_command(name: str) -> None:
    result = FOUND[name]()
    page = soup_of(result)
    for told in told_runs(result):
        section = next(s for s in page.select(".counterexample") if bare(told.name) in bare(words_of(s.find("h2"))))
        assert told.again in [code.get_text() for code in section.select(".command code")]
        assert told.trace.reason in words_of(section)
        if told.same:
            assert section.select_one("svg.spacetime") is None
            assert page.find(id=str(section.select_one("dd a")["href"])[1:]) is not None
            continue
        found = moments(told.trace)
        assert len(section.select(".steps > li")) == len(found)
        assert len(section.select("svg.spacetime g.event")) == len(events(told.trace))
        assert len(section.select(".life")) == len(lives(told.trace))


def test_a_run_that_was_shown_already_is_not_drawn_again() -> None:
    page = soup_of(FOUND["violated"]())
    assert "the same as for agreement, above" in words_of(page)
    assert len(page.select(".counterexample")) == 4
    assert len(page.select("svg.spacetime")) == 3


def test_only_the_shortest_run_is_unfolded() -> None:
    page = soup_of(FOUND["violated"]())
    folded = [section.find("details", recursive=False) is not None for section in page.select(".counterexample")]
    assert folded == [False, True, True, False]  # the last has no run of its own


def test_a_run_of_probability_0_is_there_to_be_looked_at() -> None:
    page = soup_of(FOUND["probability 1"]())
    assert "termination holds with probability 1: a run on which it fails" in words_of(page)
    assert "Such runs have probability 0." in words_of(page)
    assert page.select("svg.spacetime")


def test_an_error_is_told_with_all_that_is_known(run: Run) -> None:
    result = run(LOOKS_AT_N)
    page = soup_of(result)
    error = words_of(page.find(id="error"))
    for label in ("MODEL ERROR", "where", "process", "step", "state", "cause", "remedy", "reached by"):
        assert label in error
    assert "nothing is decided about model_1" in words_of(page.find("h1"))
    assert page.find(id="messages") is None


@pytest.mark.parametrize("text", [RAISES, ASSERTS])
def test_a_step_that_fails_is_shown_with_the_models_traceback(text: str, run: Run) -> None:
    page = soup_of(run(text, n=1))
    assert "in divide" in words_of(page.find("pre", class_="traceback"))


def test_a_loop_says_what_repeats_and_marks_it(run: Run) -> None:
    page = soup_of(run(ENDLESS, n=2))
    (figure_of,) = page.select(".run")
    assert "after step 4 all is as it was before step 3" in words_of(figure_of)
    numbers = [words_of(number) for number in figure_of.select(".steps a.number")]
    assert numbers == ["0", "1", "2", "* 3", "* 4"]
    assert figure_of["data-loop"] == "2"


def test_a_limit_says_what_grows(run: Run) -> None:
    page = soup_of(run(GROWS, n=2, limits=Limits(max_states=900)))
    assert "the limit of 900 states was reached" in words_of(page.find("header"))
    assert "the field count" in words_of(page.find(id="checked"))
    assert "count" in [code.get_text() for code in page.select("#checked dd > code")]


def test_the_commands_to_reproduce_it_are_those_of_the_terminal() -> None:
    result = check("chang_roberts", n=2, losses=1, parameters={"elects": "min"})
    commands = [code.get_text() for code in soup_of(result).select("#again code")]
    assert commands[0] == "modelcheck run chang_roberts --losses 1 --set elects=min --n 2"
    assert {told.again for told in told_runs(result)} <= set(commands)


def test_this_run_reproduces_a_verdict_that_rests_on_a_limit() -> None:
    """With the limit that was set, below the usual one; the next command raises it."""
    result = check("chang_roberts", n=5, limits=Limits(max_states=100))
    commands = [code.get_text() for code in soup_of(result).select("#again code")]
    assert commands[0] == "modelcheck run chang_roberts --n 5 --max-states 100"
    assert commands[1] == "modelcheck run chang_roberts --n 5 --max-states 1000"


def test_what_stands_between_backticks_is_code_and_nothing_else_becomes_markup() -> None:
    assert marked("`modelcheck graph` draws <b>") == "<code>modelcheck graph</code> draws &lt;b&gt;"
    assert marked(Text("a ` alone", style="red")) == '<span class="red">a ` alone</span>'


def test_the_assumptions_and_what_was_not_checked_stand_side_by_side() -> None:
    result = check("bully", n=2, crashes=1)
    words = words_of(soup_of(result).find(id="unchecked"))
    assert "fifo: each link delivers in the order of sending" in words
    assert "crashes up to 1" in words
    for unchecked in result.unchecked:
        assert unchecked in words


# --- the model's text


def test_the_model_is_there_as_it_was_run_with_the_hash_of_its_file() -> None:
    file = catalog.model_files()["chang_roberts"]
    page = soup_of(check("chang_roberts", n=2))
    again = page.find(id="again")
    assert hashlib.sha256(file.read_bytes()).hexdigest() in words_of(again)
    rows = [row.get_text() for row in page.select(".source code")]
    assert rows == file.read_text().splitlines()


def test_a_model_that_is_changed_later_is_shown_as_it_was(write: Callable[..., str]) -> None:
    path = write(ENDLESS)
    before = Path(path).read_text()
    result = check(path, n=2)
    Path(path).write_text("pass  # rewritten")
    assert [file.text for file in result.files] == [before]
    assert "rewritten" not in html.document(result)


def test_lines_that_never_ran_are_marked() -> None:
    result = check("chang_roberts", n=2)
    (file,) = result.files
    marked = [row.number for row in listing(file, ("chang_roberts.py:3-4  x", "other.py:9  y")) if row.never_ran]
    assert marked == [3, 4]


# --- numbers of messages


def test_the_chart_has_a_row_for_each_size_with_the_numbers_of_the_block() -> None:
    result = check("chang_roberts", n=[2, 3, 4])
    rows = soup_of(result).select(".bars tbody tr")
    shown = [[words_of(row.find(["td"], attrs={"data-name": name})) for name in ("least", "mean", "greatest")] for row in rows]  # fmt: skip
    assert shown == [["4", "4 to 5", "5"], ["6", "6 to 8.5", "9"], ["8", "8 to 12.3333", "14"]]


def test_bars_begin_and_end_where_the_scale_says() -> None:
    drawn = chart([("n=2", "", Range(5, 20, 1, 5, 20)), ("n=3", "", Range(10, 40, 2, 20, 60))])
    scale = {int(number): place for place, number in drawn.ticks}
    first, second = drawn.bars
    assert (first.low, first.high) == (pytest.approx(scale[10] / 2), scale[20])
    assert (second.low, second.high, second.mean_low, second.mean_high) == (scale[10], scale[40], scale[10], scale[30])


def test_what_has_no_bound_and_what_never_ends_is_said_so() -> None:
    inf = float("inf")
    drawn = chart([("n=2", "", Range(3, inf, 1, 3, inf)), ("n=3", "", Range(inf, inf, 1, inf, inf))])
    assert [(bar.least, bar.greatest, bar.low is None, bar.high is None) for bar in drawn.bars] == [
        ("3", "unbounded", False, True),
        ("no run ends", "unbounded", True, True),
    ]


# --- moments


def test_the_versions_of_a_process_add_up_to_every_snapshot() -> None:
    trace = simulated("bully", 3, 30, crashes=1, recoveries=1)
    states = [trace.initial, *(step.state for step in trace.steps)]
    for place, life in enumerate(lives(trace)):
        for version in life.versions:
            for moment in range(version.first, version.last + 1):
                process = states[moment].processes[place]
                assert tuple((f.name, f.value) for f in version.fields) == process.fields
                assert tuple(a.waiting for a in version.inbox) == process.waiting
                assert version.crashed == process.crashed
        assert [v.first for v in life.versions][1:] == [v.last + 1 for v in life.versions][:-1]
        assert life.versions[-1].last == len(trace.steps)


def test_what_is_fresh_is_what_the_step_changed() -> None:
    trace = simulated("chang_roberts", 4, 40)
    for moment in moments(trace)[1:]:
        (step,) = moment.steps
        for life in lives(trace):
            fresh = {field.name for v in life.versions if v.first == moment.number for field in v.fields if field.fresh}
            changed = {name for name, _, _ in step.changed} if life.name == step.process else set()
            assert fresh == changed


def test_in_lock_step_a_moment_is_a_round() -> None:
    result = FOUND["lock-step"]()
    trace = told_runs(result)[0].trace
    found = moments(trace)
    assert [moment.place for moment in found] == ["at first", *(f"round {k}" for k in range(1, trace.length + 1))]
    assert found[-1].done == len(trace.steps)


def test_starting_steps_have_happened_at_first() -> None:
    trace = told_runs(FOUND["starting steps"]())[0].trace
    first = moments(trace)[0]
    assert (first.events, first.done) == ((0, 1), 2)
    assert first.state == trace.initial


# --- what it must not do


def test_nothing_of_a_model_becomes_an_element_of_the_page(run: Run) -> None:
    text = html.document(run(RUDE, n=2, ids="2,1"))
    page = parsed(text)
    assert len(page.find_all("script")) == 1
    assert not page.find_all(["img", "b", "i"])
    assert not [tag for tag in page.find_all(True) for name in tag.attrs if name.startswith("on")]
    assert len(re.findall("<script", text)) == 1
    words = words_of(page)
    assert """'</script><img src=x onerror=alert(2)>&amp;""" in words.replace("\\'", "'")
    assert '<i onclick="alert(4)">bold</i>' in words
    assert """Nobody says <b>"bold"</b> & such.""" in words


@pytest.mark.parametrize("name", FOUND)
def test_it_asks_nobody_for_anything(name: str) -> None:
    text = html.document(FOUND[name]())
    page = parsed(text)
    for tag in page.find_all(True):
        for attribute in ("src", "href", "action", "data", "poster", "srcset", "xlink:href"):
            value = str(tag.get(attribute) or "#")
            assert value.startswith(("#", "data:")), tag
    assert "url(" not in text
    assert "@import" not in text
    addresses = set(re.findall(r"https?://[^\"'\s<]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_it_runs_no_script_but_its_own() -> None:
    text = html.document(FOUND["holds"]())
    page = parsed(text)
    policy = page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    (script,) = page.find_all("script")
    digest = base64.b64encode(hashlib.sha256(script.string.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize("name", FOUND)
def test_no_two_elements_have_one_id_and_every_link_leads_somewhere(name: str) -> None:
    page = soup_of(FOUND[name]())
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert {link["href"][1:] for link in page.select("a[href]")} <= set(ids)


def test_only_times_vary_between_pages() -> None:
    def drawn() -> str:
        return html.document(replace(check("chang_roberts", ids="1,1,2"), seconds=0))

    assert drawn() == drawn()


def test_the_page_of_one_run_has_its_heading_and_its_diagram() -> None:
    text = html.run_page(simulated("chang_roberts", 3, 9), "A run & more")
    page = parsed(text)
    assert words_of(page.find("h1")) == "A run & more"
    assert len(page.select(".run")) == 1
    assert page.find("header") is None


def test_a_wide_picture_has_the_page_for_itself() -> None:
    assert figure(simulated("chang_roberts", 12, 80), "a").wide
    assert not figure(simulated("chang_roberts", 3, 9), "a").wide


# --- the state graph


@pytest.mark.skipif(shutil.which("dot") is None, reason="state graphs are drawn by Graphviz's program dot")
@pytest.mark.parametrize(
    ("asked", "of_what"),
    [
        ({"ids": "1,1,2"}, "--ids 1,1,2"),
        ({"n": (2, 3, 4)}, "--ids 1,2,3,4"),
        ({"n": (3,), "losses": 1}, "--losses 1 --ids 1,2,3"),
    ],
)
def test_the_states_of_one_world_are_drawn_apart_from_the_rest_of_the_page(asked: dict[str, Any], of_what: str) -> None:
    result = check("chang_roberts", **asked)
    drawn = states(result, "chang_roberts", asked)
    assert drawn is not None
    text = html.document(result, drawn)
    page = parsed(text)
    (graph,) = page.select("#states svg.states")
    assert graph.select("g.node")
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    rules = re.findall(r"[{}]([^{}@]+){", str(graph.find("style").string))
    assert rules
    assert all(rule.startswith(".states") for rule in rules)
    assert drawn.command == f"modelcheck graph chang_roberts {of_what}"


def test_states_are_not_drawn_where_there_are_many_or_the_model_is_at_fault() -> None:
    asked = {"n": 6, "limits": Limits(max_states=25_000)}
    result = check("chang_roberts", **asked)
    large = states(result, "chang_roberts", {"n": 6})
    assert large is not None
    page = parsed(html.document(result, large))
    assert "not drawn here: there are more than 20,000 states" in words_of(page.find(id="states"))
    asked = {"graph": "star", "n": 4}
    assert states(check("chang_roberts", **asked), "chang_roberts", asked) is None


def test_it_begins_as_a_document_does() -> None:
    assert html.document(FOUND["holds"]()).startswith("<!DOCTYPE html>\n<html")


def test_what_is_unlikely_is_in_no_counterexample(run: Run) -> None:
    page = soup_of(run(UNLUCKY, n=1))
    assert not page.select(".counterexample")
    assert "violated" not in [words_of(chip).split()[-1] for chip in page.select(".chip")]
