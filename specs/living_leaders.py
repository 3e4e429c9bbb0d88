"""That nobody follows the dead: for elections among processes that crash, stronger than what they promise for the end."""

from modelcheck import Verdict, View, at_the_end, because, every_step


@every_step
def whoever_is_taken_for_the_leader_is_alive(before: View, after: View) -> Verdict:
    """Nobody begins to take for the leader whoever is down at that moment."""
    down = {p.id for p in after.processes if p.crashed}
    for old, new in zip(before.processes, after.processes, strict=True):
        if new.leader != old.leader and new.leader in down:
            return because(f"{new} now takes {new.leader} for the leader")
    return True


@every_step
def nobody_gives_up_a_living_leader(before: View, after: View) -> Verdict:
    """Whoever takes a process that is alive for the leader goes on to do so."""
    down = {p.id for p in before.processes if p.crashed}
    for old, new in zip(before.processes, after.processes, strict=True):
        if old.leader is not None and old.leader not in down and not new.crashed and new.leader != old.leader:
            return because(f"{new} took {old.leader}, who is alive, for the leader and now takes {new.leader}")
    return True


@at_the_end
def the_greatest_keeps_itself(view: View) -> Verdict:
    """At the end the greatest process, if it is alive, takes itself for the leader."""
    greatest = max(view.processes, key=lambda p: p.id)
    return greatest.crashed or greatest.leader == greatest.id
