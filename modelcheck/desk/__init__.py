"""Where developers live: what stands beside a model while it is written.

watching.py   the files of a model, and when one of them is saved        changes.py   what a check finds otherwise than the one before
inside.py     what a model prints, and breakpoint(): in which step, state and world that is
cell.py       models in the cells of notebooks, above all that stands here
"""
