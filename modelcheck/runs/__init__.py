"""Runs: what one is once it was found. Nothing here searches.

trace.py      a run step by step, with the states between; built by replay, from the semantics alone: begin here
causality.py  what caused what: message flights, vector clocks, the causal past of a step
moments.py    a run as moments at which one can stop          rounds.py   lock-step runs
looking.py    which shared variables a step looked at         plain.py    values without the model's own types
"""
