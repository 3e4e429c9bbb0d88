"""A submission's way through a lab: read, checked one check after the other, marked.

The time of a submission is divided among its checks: each may take its share of what is left. A check that does not come back costs its share
and no more: the next has a new process.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..errors import UsageError
from ..text.typed import is_file, is_folder
from .fixing import GRADED, SUBMITTED
from .lab import Lab, LabCheck
from .room import EndedError, ExamRoom
from .screening import LONGEST

READING = 10.0  # seconds that reading a submission may take
Status = Literal["passed", "failed", "stopped", "not counted", "refused"]


@dataclass(frozen=True)
class Submission:
    """What a student has handed in; `trouble` says why there is no file."""

    student: str
    file: Path | None
    trouble: str = ""


@dataclass(frozen=True)
class Mark:
    """What came of one check. `run` tells the counterexample step by step, `svg` draws it; both are empty where there is none."""

    check: LabCheck
    points: float
    status: Status
    sentence: str
    reason: str = ""
    run: str = ""
    svg: str = ""
    states: int = 0


@dataclass(frozen=True)
class Grade:
    """What came of a submission. `problems` say why nothing of it was checked; `different` are the declarations that are not the lab's."""

    student: str
    marks: tuple[Mark, ...]
    problems: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    deducted: float = 0.0
    seconds: float = 0.0

    @property
    def points(self) -> float:
        """Never less than none."""
        return max(0.0, sum(mark.points for mark in self.marks) - self.deducted)

    @property
    def of_points(self) -> float:
        return sum(mark.check.points for mark in self.marks)


def submissions(folder: Path) -> list[Submission]:
    """What lies in a folder: each .py file is one, and each folder with one .py file in it; a file by itself is the only one.

    Raises UsageError where there is nothing.
    """
    if is_file(folder):
        return [_of(folder, folder.stem)]
    if not is_folder(folder):
        raise UsageError(f"there is no folder {folder}")
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from None
    found = []
    for path in paths:
        if path.name.startswith((".", "__")):
            continue
        if path.is_symlink() and path.is_dir():
            found.append(Submission(path.name, None, "it is a link and no folder"))
        elif path.is_dir():
            files = sorted(one for one in path.glob("*.py"))
            trouble = "" if len(files) == 1 else f"its folder has {len(files)} Python files in place of one"
            found.append(_of(files[0], path.name) if not trouble else Submission(path.name, None, trouble))
        elif path.suffix == ".py":
            found.append(_of(path, path.stem))
    if not found:
        raise UsageError(
            f"there are no submissions in {folder}: files STUDENT.py, or folders STUDENT/ with one Python file each"
        )
    twice = [one.student for one in found if [other.student for other in found].count(one.student) > 1]
    if twice:
        raise UsageError(f"{folder}: there are two submissions of {twice[0]}, a file and a folder; take one away")
    return found


def left_out(folder: Path) -> list[str]:
    """The files in a folder that are taken for no submissions, for they are not called .py: somebody's may be among them."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file()) if is_folder(folder) else []
    return [name for name in names if not name.startswith((".", "__")) and not name.endswith(".py")]


def _of(file: Path, student: str) -> Submission:
    """The submission in this file, which is none where it is a link: that may lead anywhere, also to another's; nor where reading it might never end."""
    trouble = "it is a link and no file" if file.is_symlink() else "" if file.is_file() else "it is no plain file"
    return Submission(student, None if trouble else file, trouble)


def grade_all(lab: Lab, handed_in: Sequence[Submission], jobs: int) -> Iterator[Grade]:
    """The grades, in the order of the submissions; so many are at work at once. Where nobody takes any more, as after Ctrl-C, those at work
    are given up."""
    given_up = threading.Event()
    pool = ThreadPoolExecutor(jobs)
    try:
        keeps_code = lab.solution_file is None  # else there is a rehearsal, after which nothing need be kept
        yield from pool.map(lambda one: grade(lab, one, given_up, keeps_code=keeps_code), handed_in)
    finally:
        given_up.set()
        pool.shutdown(cancel_futures=True)


def rehearse(lab: Lab) -> Grade | None:
    """The grade of the lab's own solution, with ten times the time: on a machine that has not checked anything before, code is compiled that
    would cost the first submissions their time. None where the lab has no solution."""
    if lab.solution_file is None:
        return None
    roomy = replace(lab, allowance=replace(lab.allowance, seconds=10 * lab.allowance.seconds))
    return grade(roomy, Submission("the lab's own solution", lab.solution_file))


