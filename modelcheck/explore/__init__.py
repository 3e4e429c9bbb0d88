"""Engines: every reachable state of a world.

    reference.py          breadth-first search in a page of plain Python, the definition of correct: begin here
    compiled/             the same by tables and machine code, with the same numbers for the same states
    sets/                 all worlds of a size at once, as sets of states: no state is visited
    exploration.py        what an engine finds in a world, and whom it tells of it
    stubborn.py           partial-order reduction: whose steps are explored in a state, or which
    independence.py       which steps of one process can change places          interned.py   numbers for values
    limits.py             states, seconds, memory, Ctrl-C: what a search works under
    liveness.py           runs that never end          growth.py   what never stopped growing, where a limit was reached
    restriction.py        the part of a world that some states leave
    listing.py            a world that was explored, as arrays
    strong_components.py  cycles, with a proof that none was missed

Nothing here knows what a property is: an engine tells an Observer (reference.py) or asks Predicates (compiled/).
"""
