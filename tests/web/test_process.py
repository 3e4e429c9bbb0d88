"""`modelcheck explore` as a process: it serves until Ctrl-C, and then it ends at once."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ENDLESS = "12,11,10,9,8,7,6,5,4,3,2,1"  # in this order there are too many states for any search to end


@contextmanager
def exploring(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address it prints."""
    command = [sys.executable, "-u", "-m", "modelcheck", "explore", *words, "--no-open"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                yield process, found[0]
                return
        assert process.stderr is not None
        raise AssertionError(process.stderr.read())
    finally:
        process.kill()
        process.communicate()


def ends(process: subprocess.Popen[str]) -> None:
    """Ctrl-C, and nothing but silence after it."""
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "Traceback" not in err


def fetched(address: str, what: str) -> Any:
    with urllib.request.urlopen(address.split("#")[0] + what, timeout=120) as response:
        return json.load(response)


def connected(address: str) -> socket.socket:
    host, port = re.match(r"http://([\d.]+):(\d+)/", address).groups()  # type: ignore[union-attr]
    return socket.create_connection((host, int(port)))


def heard(asking: socket.socket, what: bytes) -> bytes:
    """What the server says, up to these words at least."""
    said = b""
    while what not in said:
        more = asking.recv(65536)
        assert more, said
        said += more
    return said


def test_it_serves_on_this_machine_alone_and_ctrl_c_ends_it() -> None:
    with exploring("chang_roberts", "--n", "4") as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert fetched(address, "api/model")["n"] == 4
        ends(process)


def test_ctrl_c_ends_it_with_open_connections_and_a_search_that_runs() -> None:
    with exploring("chang_roberts", "--ids", ENDLESS) as (process, address):
        idle, searching = connected(address), connected(address)
        host = address.removeprefix("http://").rstrip("/")
        query = "GET /api/search?kind=condition&text=leaders%20%3E%3D%202 HTTP/1.1\r\nHost: {}\r\n\r\n"
        searching.sendall(query.format(host).encode())
        assert heard(searching, b"progress").startswith(b"HTTP/1.1 200 OK")
        ends(process)
        idle.close()
        searching.close()


def test_ctrl_c_ends_it_while_a_step_never_returns(tmp_path: Path) -> None:
    file = tmp_path / "hangs.py"
    file.write_text(
        "from modelcheck import *\n"
        "class Hangs(Process):\n    topology = one_way_ring\n    specs = ()\n    turn: int = 0\n"
        "    @initiate\n    def go(self):\n        self.turn += 1\n"
        "        if self.turn > 2: print('hangs', flush=True)\n        while self.turn > 2: ...\n"
    )
    with exploring(str(file), "--n", "1") as (process, address):
        shown = fetched(address, "api/run")
        asking = connected(address)
        shown = fetched(
            address, "api/run?" + urllib.parse.urlencode({"path": shown["path"] + shown["enabled"][0]["take"]})
        )
        path = urllib.parse.quote(shown["path"] + shown["enabled"][0]["take"])
        asking.sendall(f"GET /api/run?path={path} HTTP/1.1\r\nHost: {address[7:-1]}\r\n\r\n".encode())
        assert process.stderr is not None
        assert process.stderr.readline().startswith("[hangs.py:9  go of the process")  # where it prints
        ends(process)
        asking.close()


def test_a_search_whose_reader_goes_away_stops() -> None:
    with exploring("chang_roberts", "--ids", ENDLESS) as (process, address):
        host = address.removeprefix("http://").rstrip("/")
        query = f"GET /api/search?kind=condition&text=leaders%3E1 HTTP/1.1\r\nHost: {host}\r\n\r\n"
        begun = 0
        while begun < 6:  # more than may run at once: those after the fourth begin when others have stopped
            searching = connected(address)
            searching.sendall(query.encode())
            begun += b"200 OK" in heard(searching, b"\r\n\r\n")
            searching.close()
        ends(process)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = [sys.executable, "-m", "modelcheck", "explore", "chang_roberts", "--port", port, "--no-open"]
        found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert found.returncode == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in found.stderr


@pytest.mark.parametrize(
    "words", [("chang_roberts", "--n", "2..4"), ("no_such",), (), ("chang_roberts", "--ids", "1,x")]
)
def test_what_cannot_be_explored_is_refused_before_anything_is_served(words: tuple[str, ...]) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "modelcheck", "explore", *words, "--no-open"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 2
    assert "Error:" in found.stderr


def test_another_address_than_the_loopback_is_warned_about() -> None:
    with exploring("chang_roberts", "--host", "0.0.0.0") as (process, address):
        assert fetched(address, "api/model")["name"]
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert "warning: --host 0.0.0.0" in err


def examples() -> list[str]:
    shown = subprocess.run(
        [sys.executable, "-m", "modelcheck", "explore", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    return re.findall(r"^ +modelcheck explore (.+)$", shown.stdout, re.MULTILINE)


def test_every_example_in_the_help_text_serves_its_page() -> None:
    found = examples()
    assert len(found) >= 4
    for example in found:
        words = re.sub(r"--port \d+", "--port 0", example).replace("--no-open", "").split()
        with exploring(*words) as (process, address):
            assert fetched(address, "api/run")["enabled"]
            ends(process)


def test_a_counterexample_from_a_file_is_opened_at_its_end(tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    command = [sys.executable, "-m", "modelcheck", "run", "chang_roberts", "--ids", "1,1,2", "--trace", file]
    subprocess.run(command, cwd=ROOT, capture_output=True)
    with exploring("--trace", file) as (process, address):
        path = address.partition("#")[2]
        shown = fetched(address, "api/run?" + urllib.parse.urlencode({"path": path}))
        assert (shown["length"], bool(shown["reason"])) == (3, True)
        ends(process)
