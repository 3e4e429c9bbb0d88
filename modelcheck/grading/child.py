"""What runs in the process that is a submission's own: reads it, and does one check after the other as it is told.

Requests and answers are lines of JSON on standard input and output, of which the submission gets to see nothing. Whatever becomes of this
process, the one that has started it goes on.
"""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from .. import ahead, catalog, loading
from ..api import check
from ..check.counting import count_messages
from ..check.result import PropertyResult, Result
from ..errors import ModelcheckError, ModelError
from ..explore.limits import Limits, Meter
from ..interrupts import interruptible
from ..pictures.diagram import diagram
from ..report.terminal.page import Page, SteadyConsole
from ..report.terminal.writing import write_told
from ..report.words.steps import told
from ..text.visible import visible
from .fixing import GRADED, SUBMITTED, fix
from .intact import Seal
from .lab import Lab, LabCheck, read_lab
from .screening import refused
from .walls import limit, shut_in

MOST = 40_000  # characters of a counterexample that are told


class Examiner:
    """Answers for the submission in the present folder."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.graded = ""
        self.seal: Seal | None = None

    def read(self) -> dict[str, Any]:
        """Whether there is a protocol in it, and what it declares otherwise than the lab."""
        text = Path(SUBMITTED).read_bytes()
        problems = refused(text, models="models" in self.lab.allow)
        different: tuple[str, ...] = ()
        if not problems:
            try:
                self.seal = Seal()
                self.graded, different, not_allowed = fix(self.lab, Path.cwd())
                problems = [
                    f"it changes {broken} of modelcheck itself" for broken in filter(None, [self.seal.broken()])
                ]
                problems += [f"{one}; this lab does not allow that" for one in not_allowed]
            except ModelcheckError as error:
                problems = [_lesson(error)]
        return {"problems": problems, "different": different}

    def examine(self, one: LabCheck, seconds: float) -> dict[str, Any]:
        """What came of a check: whether it was passed, a sentence, and where it was not the run that shows it."""
        allowance = self.lab.allowance
        limits = Limits(max_states=allowance.states, max_seconds=seconds, max_memory=allowance.memory)
        try:
            found = check(self.graded, workers=1, limits=limits, **one.options)
            answer = self._told(found)
            if answer["status"] == "passed" and one.messages is not None:
                answer = self._counted(one, limits)
        except ModelcheckError as error:  # what is asked does not fit the submission
            return _answer("failed", _lesson(error))
        if self.seal is None or self.seal.broken():
            return _answer("failed", "it changes modelcheck itself while it is checked")
        return answer | {"states": found.states}

    def _told(self, found: Result) -> dict[str, Any]:
        if found.verdict == "HOLDS" and (found.taken_again is None or found.taken_again.undone):
            return _answer(
                "stopped", "it holds, and its steps could not be taken again"
            )  # whoever remembers something may be right by that
        if found.verdict == "HOLDS":
            uncertain = [prop.name for prop in found.properties if prop.note and prop.verdict == "holds"]
            return _answer("passed", f"holds, {uncertain[0]} only almost surely" if uncertain else "holds")
        if found.error is not None:
            return _answer("failed", _lesson(found.error))
        violated = [prop for prop in found.properties if prop.verdict == "violated"]
        if (
            not violated and found.stopped is not None and found.stopped.kind == "room"
        ):  # of which it had no more than that
            return _answer("stopped", f"it took more than {self.lab.allowance.memory:,} MB of memory")
        if not violated:
            growing = f"; {found.growth}" if found.growth else ""
            return _answer("stopped", f"it was not searched to the end: {found.judgement.reason}{growing}")
        first = min(violated, key=lambda prop: prop.trace.length if prop.trace else 0)
        others = [prop.name for prop in violated if prop is not first]
        sentence = f"{first.name} does not hold: {first.claim}" + (f" (nor do {', '.join(others)})" if others else "")
        if first.trace is None:
            return _answer("failed", sentence)
        return _answer("failed", sentence, first.trace.reason or "", _run(found, first), diagram(first.trace))

    def _counted(self, one: LabCheck, limits: Limits) -> dict[str, Any]:
        assert one.messages is not None
        options = {name: value for name, value in one.options.items() if name not in ("property", "spec", "schedule")}
        options["n"] = _sizes(options.get("n"))
        meter = Meter(limits)
        with interruptible(meter):
            counted = count_messages(self.graded, workers=1, meter=meter, **options)
        if counted.search.verdict != "HOLDS":
            return _answer("stopped", f"its messages were not counted to the end: {counted.search.judgement.reason}")
        for count in counted.counts:
            greatest, bound = count.over(0).greatest, one.messages(n=count.n)
            if greatest > bound:
                amount = "any number of" if greatest == float("inf") else f"up to {greatest:g}"
                return _answer(
                    "failed", f"it sends {amount} messages for n={count.n}; {one.messages} allows {float(bound):g}"
                )
        return _answer("passed", f"holds, with at most {one.messages} messages")


def _answer(status: str, sentence: str, reason: str = "", run: str = "", svg: str = "") -> dict[str, Any]:
    return {
        "status": status,
        "sentence": _here(sentence),
        "reason": visible(_here(reason)),
        "run": _here(run)[:MOST],
        "svg": svg if len(svg) < 50 * MOST else "",
    }


def _lesson(error: ModelcheckError) -> str:
    """What is wrong, with the line in the file as it was handed in."""
    if isinstance(error, ModelError) and GRADED in error.where:  # that line is not the student's
        error.where = ""
    return _here(str(error))


def _here(words: str) -> str:
    """Without the name of the folder, which is another each time."""
    return words.replace(f"{Path.cwd()}{os.sep}", "")


def _run(result: Result, found: PropertyResult) -> str:
    """The counterexample, step by step, without the command that shows it again: that one is of this folder."""
    file = io.StringIO()
    page = Page(SteadyConsole(file=file, highlight=False, force_terminal=False, no_color=True))
    write_told(replace(told(result, found), again=""), page)
    return file.getvalue()


def _sizes(n: object) -> Any:
    from ..options import sizes

    return sizes(n) if isinstance(n, str) else n


def _streams() -> tuple[IO[str], IO[str]]:
    """Standard input and output, for this module alone: everybody else reads nothing and writes nowhere."""
    requests, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    return requests, answers


def _readable(lab: Lab) -> list[Path]:
    """What the checks of this lab are made of, beside the submission. The specifications are loaded before anything of that is there."""
    for spec in (*lab.fixed.get("specs", ()), *(one.options["spec"] for one in lab.checks if "spec" in one.options)):
        catalog.find_spec(spec)
    graphs = (one.options.get("graph") for one in lab.checks)
    return [Path.cwd(), *map(Path, loading.loaded), *(Path(one) for one in graphs if isinstance(one, str))]


def main() -> None:
    """Serves until it is told no more."""
    requests, answers = _streams()
    ahead.decline()

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    begin = json.loads(requests.readline())
    lab = read_lab(Path(begin["lab"]))
    limit(int(2 * lab.allowance.seconds) + 60, lab.allowance.memory)
    shut_in(_readable(lab), [Path(GRADED).absolute(), *map(Path, filter(None, [begin["code"]]))])
    examiner = Examiner(lab)
    say({"ready": True})
    for line in requests:
        asked = json.loads(line)
        if "check" in asked:
            say(examiner.examine(lab.checks[asked["check"]], asked["seconds"]))
        else:
            say(examiner.read())
    sys.exit(0)
