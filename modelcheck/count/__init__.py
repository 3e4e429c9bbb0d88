"""Counting: messages of all runs, exactly; states and transitions.

extremes.py   least and greatest numbers of messages of one world, in plain Python: begin here
compiled.py   the same on what the compiled engine has explored
census.py     over all worlds: means, extremes, and the runs that attain them
ranges.py     numbers and what they range over       tally.py   what was counted, over the worlds of one size
"""
