"""That one group is left: for protocols that merge groups, to see that they do not promise it."""

from modelcheck import Verdict, View, at_the_end, because


@at_the_end
def one_group_is_left(view: View) -> Verdict:
    """At the end everyone that is up is in the same group."""
    groups = sorted({p.group for p in view.alive})
    return len(groups) <= 1 or because(f"{len(groups)} groups are left: {', '.join(map(str, groups))}")
