"""What `modelcheck new` writes: a small correct protocol that runs at once and teaches the language as it is read."""

from __future__ import annotations

import keyword

import modelcheck

from ..errors import UsageError


def skeleton(name: str) -> str:
    """The text of NAME.py. Raises UsageError for a name that no Python module can have."""
    if not name.isidentifier() or keyword.iskeyword(name):
        bare = name.removesuffix(".py")
        wanted = "".join(c if c.isalnum() else "_" for c in bare).strip("_").lower() or "mine"
        wanted = wanted if wanted.isidentifier() and not keyword.iskeyword(wanted) else f"my_{wanted}"
        raise UsageError(f"{name!r} is no name for a Python module; try {wanted}")
    return _TEXT.replace("CLASS_NAME", _class_name(name)).replace("FILE_NAME", name)


def _class_name(name: str) -> str:
    camel = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    if not camel.isidentifier() or camel in modelcheck.__all__ or camel == "Token" or keyword.iskeyword(camel):
        return camel + "Protocol" if (camel + "Protocol").isidentifier() else "Protocol" + camel
    return camel


_TEXT = '''"""Le Lann 1977: every identifier travels once around the ring, and everyone picks the largest.

The first line of this text is the title in `modelcheck show`. Change this protocol into yours, a bit at a time, and
run it after every bit:

    modelcheck run ./FILE_NAME.py --n 4

It is correct as it stands. To see a counterexample, let messages overtake each other (--network bag), or lose one
(--losses 1).
"""

from modelcheck import (
    NEXT,
    ElectionProcess,
    Id,
    Message,
    Verdict,
    View,
    always,
    because,
    initiate,
    one_way_ring,
    receive,
)


# A message is a record that never changes. Identifiers can be compared and sent, nothing else: no protocol can cheat.
class Token(Message):
    id: Id


# Every process runs this code. A step looks at its own process and at most one message; the checker tries every order
# of steps, from every assignment of identifiers.
class CLASS_NAME(ElectionProcess):
    source = "Le Lann, Distributed systems: towards a formal approach, IFIP 1977"
    topology = one_way_ring  # or two_way_ring, line, star, tree, mesh, torus, hypercube, complete, any_graph
    networks = ("fifo",)  # what it is written for: each link delivers in the order of sending
    elects = "max"  # what it promises: the largest identifier of all leads
    complexity = {"exactly": "n * n"}  # messages; `modelcheck messages` counts them

    # The local variables, with types and initial values. An ElectionProcess also has `leader` (whom it takes for the
    # leader, None at first), where it records its decision.
    largest: Id | None = None  # the largest identifier seen so far; None while asleep

    @initiate  # a step a process takes by itself, at any moment ...
    def wake_up(self) -> None:
        self.require(self.largest is None)  # ... at which its guard holds
        self.begin()

    @receive(Token)  # a step that takes a waiting message
    def pass_on(self, message: Token) -> None:
        if self.largest is None:
            self.begin()
        if message.id == self.id:  # once around: all the others have come by before it
            self.leader = self.largest
        else:
            self.largest = max(self.largest, message.id)
            self.send(NEXT, message)

    def begin(self) -> None:  # steps may share plain methods
        self.largest = self.id
        self.send(NEXT, Token(self.id))


# The election specification (one leader, the right one, all agree, every run ends) is checked anyway. What else must
# hold goes here; `because` says why it does not.
@always
def decides_for_the_largest(view: View) -> Verdict:
    """Whoever names a leader names the largest identifier it has seen."""
    for p in view.processes:
        if p.leader is not None and p.leader != p.largest:
            return because(f"{p} names {p.leader} and has seen {p.largest}")
    return True
'''
