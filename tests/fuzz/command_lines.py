"""Command lines: every command with options drawn from what it declares, their values reasonable, at an edge, or hostile."""

from __future__ import annotations

import random
from pathlib import Path

import click

from modelcheck import catalog
from modelcheck.cli import cli

from .kind import Wrong, inside, typed

# They open a browser, serve or wait for ever, fill a folder, go through the whole book, or start a process for each file: the tests of each try them.
LEFT_OUT = {"explore", "mcp", "watch", "page", "claims", "exercise", "exercises", "grade"}
QUICK = ["--max-states", "300", "--max-seconds", "2"]

NUMBERS = ["0", "1", "2", "3", "7", "-1", "²", "٣", "1e3", "1.5", "", " ", "+2", "0x10", "9" * 30, "9" * 5000, "9223372036854775808", "4294967296", "nan", "inf"]  # fmt: skip
WORDS = ["", " ", "-", "--", "a" * 300, "a/" * 2000, "\x1b[31m", "\u202e", "é" * 100, "..", "/", "/dev/null", "/dev/full", "no/such/file", "$(id)", "'\"", "%s", "\ud800", "a=b", "=", "[", "None"]  # fmt: skip
GRAPHS = ["mesh:2x3", "mesh:²x2", "mesh:0x1", "torus:1x1", "star", "line", "line:unoriented", "complete", "hypercube:2", "one_way_ring", "tree:", "mesh:99999x99999", "ring.edges", "empty.edges", "binary.graphml"]  # fmt: skip
VALUES: dict[str, list[str]] = {
    "n": ["1", "2", "3", "2..3", "3..2", "1..10000000000", "1..99999", "²", "2..", "..2", "0", "4,5"],
    "graph": GRAPHS,
    "network": ["fifo", "bag", "set", "sticky", "weird", "FIFO"],
    "ids": [
        "unique",
        "any",
        "none",
        "from:4",
        "from:²",
        "from:",
        "from:-1",
        "1,2",
        "2,1,3",
        "²,1",
        "1,1,2",
        "1,,2",
        "9" * 5000 + ",1",
        "-1,2",
    ],
    "initiators": ["all", "each", "1", "size:1", "size:²", "size:99999999999999999999", "1,3", "0", "p1", "²"],
    "start": ["any", "simultaneous", "never"],
    "schedule": ["any", "lockstep", "x"],
    "across": ["lost", "held", "x"],
    "detector": ["perfect", "heartbeat", "unreliable", "unreliable:2", "unreliable:²", "unreliable:-1", "x"],
    "parameters": ["elects=min", "a=b", "x", "=", "elects=maybe", "a=" + "9" * 5000],
    "properties": ["termination", "agreement", "no_such"],
    "spec": ["election", "termination", "no_such", "model.py"],
    "expect": ["holds", "violation", "safety", "inconclusive", "x"],
    "engine": ["auto", "reference", "x"],
    "show": ["best", "worst", "0", "99999999", "²", "-1"],
}
FILE_OPTIONS = ("trace_file", "diagram_file", "html_file", "json_file", "checkpoint_file", "out", "plot_file")
FILES = ["out.json", "out.svg", "out.html", "out.dot", "out.graphml", "out.xyz", "no/such/folder/x.json", "a" * 300 + ".json", "/dev/full", ".", ""]  # fmt: skip


class CommandLines:
    """Command lines, in a folder with a few files that they may name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "ring.edges").write_text("1 2\n2 3\n3 1\n")
        (folder / "empty.edges").write_text("")
        (folder / "binary.graphml").write_bytes(bytes(range(256)))
        (folder / "broken.py").write_text("def (:\n")
        model = catalog.model_files()["chang_roberts"].read_text()
        (folder / "model.py").write_text(model)
        self.models = [
            *catalog.model_files(),
            "model.py",
            "./model.py",
            "./broken.py",
            "model.py:No",
            "chang_roberts:StartUnguarded",
            "chang_roberts:Start",
            "chang_robert",
        ]
        self.commands = {name: command for name, command in cli.commands.items() if name not in LEFT_OUT}

    def tried(self, dice: random.Random) -> Wrong | None:
        with inside(self.folder):
            return typed(self._words(dice))

    def _words(self, dice: random.Random) -> list[str]:
        name = dice.choice(sorted(self.commands))
        words = [name]
        declared = {str(option.name): option for option in self.commands[name].params}
        for parameter in declared.values():
            if isinstance(parameter, click.Argument):
                words += self._arguments(parameter, dice)
        options = [option for option in declared.values() if isinstance(option, click.Option)]
        for option in dice.sample(options, min(len(options), dice.choice([0, 1, 1, 2, 2, 3, 5]))):
            words += self._option(option, dice)
        if "max_states" in declared and "--max-states" not in words:
            words += QUICK
        elif "max_seconds" in declared and "--max-seconds" not in words:
            words += QUICK[2:]
        if dice.random() < 0.05:
            words.insert(dice.randrange(len(words) + 1), dice.choice(["--help", "--", "-n", "--no-such", *WORDS]))
        return words

    def _arguments(self, argument: click.Argument, dice: random.Random) -> list[str]:
        if dice.random() < 0.02:
            return []
        if dice.random() < 0.05:
            return [dice.choice(WORDS)]
        if argument.name in ("model", "name", "names", "models"):
            return [dice.choice(self.models)]
        return [dice.choice([*FILES, *WORDS, "model.py"])]

    def _option(self, option: click.Option, dice: random.Random) -> list[str]:
        flag = dice.choice([*option.opts, *option.secondary_opts])
        if option.is_flag:
            return [flag]
        known = FILES if option.name in FILE_OPTIONS else VALUES.get(str(option.name), NUMBERS[:6])
        roll = dice.random()
        value = dice.choice(known if roll < 0.8 else NUMBERS if roll < 0.92 else WORDS)
        return [flag, value] if dice.random() < 0.9 else [f"{flag}={value}"]
