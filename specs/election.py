"""Leader election: one leader, the one the protocol promises, known to all at the end, whatever the interleaving.

A process records its decision in `leader` (whom it believes to lead), in `status` ("leader", "follower"), or in both.
What the protocol promises stands in its class: `elects` is "max" or "min" (of the identifiers of all processes) or "any".
"""

from typing import Any

from modelcheck import ProcessView, Verdict, View, always, at_the_end, because, every_step, listed, terminates


def leads(process: ProcessView) -> bool:
    """Whether a process holds itself to be the leader."""
    return process.status == "leader" or (process.leader is not None and process.leader == process.id)


def decided(process: ProcessView) -> bool:
    return process.status != "undecided" or process.leader is not None


def elects(word: str) -> Any:
    return lambda protocol: protocol.elects == word


@always
def at_most_one_leader(view: View) -> Verdict:
    """No two processes lead."""
    leaders = [p for p in view.processes if leads(p)]
    return len(leaders) <= 1 or because(
        f"{listed(leaders)} both lead" if len(leaders) == 2 else f"{listed(leaders)} all lead"
    )


@always(when=elects("max"))
def leader_is_the_maximum(view: View) -> Verdict:
    """Whoever leads, or is named as the leader, has the greatest identifier of all."""
    return _is_extreme(view, max(p.id for p in view.processes), "greatest")


@always(when=elects("min"))
def leader_is_the_minimum(view: View) -> Verdict:
    """Whoever leads, or is named as the leader, has the least identifier of all."""
    return _is_extreme(view, min(p.id for p in view.processes), "least")


def _is_extreme(view: View, extreme: Any, word: str) -> Verdict:
    for p in view.processes:
        if leads(p) and p.id != extreme:
            return because(f"{p} leads, and the {word} identifier is {extreme}")
        if p.leader is not None and p.leader != extreme:
            return because(f"{p} takes {p.leader} for the leader, and the {word} identifier is {extreme}")
    return True


@always
def agreement(view: View) -> Verdict:
    """Those who name a leader name the same, and none of them contradicts its own status."""
    named = [p for p in view.processes if p.leader is not None]
    for p in named:
        if p.leader != named[0].leader:
            return because(f"{named[0]} takes {named[0].leader} for the leader, and {p} takes {p.leader}")
        if (p.status == "leader" and p.leader != p.id) or (p.status == "follower" and p.leader == p.id):
            return because(f"{p} is {p.status} and names {p.leader}")
    return True


@every_step
def decisions_are_final(before: View, after: View) -> Verdict:
    """Nobody changes its mind about who leads."""
    for old, new in zip(before.processes, after.processes, strict=True):
        if old.crashed or new.crashed:
            continue
        if old.leader is not None and new.leader != old.leader:
            return because(f"{new} took {old.leader} for the leader and now takes {new.leader}")
        if old.status != "undecided" and new.status != old.status:
            return because(f"{new} was {old.status} and is now {new.status}")
    return True


@at_the_end
def everyone_decides(view: View) -> Verdict:
    """At the end there is a leader, and everyone alive has decided."""
    waiting = [p for p in view.alive if not decided(p)]
    if waiting:
        return because(
            f"nothing more can happen, and {listed(waiting)} {'has' if len(waiting) == 1 else 'have'} not decided"
        )
    return any(leads(p) for p in view.alive) or because("nothing more can happen, and nobody leads")


@at_the_end(when=lambda protocol: protocol.network != "sticky")
def nothing_in_transit(view: View) -> Verdict:
    """At the end no message is left on its way."""
    left = view.in_transit()
    return not left or because(f"{left[0].message} from {left[0].source} still waits at {left[0].target}")


termination = terminates()
