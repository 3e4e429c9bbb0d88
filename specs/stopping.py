"""That whoever has decided is done: for protocols in which the announcement is the last message that anybody receives.

On slides a process that leads or follows has stopped. Here nobody stops: what comes to one that has decided is received, and seldom matters.
"""

from modelcheck import Verdict, View, always, because

ANNOUNCEMENTS = ("Leader", "LeaderAt", "Notify", "Done", "Coordinator")


@always
def the_decided_are_left_alone(view: View) -> Verdict:
    """Nothing but an announcement is on its way to a process that has decided."""
    for transit in view.in_transit():
        target = transit.target
        if type(transit.message).__name__ in ANNOUNCEMENTS:
            continue
        if target.status != "undecided" or target.leader is not None:
            return because(f"{transit.message} is on its way to {target}, which has decided")
    return True
