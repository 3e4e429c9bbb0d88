"""The guard of the tests of pages: it notices what a page must not do."""

from __future__ import annotations

from tests.browser import _foreign


def test_a_request_to_another_host_is_noticed() -> None:
    assert _foreign("https://example.org/lib.js") == ["request to another host: https://example.org/lib.js"]


def test_what_stays_on_this_machine_is_let_through() -> None:
    assert not _foreign("http://127.0.0.1:8000/") + _foreign("file:///report.html") + _foreign("data:image/png;base64,")
