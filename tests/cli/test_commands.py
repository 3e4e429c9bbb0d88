"""`list`, `show`, `new`, and help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from modelcheck import __version__, catalog
from modelcheck.check.request import usual_limits
from modelcheck.language.topology import TOPOLOGIES

from .conftest import Type

SMALLER = {
    "run chang_roberts --n 5": "run chang_roberts --n 4",
    "run chang_roberts --n 6 --resume": "run chang_roberts --n 4 --resume",
    "run bully_partition --n 3 --partitions 1 --heals 1": "run bully_partition --n 2 --partitions 1 --heals 1",
    "run chang_roberts --n 8 --cluster local:4": "run chang_roberts --n 4 --cluster local:2",
    "simulate as_far --n 1000 --runs 5 --start simultaneous": "simulate as_far --n 50 --runs 5 --start simultaneous",
    "simulate chang_roberts --n 10,100 --runs 20 --seed 7": "simulate chang_roberts --n 10,20 --runs 5 --seed 7",
    "simulate itai_rodeh --n 50 --json": "simulate itai_rodeh --n 5 --json",
    "claims --cluster local:4": "claims garg-passive-dkr --n 2 --cluster local:2",
    "claims harmony --n 3": "claims garg-passive-dkr --n 2",
    "exercises harmony-25.2": "exercises garg",
    "messages chang_roberts --n 2..6 --start simultaneous": "messages chang_roberts --n 2..4 --start simultaneous",
    "messages stages --n 1..4 --start simultaneous --json": "messages stages --n 1..3 --start simultaneous --json",
    "expect itai_rodeh --n 2..3": "expect itai_rodeh --n 2",
    "expect anonymous_rounds --n 2..4 --set highest=2": "expect anonymous_rounds --n 2 --set highest=2",
    "expect itai_rodeh_sync --n 3..4 --schedule lockstep": "expect itai_rodeh_sync --n 3 --schedule lockstep",
    "expect herman --n 3..7 --schedule lockstep --start simultaneous --until one_token": "expect herman --n 3 --schedule lockstep --start simultaneous --until one_token",
    "expect itai_rodeh_async --n 4 --json": "expect itai_rodeh_async --n 2 --json",
    "graph bully --n 4 --crashes 1 --out bully.html": "graph bully --n 3 --crashes 1 --out bully.html",
}


def test_modelcheck_alone_shows_its_help(type_in: Type) -> None:
    found = type_in()
    assert found.exit_code == 0
    assert "Commands:" in found.stdout


def test_version(type_in: Type) -> None:
    assert type_in("--version").stdout == f"modelcheck {__version__}\n"


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("run",),
        ("trace",),
        ("graph",),
        ("simulate",),
        ("messages",),
        ("expect",),
        ("symmetry",),
        ("list",),
        ("show",),
        ("new",),
        ("claims",),
        ("exercises",),
        ("exercise",),
        ("grade",),
        ("help",),
    ],
)
def test_every_example_in_a_help_text_works(command: tuple[str, ...], type_in: Type, thorough: bool) -> None:
    """Those that take long in a smaller size, every day."""
    text = type_in(*command, "--help").stdout
    examples = re.findall(r"^ +modelcheck (.+)$", text, re.MULTILINE)
    assert examples
    for example in examples:
        if example.startswith("explore"):  # it serves until Ctrl-C: tests/web/test_process.py
            continue
        found = type_in(*(example if thorough else SMALLER.get(example, example)).split())
        assert found.exit_code == 0, (example, found.output)


def test_list_names_every_bundled_model_with_its_title_under_its_topology(type_in: Type) -> None:
    lines = type_in("list").stdout.splitlines()
    assert "ring" in lines
    assert any(line.split()[:3] == ["chang_roberts", "Chang", "and"] for line in lines)
    named = {line.split()[0] for line in lines if line.startswith("  ") and "variations: " not in line}
    assert named == set(catalog.model_files())


def test_list_names_the_variations_of_a_protocol_that_derives_from_that_of_another_model(type_in: Type) -> None:
    lines = type_in("list").stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if line.split()[:1] == ["prob_as_far"])
    assert lines[place + 1].strip() == "variations: WokenStands"


@pytest.mark.parametrize("model", catalog.model_files())
def test_show_has_a_card_for_every_bundled_model(model: str, type_in: Type) -> None:
    found = type_in("show", model)
    assert found.exit_code == 0
    for label in ("source", "topology", "networks", "identifiers", "knows", "tolerates", "steps", "properties"):
        assert f"\n  {label}" in found.stdout


def test_the_card_says_what_the_model_declares_and_ends_with_the_code(type_in: Type) -> None:
    text = type_in("show", "chang_roberts").stdout
    for part in (
        "Chang and Roberts, CACM",
        "elects       as the parameter says, by default max",
        "one_way_ring  a ring",
        "elects  max|min",
        "default max",
        "receive Election",
        "n(n+1)/2 + n",
        "No two processes lead.",
    ):
        assert part in text
    assert text.endswith(catalog.model_files()["chang_roberts"].read_text())


def test_show_of_an_unknown_model_names_the_nearest(type_in: Type) -> None:
    found = type_in("show", "chang")
    assert found.exit_code == 2
    assert "did you mean chang_roberts" in found.stderr


def test_show_of_a_file_with_a_syntax_error_says_where(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("class Broken(\n")
    found = type_in("show", "./broken.py")
    assert found.exit_code == 75
    assert "broken.py:1" in found.stderr


@pytest.mark.parametrize("name", ["mine", "message", "my_own_protocol", "x2"])
def test_new_writes_a_protocol_that_holds_at_once_by_the_command_it_prints(name: str, type_in: Type) -> None:
    found = type_in("new", name)
    assert found.exit_code == 0
    command = re.search(r"next +modelcheck (.*)", found.stdout)
    assert command
    assert command[1] == f"run ./{name}.py --n 4"
    assert type_in(*command[1].split()).stdout.startswith("HOLDS")


def test_the_skeleton_keeps_its_word_about_what_breaks_it(type_in: Type) -> None:
    type_in("new", "mine")
    assert type_in("run", "./mine.py", "--network", "bag", "--expect", "safety").exit_code == 0
    assert type_in("run", "./mine.py", "--losses", "1", "--expect", "violation").exit_code == 0


def test_new_overwrites_nothing(type_in: Type, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("precious")
    assert type_in("new", "mine").exit_code == 2
    assert (tmp_path / "mine.py").read_text() == "precious"


@pytest.mark.parametrize(
    ("name", "better"), [("mine.py", "mine"), ("3x", "my_3x"), ("a-b", "a_b"), ("class", "my_class")]
)
def test_new_refuses_what_is_no_name_and_offers_one(name: str, better: str, type_in: Type, tmp_path: Path) -> None:
    found = type_in("new", name)
    assert found.exit_code == 2
    assert f"try {better}" in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_new_leaves_the_names_of_bundled_models_alone(type_in: Type, tmp_path: Path) -> None:
    found = type_in("new", "chang_roberts")
    assert found.exit_code == 2
    assert "chang_roberts is a bundled model" in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_cuts_no_summary_off(type_in: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "..." not in type_in("--help").stdout.replace("[ARGS]...", "")


def test_the_help_of_run_names_every_topology_and_the_limit_in_force(type_in: Type) -> None:
    text = " ".join(type_in("run", "--help").stdout.split())
    assert all(f"{name}," in text or f"{name};" in text for name in TOPOLOGIES)
    assert f"[default: {usual_limits().max_memory}" in text


def test_after_a_network_that_breaks_it_the_protocol_is_offered_on_its_own(type_in: Type) -> None:
    type_in("new", "mine")
    found = type_in("run", "./mine.py", "--network", "bag")
    assert found.stdout.endswith("next         modelcheck run ./mine.py --n 3\n")
