"""Running Spin and Rumur on an exported program, in a folder that goes away, under our own limits, and reading what they say.

Both store every state exactly. How each counts:

    Spin    `states, stored` is one more than the states: init's own, before a world is chosen. `transitions` is states stored and
            matched, so one more for that state and one for each initial state. A step that fails is a transition back to its state
            and an error. An invalid end state is one in which no step is enabled.
    Rumur   `rules_fired` leaves out steps that fail: these are errors. A deadlock (`stuttering`) is a state that no rule changes.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ..errors import UnfinishedError, UsageError
from ..explore.limits import Meter
from . import murphi, promela
from .program import InstanceCounts, Program

LARGE = 100_000  # states: for fewer it takes longer to optimize the verifier than to run it
EIGHT_DIGITS = 99_999_999  # what Spin prints of a number
POLL = 0.02  # seconds


@dataclass(frozen=True)
class Answer:
    """What a tool counted, in our terms. `ends` are states in which no step is enabled, or (where `stuttering`) which no
    step changes. `objections`: assertions of the program that failed though they must not, with how often."""

    tool: str
    states: int
    transitions: int
    ends: int
    failing: int
    stuttering: bool
    objections: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


class Tool(Protocol):
    """What is asked of each of the classes below."""

    name: str
    label: str
    language: str
    suffix: str
    needs: Sequence[str]

    def text(self, program: Program) -> str:
        """The program in the tool's language. Raises UsageError for what cannot be said in it."""

    def run(self, program: Program, text: str, folder: Path, meter: Meter) -> Answer:
        """What it makes of the text of a program. Raises UnfinishedError where a limit is reached."""


class Spin:
    name, label, language, suffix = "spin", "Spin", "promela", ".pml"
    needs: Sequence[str] = ("spin", "gcc")

    def text(self, program: Program) -> str:
        return promela.promela(program)

    def run(self, program: Program, text: str, folder: Path, meter: Meter) -> Answer:
        counts = program.counts
        if max(counts.states, counts.transitions) + program.starts > EIGHT_DIGITS:
            raise UsageError(f"Spin prints no more than eight digits, and there are {counts.transitions:,} transitions")
        (folder / "model.pml").write_text(text, "ascii")
        _run(folder, meter, "spin", "-a", "model.pml")
        exact = ["-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=8192", f"-DMEMLIM={meter.limits.max_memory}"]
        _run(folder, meter, "gcc", _optimized(program), "-w", *exact, "-o", "pan", "pan.c")
        table = max(12, min(counts.states, EIGHT_DIGITS).bit_length() + 1)
        began = time.monotonic()
        output = _run(folder, meter, "./pan", "-c0", "-n", f"-m{counts.states + 10_000}", f"-w{table}")
        summary = re.search(r"errors: (\d+)\n\s*(\d+) states, stored(?:.|\n)*?(\d+) transitions", output)
        if summary is None:
            raise UnfinishedError(f"Spin did not come to its end: {output[-400:].strip()}")
        errors, stored, transitions = map(int, summary.groups())
        kinds = _kinds(output, errors)
        ends, failing = (kinds.pop(kind, 0) for kind in ("invalid end state", "assertion violated 0"))
        objections = {_objection(text): count for text, count in kinds.items() if count}
        cut_short = re.search(r"max search depth too small|Search not completed|out of memory", output)
        if cut_short and not objections and stored <= counts.states + 1:
            raise UnfinishedError(f"Spin did not come to its end: {cut_short[0]}; take fewer processes or faults")
        seconds = time.monotonic() - began
        return Answer(
            self.name, stored - 1, transitions - 1 - program.starts, ends, failing, False, objections, seconds
        )


