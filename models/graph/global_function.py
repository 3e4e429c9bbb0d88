"""A service that computes a function of everyone's input: a spanning tree, partial results up the tree, the answer down again.

First the root has a spanning tree built. Then everyone calls `compute`: who has the partial results of all its children sends its own
to its parent, the root has the answer and sends it down, and each call returns when the answer has come. The function must be commutative
and associative. A partial result that comes before the call waits, and every call begins afresh; Garg's program forgets both after
the first call, so a second one counts partial results twice or waits for ever. The input of a process is its identifier.
"""

from typing import Literal

from modelcheck.models.spanning_tree import AsPrinted, SpanningTree

from modelcheck import Message, Parameter, Port, at_the_end, because, listed, receive, step


class SubTree(Message):
    value: int


class Answer(Message):
    value: int


class GlobalFunction(SpanningTree):
    source = "Garg, section 13.5.4, Figure 13.6"
    networks = ("fifo", "bag", "set")
    identifiers = "unique"
    knows = ("root", "integers")
    specs = ("global_function",)
    complexity = {"exactly": "4m", "exactly of SubTree": "n - 1", "exactly of Answer": "n - 1"}

    function = Parameter("sum", "of everyone's input", among=("sum", "product", "min", "max"))
    rounds = Parameter(1, "how often everyone calls compute", among=(1, 2))

    calls: int = 0
    phase: Literal["idle", "collecting", "waiting"] = "idle"
    pending: tuple[Port, ...] | None = None  # the children whose partial results are missing
    value: int
    answer: int | None = None

    def initially(self):
        self.value = self.id

    @step
    def compute(self):
        self.require(self.done and self.phase == "idle" and self.calls < self.rounds)
        self.calls += 1
        self.phase = "collecting"
        self.begin_call()
        self.pass_up()

    def begin_call(self):
        self.pending = tuple(self.children)
        self.value = self.id

    @receive(SubTree)
    def combine(self, partial, port):
        self.require(self.pending is not None)
        self.strike_out(port)
        f = {"sum": int.__add__, "product": int.__mul__, "min": min, "max": max}[self.function]
        self.value = f(self.value, partial.value)
        if self.phase == "collecting":
            self.pass_up()

    def strike_out(self, child):
        self.pending = tuple(other for other in self.pending if other != child)

    def pass_up(self):
        if self.pending:
            return
        if self.is_root:
            self.answer = self.value
            self.pass_down()
        else:
            self.send(self.parent, SubTree(self.value))
            self.phase = "waiting"

    @receive(Answer)
    def learn(self, answer):
        self.answer = answer.value
        if self.phase == "waiting":
            self.pass_down()

    def pass_down(self):
        for child in self.children:
            self.send(child, Answer(self.answer))
        self.end_call()

    def end_call(self):
        self.phase, self.pending = "idle", None


class ForgetsNothing(GlobalFunction):
    """A call starts from what the last one left, as printed."""

    def begin_call(self):
        self.pending = tuple(self.children)

    def end_call(self):
        self.phase = "idle"


class StrikesOutByNumber(GlobalFunction):
    """The child at the place that is its number is struck out, as printed."""

    knows = ("root", "integers", "neighbours")

    def strike_out(self, child):
        pending = list(self.pending)
        del pending[self.neighbour(child) - 1]
        self.pending = tuple(pending)


class NotAtomic(GlobalFunction):
    """Other messages may come before a call that has sent its partial result forgets the last answer."""

    phase: Literal["idle", "collecting", "sent", "waiting"] = "idle"

    def pass_up(self):
        super().pass_up()
        if self.phase == "waiting":
            self.phase = "sent"

    @step
    def forget_the_last_answer(self):
        self.require(self.phase == "sent")
        self.phase = "waiting"


class LeafIsNeverDone(GlobalFunction, AsPrinted):
    """A leaf of the spanning tree is never done, as printed."""


@at_the_end
def every_call_returns(view):
    """At the end everyone has called as often as it should, and has the answer of every call."""
    without = [p for p in view.alive if p.answer is None or p.phase != "idle" or p.calls < view.protocol.rounds]
    return not without or because(f"nothing more can happen, and an answer has not come to {listed(without)}")
