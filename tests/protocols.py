"""Tiny protocols, most of them at fault in one way, for tests of what is reported. Written after the header of conftest."""

ENDLESS = """
class Token(Message):
    hops: int

class Endless(Process):
    topology = one_way_ring
    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token(1))

    @receive(Token)
    def pass_on(self, message):
        self.send(NEXT, message)
"""

RAISES = """
class Token(Message):
    hops: int

class Raises(Process):
    topology = one_way_ring
    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token(1))

    @receive(Token)
    def take(self, message):
        self.divide(message)

    def divide(self, message):
        return 1 // (message.hops - 1)
"""

ASSERTS = RAISES.replace("return 1 // (message.hops - 1)", 'assert message.hops > 1, "too few hops"')

UNHEARD = """
class Token(Message):
    hops: int

class Unheard(Process):
    topology = one_way_ring
    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.awake = True
        self.send(NEXT, Token(1))
"""

STUCK = """
class Stuck(Process):
    topology = one_way_ring
    done: bool = False

    @step
    def finish(self):
        self.require(self.id != max([self.id]))
        self.done = True

@at_the_end
def everyone_is_done(view):
    "At the end everyone is done."
    return all(p.done for p in view.processes) or because("p1 is not done")
"""

GROWS = """
class Grows(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def tick(self):
        self.count += 1
"""

LOOKS_AT_N = """
class Looks(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def look(self):
        self.require(self.count == 0)
        self.count = self.n
"""

PRINTS = """
print("while it is read")

class Prints(Process):
    topology = one_way_ring
    done: bool = False

    @step
    def finish(self):
        print("while it runs")
        self.require(not self.done)
        self.done = True
"""

HANGS = """
class Hangs(Process):
    topology = one_way_ring
    count: int = 0

    @step
    def tick(self):
        while self.count == 2:
            pass
        self.count += 1
"""

UNLUCKY = """
class Unlucky(Process):
    topology = one_way_ring
    done: bool = False
    odd: bool = False

    @step
    def throw(self):
        self.require(not self.done)
        self.odd = not self.odd
        self.done = self.draw([True, False])
"""

ALL_FAULTY = {
    "endless": (ENDLESS, 13),
    "raises": (RAISES, 75),
    "asserts": (ASSERTS, 14),
    "unheard": (UNHEARD, 12),
    "stuck": (STUCK, 11),
}

ONE_TOKEN = """
class Token(Message):
    pass

class Ring(Process):
    topology = one_way_ring
    seen: bool = False

    @initiate
    def begin(self):
        self.require(not self.seen)
        self.seen = True
        self.send(NEXT, Token())

    @receive(Token)
    def end(self, message, port):
        self.seen = True
"""
