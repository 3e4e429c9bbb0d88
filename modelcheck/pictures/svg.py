"""SVG as text: elements that escape what they are given. Nothing here knows what is drawn."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML cannot hold


def element(name: str, *content: str, **attributes: object) -> str:
    """One element. `content` is SVG already; of attributes, `class_` is class and `data_event` is data-event, and None is none."""
    words = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(clean(_value(value)))}"
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(content)
    return f"<{name}{words}>{inner}</{name}>" if inner else f"<{name}{words}/>"


def text_of(words: str) -> str:
    """Words as they stand in SVG."""
    return escape(clean(words))


def path(*points: tuple[float, float], closed: bool = False) -> str:
    """The `d` of a path along these points."""
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in points) + ("Z" if closed else "")


def number(value: float) -> str:
    """As few digits as can be seen: 12.5, 3."""
    return (
        f"{value:.1f}".removesuffix(".0").replace("-0", "0") if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")
    )


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def clean(words: str) -> str:
    """The words without what XML cannot hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", words)
