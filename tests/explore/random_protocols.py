"""Random protocols, as the text of a model file: a case that fails is read, and run, like any other model."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from modelcheck.language.networks import NETWORKS

TOPOLOGIES = {
    "one_way_ring": (1, 2, 3),
    "two_way_ring": (1, 2, 3),
    "two_way_ring.unoriented": (1, 2),
    "complete": (1, 2, 3),
    "line": (1, 2, 3),
    "star": (2, 3),
    "star.unoriented": (2, 3),
    "any_graph": (2, 3),
    "complete.oriented": (1, 2, 3),
    "chordal_ring(1, 2)": (3, 4),
    "mesh.oriented": (4,),
}
KNOWN = {
    "n": "self.n > 2",
    "neighbours": "any(self.neighbour(p) > self.id for p in self.ports[:1])",
    "everyone": "self.id == self.everyone[0]",
}
HEADER = """\
from modelcheck import *

class Ping(Message):
    v: int

class Pong(Message):
    v: int

class Name(Message):
    id: Id
"""


def examples(every_day: int, thorough: int = 300) -> int:
    """How many examples a test tries, each of which takes long: every day or under --thorough, or RANDOM_PROTOCOLS of the environment."""
    everything = settings.get_profile("modelcheck").max_examples >= 300
    return int(os.environ.get("RANDOM_PROTOCOLS", thorough if everything else every_day))


class RandomProtocol:
    """A model file and how to check it. Printed as both."""

    def __init__(self, source: str, options: dict[str, Any]) -> None:
        self.source, self.options = source, options

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"\n{self.source}\ncheck(FILE{arguments})\n"


@st.composite
def protocols(draw: Any) -> RandomProtocol:
    return _Writer(draw).write()


class _Writer:
    """Draws a protocol line by line; what comes first in a list is what a failing case shrinks to."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.topology = self.among(*TOPOLOGIES)
        self.network = self.among(*NETWORKS)
        self.named = self.maybe()
        self.rooted = self.maybe(4)
        self.knowing = self.among("", "n", *(("neighbours", "everyone") if self.named else ()))
        self.second = self.maybe()
        self.shared = self.maybe(3)
        self.faulty = self.maybe()
        self.hears = self.faulty and self.network != "sticky" and self.maybe()
        self.hears_up = self.hears and self.maybe()
        self.draws = self.maybe(3)
        self.domain = self.among(2, 3)

    # --- drawing

    def among(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def maybe(self, one_in: int = 2) -> bool:
        return bool(self.draw(st.integers(0, one_in - 1)) == one_in - 1)

    def number(self, most: int) -> int:
        return int(self.draw(st.integers(0, most)))

    def several(self, least: int, most: int, make: Any) -> list[str]:
        return [line for _ in range(least + self.number(most - least)) for line in make()]

    # --- the protocol

    def write(self) -> RandomProtocol:
        lines = [HEADER, "class Model(Process):"]
        body = [
            f"topology = {self.topology}",
            f"networks = {tuple(NETWORKS)!r}",
            f'identifiers = "{"any" if self.named else "none"}"',
            f"knows = {tuple(what for what in ('root' * self.rooted, self.knowing) if what)!r}",
            'tolerates = ("losses", "duplications", "crashes", "recoveries", "suspicions", "partitions", "heals")',
            "specs = ()",
            f"a: int = {self.among('0', 'stable(0)')}",
        ]
        if self.second:
            body.append(f"b: int = {self.among('0', '1', 'stable(0)')}")
        if self.named:
            body.append("best: Id | None = None")
        if self.shared:
            body.append("s: int = shared(0)")
        if self.maybe(3):
            body += ["", "def initially(self):", "    self.a = self.choose((0, 1))"]
            if self.maybe(3):
                body += ["    if self.a == 1:", "        self.start_crashed()"]
            if self.maybe(3):
                port = "PREVIOUS" if self.topology == "one_way_ring" else "port"
                body += ["    for port in self.ports[:1]:", f"        self.start_with({port}, Ping(self.a))"]
        if self.shared and self.maybe(3):
            body += ["", "def shared_initially(self):", "    self.s = self.choose((0, 1))"]
        for k in range(1 + self.number(2)):
            kind = self.among("initiate", "step")
            body += ["", f"@{kind}", f"def {kind}_{k}(self):", *self.guard(), *self.body(False)]
        for kind in ("Ping", "Pong", *(("Name",) if self.named else ()), *(("Down",) if self.hears else ())):
            for k in range(self.among(1, 1, 1, 2, 0) if kind != "Down" else 1):
                body += ["", f"@receive({kind})", f"def get_{kind.lower()}_{k}(self, message, port):"]
                body += [*(self.guard() if self.maybe(4) else []), *self.body(kind)]
        if self.hears_up:
            body += ["", "@receive(Up)", "def get_up(self, message, port):", *self.body("Up")]
        if self.faulty and self.maybe(3):
            body += ["", "@recover", "def come_back(self):", *self.body(False)]
        lines += ["    " + line if line else "" for line in body]
        for k in range(self.number(4)):
            lines += ["", *self.property(k)]
        if self.maybe():
            lines += ["", "ends = terminates()"]
        return RandomProtocol("\n".join(lines) + "\n", self.options())

    def guard(self) -> list[str]:
        """Most spontaneous steps can be taken once, so that most protocols end."""
        if self.maybe(4):
            return [f"    self.require({self.condition(False)})"]
        return ["    self.require(self.a == 0)", f"    self.a = {1 + self.number(self.domain - 2)}"]

    def body(self, message: Any) -> list[str]:
        found = self.several(0, 3, lambda: self.action(message))
        return [f"    {line}" for line in found] or ["    pass"]

    def action(self, message: Any) -> list[str]:
        if self.maybe(4):
            return [f"if {self.condition(message)}:", f"    {self.simple(message)}"]
        return [self.simple(message)]

    def simple(self, message: Any) -> str:
        a_field = self.among("a", *(("b",) if self.second else ()), *(("s",) if self.shared else ()))
        kinds = [
            f"self.{a_field} = ({self.value(message)}) % {self.domain}",
            f"self.send_all({self.letter(message)})",
            f"for p in self.ports[{self.among(':1', '-1:')}]: self.send(p, {self.letter(message)})",
        ]
        if message in ("Ping", "Pong", "Name") and self.topology != "one_way_ring":
            kinds.append(f"self.reply({self.letter(message)})")
        if message in ("Ping", "Pong", "Name"):
            kinds.append("for p in self.ports[:1]: self.send(p, message)")
        chance = "draw((0, 1), (1, 2))" if self.draws else "choose((0, 1))"  # never one after the other
        kinds.append(f"self.{a_field} = self.{chance}")
        if self.named:
            kinds.append("self.best = self.id")
        if message == "Name":
            kinds.append("self.best = message.id")
        if self.maybe(8):
            kinds = [f"assert {self.condition(message)}", f"1 // ({self.value(message)})"]
        return str(self.among(*kinds))

    def letter(self, message: Any) -> str:
        if self.named and self.maybe(3):
            return "Name(self.id)"
        return f"{self.among('Ping', 'Pong')}(({self.value(message)}) % {self.domain})"

    def value(self, message: Any) -> str:
        terms = ["0", "1", "self.a", "self.a + 1"]
        if self.second:
            terms += ["self.b", "self.a + self.b"]
        if self.shared:
            terms += ["self.s", "self.s + 1"]
        if message in ("Ping", "Pong"):
            terms += ["message.v", "message.v + 1", "message.v + self.a"]
        return str(self.among(*terms))

    def condition(self, message: Any) -> str:
        terms = [
            f"({self.value(message)}) % {self.domain} {self.among('==', '!=', '<')} {self.number(self.domain - 1)}"
        ]
        if self.rooted:
            terms.append("self.is_root")
        if self.knowing:
            terms.append(KNOWN[self.knowing])
        if message == "Name":
            terms += ["message.id > self.id", "message.id == self.id"]
        if message:
            terms.append("port == self.ports[0]" if self.topology != "one_way_ring" else "port == PREVIOUS")
        return str(self.among(*terms))

    # --- properties

    def property(self, k: int) -> list[str]:
        whole = ("eventually", "eventually_always", "always_eventually", "leads_to")
        kind = self.among("always", "every_step", "at_the_end", *whole)
        if kind == "every_step":
            return ["@every_step", f"def claim_{k}(before, after):", f"    return {self.step_claim()}"]
        if kind == "leads_to":
            first, then = ([f"def {name}_{k}{self.claimed()}", ""] for name in ("first", "then"))
            return [*first, *then, f"claim_{k} = leads_to(first_{k}, then_{k}, name='claim_{k}')"]
        return [f"@{kind}", f"def claim_{k}{self.claimed()}"]

    def claimed(self) -> str:
        """What follows the name of a property: of the state, or of each process."""
        if self.maybe(3):
            return f"(view, p): return {self.term('p')}"
        return f"(view): return {self.claim()}"

    def term(self, p: str) -> str:
        """Something to see of a process."""
        terms = [f"{p}.a == {self.number(self.domain - 1)}", f"{p}.crashed"]
        if self.second:
            terms += [f"{p}.b == {self.number(1)}", f"{p}.a == {p}.b", f"({p}.a == 0 or {p}.b == 1)"]
        if self.named:
            terms += [f"{p}.best is None", f"{p}.best == {p}.id"]
        if self.rooted:
            terms.append(f"({p}.is_root and {p}.a == 1)")
        terms.append(f"({p}.is_initiator or {p}.a == 1)")
        return str(self.among(*terms))

    def claim(self, view: str = "view") -> str:
        claims = [
            f"not all({self.term('p')} for p in {view}.processes)",
            f"all({self.term('p')} for p in {view}.{self.among('alive', 'processes')})",
            f"sum({self.term('p')} for p in {view}.processes) <= 1",
            f"len({view}.in_transit({self.among('', 'Ping', 'Pong', 'Ping, Pong')})) < {1 + self.number(3)}",
            f"all(m.message.v == {self.number(1)} for m in {view}.in_transit(Ping))",
            f"all({self.term('m.target')} for m in {view}.in_transit(Pong))",
            f"all({self.term('p')} or {self.term('p.at(p.ports[0])')} for p in {view}.processes if p.ports)",
        ]
        if self.faulty:
            claims += [
                f"len({view}.blocks) <= {1 + self.number(1)}",
                f"all(sum({self.term('p')} for p in block) <= 1 for block in {view}.blocks)",
                f"not any(2 * len(b) > len({view}.processes) and all({self.term('p')} for p in b) for b in {view}.blocks)",
            ]
        if self.shared:
            claims += [
                f"{view}.shared.s == 0",
                f"{view}.shared.s == 0 or any({self.term('p')} for p in {view}.processes)",
            ]
        return str(self.among(*claims))

    def step_claim(self) -> str:
        claims = [
            f"all({self.term('q')} or not ({self.term('p')}) for p, q in zip(before.processes, after.processes))",
            f"({self.claim('after')}) or not ({self.claim('before')})",
            f"({self.claim('after')}) != ({self.claim('before')})",
            "len(after.in_transit()) <= len(before.in_transit()) + 1",
        ]
        return str(self.among(*claims))

    # --- how it is checked

    def options(self) -> dict[str, Any]:
        n = self.among(*TOPOLOGIES[self.topology])
        options: dict[str, Any] = {"n": n, "network": self.network}
        if self.named:
            ids = self.among("unique", "any", f"from:{max(3, n)}", ",".join(str(1 + self.number(2)) for _ in range(n)))
            options["ids"] = ids
        initiators = self.among("all", "each", "size:1", "1")
        if initiators != "all":
            options["initiators"] = initiators
        if self.maybe(4):
            options["start"] = "simultaneous"
        if self.rooted and self.maybe():
            options["root"] = 1 + self.number(n - 1)
        if self.faulty:
            sticky = self.network == "sticky"
            options["losses"] = self.number(1)
            options["duplications"] = 0 if sticky or self.network == "newest" else self.number(1)
            options["crashes"] = 0 if sticky else self.number(2)
            options["recoveries"] = self.number(1) if options["crashes"] else 0
            if options["crashes"] and self.maybe(3):
                options["may_crash"] = self.among([1], [n], *(("others",) if self.rooted else ()))
            options["partitions"] = 0 if sticky else self.number(2)
            if options["partitions"]:
                options["heals"] = self.number(1)
                options["across"] = self.among("lost", "held")
            if self.hears and self.maybe():
                options["detector"] = self.among("unreliable:1", "perfect", "heartbeat")
            if self.hears_up and not options["partitions"] and self.maybe():
                options["detector"] = "eventually_perfect:1"
        if self.maybe(4):
            options["capacity"] = 1 + self.number(1)
        if self.maybe(4):
            options["symmetry"] = False
        return {name: value for name, value in options.items() if value != 0 or name == "symmetry"}
