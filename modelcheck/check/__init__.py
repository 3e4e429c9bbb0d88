"""Checking: from what was asked for to a verdict.

    request.py     what was asked, read and validated
    checker.py     `check`: the way of a run, from request to result: begin here
    search.py      all worlds: plan.py, which, and whether they are reduced; worker.py, who explores them (engine, properties, counting); knowledge.py, what is
                   known of them, which can be merged
    by_sets/       all worlds of a size at once, as sets of states
    findings.py    the shortest counterexamples so far
    verdict.py     verdict and exit code, from one ledger: nothing else decides either
    result.py      what every report is drawn from
    taken_again.py what the verdict rests on, found again by a witness (modelcheck/witness)
    comparing.py   --check-symmetry, --check-reductions
    checkpoint.py, memory.py, fingerprint.py   leaving a run and going on with it: only with the same question
    parts.py       a run in several parts, and how they are joined
    retaking.py    runs from files, taken again          counting.py     `count_messages`

Nothing here knows how anything looks: that is report/.
"""
