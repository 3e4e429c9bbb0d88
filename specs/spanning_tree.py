"""A rooted spanning tree: at the end the parent ports form a tree over all processes, and both ends of each edge agree.

The processes have the fields `parent` (a port, None at the root), `children` (a set of ports) and `done`.
"""

from modelcheck import Verdict, View, always, at_the_end, because, every_step, listed, terminates


@always
def children_are_true(view: View) -> Verdict:
    """A process is the parent of those it takes for its children."""
    for p in view.processes:
        for port in p.children:
            child = p.at(port)
            if child.parent is None or child.at(child.parent) is not p:
                return because(f"{p} takes {child} for its child, which has another parent or none")
    return True


@every_step
def parents_are_final(before: View, after: View) -> Verdict:
    """Nobody changes its parent."""
    pairs = zip(before.processes, after.processes, strict=True)
    changed = [new for old, new in pairs if old.parent is not None and new.parent != old.parent]
    return not changed or because(f"{listed(changed)} changed parent")


@at_the_end
def everyone_is_done(view: View) -> Verdict:
    """At the end every process knows that it is done."""
    waiting = [p for p in view.alive if not p.done]
    return not waiting or because(
        f"nothing more can happen, and {listed(waiting)} {'waits' if len(waiting) == 1 else 'wait'} for ever"
    )


@at_the_end
def tree_spans(view: View) -> Verdict:
    """At the end the parents lead from every process to the root."""
    for p in view.processes:
        at, steps = p, 0
        while at.parent is not None and steps <= len(view.processes):
            at, steps = at.at(at.parent), steps + 1
        if not at.is_root:
            return because(f"from {p} the parents do not lead to the root")
    return True


@at_the_end
def parents_know_their_children(view: View) -> Verdict:
    """At the end every process is among the children of its parent."""
    for p in view.processes:
        if p.parent is not None:
            parent = p.at(p.parent)
            if not any(parent.at(port) is p for port in parent.children):
                return because(f"{p} has the parent {parent}, which does not know it")
    return True


@at_the_end(when=lambda protocol: protocol.network != "sticky")
def nothing_in_transit(view: View) -> Verdict:
    """At the end no message is left on its way."""
    left = view.in_transit()
    return not left or because(f"{left[0].message} from {left[0].source} still waits at {left[0].target}")


termination = terminates()
