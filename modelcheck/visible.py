"""Texts that come from outside, so that they can be shown: what would steer a terminal, or be no XML, is spelled out."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from .semantics.worlds import World

Anything = TypeVar("Anything")


def visible(text: str) -> str:
    """The text with characters that cannot be seen as escapes: `\\x1b` for the one that begins a terminal's commands."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def all_visible(value: Anything) -> Anything:
    """The same of every text in a trace."""
    shown: Any = value
    if isinstance(value, str):
        shown = visible(value)
    elif isinstance(value, tuple):
        shown = tuple(map(all_visible, value))
    elif is_dataclass(value) and not isinstance(value, (type, World)):
        inner = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: new for name, old in inner.items() if (new := all_visible(old)) != old}
        shown = replace(value, **changed) if changed else value
    return shown  # type: ignore[no-any-return]
