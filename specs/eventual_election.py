"""Election among processes that crash: whatever happens on the way, when nothing more can happen the living agree.

Interim leaders come and go, so nothing is claimed of the states in between. At the end everyone alive names the same
leader, which is alive and has the greatest identifier of those alive.
"""

from modelcheck import Verdict, View, at_the_end, because, listed, terminates


@at_the_end
def everyone_names_a_leader(view: View) -> Verdict:
    """At the end everyone alive names a leader that is alive, and waits for nothing."""
    waiting = [p for p in view.alive if p.leader is None or p.mode != "idle"]
    if waiting:
        verb = "is" if len(waiting) == 1 else "are"
        return because(f"nothing more can happen, and {listed(waiting)} {verb} left waiting")
    living = [p.id for p in view.alive]
    for p in view.alive:
        if p.leader not in living:
            return because(f"nothing more can happen, and {p} takes {p.leader} for the leader, which is down")
    return True


@at_the_end
def agreement(view: View) -> Verdict:
    """At the end those alive who name a leader name the same."""
    named = [p for p in view.alive if p.leader is not None]
    for p in named:
        if p.leader != named[0].leader:
            return because(f"{named[0]} takes {named[0].leader} for the leader, and {p} takes {p.leader}")
    return True


@at_the_end
def leader_is_the_greatest_alive(view: View) -> Verdict:
    """At the end nobody alive follows a leader smaller than somebody alive."""
    for p in view.alive:
        if p.leader is not None and p.leader < max(q.id for q in view.alive):
            return because(f"{p} takes {p.leader} for the leader, and {max(q.id for q in view.alive)} is alive")
    return True


termination = terminates()
