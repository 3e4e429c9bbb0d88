"""`modelcheck grade`: a class's submissions, marked."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ...errors import UsageError
from ..base import Command
from ..running import check_writable, write_file

GRADE_EXAMPLES = """
\b
Examples:
  modelcheck new homework --skeleton garg
  modelcheck grade garg homework.py
  modelcheck grade garg homework.py --out grades
\b
Exit codes: 0 where every submission was graded, whatever its points; 2 where the lab or the folder is at fault.
"""


@click.command(cls=Command, epilog=GRADE_EXAMPLES.strip())
@click.argument("lab")
@click.argument("submissions")
@click.option("--out", metavar="FOLDER", help="Write grades.csv, a page for each student (feedback/) and Gradescope's results (gradescope/) into FOLDER.")  # fmt: skip
@click.option(
    "--gradescope", "gradescope_file", metavar="FILE", help="Write the results.json of the only submission to FILE."
)
@click.option(
    "--jobs", type=click.IntRange(1), metavar="K", help="So many submissions at once.  [default: half the cores]"
)
def grade(lab: str, submissions: str, out: str | None, gradescope_file: str | None, jobs: int | None) -> None:
    """Grades what a class has handed in.

    LAB is a bundled lab (garg, effatparvar, santoro, krzyzanowski, harmony) or a file of yours: ./lab.toml. SUBMISSIONS is a folder, with a
    file STUDENT.py or a folder STUDENT with one Python file for each, or a single file.

    Each is checked by a process of its own, against what the lab fixes: one that loops, cheats or breaks down costs its own time only.
    """
    from ...grading import sheets
    from ...grading.lab import find_lab
    from ...grading.marking import Grade, grade_all
    from ...grading.marking import submissions as found_in
    from ...grading.pages import number
    from ...report.terminal.page import Page

    read = find_lab(lab)
    handed_in = found_in(Path(submissions))
    if gradescope_file is not None:
        check_writable("--gradescope", gradescope_file)
        if len(handed_in) > 1:
            raise UsageError(
                f"--gradescope is of one submission, and {submissions} has {len(handed_in)}; --out writes all"
            )
    page = Page.on()
    width = max(len("student"), *(len(one.student) for one in handed_in))
    grades: list[Grade] = []
    columns = [max(len(check.name), 4) for check in read.checks]
    page.line(
        "  ".join(
            [
                "student".ljust(width),
                "points",
                *(check.name.rjust(room) for check, room in zip(read.checks, columns, strict=True)),
            ]
        )
    )
    for one in grade_all(read, handed_in, jobs or max(1, (os.cpu_count() or 2) // 2)):
        grades.append(one)
        cells = [one.student.ljust(width), number(one.points).rjust(6)]
        cells += [
            _cell(mark.status, number(mark.points)).rjust(room) for mark, room in zip(one.marks, columns, strict=True)
        ]
        line = "  ".join(cells)
        page.line(f"{line}  {sheets.remark(one)}".rstrip(), hang=width + 10)
        if out is not None:
            sheets.write_all(read, grades, Path(out))
    page.blank()
    if grades and len(grades) > 1:
        mean = sum(one.points for one in grades) / len(grades)
        page.line(f"{len(grades)} submissions: {number(mean)} of {number(read.points)} points on average")
    elif grades:
        page.line(f"{number(grades[0].points)} of {number(read.points)} points")
    if gradescope_file is not None:
        write_file("--gradescope", gradescope_file, sheets.gradescope(read, grades[0]))
    if out is not None:
        page.line(f"wrote {out}{os.sep}grades.csv, feedback for students and results for Gradescope")


def _cell(status: str, points: str) -> str:
    """Points; where there are none, why."""
    return {"stopped": "stop", "refused": "-", "not counted": "-"}.get(status, points)
