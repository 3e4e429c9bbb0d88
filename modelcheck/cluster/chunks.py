"""How the worlds of a run are cut into chunks: few to begin with, then as many as take some seconds, and few again where little is left."""

from __future__ import annotations

SECONDS = 10.0  # that a chunk should take
LEAST = 2.0  # and that it should take where little is left
FIRST, MOST = 8, 50_000  # worlds of a chunk
GROWTH = 4.0  # at most so many times as many worlds as before
SHARES = 2  # of what is left for each lane, so that all come to their end together


class Chunks:
    """Hands out stretches of the order of worlds, from `begin` on."""

    def __init__(self, begin: int = 1) -> None:
        self._next, self._size = begin, float(FIRST)
        self._least = 0.0
        self._again: list[range] = []
        self._over = False

    @property
    def are_over(self) -> bool:
        """Whether all are handed out."""
        return self._over and not self._again

    def take(self, lanes: int, left: float) -> range | None:
        """The next worlds, where `lanes` processes explore and about so many worlds are left; None where all are handed out."""
        if self._again:
            return self._again.pop()
        if self._over:
            return None
        size = max(1, int(min(self._size, MOST, max(self._least, left / (SHARES * lanes)))))
        chunk = range(self._next, self._next + size)
        self._next = chunk.stop
        return chunk

    def learned(self, chunk: range, worlds: int, seconds: float) -> None:
        """So many worlds there were in a chunk, and so long it took."""
        if worlds < len(chunk):
            self._over = True  # it reaches beyond the last
        elif seconds > 0:
            pace = worlds / seconds
            self._size, self._least = max(1.0, min(pace * SECONDS, GROWTH * len(chunk))), pace * LEAST

    def again(self, chunk: range) -> None:
        """Nobody knows what is in it: whoever had it is gone."""
        self._again.append(chunk)
