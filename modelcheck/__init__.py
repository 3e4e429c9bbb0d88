"""modelcheck: an exhaustive model checker for election protocols.

This is all that a model or a specification imports, and all that is promised to stay.
"""

from .check.checker import check
from .errors import (
    AssumptionError,
    DefinitionError,
    ModelcheckError,
    ModelError,
    ReplayError,
    SearchError,
    StepError,
    SymmetryError,
    UsageError,
)
from .explore.exploration import Limits
from .language.messages import Down, Message, Up
from .language.process import ElectionProcess, Parameter, Process, initiate, receive, recover, shared, stable, step
from .language.properties import (
    ProcessView,
    Property,
    TransitView,
    Verdict,
    View,
    always,
    at_the_end,
    because,
    eventually,
    every_step,
    listed,
    terminates,
)
from .language.topology import any_graph, complete, hypercube, line, mesh, one_way_ring, star, torus, tree, two_way_ring
from .language.values import NEXT, PREVIOUS, Id, Port

__version__ = "0.1.0"

__all__ = [
    "NEXT",
    "PREVIOUS",
    "AssumptionError",
    "DefinitionError",
    "Down",
    "ElectionProcess",
    "Id",
    "Limits",
    "Message",
    "ModelError",
    "ModelcheckError",
    "Parameter",
    "Port",
    "Process",
    "ProcessView",
    "Property",
    "ReplayError",
    "SearchError",
    "StepError",
    "SymmetryError",
    "TransitView",
    "Up",
    "UsageError",
    "Verdict",
    "View",
    "always",
    "any_graph",
    "at_the_end",
    "because",
    "check",
    "complete",
    "eventually",
    "every_step",
    "hypercube",
    "initiate",
    "line",
    "listed",
    "mesh",
    "one_way_ring",
    "receive",
    "recover",
    "shared",
    "stable",
    "star",
    "step",
    "terminates",
    "torus",
    "tree",
    "two_way_ring",
]
