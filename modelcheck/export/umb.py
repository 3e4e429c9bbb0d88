"""The decision process of one world as a Unified Markov Binary (UMB), which Storm and other checkers read: an archive of arrays.

    index.json                    what is there: numbers of states, choices (rows) and branches (ways), and the types of the arrays
    state-is-initial.bin          a bit for each state
    state-to-choices.bin          the choices of state s are those from the s-th number to the next
    choice-to-branches.bin        likewise the branches of a choice
    branch-to-target.bin          the state that a branch leads to
    branch-to-probability.bin     its probability, as a fraction: 64 bits of numerator, then 64 of denominator
    annotations/aps/end/states/values.bin           a bit for each state: the end
    annotations/rewards/NAME/choices/values.bin     what is expected of each choice, as fractions

Numbers are little-endian, of 64 bits; bits are padded to 64. The end has one choice, which stays there. Version 1.0 of the format, as umbi 0.2
and Storm 2.0 read it (https://github.com/pmc-tools/umb).
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile

import numpy as np

from ..chance.building import Lotteries
from ..chance.decisions import Array
from ..version import __version__

LANGUAGE = "umb"
FRACTION = {"type": "rational", "size": 128}
BIT = {"type": "bool", "size": 1}


def archive(found: Lotteries, title: str) -> bytes:
    """The archive. The same process gives the same bytes."""
    d = found.decisions
    end = d.end
    choices = np.where(np.arange(d.states + 1) > end, d.first + 1, d.first)
    at = int(d.first[end])  # the choice of the end stands before those of the states after it
    branch = int(d.begin[at])
    rewards = {"messages": found.messages(0), "steps": found.steps}
    files = {
        "index.json": json.dumps(_index(d.states, d.rows + 1, len(d.target) + 1, rewards, title), indent=2).encode(),
        "state-is-initial.bin": _bits(np.arange(d.states) == found.start),
        "state-to-choices.bin": _numbers(choices),
        "choice-to-branches.bin": _numbers(np.concatenate((d.begin[: at + 1], d.begin[at:] + 1))),
        "branch-to-target.bin": _numbers(np.insert(d.target, branch, end)),
        "branch-to-probability.bin": _fractions(
            np.insert(d.weight, branch, 1), np.insert(d.total[d.row_of], branch, 1)
        ),
        "annotations/aps/end/states/values.bin": _bits(np.arange(d.states) == end),
    }
    for name, reward in rewards.items():
        values = _fractions(np.insert(reward, at, 0), np.insert(d.total, at, 1))
        files[f"annotations/rewards/{name}/choices/values.bin"] = values
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def _index(states: int, choices: int, branches: int, rewards: dict[str, Array], title: str) -> dict[str, object]:
    return {
        "format-version": 1,
        "format-revision": 0,
        "file-data": {"tool": "modelcheck", "tool-version": __version__},
        "model-data": {"name": title},
        "transition-system": {
            "time": "discrete",
            "#players": 1,
            "#states": states,
            "#initial-states": 1,
            "#choices": choices,
            "#choice-actions": 0,
            "#branches": branches,
            "#branch-actions": 0,
            "#observations": 0,
            "branch-probability-type": FRACTION,
        },
        "annotations": {
            "aps": {"end": {"alias": "end", "applies-to": ["states"], "type": BIT}},
            "rewards": {name: {"alias": name, "applies-to": ["choices"], "type": FRACTION} for name in rewards},
        },
    }


def _numbers(values: Array) -> bytes:
    return values.astype("<u8").tobytes()


def _bits(mask: Array) -> bytes:
    packed = np.packbits(mask, bitorder="little")
    return np.pad(packed, (0, -len(packed) % 8)).tobytes()


def _fractions(over: Array, under: Array) -> bytes:
    """Fractions in lowest terms. Both fit into 63 bits."""
    shared = np.gcd(over, under)
    return np.stack((over // shared, under // shared), axis=1).astype("<i8").tobytes()
