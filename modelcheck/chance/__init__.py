"""Chance: what to expect of a protocol that draws, least and greatest over all schedulers.

expecting.py      from a request to a result: begin here
result.py         what comes out of it              values.py   what comes out for one world
expectations.py   what is asked of one world, and which schedulers are meant
building.py       from a world that was explored to a Markov decision process
decisions.py      that process in arrays; end components, and who reaches what
solving.py        least and greatest expected rewards, by policy iteration
certifying.py     their proofs, in whole numbers
distribution.py   the probability that a run ends with at most k messages
endless.py        the run that keeps going, where something is infinite
"""
