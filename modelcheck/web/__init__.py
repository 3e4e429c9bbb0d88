"""The explorer in the browser: a run, taken step by step by whoever looks at it.

    address ──▶ paths.py    which world, which start, which steps      ──▶ faces.py      all that the page shows there
    words   ──▶ conditions.py, meaning.py    "leaders >= 2", as data   ──▶ searching.py  the shortest run to such a state

The server (server.py) remembers nothing of who looks at it: a request carries the whole run, so a link reproduces it.
"""
