"""What students begin with: the skeleton of a lab, with holes, and the lab's exercise above it."""

from __future__ import annotations

import textwrap

from ..errors import UsageError
from .lab import Lab


def skeleton_of(lab: Lab) -> str:
    """The text of a file to begin with. Raises UsageError where the lab has none."""
    file = lab.skeleton_file
    if file is None:
        raise UsageError(f'{lab.file.name} names no skeleton: write skeleton = "FILE.py" in it')
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the skeleton {file} cannot be read: {error}") from None
    paragraphs = lab.exercise.split("\n\n")
    told = "\n#\n".join(
        textwrap.fill(" ".join(one.split()), 100, initial_indent="# ", subsequent_indent="# ")
        for one in paragraphs
        if one.strip()
    )
    return f"{told}\n\n{text}" if told else text
