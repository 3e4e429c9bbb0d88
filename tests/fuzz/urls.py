"""Addresses: what the explorer's server may be asked by anyone on this machine. It answers with a sentence, never with an error of its own."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.testclient import TestClient

from modelcheck.explore.limits import Limits
from modelcheck.web import server
from modelcheck.web.subject import subject_of

from .kind import Wrong

PATHS = ["/", "/api/model", "/api/run", "/api/world", "/api/code", "/api/condition", "/api/search", "/static/explorer.js", "/static/../server.py", "/static/%2e%2e/server.py", "/api/", "/api/run/", "/x"]  # fmt: skip
NAMES = ["path", "world", "random", "text", "kind", "property", "from", "typing", "x"]
KINDS = ["condition", "property", "terminal", "shortest", "deadlock", "", "x"]
ATOMS = ["1", "0", "p1", "leader", "None", "True", "'a'", "view", "id", "p.leader", "Election", "Leader", "in_transit(Election)", "count(", "any(", "all(", "(", ")", "[", "]", ",", "and", "or", "not", "==", "!=", "<", "+", "-", "*", "**", "9" * 400, "lambda", "__import__", ".", "\u202e", "\x00", "²", "é", "for p in processes"]  # fmt: skip
STATUS = {200, 400, 403, 404, 405, 414, 422, 429}


class Urls:
    """Addresses asked of one application, in this process."""

    def __init__(self, _: Path) -> None:
        subject = subject_of("chang_roberts", n=3)
        app = server.application(subject, server.hosts_of("127.0.0.1", 8000), Limits(max_states=500, max_seconds=2))
        self.client = TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
        self.path: str = self.client.get("/api/run").json()["path"]

    def tried(self, dice: random.Random) -> Wrong | None:
        query = "&".join(f"{dice.choice(NAMES)}={quote(self._value(dice), safe='')}" for _ in range(dice.randrange(4)))
        address = dice.choice(PATHS[:7] * 3 + PATHS) + (f"?{query}" if query else "")
        headers: dict[str, Any] = {}
        if dice.random() < 0.1:
            headers = {dice.choice(["host", "origin", "sec-fetch-site"]): dice.choice(["", "null", "evil.example", "cross-site", "127.0.0.1:8000"])}  # fmt: skip
        method = dice.choice(["GET"] * 12 + ["HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
        response = self.client.request(method, address, headers=headers)
        asked = f"{method} {address[:300]} {headers}"
        if response.status_code not in STATUS:
            return asked, f"status {response.status_code}: {response.text[:300]}"
        if method not in ("GET", "HEAD") and response.status_code == 200:
            return asked, "it let something be written"
        if method == "GET" and "content-security-policy" not in response.headers:
            return asked, "an answer without a content security policy"
        return None

    def _value(self, dice: random.Random) -> str:
        roll = dice.random()
        if roll < 0.3:
            text = list(self.path + dice.choice(["", "0a", "9z", "~1", "0a0b0c", "0" * 50]))
            for _ in range(dice.choice([0, 1, 1, 3])):
                text[dice.randrange(len(text))] = dice.choice("0123456789abz/+=~,%é\x00 ")
            return "".join(text)
        if roll < 0.4:
            return dice.choice(
                ["ids=1,2,3", "ids=3,1,2", "ids=1,1,1", "ids=9", "random", "-", "initiators=1", "ids=²,1,2"]
            )
        if roll < 0.5:
            return dice.choice(KINDS)
        return " ".join(dice.choice(ATOMS) for _ in range(dice.choice([1, 2, 3, 5, 8, 40])))
