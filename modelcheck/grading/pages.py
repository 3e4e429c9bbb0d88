"""What a student reads: points, what failed, and the counterexamples of the visible checks as far as the lab shows them."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from ..report.html import templates
from ..report.html.templates import MARKS
from ..text.visible import visible
from .lab import Lab
from .marking import Grade, Mark

STATUS = {
    "passed": "passed", "failed": "failed", "stopped": "not finished", "not counted": "not counted", "refused": "not checked",
}  # fmt: skip


def number(points: float) -> str:
    """'4', '2.5'."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def words(lab: Lab, mark: Mark) -> list[str]:
    """What a student reads of a visible check."""
    if mark.status == "failed" and lab.counterexample == "nothing":
        return ["it does not hold"]
    return [mark.sentence, mark.reason, mark.run if lab.counterexample == "run" else ""]


@dataclass(frozen=True)
class FeedbackLine:
    """A check as a student sees it: its title, what it was worth, and what is told of it where it was not passed. `picture` is an SVG as a data
    address."""

    title: str
    points: str
    status: str
    passed: bool
    told: tuple[str, ...] = ()
    run: str = ""
    picture: str = ""

    @property
    def tone(self) -> str:
        return "holds" if self.passed else "violated" if self.status in ("failed", "") else "inconclusive"

    @property
    def mark(self) -> str:
        return {"holds": MARKS["HOLDS"], "violated": MARKS["VIOLATED"]}.get(self.tone, "\u2013")


def lines(lab: Lab, grade: Grade) -> list[FeedbackLine]:
    """The checks that a student may know of."""
    found = [_line(lab, mark) for mark in grade.marks if not mark.check.hidden]
    hidden = [mark for mark in grade.marks if mark.check.hidden]
    if hidden and lab.hidden == "titles":
        found += [
            FeedbackLine(m.check.title, _of(m.points, m.check.points), _passed(m), m.status == "passed") for m in hidden
        ]
    elif hidden:
        got, most = sum(mark.points for mark in hidden), sum(mark.check.points for mark in hidden)
        unchecked = all(mark.status == "refused" for mark in hidden)
        status = STATUS["refused"] if unchecked else "" if got in (0, most) else "in part"
        found.append(FeedbackLine("hidden checks", _of(got, most), status, got == most))
    return found


def _line(lab: Lab, mark: Mark) -> FeedbackLine:
    sentence, reason, run = [*words(lab, mark), "", ""][:3]
    svg = mark.svg if run else ""
    picture = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}" if svg else ""
    told = tuple(line for part in (sentence, reason) for line in part.splitlines() if line.strip())
    return FeedbackLine(
        mark.check.title,
        _of(mark.points, mark.check.points),
        STATUS[mark.status],
        mark.status == "passed",
        told if mark.status != "passed" else (),
        run,
        picture,
    )


def _passed(mark: Mark) -> str:
    return "passed" if mark.status == "passed" else "failed"


def _of(points: float, most: float) -> str:
    return f"{number(points)} of {number(most)}"


def _differences(grade: Grade) -> list[str]:
    cost = grade.deducted / len(grade.different) if grade.different else 0
    costs = f"; it costs {number(cost)} point{'' if cost == 1 else 's'}" if cost else ""
    return [f"{one}{costs}" for one in grade.different]


def text(lab: Lab, grade: Grade) -> str:
    """The page as plain text."""
    found = [lab.title, f"{visible(grade.student)}: {_of(grade.points, grade.of_points)} points", ""]
    if grade.problems:
        found += [
            "nothing was checked:",
            *(f"  {visible(line)}" for one in grade.problems for line in one.splitlines()),
            "",
        ]
    found += [f"declared: {one}" for one in _differences(grade)]
    for line in lines(lab, grade):
        found.append("  ".join(filter(None, [line.points.rjust(8), line.title, line.status and f"({line.status})"])))
        found += [f"          {visible(one)}" for one in line.told]
        if line.run:
            found += ["", *(f"    {one}" for one in line.run.splitlines()), ""]
    return "\n".join(found).rstrip("\n") + "\n"


def page(lab: Lab, grade: Grade) -> str:
    """The page for a browser; it needs nothing else."""
    return templates.page(
        "feedback.html",
        title=f"{lab.title}: {grade.student}",
        lab=lab,
        student=grade.student,
        points=_of(grade.points, grade.of_points),
        tone="holds" if grade.points == grade.of_points else "inconclusive" if grade.points else "violated",
        problems=grade.problems,
        differences=_differences(grade),
        lines=lines(lab, grade),
    )
