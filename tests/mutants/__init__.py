"""Does a test notice? Small changes to the code on which verdicts rest, each with the tests that should fail under it.

    python -m tests.mutants                      all of them (under an hour on two cores)
    python -m tests.mutants --some 20 --seed 7   as many, chosen by chance
    python -m tests.mutants 'network-*' lottery  those of these names
    python -m tests.mutants --list               what there is, without running anything

A mutant changes one place of one file. It is killed when one of its tests fails that passes without it; it lives when all of them pass, and then
either a test is missing or the mutant is `equivalent`: no run can tell, and the reason is written beside it.

    mutant.py     what a mutant is, and how one is tried in a copy of the project
    __main__.py   the command and its table
    the others    the mutants, by the room they are about
"""

from .chance import CHANCE
from .endless import ENDLESS
from .explore import EXPLORE
from .language import LANGUAGE
from .links import LINKS
from .looking import LOOKING
from .mutant import Mutant
from .properties import PROPERTIES
from .reach import REACH
from .runs import RUNS
from .semantics import SEMANTICS
from .sets import SETS
from .worlds import WORLDS

MUTANTS: tuple[Mutant, ...] = (
    *LANGUAGE,
    *SEMANTICS,
    *LINKS,
    *WORLDS,
    *EXPLORE,
    *PROPERTIES,
    *RUNS,
    *ENDLESS,
    *LOOKING,
    *REACH,
    *SETS,
    *CHANCE,
)
