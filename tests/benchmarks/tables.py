"""The rows as Markdown."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .peers import PACKAGES, PEERS
from .rows import CORES, WORDS, LeftOut, PeerRow, Row

BEGIN = "<!-- speed: begin (python -m tests.benchmarks --write) -->"
END = "<!-- speed: end -->"


@dataclass
class Report:
    """All that one run of the benchmarks found."""

    engine: str
    workers: int
    rows: list[Row] = field(default_factory=list)
    peers: list[PeerRow] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)  # commands, by peer
    startup: tuple[float, float] = (0.0, 0.0)

    def markdown(self) -> str:
        """What stands in the guide."""
        parts = [
            f"One run on {machine()}, Python {platform.python_version()}, engine `{self.engine}`, {self.workers} worker{'s' if self.workers > 1 else ''}: the time of the search alone, the median "
            f"where it was short enough to repeat; memory is that of the whole process at its largest, Python "
            f"and compiler included. {self._limit()}",
            self._ours(),
            self._other_ways(),
            self._beside(),
            self._before(),
            self._missing(),
        ]
        return "\n\n".join(filter(None, parts)) + "\n"

    def _limit(self) -> str:
        if all(row.inserts is None for row in self.rows):
            return ""
        return (
            "The last column compares with the machine's own limit: random keys inserted a second, by as many threads as there are workers, each into the same hash "
            "set, as many and as wide as the states of a world."
        )

    def _ours(self) -> str:
        head = ("model", "network", "n", "states", "transitions", "seconds", "transitions/s", "MB", "of the limit")
        return table(
            head,
            (
                (
                    row.case.name, row.network, str(row.case.n), f"{row.states:,}", f"{row.transitions:,}", seconds(row.seconds),
                    rate(row.rate), f"{row.memory:,.0f}", fraction(row),
                )
                for row in self.rows if not row.case.way
            ),
            left=2,
        )  # fmt: skip

    def _other_ways(self) -> str:
        rows = [row for row in self.rows if row.case.way]
        if not rows:
            return ""
        head = ("model", "network", "n", "how", "states", "nodes", "seconds", "MB")
        lines = (
            (
                row.case.name, row.network, str(row.case.n), f"`{WORDS[row.case.way]}`", f"{row.states:,}",
                f"{row.nodes:,}" if row.nodes else "-", seconds(row.seconds), f"{row.memory:,.0f}",
            )
            for row in rows
        )  # fmt: skip
        return (
            "Every assignment of identifiers with fewer orders of steps, or all states as one set, which one thread makes; verdict and termination "
            "are included:\n\n" + table(head, lines, left=2)
        )

    def _beside(self) -> str:
        if not self.peers:
            return ""
        names = [peer.NAME for peer in PEERS if any(row.peer == peer.NAME for row in self.peers)]
        head = ["chang_roberts", "n", "modelcheck"]
        for name in names:
            head += [name, "MB", "times ours"]
        lines = []
        for row in self.rows:
            if row.case.model == "chang_roberts" and not row.case.ids and not row.case.way:
                cells = [row.case.network, str(row.case.n), f"{seconds(row.seconds)} s"]
                for name in names:
                    cells += beside(row, next((p for p in self.peers if (p.peer, p.case) == (name, row.case)), None))
                lines.append(cells)
        return (
            "The same state spaces in Spin (without partial order reduction) and Rumur (a thread for each core), both exact, "
            "search against search:\n\n" + table(head, lines, left=1)
        )

    def _before(self) -> str:
        text = (
            f"Before the search: a whole `modelcheck run chang_roberts --n 3` takes {seconds(self.startup[0])} s the first time on "
            f"a machine and {seconds(self.startup[1])} s from then on"
        )
        for peer in PEERS:
            times = [row.before for row in self.peers if row.peer == peer.NAME]
            if times:
                text += f"; {peer.NAME}'s verifier, one for each n, is made in {seconds(min(times))} to {seconds(max(times))} s"
        return text + "."

    def _missing(self) -> str:
        lines = [f"- Left out: {item}." for item in self.left_out]
        for peer, commands in self.missing.items():
            packages = " ".join(PACKAGES)
            lines.append(
                f"- Left out: {peer} (not installed: {', '.join(commands)}; Debian: `apt-get install {packages}`)."
            )
        return "\n".join(lines)


def write(report: Report, page: Path) -> None:
    """Puts the report between the two marks. Raises ValueError where they are not there."""
    text = page.read_text()
    block = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    if not block.search(text):
        raise ValueError(f"{page.name} has no line {BEGIN!r} with a line {END!r} after it")
    page.write_text(block.sub(lambda _: f"{BEGIN}\n\n{report.markdown()}\n{END}", text))


def table(head: Sequence[str], lines: Iterable[Sequence[str]], left: int) -> str:
    """A table; the first `left` columns are words, the others numbers."""
    rule = ["---" if k < left else "---:" for k in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *lines))


def beside(row: Row, peer: PeerRow | None) -> list[str]:
    if peer is None:
        return ["-", "-", "-"]
    return [f"{seconds(peer.seconds)} s", f"{peer.memory:,.0f}", f"{peer.seconds / row.seconds:,.1f}"]


def seconds(value: float) -> str:
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def rate(value: float) -> str:
    return f"{value / 1e6:.1f} M" if value >= 1e6 else f"{value / 1e3:.0f} k"


def fraction(row: Row) -> str:
    if row.of_limit is None or row.inserts is None:
        return "-"
    part = f"{row.of_limit:.0%}" if row.of_limit >= 0.01 else "<1%"
    return f"{part} of {rate(row.inserts)}"


def machine() -> str:
    """Its processor and how many cores of it may be used."""
    name = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return f"{CORES} core{'s' if CORES > 1 else ''}" + (f" ({name[1]})" if name else "")
