"""Convergecast in a rooted tree: reports go up from the leaves, each process combines those of its children with its input.

A process has as many children as neighbours but one, the root as many as neighbours. When all have reported it reports to its
parent, which is the neighbour that has not; the root has the answer. The figure has processes act on reports only, so there
nobody ever begins: here those without children do. The input of a process is its identifier.
"""

from modelcheck import Message, Parameter, Port, Process, initiate, receive, tree


class Report(Message):
    value: int


class Convergecast(Process):
    source = "Garg, Figure 13.4"
    topology = tree
    networks = ("fifo", "bag", "set")
    knows = ("root", "integers")
    specs = ("global_function",)
    complexity = {"exactly": "n - 1"}

    function = Parameter("sum", "of everyone's input", among=("sum", "product", "min", "max"))

    value: int  # of the function, over the inputs reported so far
    reports: frozenset[Port] = frozenset()
    done: bool = False
    answer: int | None = None  # at the root

    def initially(self):
        self.value = self.id

    @initiate
    def begin(self):
        self.require(not self.done and self.children() == 0)
        self.finish()

    @receive(Report)
    def combine(self, report, port):
        f = {"sum": int.__add__, "product": int.__mul__, "min": min, "max": max}[self.function]
        self.value = f(self.value, report.value)
        self.reports |= {port}
        if len(self.reports) == self.children():
            self.finish()

    def children(self):
        return len(self.ports) - (not self.is_root)

    def finish(self):
        self.done = True
        if self.is_root:
            self.answer = self.value
        else:
            [parent] = set(self.ports) - self.reports
            self.send(parent, Report(self.value))


class AsPrinted(Convergecast):
    """Processes act on reports only, so that nothing ever happens."""

    @initiate
    def begin(self):
        self.require(False)
