"""A run by sets of states (explore/sets): what its properties come to, without a state being visited.

search.py      all worlds of a size at once: begin here
preferring.py  when nobody names an engine: whether it is this one
refusing.py    what is refused beside it
judging.py     properties, judged once for each way in which states look to them
showing.py     the shortest run that breaks one
ending.py      whether all runs end
sending.py     how many messages they send: as a set, and a run that sends so many
counting.py    the same by world, and over all of them
"""
