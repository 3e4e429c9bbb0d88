"""What people type, taken with care: numbers of any length and script, and names that no file can have."""

from __future__ import annotations

from pathlib import Path

MOST_DIGITS = 100  # of a number; Python itself reads 4,300


def natural(text: str) -> int | None:
    """The number that a text is: decimal digits and no sign. None where it is none, or has more digits than anybody means."""
    digits = text.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None


def is_file(name: str | Path) -> bool:
    """Whether there is a file of this name; none has a name that is too long, or has a NUL in it."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def is_folder(name: str | Path) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False
