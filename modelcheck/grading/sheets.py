"""What came of a class, as files: a table for teachers (CSV), results for Gradescope (JSON), a page for each student (HTML and text).

Pages for students tell of the visible checks as much as the lab allows, and of the hidden ones no more than their points, or their titles.
What Gradescope gets tells all; it shows the hidden checks to teachers only.

Gradescope's format: https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .lab import Lab
from .marking import Grade, Mark
from .pages import number, page, text, words


def write_all(lab: Lab, grades: Sequence[Grade], folder: Path) -> None:
    """Writes grades.csv, gradescope/STUDENT.json and feedback/STUDENT.html and .txt into a folder. Raises UsageError where that cannot be."""
    try:
        for name in ("feedback", "gradescope"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        _write(folder / "grades.csv", table(lab, grades))
        for grade in grades:
            name = _file_name(grade.student)
            _write(folder / "feedback" / f"{name}.txt", text(lab, grade))
            _write(folder / "feedback" / f"{name}.html", page(lab, grade))
            _write(folder / "gradescope" / f"{name}.json", gradescope(lab, grade))
    except (OSError, ValueError) as error:
        raise UsageError(f"--out {folder}: {getattr(error, 'strerror', None) or error}") from None


def _write(file: Path, words: str) -> None:
    """Names that are no text in UTF-8 are written as well: one student's must not be the end of the others' pages."""
    file.write_text(words, encoding="utf-8", errors="backslashreplace", newline="")


def _file_name(student: str) -> str:
    """The student's name; of one that is too long for a file the beginning, and what tells it from others."""
    whole = os.fsencode(student)
    return student if len(whole) <= 200 else f"{student[:40]}-{hashlib.sha256(whole).hexdigest()[:12]}"


def table(lab: Lab, grades: Sequence[Grade]) -> str:
    """A line for each student: points in all and for each check, what was deducted, and a remark."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["student", "points", "of", *(check.name for check in lab.checks), "deducted", "seconds", "remark"])
    for grade in grades:
        row = [
            grade.student,
            number(grade.points),
            number(grade.of_points),
            *(number(mark.points) for mark in grade.marks),
        ]
        writer.writerow(
            [_no_formula(cell) for cell in [*row, number(grade.deducted), f"{grade.seconds:.1f}", remark(grade)]]
        )
    return file.getvalue()


def _no_formula(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: what students write themselves may stand in it."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def remark(grade: Grade) -> str:
    """What a teacher should know first: why nothing was checked, or the first check that was not passed, and what is not the lab's."""
    parts = [one.split("\n")[0] for one in grade.problems]
    if not parts:
        lost = [mark for mark in grade.marks if mark.status != "passed"]
        parts += [f"{mark.check.name}: {mark.sentence.splitlines()[0]}" for mark in lost[:1] if mark.sentence]
    parts += [f"declares {one}" for one in grade.different]
    return "; ".join(parts)


def gradescope(lab: Lab, grade: Grade) -> str:
    """The results.json of a submission. The sum of the tests and the deduction is the score."""
    tests = [_test(lab, mark) for mark in grade.marks]
    if grade.deducted:
        off = max(-grade.deducted, -sum(mark.points for mark in grade.marks))
        tests.append({"name": "declared otherwise than the lab", "score": round(off, 4), "max_score": 0, "output": "; ".join(grade.different), "visibility": "visible"})  # fmt: skip
    found: dict[str, Any] = {
        "score": round(grade.points, 4),
        "execution_time": round(grade.seconds),
        "output": "\n".join(grade.problems),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(found, indent=2) + "\n"


def _test(lab: Lab, mark: Mark) -> dict[str, Any]:
    told = [mark.sentence, mark.reason, mark.run] if mark.check.hidden else words(lab, mark)
    return {
        "name": mark.check.title,
        "number": mark.check.name,
        "score": round(mark.points, 4),
        "max_score": round(mark.check.points, 4),
        "status": "passed" if mark.status == "passed" else "failed",
        "output": "\n".join(filter(None, told)),
        "visibility": "hidden" if mark.check.hidden else "visible",
    }
