"""Texts that come from outside, so that they can be shown: what would steer a terminal, or be no XML, is spelled out."""

from __future__ import annotations


def visible(text: str) -> str:
    """The text with characters that cannot be seen as escapes: `\\x1b` for the one that begins a terminal's commands."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
