"""The worlds of one run explored by many processes, on this machine or on others: `--cluster`, with Dask distributed.

    chunks.py      which worlds are handed out next, and how many at a time
    station.py     in a worker's process: explores a chunk of worlds, and keeps what the next chunk can use
    counted.py     what is counted of messages, as data that can be merged
    sampled.py     random runs, which have no worlds to be put together
    tried.py       the tests of the book of claims, each of which is a run of its own
    errands.py     how these two have the workers called
    deaf.py        has the processes of `local:K` leave Ctrl-C to the command
    gathering.py   here: hands out chunks, and puts together what comes back: begin here

    check (check/checker.py) ──▶ Cluster.explore ──chunk──▶ station.explore ──checkpoint, as bytes──▶ Memory.merge ──▶ the report

A chunk is a stretch of the order of worlds, and what is found in it is a checkpoint, the same that `--part` writes and `--resume` reads. A
worker that dies costs its chunk, which is explored again. The report is made here, and explores nothing.
"""
