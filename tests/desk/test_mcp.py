"""`modelcheck mcp`: a client that speaks the protocol to a real server, line by line; and what the tools answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modelcheck.explore.limits import Limits
from modelcheck.mcp.server import LIMITS, _Call
from modelcheck.mcp.tools import TOOLS, Answered, called
from tests.conftest import HEADER

SHY = (
    HEADER
    + """
print("this is no JSON")
class Shy(ElectionProcess):
    topology = one_way_ring
    asked: bool = False
    @initiate
    def ask(self):
        self.require(not self.asked)
        self.asked = True
"""
)
HANGS = (
    SHY
    + """
    @step
    def hang(self):
        self.require(self.asked)
        while True:
            pass
"""
)


class Client:
    """Sends requests, and reads the answers as they come."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "modelcheck", "mcp", *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )  # fmt: skip

    def write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def send(self, method: str, number: int | None = None, **params: Any) -> None:
        numbered = {} if number is None else {"id": number}
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **numbered}))

    def call(self, number: int, name: str, **arguments: str) -> None:
        self.send("tools/call", number, name=name, arguments=arguments)

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert found.pop("jsonrpc") == "2.0"
        return found

    def leave(self) -> int:
        """Closes its end; the exit code of the server."""
        self._process.communicate(timeout=60)
        return self._process.returncode

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "shy.py").write_text(SHY)
    (tmp_path / "hangs.py").write_text(HANGS)
    found = Client(tmp_path, "--max-seconds", "1")
    yield found
    found.kill()


def test_a_client_agrees_on_a_version_finds_the_tools_and_has_a_model_checked(client: Client) -> None:
    client.send(
        "initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"}
    )
    hello = client.answer()["result"]
    assert (hello["protocolVersion"], hello["serverInfo"]["name"]) == ("2025-06-18", "modelcheck")
    client.send("notifications/initialized")
    client.send("tools/list", 2)
    tools = client.answer()["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["list", "show", "run", "trace", "explain", "expect", "help"]
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)
    client.call(3, "run", model="./shy.py", options="--n 2")  # whose code prints
    found = client.answer()
    assert found["id"] == 3
    assert found["result"]["isError"] is False
    assert found["result"]["structuredContent"]["verdict"] == "violated"
    assert found["result"]["content"][0]["text"].startswith("VIOLATED  everyone_decides")
    assert client.leave() == 0


def test_what_is_no_request_is_answered_with_its_code(client: Client) -> None:
    for line, code in [
        ("{", -32700),
        ("[]", -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}', -32602),
    ]:
        client.write(line)
        assert client.answer()["error"]["code"] == code
    client.send("initialize", 1, protocolVersion="1999-01-01")
    assert client.answer()["result"]["protocolVersion"] == "2025-11-25"


def test_while_a_model_loops_others_are_answered_and_then_it_is_inconclusive(client: Client) -> None:
    client.call(1, "run", model="./hangs.py", options="--n 1 --max-seconds 500")
    client.send("ping", 2)
    assert client.answer() == {"id": 2, "result": {}}
    found = client.answer()
    text = found["result"]["content"][0]["text"]
    assert found["id"] == 1
    assert text.startswith("INCONCLUSIVE")
    assert "limits: 2,000,000 states, 1 seconds, 2,000 MB, the most that this server allows" in text
    assert "agreement" not in [
        one["name"] for one in found["result"]["structuredContent"]["properties"] if one["verdict"] == "holds"
    ]


def test_a_call_that_is_cancelled_is_not_answered_and_one_that_is_left_is_ended(client: Client) -> None:
    client.call(1, "run", model="./hangs.py", options="--n 1")
    client.send("notifications/cancelled", requestId=1)
    client.call(2, "list")
    assert client.answer()["id"] == 2
    client.call(3, "run", model="./hangs.py", options="--n 1")
    assert client.leave() == 0


