"""A service that computes a function of everyone's input: a spanning tree, partial results up the tree, the answer down again.

First the root has a spanning tree built. Then everyone calls `compute`: who has the partial results of all its children sends its own
to its parent, the root has the answer and sends it down, and each call returns when the answer has come. The function must be commutative
and associative. A partial result that comes before the call waits, and every call begins afresh; Garg's program forgets both after
the first call, so a second one counts partial results twice or waits for ever. The input of a process is its identifier.
"""

from typing import Literal

from modelcheck import (
    Message,
    Parameter,
    Port,
    Process,
    any_graph,
    at_the_end,
    because,
    initiate,
    listed,
    receive,
    step,
)


class Invite(Message):
    pass


class Accept(Message):
    pass


class Reject(Message):
    pass


class SubTree(Message):
    value: int


class Answer(Message):
    value: int


class GlobalFunction(Process):
    source = "Garg, section 13.5.4, Figure 13.6"
    topology = any_graph
    networks = ("fifo", "bag", "set")
    knows = ("root", "integers", "neighbours")  # neighbours for remove=index only
    specs = ("global_function",)
    complexity = {"exactly": "4m", "exactly of SubTree": "n - 1", "exactly of Answer": "n - 1"}

    function = Parameter("sum", "of everyone's input", among=("sum", "product", "min", "max"))
    rounds = Parameter(1, "how often everyone calls compute", among=(1, 2))
    reset = Parameter(True, "false: a call starts from what the last one left, as printed")
    remove = Parameter(
        "value", "index: strike out the child at the place that is its number, as printed", among=("value", "index")
    )
    atomic_compute = Parameter(
        True, "false: other messages may come before a call that has sent its partial result forgets the last answer"
    )
    leaf_check = Parameter(True, "false: a leaf of the spanning tree is never done, as printed")

    joined: bool = False
    parent: Port | None = None
    children: frozenset[Port] = frozenset()
    reports: int = 0
    done: bool = False

    calls: int = 0
    phase: Literal["idle", "collecting", "sent", "waiting"] = "idle"
    pending: tuple[Port, ...] | None = None  # the children whose partial results are missing
    value: int
    answer: int | None = None

    def initially(self):
        self.value = self.id

    # the spanning tree

    @initiate
    def begin(self):
        self.require(self.is_root and not self.joined)
        self.joined = True
        self.send_all(Invite())
        self.test_whether_done()

    @receive(Invite)
    def join_or_reject(self, invite, port):
        if self.joined:
            self.reply(Reject())
            return
        self.joined = True
        self.parent = port
        self.reports = 1
        self.reply(Accept())
        self.send_all(invite, but=port)
        if self.leaf_check:
            self.test_whether_done()

    @receive(Accept)
    def adopt(self, accept, port):
        self.children |= {port}
        self.count_report(accept)

    @receive(Reject)
    def count_report(self, _):
        self.reports += 1
        self.test_whether_done()

    def test_whether_done(self):
        self.done = self.reports == len(self.ports)

    # the function

    @step
    def compute(self):
        self.require(self.done and self.phase == "idle" and self.calls < self.rounds)
        self.calls += 1
        self.phase = "collecting"
        self.pending = tuple(self.children)
        if self.reset:
            self.value = self.id
        self.pass_up()

    @receive(SubTree)
    def combine(self, partial, port):
        self.require(self.pending is not None)
        if self.remove == "index":
            pending = list(self.pending)
            del pending[self.neighbour(port) - 1]
            self.pending = tuple(pending)
        else:
            self.pending = tuple(child for child in self.pending if child != port)
        f = {"sum": int.__add__, "product": int.__mul__, "min": min, "max": max}[self.function]
        self.value = f(self.value, partial.value)
        if self.phase == "collecting":
            self.pass_up()

    def pass_up(self):
        if self.pending:
            return
        if self.is_root:
            self.answer = self.value
            self.pass_down()
        else:
            self.send(self.parent, SubTree(self.value))
            self.phase = "waiting" if self.atomic_compute else "sent"

    @step
    def forget_the_last_answer(self):
        self.require(self.phase == "sent")
        self.phase = "waiting"

    @receive(Answer)
    def learn(self, answer):
        self.answer = answer.value
        if self.phase == "waiting":
            self.pass_down()

    def pass_down(self):
        for child in self.children:
            self.send(child, Answer(self.answer))
        self.phase = "idle"
        if self.reset:
            self.pending = None


@at_the_end
def every_call_returns(view):
    """At the end everyone has called as often as it should, and has the answer of every call."""
    without = [p for p in view.alive if p.answer is None or p.phase != "idle" or p.calls < view.protocol.rounds]
    return not without or because(f"nothing more can happen, and an answer has not come to {listed(without)}")
