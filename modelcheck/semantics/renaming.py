"""Other identifiers in the same order: whoever only compares identifiers cannot tell the difference.

Worlds are explored up to the order of their identifiers, and messages say that identifiers are opaque. Both are true of a protocol
whose steps and properties give the same under every increasing map of identifiers, so these are tried under some of them.

    irregular(k)    f(r) = scale * r + noise(k, r), 0 <= noise < scale, moved by an offset. Whatever an identifier has beside its
                    order is as if drawn anew: parity and every other residue, distances, sign, length and text, hash (a function of the
                    number). Scales from 2 to 10**15 are taken in turn, so some maps stay among small numbers and some do not; the
                    second half of the maps leads below zero.
    within(...)     identifiers that the explored ones stand for: with `from:4` and two processes 1, 2 also stands for 2, 4.

How likely is it that a dependence is missed? Let a share q of the maps show it in a component (or a state): 1/2 for parity, and for a
single identifier out of M under `within` about n/M. Tried under k maps it is missed with (1 - q)**k, and m components that have it
are independent, being tried under maps of their own: (1 - q)**(k m). What reads the text of an identifier is seen to read it
(Id.texts) and is tried under all maps each time, which are all there are `within` as long as these are no more than SOME; and what is met
first is tried under TRIES or more (verification.py, properties/view.py). Where --check-symmetry looks for what makes worlds differ,
everything is tried under all maps, and SOME is THOROUGH.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence

from ..language.values import Id, Renaming

SCALES = (2, 10**3, 7, 10**15, 30, 10**6)
KINDS = 12  # of irregular maps
SOME, THOROUGH = 50, 500  # of the maps `within`, for each number of identifiers
TRIES = 6


def irregular(number: int) -> Callable[[Id], Id]:
    """An increasing map that keeps nothing but the order."""
    scale = SCALES[number % len(SCALES)]
    offset = 0 if number < len(SCALES) else -random.Random(number).randint(20, 60) * scale
    known: dict[int, Id] = {}

    def new(identifier: Id) -> Id:
        rank = identifier._rank
        if rank not in known:
            known[rank] = Id(scale * rank + random.Random(f"{number}:{rank}").randrange(scale) + offset)
        return known[rank]

    return new


def within(chosen: Sequence[int]) -> Callable[[Id], Id]:
    """Of 1, 2, ... the first, second, ... of these numbers, which ascend."""
    last = len(chosen)

    def new(identifier: Id) -> Id:
        rank = identifier._rank
        inside = min(max(rank, 1), last)
        return Id(chosen[inside - 1] + rank - inside)

    return new


def _chosen(k: int, largest: int, most: int) -> list[tuple[int, ...]]:
    """Sets of k numbers out of 1..largest, beside 1..k: all of them if they are no more than `most`, else so many."""
    if math.comb(largest, k) <= most + 1:
        return list(itertools.combinations(range(1, largest + 1), k))[1:]
    dice = random.Random(largest)
    drawn = {tuple(sorted(dice.sample(range(1, largest + 1), k))) for _ in range(most)}
    return sorted(drawn - {tuple(range(1, k + 1))})


def renamings(kinds: Iterable[int] = (), largest: int = 0, most: int = SOME) -> tuple[Renaming, ...]:
    """The irregular maps and, between them, no more than `most` from 1..k into 1..largest for each k."""
    real = [within(chosen) for k in kinds for chosen in _chosen(k, largest, most)]
    mixed = itertools.chain.from_iterable(itertools.zip_longest(real, map(irregular, range(KINDS))))
    return tuple(Renaming(new) for new in mixed if new is not None)


IRREGULAR = renamings()


def some(pool: Sequence[Renaming], first: int, tries: int) -> list[Renaming]:
    """So many of the pool, the `first` and those that follow."""
    return [pool[(first + k) % len(pool)] for k in range(min(tries, len(pool)))]
