"""The book of claims: what the literature says of election protocols, each with the commands that test it.

    specs/claims/*.toml ──▶ reading.py ──▶ claim.py ──▶ trying.py ──▶ what came out, beside what the book expects

    shelf.py      finding sources and claims         formulas.py, counting.py, weighing.py   numbers that a claim speaks of

Begin with claim.py, and a file of specs/claims beside it.
"""
