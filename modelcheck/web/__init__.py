"""The explorer in the browser: a run, taken step by step by whoever looks at it.

    address ──▶ paths.py    which world, which start, which steps      ──▶ faces.py      all that the page shows there
    words   ──▶ conditions.py, meaning.py    "leaders >= 2", as data   ──▶ searching.py  the shortest run to such a state

    subject.py     what is explored, under which options          opening.py     a run from a file, opened
    judging.py     what can be said of each property at a moment  shortest.py    the nearest state that is wanted
    code.py        the model's lines behind a step                operations.py  what conditions do with values
    comparing.py   the run beside the same schedule in the mended protocol
    exercising.py  an exercise of the book, opened           predicting.py   what happens next? asked before it is shown

The server (server.py) remembers nothing of who looks at it: a request carries the whole run, so a link reproduces it.
"""