def grade(
    lab: Lab, submission: Submission, given_up: threading.Event | None = None, *, keeps_code: bool = True
) -> Grade:
    """The grade of one submission. Nothing of it runs in this process. When it is given up the rest of its checks is left out."""
    began = time.monotonic()
    if submission.file is None:
        return _ungraded(lab, submission, [submission.trouble], began)
    with tempfile.TemporaryDirectory(prefix="modelcheck-", ignore_cleanup_errors=True) as folder:
        try:
            if submission.file.stat().st_size > LONGEST:
                raise OSError(f"it has more than {LONGEST:,} bytes")
            shutil.copyfile(submission.file, Path(folder) / SUBMITTED)
            (Path(folder) / GRADED).touch()  # the one file there that is written
            code = _code(Path(folder), keeps_code)
        except OSError as error:
            return _ungraded(lab, submission, [f"the file cannot be read: {error.strerror or error}"], began)
        return _Marking(lab, Path(folder), given_up or threading.Event(), code).grade(submission, began)


def _code(folder: Path, keeps: bool) -> Path | None:
    """Where the submission in this folder keeps compiled code: a copy of what there is, where it is to leave none for others, for compiled code is code."""
    from ..explore.compiled.jit import folder as kept

    common = kept()
    if keeps or common is None:
        return common
    own = folder / "code" / common.name
    with suppress(OSError, shutil.Error):  # another process may be writing there: what is missing is compiled
        shutil.copytree(common, own)
    own.mkdir(parents=True, exist_ok=True)
    return own


def _ungraded(lab: Lab, submission: Submission, problems: Sequence[str], began: float) -> Grade:
    marks = tuple(Mark(check, 0, "refused", "") for check in lab.checks)
    return Grade(submission.student, marks, tuple(problems), seconds=time.monotonic() - began)


class _Marking:
    """The checks of one submission, in one process, or in several where one is lost."""

    def __init__(self, lab: Lab, folder: Path, given_up: threading.Event, code: Path | None) -> None:
        self.lab, self.folder, self.given_up, self.code = lab, folder, given_up, code
        self.left = lab.allowance.seconds
        self.room: ExamRoom | None = None

    def grade(self, submission: Submission, began: float) -> Grade:
        marks: dict[str, Mark] = {}
        try:
            read = self._read()
            if read["problems"]:
                return _ungraded(self.lab, submission, [str(one) for one in read["problems"]], began)
            for number, check in enumerate(self.lab.checks):
                if check.after and marks[check.after].status != "passed":
                    needed = marks[check.after].check
                    why = (
                        "it counts only where another check is passed"
                        if needed.hidden
                        else f"it counts only where “{needed.title}” is passed"
                    )
                    marks[check.name] = Mark(check, 0, "not counted", why)
                else:
                    if not check.hidden and number and self.lab.checks[number - 1].hidden:
                        self._close()  # what is remembered of a hidden check is not told in the run of another
                    marks[check.name] = self._mark(number, check)
        except EndedError as error:
            return _ungraded(self.lab, submission, [f"it could not be read: {error}"], began)
        finally:
            self._close()
        different = tuple(str(one) for one in read["different"])
        seconds = time.monotonic() - began
        return Grade(
            submission.student, tuple(marks.values()), (), different, self.lab.different * len(different), seconds
        )

    def _read(self) -> dict[str, Any]:
        self.room = ExamRoom(self.lab, self.folder, self.given_up, self.code)
        began = time.monotonic()
        try:
            return self.room.ask({"read": True}, min(self.left, READING))
        finally:
            self.left -= time.monotonic() - began

    def _mark(self, number: int, check: LabCheck) -> Mark:
        if self.given_up.is_set():
            return Mark(check, 0, "stopped", "grading was interrupted")
        share = round(self.left / (len(self.lab.checks) - number), 1)
        if share < 0.5:
            return Mark(check, 0, "stopped", f"its {self.lab.allowance.seconds:g} s were used up before")
        began = time.monotonic()
        try:
            if self.room is None:
                self._read()
                began = time.monotonic()
            assert self.room is not None
            answer = self.room.ask({"check": number, "seconds": share}, share)
        except EndedError as error:
            self._close()
            return Mark(check, 0, "stopped", str(error))
        finally:
            self.left -= min(time.monotonic() - began, share)
        status: Status = answer["status"] if answer.get("status") in ("passed", "failed", "stopped") else "stopped"
        texts = {name: str(answer.get(name, "")) for name in ("sentence", "reason", "run", "svg")}
        return Mark(
            check, check.points if status == "passed" else 0, status, **texts, states=int(answer.get("states", 0))
        )

    def _close(self) -> None:
        if self.room is not None:
            self.room.end()
            self.room = None
