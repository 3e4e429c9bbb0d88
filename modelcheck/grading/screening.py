"""What a submission may say, looked at in its text before anything of it runs.

A protocol needs little of Python: classes, plain arithmetic, the words of the language. With the rest a submission could change what checks it,
read what it is checked for, or end the process that does. So what is not on these lists is refused, by line; and the process in which a
submission runs does not offer it either (`BUILTINS`), so that what a text hides from this file comes to nothing.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

LONGEST = 200_000  # bytes


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


LANGUAGE = _words(
    "EAST NEXT NORTH PREVIOUS SOUTH WEST Detecting Down ElectionProcess Id Message Parameter Port Process ProcessView Property TransitView Up "
    "Verdict View always always_eventually any_graph at_the_end because chord chordal_ring complete dimension eventually eventually_always "
    "every_step hypercube initiate leads_to line listed mesh one_way_ring receive recover shared stable star step terminates torus tree "
    "two_way_ring *"
)
CLASSES = _words(
    "Detecting Down ElectionProcess Id Message Parameter Port Process ProcessView Property TransitView Up Verdict View"
)
IMPORTS: dict[str, frozenset[str]] = {
    "modelcheck": LANGUAGE,
    "__future__": frozenset({"annotations"}),
    "dataclasses": frozenset({"dataclass", "field", "replace"}),
    "enum": frozenset({"Enum", "IntEnum", "StrEnum", "auto"}),
    "functools": frozenset({"reduce"}),
    "itertools": _words("accumulate chain combinations groupby pairwise permutations product repeat takewhile zip_longest"),
    "math": _words("ceil floor gcd inf isqrt log log2 sqrt"),
    "typing": _words("Any ClassVar Final Literal NamedTuple Optional Self TypeAlias Union"),
}  # fmt: skip
# Of the built-in functions and exceptions, those that compute.
BUILTINS = _words(
    "ArithmeticError AssertionError Exception False IndexError KeyError LookupError None NotImplemented NotImplementedError RuntimeError "
    "StopIteration True TypeError ValueError ZeroDivisionError abs all any bin bool callable chr dict divmod enumerate filter float frozenset "
    "int isinstance issubclass iter len list map max min next object ord pow print property range repr reversed round set slice sorted "
    "staticmethod str sum super tuple zip Ellipsis"
)
# What the methods ask for that a dataclass writes for itself, and a class; the import is that of loading.py.
OFFERED = BUILTINS | {"__build_class__", "hash", "type"}
# Ways from a value to the machinery behind it that no underscore gives away.
_INSIDE = _words(
    "ag_await ag_code ag_frame co_code co_consts cr_await cr_code cr_frame f_back f_builtins f_code f_globals f_locals f_trace format "
    "format_map gi_code gi_frame gi_yieldfrom mro tb_frame tb_lasti tb_next with_traceback"
)
_PRIVATE = ("_surroundings", "_decide")


def refused(text: bytes, *, models: bool = False) -> list[str]:
    """What of it a submission may not say, each with its line; nothing where all is well. With `models` it may import the bundled ones."""
    if len(text) > LONGEST:
        return [f"the file has {len(text):,} bytes; a protocol has at most {LONGEST:,}"]
    if b"\0" in text:
        return ["it is no text that Python reads: save the file as UTF-8"]
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return [f"line {error.lineno or 1}: it is no Python: {error.msg}"]
    except ValueError as error:
        return [f"it is no Python: {error}"]
    except (RecursionError, MemoryError):
        return ["it is nested too deeply for Python"]
    found = dict.fromkeys(f"line {line}: {what}" for line, what in sorted(_refused(tree, models)))
    return list(found)


def _refused(tree: ast.AST, models: bool) -> Iterator[tuple[int, str]]:
    own, methods, in_place = _named(tree), _in_methods(tree), _classes_in_place(tree)
    yield from _annotations(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        for name in _identifiers(node):
            if name.startswith("__") and name not in ("__name__", "__future__"):
                yield line, f"{name}: a name that begins with two underscores belongs to Python itself"
        match node:
            case ast.Import(names=[ast.alias(name=module), *_]):
                yield line, _no_module(module) if module not in IMPORTS else f"write from {module} import NAME"
            case ast.ImportFrom():
                yield from ((line, what) for what in _import(node, models))
            case ast.Name(
                id="type" | "hash" as name, ctx=ast.Load()
            ):  # they are there when it runs, whatever the text calls so
                yield line, f"{name} is not for protocols"
            case ast.Name(id=name) if (
                name in vars(builtins) and name not in BUILTINS | own and not name.startswith("__")
            ):
                yield line, f"{name} is not for protocols"
            case ast.Attribute(attr=name) if name in _INSIDE or name in _PRIVATE:
                yield line, f".{name} is not for protocols"
            case ast.MatchClass(kwd_attrs=names) if _INSIDE & {*names}:
                yield line, "this pattern is not for protocols"
            case ast.Attribute(ctx=ast.Store() | ast.Del(), value=where) if not (
                isinstance(where, ast.Name) and where.id == "self" and id(node) in methods
            ):
                yield line, f"{ast.unparse(node)}: a process changes its own variables only (self.{node.attr} = ...)"
            case ast.Name(id=name) if name in CLASSES and id(node) not in in_place:
                yield (
                    line,
                    f"{name} is not handed around: it stands in annotations, above steps, and in the head of a class",
                )
            case ast.Name(id="self", ctx=ast.Store() | ast.Del()):
                yield line, "self is the process, and nothing else"
            case ast.AsyncFunctionDef() | ast.Await() | ast.Yield() | ast.YieldFrom():
                yield line, "a step is done at once: without async, await and yield"
            case ast.ClassDef(keywords=[_, *_]):
                yield line, f"class {node.name} has a keyword in its head; a protocol needs none"
            case ast.Call(func=ast.Name(id="NamedTuple" | "Enum" | "IntEnum" | "StrEnum" as name)):
                yield line, f"write class NAME({name}): ..."
            case ast.ExceptHandler(type=None):
                yield line, "except: without the name of an exception"
            case ast.Constant(value=str() as words):
                yield from ((line, what) for what in _hidden_code(words))


def _identifiers(node: ast.AST) -> Iterator[str]:
    """All names that stand in a node itself, whatever its kind."""
    for name, value in ast.iter_fields(node):
        if isinstance(node, ast.Constant) or name == "type_comment":
            continue
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (one for one in value if isinstance(one, str))


def _named(tree: ast.AST) -> frozenset[str]:
    """Names that the text gives to something of its own, in place of Python's."""
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(stored | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)})


