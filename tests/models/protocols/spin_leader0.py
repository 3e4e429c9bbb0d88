"""Spin's leader0.pml (Dolev, Klawe and Rodeh), statement by statement: every statement of the proctype is a step.

`pc` says before which statement a node stands. Spin ends processes in the opposite order of their creation, so the last node goes first.
"""

from typing import Literal

from modelcheck import NEXT, Message, Process, one_way_ring, receive, shared, step


class One(Message):
    nr: int


class Two(Message):
    nr: int


class Winner(Message):
    nr: int


class Node(Process):
    topology = one_way_ring
    knows = ("integers", "position", "n")
    specs = ()

    pc: Literal[
        "msc", "send", "do", "one", "compare", "two!", "neighbour", "assert", "know", "winner!", "relay one", "two", "greatest",
        "maximum", "one!", "passive", "relay two", "winner", "lost", "leader", "count", "assert one", "knows", "relay winner", "end",
        "gone",
    ] = "msc"  # fmt: skip
    active: bool = True
    know_winner: bool = False
    nr: int = 0
    maximum: int = 0
    neighbour_r: int = 0
    nr_leaders: int = shared(0)
    ended: int = shared(0)

    def initially(self):
        self.maximum = self.id

    @step
    def statement(self):
        self.require(self.pc not in ("do", "end", "gone"))
        match self.pc:
            case "msc":
                self.pc = "send"
            case "send":
                self.send(NEXT, One(self.id))
                self.pc = "do"
            # after inp?one(nr)
            case "one":
                self.pc = "compare" if self.active else "relay one"
            case "compare":
                self.pc = "two!" if self.nr != self.maximum else "assert"
            case "two!":
                self.send(NEXT, Two(self.nr))
                self.pc = "neighbour"
            case "neighbour":
                self.neighbour_r = self.nr
                self.pc = "do"
            case "assert":
                assert self.nr == self.n
                self.pc = "know"
            case "know":
                self.know_winner = True
                self.pc = "winner!"
            case "winner!":
                self.send(NEXT, Winner(self.nr))
                self.pc = "do"
            case "relay one":
                self.send(NEXT, One(self.nr))
                self.pc = "do"
            # after inp?two(nr)
            case "two":
                self.pc = "greatest" if self.active else "relay two"
            case "greatest":
                self.pc = "maximum" if self.neighbour_r > max(self.nr, self.maximum) else "passive"
            case "maximum":
                self.maximum = self.neighbour_r
                self.pc = "one!"
            case "one!":
                self.send(NEXT, One(self.neighbour_r))
                self.pc = "do"
            case "passive":
                self.active = False
                self.pc = "do"
            case "relay two":
                self.send(NEXT, Two(self.nr))
                self.pc = "do"
            # after inp?winner,nr
            case "winner":
                self.pc = "lost" if self.nr != self.id else "leader"
            case "lost":
                self.pc = "knows"
            case "leader":
                self.pc = "count"
            case "count":
                self.nr_leaders += 1
                self.pc = "assert one"
            case "assert one":
                assert self.nr_leaders == 1
                self.pc = "knows"
            case "knows":
                self.pc = "end" if self.know_winner else "relay winner"
            case "relay winner":
                self.send(NEXT, Winner(self.nr))
                self.pc = "end"

    @receive(One)
    def one(self, message):
        self.require(self.pc == "do")
        self.nr, self.pc = message.nr, "one"

    @receive(Two)
    def two(self, message):
        self.require(self.pc == "do")
        self.nr, self.pc = message.nr, "two"

    @receive(Winner)
    def winner(self, message):
        self.require(self.pc == "do")
        self.nr, self.pc = message.nr, "winner"

    @step
    def end(self):
        self.require(self.pc == "end" and self.ended == self.n - 1 - self.position)
        self.ended += 1
        self.pc, self.active, self.know_winner, self.nr, self.maximum, self.neighbour_r = "gone", False, False, 0, 0, 0
