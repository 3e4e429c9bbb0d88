"""What another interpreter has to load to have the same model, and whether it can without running somebody's program a second time."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from .. import loading


class OnceOnlyError(Exception):
    """It cannot be loaded again. The text is half a sentence that says why."""


@dataclass(frozen=True)
class Sources:
    """`files` are modules made of a file: name, path and text, as they were loaded here; `modules` those that are imported. The rest is
    what a model could look at while it is loaded. `thorough`: with every pass, and not only for the hash seed's sake."""

    files: tuple[tuple[str, str, bytes], ...]
    modules: tuple[str, ...]
    environment: dict[str, str]
    folder: str
    path: tuple[str, ...]
    arguments: tuple[str, ...]
    thorough: bool = True

    def for_another_seed(self) -> Sources:
        return replace(self, thorough=False)


def sources(cls: type, modules: Iterable[str]) -> Sources:
    """Where a protocol and what `modules` have beside it come from. Raises OnceOnlyError."""
    if "<locals>" in cls.__qualname__:
        raise OnceOnlyError("its class is made inside a function")
    files, imported = [], []
    named = dict.fromkeys([cls.__module__, *modules])
    for name in dict.fromkeys(inner for one in named for inner in (*loading.files_of(one), one)):
        file = loading.text_of(name)
        if file is not None:
            files.append((name, *file))
        elif name == "__main__":
            files.append((name, *_program()))
        elif name.split(".")[0] != "modelcheck":
            if getattr(sys.modules.get(name), "__spec__", None) is None:
                raise OnceOnlyError(f"{name} is no module that can be imported")
            imported.append(name)
    try:
        folder = os.getcwd()
    except OSError:
        raise OnceOnlyError("the folder it was started in is gone") from None
    return Sources(
        tuple(files), tuple(imported), dict(os.environ), folder, tuple(sys.path), tuple(getattr(sys, "argv", ()))
    )


def _program() -> tuple[str, bytes]:
    """The file of the program that runs, where loading it does no more than to define what stands in it."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None or not str(file).endswith(".py"):
        raise OnceOnlyError("it stands in a notebook or in an interactive session")
    try:
        text = Path(file).read_bytes()
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        raise OnceOnlyError("the program it stands in cannot be read") from None
    if not all(map(_only_defines, tree.body)):
        raise OnceOnlyError(
            "it stands in a program that would do its work a second time; put the model into a file of its own, or what the program "
            'does behind `if __name__ == "__main__":`'
        )
    return str(file), text


CALLS_ALLOWED = {"Parameter", "TypeVar", "NewType", "namedtuple", "frozenset", "set", "tuple", "list", "dict", "range"}
CALLS_ALLOWED |= {"leads_to", "shared", "stable", "terminates"}


def _only_defines(statement: ast.stmt) -> bool:
    """Whether a statement at the top of a program defines something, and does nothing else that anybody would notice."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass)):
        return True
    if isinstance(statement, ast.If):
        return "__name__" in ast.unparse(statement.test) or "TYPE_CHECKING" in ast.unparse(statement.test)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return all(
            getattr(node.func, "id", getattr(node.func, "attr", "")) in CALLS_ALLOWED
            for node in ast.walk(statement)
            if isinstance(node, ast.Call)
        )
    return False


def depends_on_order(found: Sources) -> bool:
    """Whether something in it may go through a set in the order of its table. Where that cannot be seen from its text, it may."""
    beside = frozenset(
        Path(path).stem for _, path, _ in found.files
    )  # what they import of each other is looked at as well
    return bool(found.modules) or any(_goes_through_sets(text, beside) for _, _, text in found.files)


# They go through all of a set, and come to the same whatever its order.
ORDERLESS = {"sorted", "len", "any", "all", "sum", "frozenset", "set"}


@cache
def _goes_through_sets(text: bytes, beside: frozenset[str]) -> bool:
    tree: Any = ast.parse(text)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return any(_may_be_gone_through(node, parents, beside) for node in ast.walk(tree))


def _may_be_gone_through(node: ast.AST, parents: dict[ast.AST, ast.AST], beside: frozenset[str]) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [node.module or "" if isinstance(node, ast.ImportFrom) else alias.name for alias in node.names]
        return any(name.split(".")[0] not in {"modelcheck", *sys.stdlib_module_names, *beside} for name in names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("hash", "id", "vars", "globals", "locals", "dir"):
            return True
        if node.func.id not in ("set", "frozenset") or not node.args:
            return False
    elif not isinstance(node, (ast.Set, ast.SetComp)):
        return False
    around = parents[node]
    if isinstance(around, ast.Compare) and isinstance(around.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq)):
        return False
    if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id in ORDERLESS:
        return False  # where it makes a set again, that is looked at for itself
    one = isinstance(node, ast.Set) and len(node.elts) == 1
    if one and (
        isinstance(around, ast.AugAssign) or (isinstance(around, ast.BinOp) and not isinstance(around.left, ast.Set))
    ):
        return False  # if the other set has an order, that is looked at where it is made
    if isinstance(around, (ast.Assign, ast.AugAssign)):  # as a field it is in canonical order
        targets = around.targets if isinstance(around, ast.Assign) else [around.target]
        return not all(isinstance(t, ast.Attribute) and getattr(t.value, "id", "") == "self" for t in targets)
    return True