def _classes_in_place(tree: ast.AST) -> set[int]:
    """Where a class of the language may stand. Elsewhere it could be given to a method that changes it."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        found += _types_in(node)
        match node:
            case ast.ClassDef(bases=bases):
                found += bases
            case ast.Call(func=ast.Name(id="receive" | "isinstance" | "issubclass"), args=args):
                found += [node.func, *args]
            case ast.Call(func=func):
                found.append(func)
            case ast.Subscript() | ast.BinOp(op=ast.BitOr()):
                found.append(node)
    return {id(one) for node in found for one in _plainly(node)}


def _plainly(tree: ast.AST) -> Iterator[ast.AST]:
    """It and what it is made of as a type is; nothing that is only a way to have it."""
    yield tree
    match tree:
        case ast.Subscript(slice=inner):
            yield from _plainly(inner)
        case ast.Tuple(elts=several):
            for one in several:
                yield from _plainly(one)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _plainly(left)
            yield from _plainly(right)


def _in_methods(tree: ast.AST) -> set[int]:
    """What stands in the methods of classes, whose first argument is the process."""
    methods = [
        one
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.args.args and one.args.args[0].arg == "self"
    ]
    return {id(node) for method in methods for node in ast.walk(method)}


def _no_module(module: str) -> str:
    return f"{module} is not for protocols; there are {', '.join(sorted(IMPORTS))}"


def _import(node: ast.ImportFrom, models: bool) -> Iterator[str]:
    module = node.module or ""
    if node.level:
        yield "a submission is one file, and imports none beside it"
    elif module.split(".")[:2] == ["modelcheck", "models"]:
        if not models:
            yield "bundled models are not for this lab"
    elif module not in IMPORTS:
        yield _no_module(module)
    else:
        for alias in node.names:
            if alias.name in CLASSES and alias.asname:
                yield f"{alias.name} keeps its name"
            if alias.name not in IMPORTS[module]:
                strange = "".join(sorted({letter for letter in alias.name if not letter.isascii()}))
                yield f"{alias.name} of {module} is not for protocols" + (
                    f": {strange} is no letter from a to z, and only looks like one" if strange else ""
                )


def _hidden_code(words: str) -> Iterator[str]:
    """A text that Python might read as an annotation, and would run: what calls or looks inside something."""
    if not {"(", ".", "_"} & {*words}:
        return
    try:
        inner = ast.parse(words.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if any(isinstance(node, ast.Call | ast.Attribute | ast.Lambda) for node in ast.walk(inner)):
        for _, what in _refused(inner, models=False):
            yield f"in the text {words!r:.40}: {what}"


_IN_TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.UnaryOp)


def _annotations(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Annotations that are more than types. Python evaluates a text that stands for one, with all that is built in: so none is put together
    while the file is read, there or in a name that is used there."""
    assigned: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                assigned.setdefault(name, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                assigned.setdefault(name, []).append(value)
    plain = {id(target) for node in ast.walk(tree) for target in _targets(node)}
    others = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in plain
    }
    waiting = [one for node in ast.walk(tree) for one in _types_in(node)]
    seen: set[str] = set()
    while waiting:
        for node in _within(waiting.pop(), words_are_values="Literal" not in assigned):
            either = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
            if not (either or isinstance(node, _IN_TYPES)) or (isinstance(node, ast.Name) and node.id in others):
                yield node.lineno, "this is no annotation for a protocol: write a type"
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                waiting += _as_type(node.value)
            elif isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting += [value for value in assigned.get(node.id, ()) if value is not None]


def _within(tree: ast.expr, *, words_are_values: bool) -> Iterator[ast.expr]:
    """The parts of an annotation, without the values in Literal[...]."""
    yield tree
    match tree:
        case ast.Subscript(value=ast.Name(id="Literal")) if words_are_values:
            return
    for inner in ast.iter_child_nodes(tree):
        if isinstance(inner, ast.expr):
            yield from _within(inner, words_are_values=words_are_values)


def _as_type(words: str) -> list[ast.expr]:
    """What Python reads a text as, where that stands for a type."""
    try:
        return [ast.parse(words.strip(), mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _targets(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target):
            return [target]
    return []


def _types_in(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.AnnAssign(annotation=found) | ast.arg(annotation=found) | ast.FunctionDef(returns=found):
            return [found] if found is not None else []
    return []
