"""How long models are beside their sources: what the guide says is counted."""

import ast
from pathlib import Path

import pytest

from modelcheck import catalog, guide

GUIDE = Path(guide.__file__).parent / "models.md"


def lines_of_code(file: str, classes: tuple[str, ...]) -> int:
    """Lines of these classes without docstrings, comments and empty lines."""
    text = Path(file).read_text(encoding="utf-8")
    lines = text.splitlines()
    found: set[int] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name in classes:
            found |= set(range(node.lineno, (node.end_lineno or 0) + 1))
            for inner in ast.walk(node):
                if isinstance(inner, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(inner) is not None:
                    found -= set(range(inner.body[0].lineno, (inner.body[0].end_lineno or 0) + 1))
    return sum(bool(lines[line - 1].strip()) and not lines[line - 1].strip().startswith("#") for line in found)


@pytest.mark.parametrize(
    ("model", "classes"),
    [("chang_roberts", ("Election", "Leader", "ChangRoberts")), ("harmony_leader", ("Packet", "HarmonyLeader"))],
)
def test_the_guide_says_how_long_a_protocol_is_beside_its_source(model: str, classes: tuple[str, ...]) -> None:
    length = lines_of_code(catalog.find_model(model).definition.file, classes)
    assert f"| `{model}` | {length} lines" in GUIDE.read_text(encoding="utf-8")
