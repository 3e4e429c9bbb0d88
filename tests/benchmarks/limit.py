"""The machine's own limit: how many random keys a second go into the visited set, when nothing else is done.

The keys are as many and as wide as the states of a world, the table has as many places, and memory is asked for as far ahead
as the search does it: what is missing to this rate is what successors and properties cost.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from modelcheck.explore.compiled import kernel, packed

SECONDS = 1.0  # worth of inserts, or as many worlds as there are


@dataclass(frozen=True)
class Load:
    """What a search put into its table: so many worlds, of `keys` states each on average, a state of `words` words."""

    worlds: int
    keys: int
    words: int
    places: int


def inserts_per_second(load: Load, workers: int) -> float:
    """Random keys inserted a second by so many threads at once, each into a table of its own."""
    with ThreadPoolExecutor(workers) as threads:
        return sum(threads.map(_by_one_thread, [load] * workers))


def _by_one_thread(load: Load) -> float:
    """Clearing the table between two worlds does not count."""
    width = (0,) * load.words
    states = np.zeros((load.keys + 1) * load.words, np.uint64)
    visited = np.zeros(load.places, np.uint64)
    batch = (np.zeros(kernel.BATCH * load.words, np.uint64), np.zeros(kernel.BATCH, np.uint64))
    fill(width, states, visited, batch, min(load.keys, kernel.BATCH), 0)  # compiles
    spent, inserted = 0.0, 0
    for world in range(load.worlds):
        visited[:] = 0
        began = time.perf_counter()
        fill(width, states, visited, batch, load.keys, world + 1)
        spent += time.perf_counter() - began
        inserted += load.keys
        if spent > SECONDS:
            break
    return inserted / spent


@njit(cache=True, nogil=True)
def fill(width: Any, states: Any, visited: Any, batch: Any, keys: int, seed: int) -> None:
    """Inserts random keys, by batches whose places are prefetched."""
    words, hashes = batch
    wrap = np.uint64(len(visited) - 1)
    number = 0
    drawn = 0
    while drawn < keys:
        filled = min(len(hashes), keys - drawn)
        for k in range(filled):
            h = np.uint64(0)
            for w in range(len(width)):
                words[k * len(width) + w] = packed.mix(np.uint64(seed), np.uint64((drawn + k) * len(width) + w))
                h = packed.mix(h, words[k * len(width) + w])
            hashes[k] = h
        for k in range(filled):
            kernel.prefetch(visited, hashes[min(k + kernel.FAR, filled - 1)] & wrap)
            ahead = visited[hashes[min(k + kernel.NEAR, filled - 1)] & wrap] & kernel.LOW
            if ahead:
                kernel.prefetch(states, (np.int64(ahead) - 1) * len(width))
            at = kernel.place_of(width, states, visited, words, k, hashes[k])
            if visited[at] == 0:
                kernel.store_at(width, states, visited, at, words, k, hashes[k], number)
                number += 1
        drawn += filled
