"""Properties while a search goes on: what they see of a state, what they have read of it, when they must be asked again.

    view.py         a state as a property sees it; everything it reads is noted
    monitor.py      one property over the states of a run: evaluated once for all states that look alike to it: begin here
    everywhere.py   a property judged in all states of a world at once
    whole_runs.py   which runs break a property of whole runs, and where they stay for ever
    predicates.py   the same for the compiled engine, as bits of a mask

How a property is written is language/properties.py.
"""
