"""Slips that Python says nothing about, found in the text of a protocol's classes.

A step that a second one of its name takes the place of; a local variable that was meant to be a field; a step that stands inside another one,
or that lacks its decorator. What they make is another protocol, whose verdict nobody asked for.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Collection, Iterator
from functools import lru_cache

from .values import Misuse

Method = ast.FunctionDef
MARKS = ("initiate", "step", "receive", "recover")
DEEDS = ("send", "send_all", "reply", "require", "choose", "draw")  # of self, that steps do


def check_text(classes: Collection[tuple[type, str]], fields: Collection[str], inherited: Collection[str]) -> None:
    """Looks through the classes of a protocol, each with its file. `inherited` are the names that the language itself gives a process.

    Raises Misuse, with the line. Where there is no text nothing is said.
    """
    trees = {file: _tree("".join(linecache.getlines(file))) for _, file in classes if file}
    used = frozenset[str]().union(*map(_used, trees.values()))
    named = [name for cls, _ in classes for name in vars(cls)]
    for cls, file in classes:
        methods = [found for found in _body(trees.get(file), cls.__name__) if isinstance(found, Method)]
        for method in methods:
            _refuse_namesake(method, methods, file)
            _refuse_nested(method, file)
            _refuse_shadow(method, fields, file)
            _refuse_whole_message(method, file)
            alone = method.name not in used and named.count(method.name) == 1 and method.name not in inherited
            if alone and not method.decorator_list:
                _refuse_bare(method, file)


def _place(file: str, node: ast.stmt) -> str:
    return f"{file}:{node.lineno}  {linecache.getline(file, node.lineno).strip()}"


@lru_cache(maxsize=256)
def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:  # a cell of a notebook, with commands in it
        return ast.Module([], [])


def _body(tree: ast.Module | None, name: str) -> list[ast.stmt]:
    """What stands in a class; nothing where it is not in the text, or twice."""
    found = [node for node in (_classes(tree) if tree else ()) if node.name == name]
    return found[0].body if len(found) == 1 else []


@lru_cache(maxsize=256)
def _classes(tree: ast.Module) -> tuple[ast.ClassDef, ...]:
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


@lru_cache(maxsize=256)
def _used(tree: ast.Module) -> frozenset[str]:
    """Names that something in the text looks at, in whatever way."""
    return frozenset(_looked_at(tree))


def _looked_at(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _refuse_namesake(method: Method, methods: list[Method], file: str) -> None:
    first = next(other for other in methods if other.name == method.name)
    again = any(isinstance(mark, ast.Attribute) for mark in method.decorator_list)  # such as @name.setter
    if first is not method and not again:
        raise Misuse(
            f"there are two methods called {method.name}",
            f"this one takes the place of the one in line {first.lineno}, which is never run",
            "give one of them another name",
            where=_place(file, method),
        )


def _refuse_nested(method: Method, file: str) -> None:
    inner = (node for node in ast.walk(method) if isinstance(node, Method) and node is not method)
    for node in inner:
        if any(_name(mark) in MARKS for mark in node.decorator_list):
            raise Misuse(
                f"the step {node.name} stands inside {method.name}",
                "by its indentation it is a function of that method, and no step",
                "move it to the left",
                where=_place(file, node),
            )


def _name(mark: ast.expr) -> str:
    mark = mark.func if isinstance(mark, ast.Call) else mark
    return mark.id if isinstance(mark, ast.Name) else mark.attr if isinstance(mark, ast.Attribute) else ""


def _refuse_shadow(method: Method, fields: Collection[str], file: str) -> None:
    read = {node.id for node in ast.walk(method) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for node in ast.walk(method):
        if not isinstance(node, ast.Assign | ast.AugAssign):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id in fields and target.id not in read:
                raise Misuse(
                    f"{method.name} assigns {target.id} and never looks at it",
                    f"without self. it is a name within {method.name}, and the variable of the process stays as it is",
                    f"write self.{target.id} = ...",
                    where=_place(file, node),
                )


def _refuse_whole_message(method: Method, file: str) -> None:
    """`message == self.id`, which never holds: Python compares things of any two types."""
    arguments = [one.arg for one in method.args.args]
    if len(arguments) < 2 or not any(_name(mark) == "receive" for mark in method.decorator_list):
        return
    for node in ast.walk(method):
        if not (isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)):
            continue
        sides = {ast.unparse(node.left), ast.unparse(node.comparators[0])}
        if sides == {arguments[1], "self.id"}:
            raise Misuse(
                f"{method.name} compares a whole message with an identifier",
                "a message is no identifier, whatever stands in it: the two are never equal",
                f"compare what is in it: {arguments[1]}.id == self.id, where the message has a field id",
                where=f"{file}:{node.lineno}  {linecache.getline(file, node.lineno).strip()}",
            )


def _refuse_bare(method: Method, file: str) -> None:
    for node in ast.walk(method):
        is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
        if is_own and (isinstance(node.ctx, ast.Store) or node.attr in DEEDS):  # type: ignore[attr-defined]
            raise Misuse(
                f"{method.name} is no step, and nothing calls it",
                "it does what steps do: its decorator is missing",
                "write @receive(...), @initiate or @step above it, or leave it out",
                where=_place(file, method),
            )
