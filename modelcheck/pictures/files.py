"""Pictures as files: SVG as it is, PNG and PDF by Typst, which reads SVG and brings all it needs along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import UsageError
from .style import resolved

KINDS = (".svg", ".png", ".pdf")
PIXELS = 192  # an inch, of PNG: twice what the picture measures, for sharp screens
_PAGE = '#set page(width: auto, height: auto, margin: 0pt)\n#image("picture.svg")\n'


def check_picture(file: Path) -> None:
    """Refuses what cannot be drawn, before anything is searched. Raises UsageError."""
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise UsageError(f"{file}: the name ends in what is to be drawn, one of {', '.join(KINDS)}")
    if kind != ".svg":
        _typst(kind)


def write_picture(svg: str, file: Path) -> None:
    """Writes a picture as the file's name ends: .svg, .png or .pdf. Raises UsageError."""
    check_picture(file)
    kind = file.suffix.lower()
    try:
        if kind == ".svg":
            file.write_text(svg, encoding="utf-8")
        else:
            file.write_bytes(_drawn(svg, kind))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def _drawn(svg: str, kind: str) -> bytes:
    source = {"main.typ": _PAGE.encode(), "picture.svg": resolved(svg).encode()}
    drawn: bytes = _typst(kind).compile(source, format=kind[1:], ppi=PIXELS)
    return drawn


def _typst(kind: str) -> Any:
    try:
        import typst
    except ImportError:
        raise UsageError(f"{kind[1:].upper()} needs Typst: pip install 'modelcheck[pictures]'") from None
    return typst
