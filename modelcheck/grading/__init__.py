"""Grading: a class's submissions, each checked by a process of its own against what a lab fixes, and told what failed.

`lab.py` reads a lab; `marking.py` is the way of one submission, `room.py` the process that it is given. In that process `child.py` is what
runs, where `screening.py` looks at the text before anything of it runs and `fixing.py` puts the lab's declarations in place of the submission's; `walls.py`
has the operating system shut the process in, and `intact.py` sees afterwards that the checker is still what it was.
`sheets.py` writes what came of it: for teachers, for students (`pages.py`), and for Gradescope. `skeletons.py` hands out what students begin with.
"""
