"""How fast the search is: beside Spin and Rumur on the same state spaces, and beside what the machine could do at most.

`python -m tests.benchmarks` measures and prints; with --write the tables go into the guide. These are for speed; what is true
the tests say, and none of them depends on a time.

    rows.py      what is measured, and the rows that come out
    search.py    one search in a process of its own
    limit.py     random inserts into the visited set: the machine's own limit
    startup.py   what comes before the first state: importing, compiling
    measured.py  runs a command and says how long it took and how much memory
    peers/       the same model for Spin and Rumur, and how to run them
    tables.py    the rows as Markdown
"""
