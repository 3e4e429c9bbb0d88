"""Faces on a console: a file for each command, on page.py, which lays lines out so that nothing is cut off.

run.py is that of `modelcheck run`: begin there. writing.py prints what report/words has made; progress.py is what is shown meanwhile.
"""
