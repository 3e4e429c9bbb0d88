"""The decision process as other checkers read it: both formats say the same, and where Storm is installed it comes to the same values.

Storm (stormpy, of the extra `storm`) is used here alone; its licence, GPL-3, is that of no part of modelcheck.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import tarfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from modelcheck import UsageError, expect
from modelcheck.export import prism, umb
from modelcheck.export.process import process_of
from tests.conftest import Write

# Heads ends it. Who schedules may take a coin that shows heads once in two times, or once in four, or none
# and be done. Best: 1 step. Worst: 4 flips.
PLANTED = """
class Planted(Process):
    topology = one_way_ring
    identifiers = "none"
    done: bool = False
    @step
    def flip(self):
        self.require(not self.done)
        coin = self.choose(("none", "fair", "unfair"))
        if coin == "fair":
            self.done = self.draw((True, False))
        elif coin == "unfair":
            self.done = self.draw((True, False), (1, 3))
        else:
            self.done = True
"""

# The unlucky end in a trap, and who schedules chooses with which probability: 1/3, or 1/5.
TRAP = """
class Trap(Process):
    topology = one_way_ring
    identifiers = "none"
    place: str = "first"
    @step
    def go(self):
        self.require(self.place == "first")
        wrong = self.choose((3, 5))
        self.place = self.draw(("trap", "end"), (1, wrong - 1))
    @step
    def round(self):
        self.require(self.place in ("trap", "again"))
        self.place = "again" if self.place == "trap" else "trap"
"""

Rows = list[tuple[int, dict[int, Fraction], dict[str, Fraction]]]  # of each choice its state, its ways, what it pays


def of_prism(text: str) -> tuple[int, int, Rows]:
    """Where it begins, where it ends, and its choices: but for that of the end, where it stays."""
    start = int(re.findall(r"init (\d+);", text)[0])
    end = int(re.findall(r'label "end" = s=(\d+);', text)[0])
    rewards: dict[str, dict[str, Fraction]] = {}
    for name, block in re.findall(r'rewards "(\w+)"\n(.*?)endrewards', text, re.DOTALL):
        rewards[name] = {row: Fraction(pays) for row, pays in re.findall(r"\[(r\d+)\] true : ([\d/]+);", block)}
    rows: Rows = []
    for row, state, ways in re.findall(r"\[(r\d+)\] s=(\d+) -> (.*);", text):
        to = {int(target): Fraction(chance) for chance, target in re.findall(r"([\d/]+) : \(s'=(\d+)\)", ways)}
        rows.append((int(state), to, {name: of.get(row, Fraction(0)) for name, of in rewards.items()}))
    return start, end, rows


def of_umb(data: bytes) -> tuple[int, int, Rows]:
    """The same, read by what the format says and nothing of ours."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    system = json.loads(files["index.json"])["transition-system"]

    def whole(name: str) -> list[int]:
        return [number for (number,) in struct.iter_unpack("<Q", files[name])]

    def fractions(name: str) -> list[Fraction]:
        return [Fraction(over, under) for over, under in struct.iter_unpack("<qQ", files[name])]

    def only(name: str) -> int:
        """The one bit that is set."""
        (bit,) = [8 * at + k for at, byte in enumerate(files[name]) for k in range(8) if byte >> k & 1]
        return bit

    choices, branches = whole("state-to-choices.bin"), whole("choice-to-branches.bin")
    target, chance = whole("branch-to-target.bin"), fractions("branch-to-probability.bin")
    pays = {name: fractions(f"annotations/rewards/{name}/choices/values.bin") for name in ("messages", "steps")}
    lengths = [len(choices) - 1, len(branches) - 1, len(target)]
    assert lengths == [system["#states"], system["#choices"], system["#branches"]] != [0, 0, 0]
    end = only("annotations/aps/end/states/values.bin")
    rows: Rows = []
    for state in range(lengths[0]):
        for choice in range(choices[state], choices[state + 1]):
            of = range(branches[choice], branches[choice + 1])
            ways = {target[k]: chance[k] for k in of}
            if state == end:
                assert ways == {end: 1}
            else:
                rows.append((state, ways, {name: numbers[choice] for name, numbers in pays.items()}))
    return only("state-is-initial.bin"), end, rows


