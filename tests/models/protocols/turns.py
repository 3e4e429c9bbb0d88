"""A token goes round, and who has it works, if it has asked. Without `patient` whoever asks may pass it on."""

from modelcheck import (
    NEXT,
    Message,
    Parameter,
    Process,
    always_eventually,
    eventually_always,
    initiate,
    leads_to,
    one_way_ring,
    receive,
    step,
)


class Token(Message):
    pass


class Turns(Process):
    topology = one_way_ring
    tolerates = ("losses",)
    specs = ()
    patient = Parameter(True, "whether who has asked takes the token that comes", among=(True, False))
    begun: bool = False
    asks: bool = False
    works: bool = False

    @initiate
    def begin(self):
        self.require(not self.begun)
        self.begun = True
        self.send(NEXT, Token())

    @step
    def ask(self):
        self.require(not self.asks and not self.works)
        self.asks = True

    @receive(Token)
    def take(self, message):
        if self.asks and (self.patient or self.choose((True, False))):
            self.asks, self.works = False, True
        else:
            self.send(NEXT, message)

    @step
    def leave(self):
        self.require(self.works)
        self.works = False
        self.send(NEXT, Token())


def asks(_, p):
    return p.asks


def works(_, p):
    return p.works


asks_leads_to_works = leads_to(asks, works)


@always_eventually
def everyone_works(_, p):
    return p.works


@eventually_always
def nobody_works(view):
    return not any(p.works for p in view.processes)
