"""Runs that are not searched for: drawn at random, or in lock-step.

walk.py       one random run, by the same semantics as the search: begin here
sampling.py   `simulate`: many of them, and what their numbers of messages come to
symmetric.py  `symmetry`: the run in which all do the same (Angluin 1980)
"""
