"""Checking: from what was asked for to a verdict.

request.py     what was asked, read and validated
checker.py     `check`: the way of a run, from request to result: begin here
search.py      all worlds, by several workers        worker.py       one world after another: engine, properties, counting
findings.py    the shortest counterexamples so far   liveness.py     runs that never end
verdict.py     verdict and exit code, from one ledger: nothing else decides either
result.py      what every report is drawn from
taken_again.py what the verdict rests on, found again by a witness (modelcheck/witness)
symmetry_check.py   --check-symmetry                 growth.py       what never stopped growing
checkpoint.py, fingerprint.py   leaving a run and going on with it: only with the same question
retaking.py    runs from files, taken again          counting.py     `count_messages`
"""
