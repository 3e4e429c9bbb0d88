"""What a model author writes with, and how it is read.

    process.py      Process, its steps, parameters and knowledge: begin here, with a model of models/ beside it
    detecting.py    Detecting: a process that keeps in mind whom the failure detector reports
    messages.py     messages        values.py      identifiers, ports, and the one order of all values
    topology.py     graphs with numbered ports      oriented.py      graphs whose ports are named by direction
    properties.py   always, at_the_end, eventually, every_step; what a property is given to look at
    networks.py, faults.py   the kinds of networks and faults that a run may have: their names, and what is said of them
    formulas.py     numbers of messages, as a model declares them
    definition.py   from the class that an author wrote to a Definition: every declaration checked, every error a lesson
    mistakes.py     slips in the text of a protocol that Python says nothing about
    kinds.py, classes.py   which values a state may hold: none that compares equal to what a step could tell from it

Nothing here explores anything. What a step *means* is said in semantics/.
"""
