"""A real Chromium for tests of pages: it fails a test that leaves an error in the console or asks another host for anything."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SCREEN = {"width": 1280, "height": 800}
HERE = ("127.0.0.1", "localhost", "[::1]", "")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests of a worker. Skips where none is installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the tests of pages need playwright")
    program = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("the tests of pages need Chromium (Debian's package chromium), and none is installed")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture(scope="session")
def tab(browser: Any) -> Iterator[Any]:
    """The one page that all tests of a worker use, one after another: to open another takes longer than most tests."""
    yield from _opened(browser)


@pytest.fixture
def page(tab: Any) -> Iterator[Any]:
    """A page as if it were fresh; at the end of the test nothing may have gone wrong in it, and nothing left this machine."""
    opened, complaints = tab
    opened.set_viewport_size(SCREEN)
    opened.emulate_media(media="null", color_scheme="null")
    opened.context.clear_permissions()
    complaints.clear()
    yield opened
    opened.goto("about:blank")  # which closes its connections
    assert complaints == []


@pytest.fixture
def page_of_its_own(browser: Any) -> Iterator[Any]:
    """For a test that changes what cannot be changed back."""
    for opened, complaints in _opened(browser):
        yield opened
        assert complaints == []


def _opened(browser: Any) -> Iterator[tuple[Any, list[str]]]:
    """A page, and what goes wrong in it."""
    context = browser.new_context(viewport=SCREEN)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda m: complaints.append(f"console: {m.text}") if m.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    opened.on("request", lambda request: complaints.extend(_foreign(request.url)))
    yield opened, complaints
    context.close()


def _foreign(url: str) -> list[str]:
    parts = urlsplit(url)
    local = parts.scheme in ("file", "data", "blob", "about") or (parts.hostname or "") in HERE
    return [] if local else [f"request to another host: {url}"]
