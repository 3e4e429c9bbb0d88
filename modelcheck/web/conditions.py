"""Conditions as people type them: `p1.leader == 3 and not p2.awake`, `count(leader == 3) >= 2`.

A condition is read by the grammar below into a tree of the nodes below, and never run as code. What a tree says of a state
is in meaning.py.

    or          and ('or' and)*
    and         not ('and' not)*
    not         'not' not | comparison
    comparison  sum (('==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not') sum)*
    sum         product (('+' | '-') product)*
    product     negative ('*' negative)*
    negative    '-' negative | value
    value       atom ('.' NAME | '[' or ']')*
    atom        NUMBER | 'TEXT' | NAME | NAME '(' or, ... ')' | '(' or, ... ')'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import UsageError

MOST_CHARACTERS = 300
MOST_NESTED = 30
_TOKEN = re.compile(r"\s*(?:(\d+)|([^\W\d]\w*)|('[^']*'|\"[^\"]*\")|(==|!=|<=|>=|[-+*<>().,\[\]])|(\S))")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not")
_WORDS = ("and", "or", "not", "in", "is")
_SLIPS = {
    "=": "for `is equal to` write ==",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or != for `differs from`",
    "≥": "write >=",
    "≤": "write <=",
    "≠": "write !=",
}


class ConditionError(UsageError):
    """A condition that cannot be read: why, and at which character of it, counted from 0."""

    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True)
class Constant:
    value: int | str | bool | None
    at: int


@dataclass(frozen=True)
class Name:
    name: str
    at: int


@dataclass(frozen=True)
class Attribute:
    of: Node
    name: str
    at: int


@dataclass(frozen=True)
class Item:
    of: Node
    place: Node
    at: int


@dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple[Node, ...]
    at: int


@dataclass(frozen=True)
class Listed:
    items: tuple[Node, ...]
    at: int


@dataclass(frozen=True)
class Comparison:
    first: Node
    others: tuple[tuple[str, Node], ...]
    at: int


@dataclass(frozen=True)
class Joined:
    """Several parts with one word between them: and, or, + and -, *. Each part with the word before it."""

    parts: tuple[tuple[str, Node], ...]
    at: int


@dataclass(frozen=True)
class Opposite:
    """`not` or `-` something."""

    word: str
    of: Node
    at: int


Node = Constant | Name | Attribute | Item | Call | Listed | Comparison | Joined | Opposite


@dataclass(frozen=True)
class _Lexeme:
    kind: str  # number, name, text, sign, or end
    text: str
    at: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else f"`{self.text}`"


def read(text: str) -> Node:
    """The tree of a condition. Raises ConditionError, and nothing else, where it is none."""
    if len(text) > MOST_CHARACTERS:
        raise ConditionError(f"a condition has at most {MOST_CHARACTERS} characters", MOST_CHARACTERS)
    if not text.strip():
        raise ConditionError("there is no condition: try leaders >= 2", 0)
    reader = _Reader(_tokens(text))
    tree = reader.whole()
    if reader.here.kind != "end":
        here = reader.here
        slip = "only count, any, all, in_transit and len have parentheses behind them"
        if here.text != "(":
            slip = "a single condition ends before this; join two of them with `and` or `or`"
        raise ConditionError(f"{here} is not expected here: {slip}", here.at)
    return tree


def _tokens(text: str) -> list[_Lexeme]:
    found = []
    kinds = ("number", "name", "text", "sign")
    place = 0
    while match := _TOKEN.match(text, place):
        at, written = match.start(match.lastindex or 0), match[match.lastindex or 0]
        if match[5]:
            hint = _SLIPS.get(written, "write names, numbers, 'text', ( ) and == != < <= > >= + - * and or not in")
            if written in "'\"":
                hint = "the text has no closing quote"
            raise ConditionError(f"`{written}` has no meaning here: {hint}", at)
        found.append(_Lexeme(kinds[(match.lastindex or 1) - 1], written, at))
        place = match.end()
    return [*found, _Lexeme("end", "", len(text))]


class _Reader:
    """Goes through the tokens once, by recursive descent."""

    def __init__(self, tokens: list[_Lexeme]) -> None:
        self._tokens, self._place, self._depth = tokens, 0, 0

    @property
    def here(self) -> _Lexeme:
        return self._tokens[self._place]

    def whole(self) -> Node:
        return self._joined(("or",), lambda: self._joined(("and",), self._not))

    def _joined(self, words: tuple[str, ...], part: Callable[[], Node]) -> Node:
        at = self.here.at
        parts = [(words[0], part())]
        while (word := self._takes(*words)) is not None:
            parts.append((word, part()))
        return parts[0][1] if len(parts) == 1 else Joined(tuple(parts), at)

    def _not(self) -> Node:
        at = self.here.at
        if self._takes("not"):
            return self._deeper(lambda: Opposite("not", self._not(), at))
        return self._comparison()

    def _comparison(self) -> Node:
        at = self.here.at
        first = self._sum()
        others = []
        while (word := self._takes(*COMPARISONS, "not")) is not None:
            if word == "not":
                self._must("in", "after `not` stands `in` here")
                word = "not in"
            elif word == "is" and self._takes("not"):
                word = "is not"
            others.append((word, self._sum()))
        return Comparison(first, tuple(others), at) if others else first

    def _sum(self) -> Node:
        return self._joined(("+", "-"), lambda: self._joined(("*",), self._negative))

    def _negative(self) -> Node:
        at = self.here.at
        if self._takes("-"):
            return self._deeper(lambda: Opposite("-", self._negative(), at))
        return self._value()

    def _value(self) -> Node:
        node, deep = self._atom(), 0
        while self.here.kind == "sign" and self.here.text in (".", "["):
            deep += 1
            if deep > MOST_NESTED:
                raise ConditionError("this is nested too deeply", self.here.at)
            if self._takes("["):
                at = self.here.at
                node = Item(node, self._deeper(self.whole), at)
                self._must("]", "a place in brackets ends with ]")
                continue
            self._takes(".")
            name = self.here
            if name.kind != "name":
                raise ConditionError(f"after the dot stands the name of a field, not {name}", name.at)
            self._place += 1
            node = Attribute(node, name.text, name.at)
        return node

    def _atom(self) -> Node:
        token = self.here
        self._place += token.kind != "end"
        if token.kind == "number":
            return Constant(int(token.text), token.at)
        if token.kind == "text":
            return Constant(token.text[1:-1], token.at)
        if token.text.lower() in ("true", "false", "none"):
            return Constant({"true": True, "false": False, "none": None}[token.text.lower()], token.at)
        if token.kind == "name" and token.text not in _WORDS:
            if self._takes("("):
                return Call(token.text, self._listed(), token.at)
            return Name(token.text, token.at)
        if token.text == "(":
            items = self._listed()
            if len(items) == 1:
                return items[0]
            return Listed(items, token.at)
        raise ConditionError(f"here a name, a number or a 'text' is missing; there stands {token}", token.at)

    def _listed(self) -> tuple[Node, ...]:
        """What stands between parentheses, the first of which is behind us."""
        items: list[Node] = []
        while not self._takes(")"):
            if items:
                self._must(",", "a parenthesis is not closed")
            items.append(self._deeper(self.whole))
        return tuple(items)

    def _takes(self, *texts: str) -> str | None:
        """The next token, if it is one of these."""
        token = self.here
        if token.kind in ("sign", "name") and token.text in texts:
            self._place += 1
            return token.text
        return None

    def _must(self, text: str, why: str) -> None:
        if self._takes(text) is None:
            raise ConditionError(f"{why}; there stands {self.here}", self.here.at)

    def _deeper(self, reading: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise ConditionError("this is nested too deeply", self.here.at)
        node = reading()
        self._depth -= 1
        return node
