"""Files: what the program reads (traces, checkpoints, graphs, books of claims, models), damaged or made up."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from modelcheck.cli import cli

from .kind import Wrong, inside, typed

MODEL = '''\
"""A token goes once around."""
from modelcheck import *

class Token(Message):
    hops: int

class Around(Process):
    topology = one_way_ring
    awake: bool = False
    seen: frozenset[Id] = frozenset()

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token(1))

    @receive(Token)
    def pass_on(self, message):
        self.seen = self.seen | {self.id}
        if message.hops < 3:
            self.send(NEXT, Token(message.hops + self.choose([1, 2])))

@always
def awake_first(view):
    "Who has seen a token is awake."
    return all(p.awake or p.seen for p in view.processes)
'''
CLAIMS = """\
title = "A source"

[[claim]]
name = "one"
where = "page 1"
text = "It is so."
run = "chang_roberts --n 2"
expect = "holds"
"""
GRAPHML = '<?xml version="1.0"?><graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/><edge source="b" target="a"/></graph></graphml>'
TOKENS = ["None", "0", "-1", "True", "self", "self.id", "[]", "{1}", "frozenset()", "Token", "Token(self.id)", "NEXT", "PREVIOUS", "view", "not", "1/0", "''", "self.seen", "lambda: 0", "...", "self.send", "(1,)", "1.5", "10**5000", "'\\ud800'", "'\\x1b[31m'", "print()", "exit()", "Id(3)", "Port(7)"]  # fmt: skip
ATOMS: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    2**63,
    10**30,
    1.5,
    float("inf"),
    "",
    "p1",
    "\ud800",
    "\x00",
    "a" * 5000,
    [],
    {},
    [[]],
    {"": None},
]


class Files:
    """Good files of each kind to begin with, made by the program itself, and ways to spoil them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with inside(folder):
            (folder / "around.py").write_text(MODEL)
            self._make("run", "chang_roberts", "--ids", "1,1,2", "--trace", "trace.json")
            self._make("run", "bully", "--n", "2", "--crashes", "1", "--recoveries", "1", "--max-states", "60", "--checkpoint", "kept")  # fmt: skip
            self._make("run", "chang_roberts", "--n", "4", "--max-states", "300", "--engine", "reference", "--checkpoint", "kept.json")  # fmt: skip
        self.trace = (folder / "trace.json").read_bytes()
        self.kept = (folder / "kept.json").read_bytes()
        self.kinds: list[Callable[[random.Random], list[str]]] = [
            self._spoiled_trace,
            self._spoiled_checkpoint,
            self._spoiled_graph,
            self._spoiled_claims,
            self._spoiled_model,
            self._spoiled_model,
        ]

    def _make(self, *words: str) -> None:
        CliRunner().invoke(cli, list(words), prog_name="modelcheck")

    def tried(self, dice: random.Random) -> Wrong | None:
        with inside(self.folder):
            words = dice.choice(self.kinds)(dice)
            wrong = typed(words)
            shutil.rmtree(self.folder / "state", ignore_errors=True)
        return wrong

    # --- of each kind of file, the command that reads it

    def _spoiled_trace(self, dice: random.Random) -> list[str]:
        (self.folder / "spoiled.json").write_bytes(self._spoiled_json(self.trace, dice))
        formats = dice.choice(
            [[], ["--json"], ["--to", dice.choice(["mermaid", "itf", "shiviz"])], ["--diagram", "t.svg"]]
        )
        return ["trace", "spoiled.json", *formats, *dice.choice([[], ["--no-replay"], ["--step", "1"]])]

    def _spoiled_checkpoint(self, dice: random.Random) -> list[str]:
        header, _, body = self.kept.partition(b"\n")
        if dice.random() < 0.7:  # forged: its checksum is right
            body = self._spoiled_json(body, dice)
            body = body.rstrip(b"\n") + b"\n"
            about = {**json.loads(header), "sha256": hashlib.sha256(body[:-1]).hexdigest()}
            text = json.dumps(about).encode() + b"\n" + body
        else:
            text = self._spoiled_bytes(self.kept, dice)
        (self.folder / "spoiled").write_bytes(text)
        return ["run", "chang_roberts", "--n", "4", "--engine", "reference", "--max-states", "600", "--checkpoint", "spoiled", "--resume"]  # fmt: skip

    def _spoiled_graph(self, dice: random.Random) -> list[str]:
        name, text = dice.choice([("g.edges", b"1 2\n2 3\n3 1\n"), ("g.graphml", GRAPHML.encode())])
        (self.folder / name).write_bytes(self._spoiled_bytes(text, dice))
        command = dice.choice([["run", "flooding"], ["symmetry", "flooding"], ["messages", "echo_extinction"]])
        return [*command, "--graph", name, *([] if command[0] == "symmetry" else ["--max-states", "200"])]

    def _spoiled_claims(self, dice: random.Random) -> list[str]:
        text = CLAIMS.encode()
        if dice.random() < 0.5:
            key = dice.choice(["run", "formula", "n", "expect", "where", "name", "text", "claim", "title"])
            value = dice.choice(
                ["'unclosed", "((((" * 300, "2..99999999999", "n" * 300, "²", "[]", "\\u001b", "n!" * 50]
            )
            text += f"{key} = {json.dumps(value)}\n".encode()
        else:
            text = self._spoiled_bytes(text, dice)
        (self.folder / "book.toml").write_bytes(text)
        return ["claims", "book.toml", "--fast", "--max-states", "300"]

    def _spoiled_model(self, dice: random.Random) -> list[str]:
        lines = MODEL.splitlines(keepends=True)
        for _ in range(dice.choice([1, 1, 2, 3])):
            k = dice.randrange(len(lines))
            roll = dice.random()
            if roll < 0.2:
                del lines[k]
            elif roll < 0.4:
                lines.insert(k, lines[dice.randrange(len(lines))])
            else:
                words = lines[k].replace("(", " ( ").replace(")", " ) ").split(" ")
                words[dice.randrange(len(words))] = dice.choice(TOKENS)
                lines[k] = " ".join(words)
            if not lines:
                break
        text = "".join(lines).encode(errors="surrogatepass")
        if dice.random() < 0.1:
            text = self._spoiled_bytes(text, dice)
        (self.folder / "spoiled.py").write_bytes(text)
        outputs = dice.choice([[], ["--json"], ["--html", "r.html"], ["--trace", "t.json"], ["--diagram", "d.svg"]])
        command = dice.choice(["run", "run", "run", "messages", "show", "simulate"])
        limits = {"show": [], "simulate": ["--max-seconds", "1", "--n", "3"]}
        return [command, "./spoiled.py", *limits.get(command, ["--n", "2", "--max-states", "200", "--max-seconds", "2", *(outputs if command == "run" else [])])]  # fmt: skip

    # --- ways to spoil

    def _spoiled_bytes(self, text: bytes, dice: random.Random) -> bytes:
        found = bytearray(text)
        for _ in range(dice.choice([1, 1, 2, 5])):
            at = dice.randrange(len(found) + 1)
            roll = dice.random()
            if roll < 0.3 and found:
                found[min(at, len(found) - 1)] = dice.randrange(256)
            elif roll < 0.5:
                del found[at : at + dice.randrange(1, 30)]
            elif roll < 0.7:
                found[at:at] = dice.choice(
                    [b"\x00", b"\xff\xfe", b"\n" * 50, b"9" * 5000, b"((((" * 100, b"&x;", b"<!DOCTYPE x>"]
                )
            elif roll < 0.85:
                found[at:at] = found[dice.randrange(len(found) + 1) :][:50]
            else:
                del found[at:]
        return bytes(found)

    def _spoiled_json(self, text: bytes, dice: random.Random) -> bytes:
        if dice.random() < 0.15:
            return self._spoiled_bytes(text, dice)
        data = json.loads(text)
        for _ in range(dice.choice([1, 1, 1, 2, 4])):
            data = self._spoiled_data(data, dice)
        return json.dumps(data).encode(errors="surrogatepass")

    def _spoiled_data(self, data: Any, dice: random.Random) -> Any:
        """The data with something somewhere in it replaced, left out, or there twice."""
        places = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
        if not places or dice.random() < 0.15:
            return dice.choice(ATOMS)
        place = dice.choice(places)
        spoiled = data.copy()
        roll = dice.random()
        if roll < 0.1:
            del spoiled[place]
        elif roll < 0.2 and isinstance(spoiled, list):
            spoiled.insert(place, spoiled[place])
        else:
            spoiled[place] = self._spoiled_data(data[place], dice)
        return spoiled
