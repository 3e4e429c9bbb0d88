"""`modelcheck grade`: a class's submissions, marked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ...text.visible import visible
from ..base import Command
from ..running import check_writable, write_file

if TYPE_CHECKING:
    from ...grading.lab import Lab
    from ...grading.marking import Grade, Submission
    from ...report.terminal.page import Page

LONGEST = 24  # characters of a student's name in the table

GRADE_EXAMPLES = """
\b
Examples:
  modelcheck new homework --skeleton garg
  modelcheck grade garg homework.py
  modelcheck grade garg homework.py --out grades
\b
Exit codes: 0 where every submission was graded, whatever its points; 2 where the lab or the folder is at fault,
20 after Ctrl-C: then what was graded so far is written.
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
    from ...grading.marking import grade_all, left_out, rehearse
    from ...grading.marking import submissions as found_in
    from ...grading.pages import number
    from ...report.terminal.page import Page

    read = find_lab(lab)
    handed_in = found_in(Path(submissions))
    if out is not None:
        sheets.write_all(read, (), Path(out))  # refuses a folder that cannot be written before anything is graded
    if gradescope_file is not None:
        check_writable("--gradescope", gradescope_file)
        if len(handed_in) > 1:
            raise UsageError(
                f"--gradescope is of one submission, and {submissions} has {len(handed_in)}; --out writes all"
            )
    if len(handed_in) > 1 and (own := rehearse(read)) is not None and own.points < own.of_points:
        click.echo(
            f"warning: the lab's own solution gets {number(own.points)} of {number(own.of_points)} points: {sheets.remark(own)}",
            err=True,
        )
    if others := left_out(Path(submissions)):
        shown = ", ".join(map(_short, others[:5])) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        click.echo(
            f"note: not graded, for {'its name does' if len(others) == 1 else 'their names do'} not end in .py: {shown}",
            err=True,
        )
    page = Page.on()
    grades: list[Grade] = []
    try:
        for one in _written(
            read, grade_all(read, handed_in, jobs or max(1, (os.cpu_count() or 2) // 2)), handed_in, page
        ):
            grades.append(one)
    finally:
        if out is not None and grades:
            sheets.write_all(read, grades, Path(out))
    page.blank()
    if len(grades) > 1:
        mean = sum(one.points for one in grades) / len(grades)
        page.line(f"{len(grades)} submissions: {number(mean)} of {number(read.points)} points on average")
    else:
        page.line(f"{number(grades[0].points)} of {number(read.points)} points")
    if gradescope_file is not None:
        write_file("--gradescope", gradescope_file, sheets.gradescope(read, grades[0]))
    if out is not None:
        page.line(f"wrote {out}{os.sep}grades.csv, feedback for students and results for Gradescope")


def _written(lab: Lab, grades: Iterator[Grade], handed_in: Sequence[Submission], page: Page) -> Iterator[Grade]:
    """The grades, each printed as a row of a table when it is there."""
    from rich.cells import cell_len

    from ...grading.pages import number
    from ...grading.sheets import remark

    names = {one.student: _short(one.student) for one in handed_in}
    width = max(len("student"), *map(cell_len, names.values()))
    columns = [max(len(check.name), 4) for check in lab.checks]
    heads = [check.name.rjust(room) for check, room in zip(lab.checks, columns, strict=True)]
    page.line("  ".join(["student".ljust(width), "points", *heads]))
    for one in grades:
        name = names[one.student]
        cells = [name + " " * (width - cell_len(name)), number(one.points).rjust(6)]
        cells += [
            _cell(mark.status, number(mark.points)).rjust(room) for mark, room in zip(one.marks, columns, strict=True)
        ]
        page.line(f"{'  '.join(cells)}  {remark(one)}".rstrip(), hang=width + 10)
        yield one


def _short(student: str) -> str:
    """A name as it stands in the table, where one long one is not to push all figures out of sight."""
    shown = visible(student).replace("\n", "\\n")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _cell(status: str, points: str) -> str:
    """Points; where there are none, why."""
    return {"stopped": "stop", "refused": "-", "not counted": "-"}.get(status, points)
