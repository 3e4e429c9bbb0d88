"""The compiled engine: all that Numba compiles, and what feeds it. Only here is anything compiled; jit.py says why that matters.

tables.py    the semantics, interned to small integers, tabulated when it is first asked for
layout.py    which bits of a packed state are whose          records.py   the arrays, field by field
kernel.py    the hot loop; its header draws the state and the tables: begin there
calls.py     what it says to its caller                     choosing.py   whose steps are explored, where a world is reduced
sweep.py     many small worlds, one after another            sweeping.py   and what feeds it
packed.py    reading a packed state; which steps can be taken in it (rows_at)
steps.py     the same steps gone through again, for whoever lists or counts          folding.py   counting's passes
exploration.py   what it has found, with the face of every exploration
engine.py    one world after another: calls the kernel, supplies what it asks for, decodes what it found
crew.py      several threads on one large world              cycles.py    depths, and whether there is a cycle
predicates.py   what is asked about properties               jit.py       where machine code is kept

engine.CompiledEngine.explore ──▶ kernel.search ──(something is not tabulated)──▶ engine.provide ──▶ tables.Tables ──▶ System
                                       ▲──────────────────────────────────────────────────────────────────┘
"""
