"""Broadcast: what the root has to say reaches everyone.

The processes have the field `informed`: whether they have the root's message.
"""

from modelcheck import Verdict, View, always, at_the_end, because, every_step, listed, terminates


@always
def only_the_root_invents(view: View) -> Verdict:
    """Nobody has the message before the root has sent it."""
    informed = [p for p in view.processes if p.informed]
    return not informed or any(p.is_root for p in informed) or because(f"{listed(informed)} made it up")


@every_step
def nobody_forgets(before: View, after: View) -> Verdict:
    """Whoever has the message keeps it."""
    pairs = zip(before.processes, after.processes, strict=True)
    forgot = [new for old, new in pairs if old.informed and not new.informed]
    return not forgot or because(f"{listed(forgot)} forgot the message")


@at_the_end
def everyone_is_informed(view: View) -> Verdict:
    """At the end everyone alive has the message."""
    waiting = [p for p in view.alive if not p.informed]
    return not waiting or because(f"nothing more can happen, and {listed(waiting)} never got the message")


@at_the_end(when=lambda protocol: protocol.network != "sticky")
def nothing_in_transit(view: View) -> Verdict:
    """At the end no message is left on its way."""
    left = view.in_transit()
    return not left or because(f"{left[0].message} from {left[0].source} still waits at {left[0].target}")


termination = terminates()