@pytest.mark.parametrize(
    ("code", "said"), [("while True: pass", "did not come back within 2 seconds"), ("import os; os._exit(3)", "ended by itself (exit code 3)")]
)  # fmt: skip
def test_a_model_that_never_comes_back_or_leaves_decides_nothing(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rude.py").write_text(code)
    request = {"tool": "run", "arguments": {"model": "./rude.py"}, "limits": vars(LIMITS)}
    answer = _Call().answer(request, 2.0)
    assert answer["failed"]
    assert answer["text"].startswith("INCONCLUSIVE: nothing was decided")
    assert said in answer["text"]


# --- the tools -------------------------------------------------------------------------------------------------------


def ask(name: str, **given: str) -> Answered:
    return called(name, given, Limits(max_seconds=60))


def test_a_verdict_comes_with_its_guarantee_and_with_what_was_not_checked() -> None:
    answer = ask("run", model="chang_roberts", options="--n 2")
    assert answer.data is not None
    assert answer.text.startswith("HOLDS")
    assert answer.data["guarantee"].startswith("exhaustive, exact")
    assert "n other than 2" in answer.data["not_checked"]
    assert answer.data["limits"]["seconds"] == 60
    stopped = ask("run", model="chang_roberts", options="--n 3 --max-states 10")
    assert stopped.data is not None
    assert (stopped.data["verdict"], stopped.data["guarantee"].partition(";")[0]) == ("inconclusive", "none")


def test_a_violation_is_shown_and_explained() -> None:
    shown = ask("trace", model="chang_roberts", options="--ids 1,1,2")
    assert shown.data is not None
    assert (shown.data["name"], len(shown.data["trace"]["steps"])) == ("leader_is_the_maximum", 3)
    assert "after 3 steps" in shown.text
    told = ask("explain", model="chang_roberts", options="--ids 1,1,2", property="agreement")
    assert told.text.startswith("VIOLATED  agreement")
    assert "\n  why " in told.text
    assert "because" in told.text
    none = ask("explain", model="chang_roberts", options="--n 2", property="agreement")
    assert none.text.startswith("there is no run to show: agreement is violated by none that was explored\n\nHOLDS")


def test_what_to_expect_and_the_guide_are_answered() -> None:
    assert "expected" in ask("expect", model="itai_rodeh", options="--n 2").text
    assert ask("help", topic="language").text.startswith("# Writing a protocol")
    assert "language:" in ask("help").text
    assert "chang_roberts" in ask("list").text
    assert "Chang and Roberts" in ask("show", model="chang_roberts").text


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("run", {"model": "../other.py"}, "outside of the working directory"),
        ("show", {"model": "/etc/passwd"}, "outside of the working directory"),
        ("show", {"model": "./link.py"}, "outside of the working directory"),
        ("run", {"model": "chang_roberts", "options": "--graph ../x"}, "outside of the working directory"),
        ("run", {"model": "chang_roberts", "options": "--spec ../x.py"}, "outside of the working directory"),
        ("run", {"model": "chang_roberts", "options": "--html x.html"}, "--html is for the command line"),
        ("run", {"model": "chang_roberts", "options": "--n nine"}, "neither a number of processes"),
        ("run", {"model": "chang_roberts", "options": "'"}, "the options cannot be read"),
        ("run", {"model": "chang"}, "did you mean chang_roberts"),
        ("run", {}, "run needs 'model'"),
        ("run", {"model": "chang_roberts", "n": "3"}, "run has no argument 'n'"),
        ("run", {"model": 3}, "is given as text"),
        ("trace", {"model": "chang_roberts", "options": "--n 2", "property": "agreemnt"}, "did you mean agreement"),
        ("help", {"topic": "languages"}, "did you mean language"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused_with_the_reason(
    name: str, given: dict[str, Any], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "other.py").write_text(SHY)
    (tmp_path / "here" / "link.py").symlink_to(tmp_path / "other.py")
    monkeypatch.chdir(tmp_path / "here")
    answer = called(name, given, LIMITS)
    assert answer.failed
    assert why in answer.text


def test_every_tool_says_what_it_takes() -> None:
    for name, tool in TOOLS.items():
        schema = tool.described(name)["inputSchema"]
        assert set(schema["required"]) <= set(schema["properties"])
        assert all(one["description"] for one in schema["properties"].values())
