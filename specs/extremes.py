"""That an extreme leads: for protocols that elect somebody, to see whom they do not promise to elect."""

from modelcheck import Verdict, View, always


@always
def the_minimum_leads(view: View) -> Verdict:
    """Whoever is named as the leader has the least identifier of all."""
    least = min(p.id for p in view.processes)
    return all(p.leader in (None, least) for p in view.processes)


@always
def the_maximum_leads(view: View) -> Verdict:
    """Whoever is named as the leader has the greatest identifier of all."""
    greatest = max(p.id for p in view.processes)
    return all(p.leader in (None, greatest) for p in view.processes)