class Rumur:
    name, label, language, suffix = "rumur", "Rumur", "murphi", ".m"
    needs: Sequence[str] = ("rumur", "gcc")

    def text(self, program: Program) -> str:
        return murphi.murphi(program)

    def run(self, program: Program, text: str, folder: Path, meter: Meter) -> Answer:
        (folder / "model.m").write_text(text, "ascii")
        options = ["--deadlock-detection", "stuttering", "--counterexample-trace", "off", "--max-errors", "1000000000"]
        told = ["--threads", "1", "--output-format", "machine-readable", "--quiet"]
        _run(folder, meter, "rumur", *told, *options, "--output", "model.c", "model.m")
        wide = ["-mcx16"] if platform.machine().lower() in ("x86_64", "amd64") else []
        _run(folder, meter, "gcc", "-std=c11", _optimized(program), "-w", *wide, "-o", "model", "model.c", "-lpthread")
        began = time.monotonic()
        output = _run(folder, meter, "./model")
        summary = re.search(r'<summary states="(\d+)" rules_fired="(\d+)"', output)
        if summary is None:
            raise UnfinishedError(f"Rumur did not come to its end: {output[-400:].strip()}")
        kinds = Counter(re.findall(r"<message>(.*?)</message>", output))
        ends, failing = (kinds.pop(kind, 0) for kind in ("deadlock", murphi.FAILS))
        states, fired = map(int, summary.groups())
        return Answer(self.name, states, fired + failing, ends, failing, True, dict(kinds), time.monotonic() - began)


TOOLS: tuple[Tool, ...] = (Spin(), Rumur())


def missing(tool: Tool) -> list[str]:
    """The commands it needs that are not installed."""
    return [command for command in tool.needs if shutil.which(command) is None]


def expected(counts: InstanceCounts, answer: Answer) -> dict[str, tuple[int, int]]:
    """What is compared: what the search came to, and what the tool did."""
    ends = counts.still if answer.stuttering else counts.ends
    return {
        "states": (counts.states, answer.states),
        "transitions": (counts.transitions, answer.transitions),
        "steps that fail": (counts.failing, answer.failing),
        "ends": (ends, answer.ends),
    }


def _optimized(program: Program) -> str:
    return "-O1" if program.counts.states > LARGE else "-O0"


def _kinds(output: str, errors: int) -> dict[str, int]:
    """How many errors there are of each kind: Spin numbers them, and prints one where it differs from the one before."""
    printed = re.findall(r"^pan:(\d+): (.*) \(at depth", output, re.MULTILINE)
    begins = [*(int(number) for number, _ in printed), errors + 1]
    found: dict[str, int] = {}
    for place, (_, text) in enumerate(printed):
        found[text] = found.get(text, 0) + begins[place + 1] - begins[place]
    return found


def _objection(text: str) -> str:
    """What an assertion of the program says, in the words of the program for Rumur."""
    return {"assertion violated (1==2)": murphi.MISSING, "assertion violated (2==3)": murphi.FULL}.get(text, text)


def _run(folder: Path, meter: Meter, *command: str) -> str:
    """What a command prints. It is killed, and all it started, where the meter says stop.

    Raises UnfinishedError then, and AssertionError where a program that we wrote is refused.
    """
    began = time.monotonic()
    limit = f"ulimit -v {1000 * meter.limits.max_memory}" if command[0].startswith("./") else ":"
    with (folder / "output").open("w+b") as output:
        shell = ["/bin/sh", "-c", f'{limit}; exec "$@"', "sh", *command]
        process = subprocess.Popen(
            shell, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            while process.poll() is None:
                if meter.stop():
                    raise UnfinishedError(f"{meter.reached}, after {time.monotonic() - began:.0f} s of {command[0]}")
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(POLL)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        said = output.read().decode(errors="replace")
    if process.returncode < 0:
        raise UnfinishedError(f"{command[0]} was ended by a signal ({signal.Signals(-process.returncode).name})")
    if process.returncode != 0 and not command[0].startswith("./"):
        raise AssertionError(f"{command[0]} refused what was written for it:\n{said[-2000:]}")
    return said
