"""Small games against chance, and what they are worth by brute force: every policy is tried, and its equations are solved with fractions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from modelcheck.chance.decisions import Array, Decisions

Way = tuple[int, int]  # where it leads to, its weight
Row = tuple[int, list[Way]]  # what it pays, its ways
Game = list[list[Row]]  # of each state its rows; the last state is the end, and has none


def arrays(game: Game) -> tuple[Decisions, Array]:
    """The game as the solver wants it: a decision process and a reward."""
    first, begin, target, weight, total, reward = [0], [0], [], [], [], []
    for rows in game:
        for pays, ways in rows:
            total.append(sum(share for _, share in ways))
            reward.append(pays * total[-1])
            target += [to for to, _ in ways]
            weight += [share for _, share in ways]
            begin.append(len(target))
        first.append(len(total))
    columns = (np.array(column, np.int64) for column in (first, begin, target, weight, total))
    return Decisions(*columns, len(game) - 1), np.array(reward, np.int64)


def policies(game: Game) -> Iterator[list[Row]]:
    """Every way to fix a row in each state."""
    for rows in itertools.product(*game[:-1]):
        yield list(rows)


def worth(policy: Sequence[Row]) -> list[Fraction | None]:
    """What a policy gets from each state, in total; None where that is infinite."""
    end = len(policy)
    reach = [_reached(policy, state) for state in range(end)]
    found: list[Fraction | None] = []
    for state in range(end):
        recurrent = [
            s
            for s in reach[state]
            if s != end and all(s in reach[t] for t in reach[s] if t != end) and end not in reach[s]
        ]
        found.append(None if any(policy[s][0] for s in recurrent) else Fraction(0))
    finite = [state for state in range(end) if found[state] is not None]
    lost = [state for state in finite if not any(policy[s][0] for s in reach[state] if s != end)]
    open_states = [state for state in finite if state not in lost]
    values = dict(zip(open_states, _solved(policy, open_states), strict=True))
    return [None if found[state] is None else values.get(state, Fraction(0)) for state in range(end)]


def ends(policy: Sequence[Row]) -> list[bool]:
    """From which states a policy comes to the end with probability 1."""
    end = len(policy)
    return [all(end in _reached(policy, s) for s in _reached(policy, state) if s != end) for state in range(end)]


def _reached(policy: Sequence[Row], state: int) -> set[int]:
    found, waiting = {state}, [state]
    while waiting:
        at = waiting.pop()
        for to, _ in policy[at][1] if at < len(policy) else ():
            if to not in found:
                found.add(to)
                waiting.append(to)
    return found


def _solved(policy: Sequence[Row], states: list[int]) -> list[Fraction]:
    """Gauss and Jordan, on the equations x = pays + sum of weight * x."""
    place = {state: number for number, state in enumerate(states)}
    lines = []
    for state in states:
        pays, ways = policy[state]
        total = sum(share for _, share in ways)
        line = [Fraction(int(other == state)) for other in states] + [Fraction(pays)]
        for to, share in ways:
            if to in place:
                line[place[to]] -= Fraction(share, total)
        lines.append(line)
    for k in range(len(lines)):
        pivot = next(row for row in range(k, len(lines)) if lines[row][k])
        lines[k], lines[pivot] = lines[pivot], lines[k]
        lines[k] = [value / lines[k][k] for value in lines[k]]
        for row in range(len(lines)):
            if row != k and (factor := lines[row][k]):
                lines[row] = [a - factor * b for a, b in zip(lines[row], lines[k], strict=True)]
    return [line[-1] for line in lines]


def random_game(dice: random.Random) -> Game:
    """Two to four states and an end, with one to three rows each; many pay nothing, so that there are end components of all kinds."""
    states = dice.randint(2, 4)
    game: Game = []
    for _ in range(states):
        rows: list[Row] = []
        for _ in range(dice.randint(1, 3)):
            targets = dice.sample(range(states + 1), dice.randint(1, 2))
            rows.append((dice.choice((0, 0, 1, 3)), [(to, dice.randint(1, 3)) for to in targets]))
        game.append(rows)
    return [*game, []]
