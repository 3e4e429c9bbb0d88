"""Draws the golden pictures anew: `python -m tests.pictures.golden`. Look at each before it is committed."""

from __future__ import annotations

from pathlib import Path

from modelcheck.pictures.diagram import diagram
from tests.pictures import runs

FOLDER = Path(__file__).parent / "golden"
NAMES = ("equal identifiers", "crash and recovery", "split", "rounds")

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        file = FOLDER / f"{name.replace(' ', '_')}.svg"
        file.write_text(diagram(runs.violation(name), heading=name), encoding="utf-8")
        print(file)
