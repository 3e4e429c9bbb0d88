"""Nothing that is typed, and nothing that stands in a file, ends in a bug of ours: it is refused in a sentence, or it works."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from modelcheck import UsageError, check
from modelcheck.cli import cli, models
from modelcheck.report.files import tracefile
from modelcheck.text.visible import visible

Write = Callable[..., str]
LONG = "a" * 300
MANY_DIGITS = "9" * 5000

STEERING = """
    class Ball(Message):
        what: str

    class Loud(Process):
        topology = one_way_ring
        thrown: bool = False
        text: str = "quiet"

        @initiate
        def throw(self):
            self.require(not self.thrown)
            self.thrown = True
            self.send(NEXT, Ball("\\x1b[31m red \\u202e right to left"))

        @receive(Ball)
        def catch(self, message):
            self.text = message.what

    @always
    def quiet(view):
        "Nobody ever says \\x1b]0;title\\x07 anything."
        return all(p.text == "quiet" for p in view.processes)
"""


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


@pytest.mark.parametrize(
    "words",
    [
        ["--ids", "²,1"], ["--ids", "from:²"], ["--initiators", "²"], ["--initiators", "size:²"], ["--detector", "unreliable:²"],
        ["--graph", "mesh:²x2"], ["--graph", "mesh:99999999x99999999"], ["--ids", f"{MANY_DIGITS},1"], ["--ids", f"from:{MANY_DIGITS}"],
        ["--initiators", MANY_DIGITS], ["--initiators", f"size:{MANY_DIGITS}"], ["--detector", f"unreliable:{MANY_DIGITS}"],
        ["--graph", f"mesh:{MANY_DIGITS}x2"], ["--graph", f"./{LONG}"], ["--html", LONG], ["--json", LONG], ["--trace", LONG],
        ["--diagram", f"{LONG}.svg"], ["--checkpoint", LONG], ["--spec", f"./{LONG}"], ["--html", "a\0b"], ["--max-seconds", "nan"],
        ["--n", MANY_DIGITS], ["--max-states", MANY_DIGITS], ["--losses", MANY_DIGITS],
    ],
    ids=lambda words: " ".join(words)[:40],
)  # fmt: skip
def test_what_no_option_can_mean_is_a_usage_error(words: list[str]) -> None:
    result = typed("run", "mesh_corners" if "mesh" in words[1] else "bully", *words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("command", ["run", "show", "graph", "messages", "simulate", "trace", "claims"])
@pytest.mark.parametrize("name", [LONG, f"./{LONG}.py", f"{LONG}.toml", "a\0b", "./a\0b.py"])
def test_a_name_that_no_file_can_have_is_a_file_that_is_not_there(command: str, name: str) -> None:
    assert typed(command, name).exit_code == 2


def test_from_python_too(write: Write) -> None:
    model = write("class Idle(Process):\n    topology = any_graph\n    specs = ()\n")
    with pytest.raises(UsageError):
        check(f"./{LONG}.py")
    with pytest.raises(UsageError):
        check(model, graph=LONG)
    with pytest.raises(UsageError):
        check(model, graph="a\0b")


def test_numbers_are_read_in_every_script_that_has_decimal_digits() -> None:
    """٣ is the digit three."""
    assert typed("run", "chang_roberts", "--ids", "٣,1,2").exit_code == 0


# --- files


@pytest.mark.parametrize("text", ["def (:\n", "", "x = 1\n", "raise ValueError\n"])
def test_a_model_that_cannot_be_read_leaves_no_trace(write: Write, tmp_path: Path, text: str) -> None:
    result = typed("run", write(text, header=""), "--trace", str(tmp_path / "runs.json"))
    assert result.exit_code == 75
    assert not (tmp_path / "runs.json").exists()


@pytest.mark.parametrize(
    "text",
    [
        b'# -*- coding: latin-1 -*-\nfrom modelcheck import *\nclass Caf\xe9(Process):\n    topology = one_way_ring\n    specs = ()\n',
        b"from modelcheck import *\n# a stray byte: \xff\nclass Idle(Process):\n    topology = one_way_ring\n    specs = ()\n",
        b"\xef\xbb\xbffrom modelcheck import *\nclass Idle(Process):\n    topology = one_way_ring\n    specs = ()\n",
    ],
    ids=["latin-1", "a stray byte", "a mark of byte order"],
)  # fmt: skip
def test_a_model_is_shown_in_whatever_encoding_it_is_written(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "model.py"
    file.write_bytes(text)
    result = typed("show", str(file))
    assert result.exit_code == 0
    assert "(Process):" in result.stdout


def test_a_model_that_is_never_read_to_its_end_is_not_waited_for(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "TIME_TO_READ", 0.1)
    result = typed("show", write("while True:\n    pass\n", header=""))
    assert result.exit_code == 20
    assert "the limit of 0.1 seconds was reached" in result.output


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is a pipe"):
        tracefile.read(tmp_path / "pipe")


@pytest.mark.parametrize(
    "test",
    [
        """run = "'unclosed"\nholds = true""",
        f'run = "./{LONG}.py"\nn = 3\nholds = true',
        f'formula = "{"(" * 500}n{")" * 500} = n"\nn = 3',
        f'formula = "{"-" * 500}n = n"\nn = 3',
        f'formula = "{"n + " * 500}n = n"\nn = 3',
        f'formula = "{MANY_DIGITS} = n"\nn = 3',
        'formula = "n = n"\nn = "2..99999999999"',
        f'formula = "n = n"\nn = "{MANY_DIGITS}"',
    ],
    ids=["a quotation mark", "a long name", "parentheses", "signs", "sums", "digits", "sizes", "a long size"],
)
def test_a_claim_that_makes_no_sense_is_a_usage_error(tmp_path: Path, test: str) -> None:
    file = tmp_path / "mine.toml"
    head = 'source = "S"\ntitle = "T"\n\n[[claim]]\nname = "one"\nwhere = "p. 1"\nstates = "so"\n\n[[claim.tests]]\n'
    file.write_text(head + test + "\n")
    result = typed("claims", str(file))
    assert result.exit_code in (1, 2), result.output
    assert "Traceback" not in result.output


# --- a model's own words


@pytest.fixture
def loud(write: Write) -> str:
    return write(STEERING, "loud")


@pytest.mark.parametrize("words", [("run",), ("messages",), ("show",)], ids=" ".join)
def test_what_would_steer_a_terminal_is_spelled_out(loud: str, words: tuple[str, ...]) -> None:
    shown = typed(*words, loud).stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_a_counterexample_shows_the_characters_that_are_not_printed(loud: str) -> None:
    assert "\\x1b[31m red \\u202e right to left" in typed("run", loud, "--n", "2").stdout


@pytest.mark.parametrize("suffix", ["graphml", "dot", "aut"])
def test_a_graphs_file_has_no_control_characters(loud: str, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"graph.{suffix}"
    result = typed("graph", loud, "--n", "2", "--out", str(file))
    assert file.exists(), result.output
    text = file.read_text()
    assert visible(text) == text
    if suffix == "graphml":
        ElementTree.parse(file)


# --- random runs


def test_a_run_that_was_not_made_in_time_is_no_mistake_of_whoever_asks() -> None:
    result = typed("simulate", "stages", "--n", "1000", "--show", "best", "--max-seconds", "0.01")
    assert result.exit_code == 20
    assert "before run 'best' of n=1000 was made" in result.output
    assert typed("simulate", "stages", "--n", "3", "--runs", "2", "--show", "3").exit_code == 2
