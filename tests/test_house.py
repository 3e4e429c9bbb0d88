"""The house: rooms that import downwards only, doors that say what is behind them, names that mean one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import modelcheck

PACKAGE = Path(modelcheck.__file__).parent
ROOT = Path(__file__).parents[1]
FILES = sorted(file for file in PACKAGE.rglob("*.py"))
# From the ground up: a room imports from those before it.
ROOMS = [
    "version",
    "text",
    "errors",
    "later",
    "pulse",
    "ahead",
    "language",
    "reads",
    "loading",
    "models",
    "catalog",
    "semantics",
    "explore",
    "explore.compiled",
    "explore.sets",
    "count",
    "properties",
    "witness",
    "runs",
    "pictures",
    "check",
    "chance",
    "desk",
    "compiling",
    "simulate",
    "predict",
    "graph",
    "completion",
    "options",
    "book",
    "interrupts",
    "cluster",
    "export",
    "report.words",
    "report.files",
    "report.terminal",
    "report.html",
    "report.conversions",
    "faces",
    "web",
    "guide",
    "api",
    "grading",
    "page",
    "desk.cell",
    "mcp",
    "pytest_plugin",
    "cli",
    "__main__",
]
# The face of the package, which everything may be asked for.
FACE = "modelcheck"


def module(file: Path) -> str:
    parts = (PACKAGE.name, *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(file): file for file in FILES}


def room(name: str) -> str:
    inner = name.removeprefix("modelcheck.")
    return max((r for r in ROOMS if inner == r or inner.startswith(f"{r}.")), key=len, default="")


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes())


@cache
def imports(file: Path) -> list[str]:
    """The modules of this package that a file imports, anywhere in it."""
    found = []
    here = module(file).split(".")
    package = here if file.name == "__init__.py" else here[:-1]
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                source = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            if source.split(".")[0] == "modelcheck":
                for alias in node.names:
                    inner = f"{source}.{alias.name}"
                    found.append(inner if inner in MODULES else source)
    return found


def test_every_file_stands_in_a_room() -> None:
    assert [
        name for name in MODULES if name not in (FACE, "modelcheck.report", "modelcheck.explore") and not room(name)
    ] == []


def test_no_import_runs_upwards() -> None:
    upward = [
        f"{name} -> {target}"
        for name, file in MODULES.items()
        if name != FACE
        for target in imports(file)
        if target != "modelcheck.report" and (target == FACE or ROOMS.index(room(target)) > ROOMS.index(room(name)))
    ]
    assert upward == []


def test_no_more_than_two_files_need_one_another() -> None:
    arrows = {name: set(imports(file)) & MODULES.keys() for name, file in MODULES.items()}
    reached = {name: reachable(arrows, name) for name in arrows}
    circles = {frozenset(b for b in reached[a] if a in reached[b]) | {a} for a in arrows if a in reached[a]}
    assert [sorted(circle) for circle in circles if len(circle) > 2] == []


def reachable(arrows: dict[str, set[str]], begin: str) -> set[str]:
    found: set[str] = set()
    waiting = list(arrows[begin])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(arrows[name])
    return found


def test_no_room_is_a_warehouse_and_no_file_a_book() -> None:
    sizes = {file: len(file.read_text().splitlines()) for file in FILES}
    assert {file.name: size for file, size in sizes.items() if size > 500} == {}
    rooms: dict[Path, int] = defaultdict(int)
    for file in FILES:
        rooms[file.parent] += file.name != "__init__.py"
    assert {folder.name: count for folder, count in rooms.items() if count > 17} == {}


@pytest.mark.parametrize("door", [file for file in FILES if file.name == "__init__.py"], ids=module)
def test_every_door_says_what_is_behind_it(door: Path) -> None:
    text = ast.get_docstring(parsed(door)) or ""
    assert text
    inside = {file.name for file in door.parent.glob("*.py")} - {"__init__.py"}
    for named in re.findall(r"(?<![\w/.])([a-z_]+\.py)\b", text):
        assert named in inside or list(PACKAGE.rglob(named)), f"{named} is not there"
    if door.parent.name not in ("modelcheck", "cli", "guide", "terminal"):
        assert inside <= set(re.findall(r"[a-z_]+\.py", text)), "the door tells of every file"


def test_no_two_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for name, file in MODULES.items():
        for node in parsed(file).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(name)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_every_file_says_what_is_in_it() -> None:
    assert [name for name, file in MODULES.items() if ast.get_docstring(parsed(file)) is None] == []


def test_what_only_thorough_tests_run_is_still_there() -> None:
    listed = [line for line in (ROOT / "tests" / "thorough.txt").read_text().splitlines() if not line.startswith("#")]
    assert sorted(set(listed)) == listed
    for line in listed:
        file, _, name = line.partition("::")
        assert f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(), line
