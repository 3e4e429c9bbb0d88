"""Pictures as files: SVG as it is, PNG and PDF by CairoSVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import UsageError
from .style import resolved

KINDS = (".svg", ".png", ".pdf")


def check_picture(file: Path) -> None:
    """Refuses what cannot be drawn, before anything is searched. Raises UsageError."""
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise UsageError(f"{file}: the name ends in what is to be drawn, one of {', '.join(KINDS)}")
    if kind != ".svg":
        _cairo(kind)


def write_picture(svg: str, file: Path) -> None:
    """Writes a picture as the file's name ends: .svg, .png (twice as large, for sharp screens) or .pdf. Raises UsageError."""
    check_picture(file)
    try:
        if file.suffix.lower() == ".svg":
            file.write_text(svg, encoding="utf-8")
        else:
            file.write_bytes(_drawn(svg, file.suffix.lower()))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def _drawn(svg: str, kind: str) -> bytes:
    cairosvg = _cairo(kind)
    source = resolved(svg).encode()
    drawn: bytes = (
        cairosvg.svg2png(bytestring=source, scale=2) if kind == ".png" else cairosvg.svg2pdf(bytestring=source)
    )
    return drawn


def _cairo(kind: str) -> Any:
    try:
        import cairosvg
    except (ImportError, OSError):  # OSError: the library libcairo is missing
        raise UsageError(f"{kind[1:].upper()} needs CairoSVG: pip install 'modelcheck[pictures]'") from None
    return cairosvg
