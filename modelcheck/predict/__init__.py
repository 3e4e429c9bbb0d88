"""What happens next? Questions about a state, to be answered before it is shown, and what the engine says to the answers.

possible.py  which steps can be taken now, and why the others cannot      effects.py  what a step does
ending.py    who leads in the end, over all runs from here                guards.py   which line a step is held up by

The faces are cli/teaching/predicting.py in the terminal and web/predicting.py on the explorer's page.
"""
