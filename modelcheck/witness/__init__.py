"""A witness: a fresh interpreter takes steps again, and judges states again, that a search rests on.

A search takes each step of a component once, and evaluates a property once on all states that look alike to it. That is sound if both
are functions of what they read. A model is Python, and Python can remember: in a global variable, a cache, an iterator, a file; and it
can look at what differs from one interpreter to the next, such as the order of a set of texts. No list of forbidden things is complete.
So what was found is found again, by an interpreter that

- is another process, and has loaded the model anew: nothing that a step has left behind is there,
- has another hash seed: sets of texts go another way,
- takes everything in another order, from last to first at every level: whatever remembers has remembered something else.

    interpreters.py   the processes, from the side of the search: started early, kept for the next run, ended in time
    server.py         what runs in them: a server that has imported the language and no model, and forks for every run
    again.py          steps and judgements, taken again
    wire.py           values of a model on their way between the two
    sources.py        what has to be loaded again, and whether that can be done without running somebody's program twice
    deeds.py          what a step does to the world outside while it is taken again

What is taken again, and what is said of it, is check/taken_again.py.
"""
