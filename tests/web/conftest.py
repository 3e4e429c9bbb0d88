"""The explorer served for the length of a test, on a port of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from modelcheck.explore.limits import Limits
from modelcheck.web import server
from modelcheck.web.subject import subject_of

Served = Callable[..., str]


@pytest.fixture
def served() -> Iterator[Served]:
    """Serves a model under options and returns its address. Ask for it before `page`: that is closed first."""
    running: list[tuple[Any, threading.Thread]] = []

    def start(model: str, limits: Limits | None = None, **options: Any) -> str:
        opened = server.listen("127.0.0.1", 0)
        port = opened.getsockname()[1]
        app = server.application(
            subject_of(model, **options), server.hosts_of("127.0.0.1", port), *([limits] if limits else [])
        )
        uvicorn = server.server_of(app)
        thread = threading.Thread(target=uvicorn.run, kwargs={"sockets": [opened]}, daemon=True)
        thread.start()
        running.append((uvicorn, thread))
        return f"http://127.0.0.1:{port}/"

    yield start
    for uvicorn, thread in running:
        uvicorn.should_exit = uvicorn.force_exit = True
        thread.join(10)
        assert not thread.is_alive()
