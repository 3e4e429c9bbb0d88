"""Used with bully: the process with the greatest identifier, if it is alive at the end, takes itself for the leader."""

from modelcheck import Verdict, View, at_the_end


@at_the_end
def the_greatest_keeps_itself(view: View) -> Verdict:
    """At the end the greatest process takes itself for the leader."""
    greatest = max(view.processes, key=lambda p: p.id)
    return greatest.crashed or greatest.leader == greatest.id
