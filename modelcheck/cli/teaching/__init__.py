"""Exercises a step at a time (exercise.py), also by asking what happens next (predicting.py); a class is graded (grade.py); a page without installation (page.py)."""
