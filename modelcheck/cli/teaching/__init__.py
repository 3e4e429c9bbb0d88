"""Commands for teachers and those who learn: `grade.py` has what marks a class; `exercise.py` a step of an exercise at a time."""
