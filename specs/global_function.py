"""A global function: the root learns f of everyone's input, and whoever gives an answer gives the right one.

The identifier of a process is its input. `function` of the protocol says which function: sum, product, min or max; the
processes have the field `answer`, None as long as they have none.
"""

from math import prod
from typing import Any

from modelcheck import Verdict, View, always, at_the_end, because, terminates

FUNCTIONS: dict[str, Any] = {"sum": sum, "product": prod, "min": min, "max": max}


@always
def answers_are_right(view: View) -> Verdict:
    """Every answer is the function of everyone's input."""
    name = view.protocol.function
    right = FUNCTIONS[name](p.id for p in view.processes)
    wrong = [p for p in view.processes if p.answer not in (None, right)]
    return not wrong or because(f"{wrong[0]} answers {wrong[0].answer}, and the {name} of all inputs is {right}")


@at_the_end
def the_root_has_an_answer(view: View) -> Verdict:
    """At the end the root has an answer."""
    waiting = [p for p in view.alive if p.is_root and p.answer is None]
    return not waiting or because(f"nothing more can happen, and the root, {waiting[0]}, has no answer")


@at_the_end(when=lambda protocol: protocol.network != "sticky")
def nothing_in_transit(view: View) -> Verdict:
    """At the end no message is left on its way."""
    left = view.in_transit()
    return not left or because(f"{left[0].message} from {left[0].source} still waits at {left[0].target}")


termination = terminates()
