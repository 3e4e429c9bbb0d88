"""Hears of others going and coming back. Its property fails as soon as a split network is whole again.   (for tests of traces)"""

from modelcheck import Down, Message, Process, Up, View, always, complete, initiate, receive


class Note(Message):
    seen: frozenset[int]


class HearsAgain(Process):
    topology = complete
    tolerates = ("partitions", "crashes")
    seen: tuple[int, ...] = ()
    back: bool = False

    @initiate
    def tell(self) -> None:
        self.require(not self.seen)
        self.seen = (1,)
        self.send_all(Note(frozenset({1, 2})))

    @receive(Note)
    def listen(self, message: Note) -> None:
        self.seen = (*self.seen, len(message.seen))

    @receive(Down)
    def miss(self, message: Down) -> None:
        self.back = False

    @receive(Up)
    def greet(self, message: Up) -> None:
        self.back = True


@always
def nobody_comes_back_with_news(view: View) -> bool:
    "Whoever has heard something from another has not seen anyone come back."
    return all(not p.back or len(p.seen) < 2 for p in view.processes)
