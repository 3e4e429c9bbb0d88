"""Packed states, and the tables of pairs: how they are read and changed. And `rows_at`: which steps a slot of a state can take."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from .calls import DONE, NO_DELIVERY, STALE
from .jit import jit
from .records import BASE, LIMIT, MASK, NONE, ROW, SENDS, SHIFT, SLOT, WORD

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_40, _32, _29 = np.uint64(40), np.uint64(32), np.uint64(29)
_1 = np.uint64(1)


@jit(inline="always", counts=False)
def mix(h: Any, word: Any) -> Any:
    """One word more into a hash (multiply, xor, shift: after SplitMix64, Steele et al. 2014)."""
    h = (h ^ word) * _A
    h ^= h >> _32
    h *= _B
    return h ^ (h >> _29)


if config.DISABLE_JIT:

    def lowest_bit(mask: Any) -> Any:
        """The number of the lowest bit of a mask that is set; there is one."""
        return np.int64((int(mask) & -int(mask)).bit_length() - 1)

else:

    @intrinsic
    def lowest_bit(_: Any, mask: Any) -> Any:  # noqa: ARG001 (its name is the one to be called by)
        """The number of the lowest bit of a mask that is set; there is one."""

        def generate(__: Any, builder: Any, ___: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.IntType(1)(1))

        return types.int64(types.int64), generate


if config.DISABLE_JIT:
    mix = np.errstate(over="ignore")(mix)  # products modulo 2^64 are what is meant


@jit(inline="always", counts=False)
def hash_of(width: Any, words: Any, begin: Any) -> Any:
    """The hash of the state that begins at words[begin]."""
    h = np.uint64(0)
    for w in range(len(width)):
        h = mix(h, words[np.uint64(begin + w)])
    return h


@jit(inline="always", counts=False)
def find_pair(keys: Any, a: Any, b: Any) -> Any:
    """Where the pair stands in an open-addressing table of pairs, or the empty place (key 0) where it would."""
    key = ((np.uint64(a) << _40) | np.uint64(b)) + _1
    wrap = np.uint64(len(keys) - 1)
    at = mix(_1, key) & wrap
    while keys[at] != 0 and keys[at] != key:
        at = (at + _1) & wrap
    return at


@jit(inline="always", counts=False)
def number_in(words: Any, begin: Any, slots: Any, slot: Any) -> Any:
    """The small integer in a slot of the state that begins at words[begin]."""
    word = words[np.uint64(begin + np.int64(slots[SLOT * slot + WORD]))]
    return np.int64((word >> np.uint64(slots[SLOT * slot + SHIFT])) & np.uint64(slots[SLOT * slot + MASK]))


@jit(inline="always", counts=False)
def change(words: Any, begin: Any, slots: Any, slot: Any, difference: Any) -> None:
    """Changes the small integer in a slot, by exclusive or with the new one's difference from it."""
    words[np.uint64(begin + np.int64(slots[SLOT * slot + WORD]))] ^= np.uint64(difference) << np.uint64(
        slots[SLOT * slot + SHIFT]
    )


@jit(counts=False)
def deliver(world: Any, table: Any, words: Any, slot: Any, row: Any) -> Any:
    """Delivers what an outcome row of this slot sends, to the state at words[0], in the order of sending. Returns DONE; or else what is
    missing, and of which slot, component, and event: message * P + in-port."""
    slots = table.slots
    for s in range(np.int64(table.rows[ROW * row + SENDS]), np.int64(table.rows[ROW * row + ROW + SENDS])):
        port, message = np.int64(table.sent[2 * s]), np.int64(table.sent[2 * s + 1])
        link = 2 * ((slot - len(world.environment)) * world.ports + port)
        to, in_port = np.int64(world.links[link]), np.int64(world.links[link + 1])
        old = number_in(words, 0, slots, to)
        event = np.int64(table.event[message * world.ports + in_port])
        new = np.int64(table.push[(np.int64(slots[SLOT * to + BASE]) + old) * table.events + event])
        if new >= slots[SLOT * to + LIMIT]:
            return (NO_DELIVERY if new == NONE else STALE), to, old, message * world.ports + in_port
        change(words, 0, slots, to, old ^ new)
    return DONE, 0, 0, 0


@jit(inline="always", counts=False)
def rows_at(world: Any, table: Any, words: Any, here: Any, slot: Any, environment: Any) -> Any:
    """The steps that a slot of the state at words[here] can take: the number of the component there, and its outcome rows, from the
    first to the one behind the last. Either is NONE where they are not tabulated yet: another thread may be writing the two.

    Whoever goes through the transitions of a packed state goes through its actors in order, and through these rows in order.
    """
    component = number_in(words, here, table.slots, slot)
    if len(world.environment):
        at = find_pair(table.pair_key, environment, world.family[slot] + component)
        begin = np.int64(table.pair_span[at, 0]) if table.pair_key[at] != 0 else NONE
        end = np.int64(table.pair_span[at, 1])
    else:
        c = np.int64(table.slots[SLOT * slot + BASE]) + component
        begin, end = np.int64(table.span[2 * c]), np.int64(table.span[2 * c + 1])
    return component, begin, end
