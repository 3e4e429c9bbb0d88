"""Herman 1990: tokens on an anonymous ring go round at random until one is left, from whatever state the ring is in.

Every process holds a bit and in each round tells it to the next. Who has the bit of the process before it holds a token: it draws its
bit anew, which keeps the token or passes it on, each with probability 1/2. Everybody else takes the bit of the process before it. Tokens
that meet vanish in pairs. On a ring of odd size there is an odd number of them, so at last one is left, with probability 1, and goes on
for ever: the protocol stabilises by itself, and never ends.

It is written for --schedule lockstep, and for rings of odd size; on others all tokens may vanish. The bits at first are the scheduler's,
so what is expected is least and greatest over all states to begin in. With --start simultaneous the first bits have been told before
the first round.
"""

from modelcheck import NEXT, Message, Process, eventually, initiate, one_way_ring, receive


class Bit(Message):
    value: int


class Herman(Process):
    source = "T. Herman, Probabilistic self-stabilization, IPL 35, 1990; A. McIver and C. Morgan, IPL 94, 2005"
    topology = one_way_ring
    identifiers = "none"
    specs = ()
    complexity = {
        "schedule=lockstep, until=one_token, greatest expected steps": "4 floor(n/3) floor((n+1)/3) floor((n+2)/3) / n",
    }

    bit: int
    told: bool = False

    def initially(self):
        self.bit = self.choose((0, 1))

    @initiate
    def tell(self):
        self.require(not self.told)
        self.told = True
        self.send(NEXT, Bit(self.bit))

    @receive(Bit)
    def follow(self, message):
        self.bit = self.draw((0, 1)) if message.value == self.bit else message.value
        self.send(NEXT, Bit(self.bit))


@eventually
def one_token(view):
    """From some moment on exactly one process holds a token."""
    return sum(p.bit == p.at(NEXT).bit for p in view.processes) == 1
