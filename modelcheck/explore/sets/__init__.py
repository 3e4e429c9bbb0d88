"""The engine that visits no states: all that is reachable as one set, in a decision diagram.

saturation.py   the hot loop; its header is the algorithm: begin there
making.py       unions, and the node that is made    nodes.py      nodes, each made once
records.py      the arrays, field by field
alphabet.py     the semantics in numbers             diagram.py    calls the hot loop, supplies what it asks for
beginning.py    where runs begin
reading.py      what is read off a diagram           passes.py     and its passes over the nodes
layers.py       states by their distance, and the way back

A state is a vector: what stands at each level. All worlds of a size are one set, for their initial states differ.

    saturation.saturate ──(something is not tabulated)──▶ diagram.Diagram ──▶ alphabet.AlphabetTables ──▶ System
"""
