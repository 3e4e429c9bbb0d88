"""The decision process of one world in the language of PRISM, which Storm reads as well: a state is a number, a row a command.

prism itai_rodeh.nm -pf 'Rmax{"messages"}=? [ F "end" ]'
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..chance.building import Lotteries
from ..pulse import attended

LANGUAGE = "prism"


def program(found: Lotteries, title: str) -> str:
    """The program."""
    return "".join(f"{line}\n" for line in _lines(found, title))


def _lines(found: Lotteries, title: str) -> Iterator[str]:
    d = found.decisions
    yield f"// {title}: written by modelcheck export"
    yield "mdp"
    yield "module run"
    yield f"  s : [0..{d.states - 1}] init {found.start};"
    for row in attended(range(d.rows), 100):
        ways = range(int(d.begin[row]), int(d.begin[row + 1]))
        to = " + ".join(f"{d.weight[way]}/{d.total[row]} : (s'={d.target[way]})" for way in ways)
        yield f"  [r{row}] s={d.owner[row]} -> {to};"
    yield f"  [] s={d.end} -> true;"
    yield "endmodule"
    yield f'label "end" = s={d.end};'
    for name, reward in (("messages", found.messages(0)), ("steps", found.steps)):
        yield f'rewards "{name}"'
        if not reward.any():
            yield "  true : 0;"  # a block without an item is none
        for row in range(d.rows):
            if reward[row]:
                yield f"  [r{row}] true : {Fraction(int(reward[row]), int(d.total[row]))};"
        yield "endrewards"
