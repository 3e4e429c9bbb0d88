"""Election on a complete graph with a sense of direction: a captor takes with its victim all that the victim has captured.

A candidate asks for the processes behind it around a ring through all, one after the other. Those that it has captured are an arc, and it is
enough to know how long that is: who is captured tells how many are its own, and the captor goes on behind them. So nobody is asked
again who stands within an arc, and all captures together take O(n) messages, where without a sense of direction n log n are needed.
A candidate of greater identifier gives no answer, and whoever waits for it stands no more.

After the algorithm of Loui, Matsushita and West, which finds the greatest identifier; here whoever has captured all leads, and the rules
are our own as far as they are not the idea.
"""

from typing import Literal

from modelcheck import ElectionProcess, Id, Message, chord, complete, initiate, receive


class Claim(Message):
    id: Id


class Yours(Message):
    behind: int


class Leader(Message):
    id: Id


class CapturedArcs(ElectionProcess):
    source = "after Loui, Matsushita and West, Information Processing Letters 22, 1986"
    topology = complete.oriented
    networks = ("fifo", "bag", "set")
    elects = "any"
    complexity = {"at most": "5(n - 1)", "exactly of Leader": "n - 1"}

    mode: Literal["asleep", "candidate", "captured"] = "asleep"
    behind: int = 0  # it has captured so many

    @initiate
    def start(self):
        self.require(self.mode == "asleep")
        self.mode = "candidate"
        self.go_on()

    def go_on(self):
        if self.behind >= len(self.ports):
            self.leader = self.id
            self.send_all(Leader(self.id))
        else:
            self.send(chord(self.behind + 1), Claim(self.id))

    @receive(Claim)
    def give_in(self, message):
        if self.mode != "candidate" or message.id > self.id:
            self.mode = "captured"
            self.reply(Yours(self.behind))

    @receive(Yours)
    def take(self, message):
        if self.mode == "candidate":
            self.behind += 1 + message.behind
            self.go_on()

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
