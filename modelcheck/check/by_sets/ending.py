"""Whether all runs end.

Where processes have numbers that say how many messages they have sent (sending.py), the set that is reachable is finite if and only if no run
sends without end. Where messages are used up when they are received, a run without end receives no more
from some moment on, and then takes nothing but steps of which nobody else notices anything: some process goes in a circle by these alone. So
where there is no such circle either, all runs end, under whatever scheduler.
"""

from __future__ import annotations

import networkx as nx

from ...explore.sets.alphabet import AlphabetTables
from ...explore.sets.records import NONE, PLAIN
from ...semantics.system import System


def undecidable(system: System) -> str:
    """Why sets of states do not tell, whatever they are; empty where they may."""
    if system.links.keeps:
        return "messages are kept when they are received"
    if system.definition.shared:
        return "there are shared variables"
    return ""


def goes_in_circles(tables: AlphabetTables) -> bool:
    """Whether some process can change again and again while nobody sends: steps that receive nothing and send nothing lead round."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    for block, number in tables.taken:
        if block != PLAIN:  # a fault, and there is an end to them
            continue
        begin, end = tables.span[block, number].tolist()
        component = tables.members.by_number[number].component
        for deed, after in tables.row[begin:end].tolist() if begin != NONE else ():
            if after == number:  # nothing changes
                continue
            later = tables.members.by_number[after].component
            if not tables.deeds.by_number[deed].sends and sum(map(len, later.inbox)) >= sum(map(len, component.inbox)):
                graph.add_edge(number, after)
    return not nx.is_directed_acyclic_graph(graph)
