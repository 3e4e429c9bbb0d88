"""State graphs of one world, and all states of all worlds as a decision diagram: built, and as pictures and files.

one_world.py   which world, explored to its end
building.py    from what was explored to a StateGraph (state_graph.py): begin here
classes.py     where states are too many: classes of those that look alike, by what somebody sees of them
knowing.py, violations.py   who knows the leader where; where properties fail
dot.py         what a graph looks like              palette.py    its colours
page.py        a page that lays the graph out in the browser
files.py       every format there is, by suffix
set_diagram.py, set_dot.py   the diagram that --engine sets works on; what it looks like
"""
