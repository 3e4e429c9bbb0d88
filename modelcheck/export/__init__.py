"""Second opinions: a search written down for other checkers, and what these make of it.

    search ──▶ tabulate.py ──▶ program.py, one neutral description ──▶ promela.py ──▶ Spin ──▶ tools.py ──▶ confirming.py
                                                                  └──▶ murphi.py  ──▶ Rumur ──▲

Begin with program.py. process.py has the decision process of one world
(chance/), which prism.py writes for PRISM and umb.py as an archive of arrays; Storm reads both. text.py says what both kinds of programs say in comments. What is exported are the tables of the search, not the model: confirmed is that the search has explored what its
tables say.
"""
