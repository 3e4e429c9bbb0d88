"""Runs: what one is once it was found. Nothing here searches.

trace.py      a run step by step, with the states between; built by replay, from the semantics alone: begin here
causality.py  what caused what: message flights, vector clocks, the causal past of a step
why.py        from a failure back to its roots
beside.py     two runs side by side, and where they first differ
following.py  the same schedule in another system
moments.py    a run as moments at which one can stop          rounds.py   lock-step runs
beliefs.py    whom each process takes for the leader
code.py       which lines of the model ran in a step
looking.py    which shared variables a step looked at         plain.py    values without the model's own types
"""
