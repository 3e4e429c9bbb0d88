"""Calls that the workers of a cluster make, side by side. What a worker had that dies is for whoever sent it to send again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ..errors import UsageError
from .gathering import DEATHS, LOOK, WAITING, is_gone

About = TypeVar("About")


class Errands(Generic[About]):
    """Those of one command, each `about` something; `what` they are about in words."""

    def __init__(self, client: Any, what: str) -> None:
        self._client, self._what = client, what
        self._under_way: dict[Any, About] = {}  # by future
        self._deaths = 0

    @property
    def lanes(self) -> int:
        """The workers that there are now."""
        return len(self._client.nthreads())

    @property
    def threads(self) -> int:
        """Of each worker."""
        return min(self._client.nthreads().values(), default=1)

    @property
    def are_enough(self) -> bool:
        """Whether each worker has one more than the one that it is at."""
        return len(self._under_way) >= WAITING * self.lanes

    def send(self, about: About, function: Callable[..., Any], *arguments: Any) -> None:
        self._under_way[self._client.submit(function, *arguments, pure=False)] = about

    def back(self) -> list[tuple[About, Any]]:
        """Those that are done, and what came of each: None where its worker has died. Where there are none it takes a moment.

        Raises what a call has raised, and UsageError where so many have died that the calls may be why.
        """
        found: list[tuple[About, Any]] = []
        for future in [future for future in self._under_way if future.done()]:
            about, error = self._under_way.pop(future), future.exception()
            if error is not None and not is_gone(error):
                raise error
            self._deaths += error is not None
            if self._deaths > DEATHS:
                raise UsageError(f"{self._deaths} workers have died over {self._what}")
            found.append((about, None if error is not None else future.result()))
        if not found:
            time.sleep(LOOK / 10)
        return found

    def cancel(self) -> None:
        """Nobody waits for them any more."""
        self._client.cancel([*self._under_way])
