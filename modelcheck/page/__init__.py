"""A page on which protocols are checked in the browser, with nothing installed: the reference engine in Pyodide, which is Python for browsers.

    building.py  puts the page together: Pyodide from its npm package, modelcheck and what it needs from where they are installed
    inside.py    runs in the browser: a protocol in, a report out

assets/ has the page itself, and the worker beside it in which Python runs, so that the page stays awake and a run can be ended.
"""