@pytest.mark.parametrize("start", ["any", "simultaneous"])
def test_the_archive_has_the_rows_of_the_program(start: str) -> None:
    """Of a simultaneous start some states come after the end by their numbers."""
    found, title = process_of("itai_rodeh", n=2, start=start)
    archive = umb.archive(found, title)
    assert of_umb(archive) == of_prism(prism.program(found, title))
    assert archive == umb.archive(found, title)


def test_umbi_reads_the_archive(tmp_path: Path) -> None:
    """The format's own library, strictly."""
    reader = pytest.importorskip("umbi.umb.umb_to_tar", reason="the library of the format is not installed: umbi")
    file = tmp_path / "process.umb"
    file.write_bytes(umb.archive(*process_of("itai_rodeh", n=2)))
    read = reader.read(file, strict=True)
    assert set(read.branch_to_probability) == {Fraction(1, 2), Fraction(1)}


def test_an_archive_is_of_one_world() -> None:
    with pytest.raises(UsageError, match="one world"):
        process_of("chang_roberts", n=3)


# --- Storm ---------------------------------------------------------------------------------------------------------------

MODELS: dict[str, dict[str, Any]] = {
    "itai_rodeh": {"n": 3},
    "itai_rodeh_async": {"n": 3},
    "itai_rodeh_sync": {"n": 3, "schedule": "lockstep"},
    "chang_roberts": {"ids": "3,2,1"},  # more or fewer messages: who schedules decides
    PLANTED: {"n": 1},
    TRAP: {"n": 1},
}


def worked_out(file: Path) -> Iterator[tuple[str, Fraction | float]]:
    """What Storm makes of it, in fractions."""
    storm = pytest.importorskip("stormpy", reason="Storm is not installed: pip install 'modelcheck[storm]'")
    if file.suffix == ".umb":
        options = storm.io.UmbImportOptions()
        options.value_type = storm.io.UmbImportValueType.RATIONAL
        built = storm.build_model_from_umb(str(file), options=options)
    else:
        built = storm.build_model[storm.Rational](storm.io.parse_prism_program(str(file)))
    for asked in ("Pmin", "Pmax", 'R{"messages"}min', 'R{"messages"}max', 'R{"steps"}min', 'R{"steps"}max'):
        (formula,) = storm.parse_properties(f'{asked}=? [F "end"]')
        value = str(storm.model_checking(built, formula).get_value(built.initial_states[0]))
        yield asked, math.inf if value == "inf" else Fraction(value)


@pytest.mark.parametrize("suffix", [".umb", ".nm"])
@pytest.mark.parametrize("model", MODELS, ids=lambda text: text.split("(")[0].split()[-1])
def test_storm_comes_to_the_same(model: str, suffix: str, tmp_path: Path, write: Write) -> None:
    """Where a run need not end, Storm's greatest number is infinite by definition, and ours counts what is sent."""
    pytest.importorskip("stormpy", reason="Storm is not installed: pip install 'modelcheck[storm]'")
    name, asked = write(model) if "\n" in model else model, MODELS[model]
    found, title = process_of(name, **asked)
    file = tmp_path / f"process{suffix}"
    file.write_bytes(umb.archive(found, title) if suffix == ".umb" else prism.program(found, title).encode())
    (size,) = expect(name, **asked).sizes
    for word, value in worked_out(file):
        quantity = {"P": "ends", "R{m": "messages", "R{s": "steps"}[word.replace('"', "")[: 1 + 2 * (word[0] == "R")]]
        spread = size.over(quantity)
        ours = spread.least if word.endswith("min") else spread.greatest
        if quantity != "ends" and word.endswith("max") and size.over("ends").least.exact != 1:
            assert value == math.inf
        else:
            assert value == (math.inf if ours.infinite else ours.exact), word


def test_rewards_that_nobody_gets_are_written_as_nothing(write: Write) -> None:
    """PRISM's grammar asks for an item in each block."""
    text = prism.program(*process_of(write(TRAP), n=1))
    assert 'rewards "messages"\n  true : 0;\nendrewards' in text


@pytest.mark.parametrize(
    ("model", "name", "least", "greatest"),
    [(PLANTED, "steps", Fraction(1), Fraction(4)), (TRAP, "ends", Fraction(2, 3), Fraction(4, 5))],
    ids=["the best takes none, the worst the unfair coin", "the trap"],
)
def test_planted_schedulers_are_found(model: str, name: str, least: Fraction, greatest: Fraction, write: Write) -> None:
    (size,) = expect(write(model), n=1).sizes
    assert (size.over(name).least.exact, size.over(name).greatest.exact) == (least, greatest)
