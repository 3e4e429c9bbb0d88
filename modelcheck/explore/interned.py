"""Numbers for values."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


class Interned(dict[Item, int]):
    """Numbers for values, in order of first meeting; `by_number` leads back."""

    def __init__(self) -> None:
        super().__init__()
        self.by_number: list[Item] = []

    def __missing__(self, item: Item) -> int:
        self[item] = number = len(self.by_number)
        self.by_number.append(item)
        return number
