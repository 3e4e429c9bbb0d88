"""The Model Context Protocol over standard input and output: JSON-RPC 2.0, a message a line.

https://modelcontextprotocol.io/specification/2025-11-25: of its server side there is the life cycle, `ping` and the tools. The code of models never runs in this
process: each call has one of its own, which is ended when the client cancels it, when it takes too long, and when the client is gone. So requests are answered
whatever a model does.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ..explore.limits import Limits
from ..version import __version__

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the newest first
PARSE, INVALID, UNKNOWN, ARGUMENTS, INTERNAL = -32700, -32600, -32601, -32602, -32603  # the errors of JSON-RPC
AT_ONCE = 2  # calls that run; others wait
GRACE = 30.0  # seconds beyond the limit of a search, to start, to take steps again and to write down what was found
LIMITS = Limits(
    max_states=2_000_000, max_seconds=60.0, max_memory=2_000
)  # of each call, unless the server is started with others
INSTRUCTIONS = (
    "Checks leader election protocols exhaustively. A model is a Python file; `help` with the topic 'language' says how it is written, `list` and `show` have examples. "
    "A verdict is about the sizes, networks and faults that were explored: tell the user the guarantee and the line 'not checked' with it. INCONCLUSIVE proves nothing."
)
_START = "import sys; sys.path.insert(0, {root!r}); from modelcheck.mcp.child import main; main()"


class RefusedError(Exception):
    """A request that is answered with an error: its code, and a sentence."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class _Call:
    """A tool at work, in a process of its own."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self.cancelled = False

    def answer(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """What the tool answers; that it does not, where it takes more than so many seconds or ends without a word."""
        with self._lock:
            if self.cancelled:
                return {}
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START.format(root=str(Path(__file__).parents[2]))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=hasattr(os, "fork"),
            )  # fmt: skip
        try:
            out, _ = self._process.communicate(json.dumps(request).encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.communicate()
            return _failed(
                f"INCONCLUSIVE: nothing was decided. The model's code did not come back within {seconds:g} seconds, and was ended"
            )
        try:
            found: dict[str, Any] = json.loads(out)
        except ValueError:
            return _failed(
                f"INCONCLUSIVE: nothing was decided. The process that ran the model has ended by itself (exit code {self._process.returncode})"
            )
        return found

    def end(self) -> None:
        """Nobody waits for the answer any more."""
        with self._lock:
            self.cancelled = True
        self._kill()

    def _kill(self) -> None:
        """Ends it, and whatever it has started."""
        process = self._process
        if process is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            process.wait()


def _failed(sentence: str) -> dict[str, Any]:
    return {"text": sentence, "data": None, "failed": True}


class Assistance:
    """Answers requests until there are no more. `limits` are the most that a call may ask for."""

    def __init__(self, requests: Iterable[bytes], answers: IO[bytes], limits: Limits = LIMITS) -> None:
        self._requests, self._answers, self._limits = requests, answers, limits
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(AT_ONCE, "calls")
        self._calls: dict[str, _Call] = {}  # by the number of the request, as JSON

    def serve(self) -> None:
        """Until the client closes its end; then what is still at work is ended."""
        try:
            for line in self._requests:
                if line.strip():
                    self._take(line)
        finally:
            for call in list(self._calls.values()):
                call.end()
            self._pool.shutdown(cancel_futures=True)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._send({"id": None, "error": {"code": PARSE, "message": "this line is no JSON"}})
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self._send({"id": None, "error": {"code": INVALID, "message": "this is no request of JSON-RPC 2.0"}})
            return
        method, number = message.get("method"), message.get("id")
        if not isinstance(method, str):
            return  # an answer to a request that nobody has sent
        given = message.get("params", {})
        given = given if isinstance(given, dict) else {}
        if "id" not in message:
            if method == "notifications/cancelled" and (call := self._calls.get(json.dumps(given.get("requestId")))):
                call.end()
            return
        try:
            if method == "tools/call":
                self._call(number, given)
            else:
                self._send({"id": number, "result": self._answer(method, given)})
        except RefusedError as error:
            self._send({"id": number, "error": {"code": error.code, "message": str(error)}})

    def _answer(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            wanted = given.get("protocolVersion")
            return {
                "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "modelcheck", "title": "modelcheck: election protocols", "version": __version__},
                "instructions": INSTRUCTIONS,
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            from .tools import TOOLS

            return {"tools": [tool.described(name) for name, tool in TOOLS.items()]}
        raise RefusedError(
            UNKNOWN, f"there is no method {method!r:.80} here: initialize, ping, tools/list and tools/call are"
        )

    def _call(self, number: Any, given: dict[str, Any]) -> None:
        """Has a tool called; its answer is sent when there is one."""
        from .tools import TOOLS

        name, arguments = given.get("name"), given.get("arguments", {})
        if name not in TOOLS:
            raise RefusedError(ARGUMENTS, f"there is no tool {name!r:.80}; there are {', '.join(TOOLS)}")
        if not isinstance(arguments, dict):
            raise RefusedError(ARGUMENTS, "the arguments of a tool are an object")
        key = json.dumps(number)
        call = self._calls[key] = _Call()

        def work() -> None:
            request = {"tool": name, "arguments": arguments, "limits": asdict(self._limits)}
            try:
                found = call.answer(request, self._limits.max_seconds + GRACE)
            except OSError as error:
                found = _failed(f"no process could be started for this: {error.strerror}")
            self._calls.pop(key, None)
            if not call.cancelled:
                self._send({"id": number, "result": _result(found)})

        self._pool.submit(work)

    def _send(self, message: dict[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=True).encode() + b"\n"
        with self._lock, contextlib.suppress(BrokenPipeError):
            self._answers.write(line)
            self._answers.flush()


def _result(found: dict[str, Any]) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": found["text"]}], "isError": found["failed"]}
    return result | ({"structuredContent": found["data"]} if found["data"] is not None else {})
