"""Commands for teachers and those who learn: `grade.py` has what marks a class; `exercise.py` an exercise, a step at a time."""
