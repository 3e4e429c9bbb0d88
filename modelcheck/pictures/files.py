"""Pictures as files: SVG as it is, TikZ for papers, PNG and PDF by Typst, which reads SVG and brings all it needs along; moving
pictures as an SVG that moves by itself, a folder of frames, or a GIF by Pillow.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..errors import UsageError
from . import tikz
from .style import resolved

_TEXTS: dict[str, Callable[[str], str]] = {".svg": str, ".tex": tikz.document, ".tikz": tikz.tikz}
KINDS = (".svg", ".png", ".pdf", ".tex", ".tikz")
MOVING = (".svg", ".gif")
PIXELS = 192  # an inch, of PNG: twice what the picture measures, for sharp screens
_PAGE = '#set page(width: auto, height: auto, margin: 0pt)\n#image("picture.svg")\n'


def check_picture(file: Path) -> None:
    """Refuses what cannot be drawn, before anything is searched. Raises UsageError."""
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise UsageError(f"{file}: the name ends in what is to be drawn, one of {', '.join(KINDS)}")
    if kind not in _TEXTS:
        _typst(kind)


def write_picture(svg: str, file: Path) -> None:
    """Writes a picture as the file's name ends: .svg, .tex, .tikz, .png or .pdf. Raises UsageError."""
    check_picture(file)
    kind = file.suffix.lower()
    try:
        if kind in _TEXTS:
            file.write_text(_TEXTS[kind](svg), encoding="utf-8")
        else:
            file.write_bytes(_drawn(svg, kind))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def is_folder(file: str) -> bool:
    """Whether frames are asked for: the name ends in a slash, or is that of a folder."""
    return file.endswith("/") or Path(file).is_dir()


def check_moving(file: str) -> None:
    """Refuses what cannot move, before anything is searched. Raises UsageError."""
    kind = Path(file).suffix.lower()
    if is_folder(file):
        return
    if kind not in MOVING:
        raise UsageError(f"{file}: the name ends in .svg or .gif, or in / for a folder with an SVG for each moment")
    if kind == ".gif":
        _typst(kind)
        _pillow()


def write_frames(frames: Iterable[str], folder: Path) -> int:
    """Writes an SVG for each moment, `000.svg` and on, and returns how many. Raises UsageError."""
    number = -1
    try:
        folder.mkdir(exist_ok=True)
        for number, frame in enumerate(frames):
            (folder / f"{number:03}.svg").write_text(frame, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    return number + 1


def write_gif(frames: Iterable[str], file: Path, seconds: float) -> None:
    """Writes all moments as a GIF that plays over and over, each for so long and the last three times as long. Raises UsageError."""
    image = _pillow()
    drawn = [image.open(io.BytesIO(_drawn(frame, ".png"))).convert("P") for frame in frames]
    lasts = [int(seconds * 1000)] * (len(drawn) - 1) + [int(seconds * 3000)]
    try:
        drawn[0].save(file, save_all=True, append_images=drawn[1:], duration=lasts, loop=0)
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


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise UsageError("GIF needs Pillow: pip install 'modelcheck[pictures]'") from None
    return Image
