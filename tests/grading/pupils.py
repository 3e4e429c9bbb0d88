"""A class of forty that hand in an election on a one-way ring: some can, some cannot, and some cheat.

Each is a change of one correct protocol, so that what a cheat wins can be seen against what it would have had.
"""

from __future__ import annotations

import random
from pathlib import Path

LAB = """
title = "Election on a one-way ring"

[fixed]
topology = "one_way_ring"
networks = ["fifo"]
elects = "max"

[rules]
different = 1

[limits]
seconds = 12
states = 20_000
memory = 600

[[check]]
name = "small"
title = "elects on rings of up to three"
points = 4
n = "1..3"

[[check]]
name = "frugal"
title = "sends no more messages than Chang and Roberts"
points = 2
n = "2..3"
messages = "n(n+1)/2 + n"
after = "small"

[[check]]
name = "secret-larger"
title = "the secret of the larger ring"
points = 3
n = 4
hidden = true
after = "small"

[[check]]
name = "secret-few"
title = "the secret of those who sleep"
points = 1
n = 3
initiators = "each"
hidden = true
after = "small"
"""

HEAD = '''"""My election."""
from modelcheck import NEXT, ElectionProcess, Id, Message, initiate, one_way_ring, receive
'''
MESSAGES = """

class Election(Message):
    id: Id


class Leader(Message):
    id: Id
"""
RING = """

class Ring(ElectionProcess):
    topology = one_way_ring
    awake: bool = False

    @initiate
    def wake_up(self):
        self.require(not self.awake)
        self.send(NEXT, Election(self.id))
        self.awake = True

    @receive(Election)
    def compare(self, message):
        if message.id > self.id:
            self.send(NEXT, message)
        elif message.id == self.id:
            self.send(NEXT, Leader(self.id))
        elif not self.awake:
            self.send(NEXT, Election(self.id))
        self.awake = True

    @receive(Leader)
    def learn(self, message):
        self.leader = message.id
        if message.id != self.id:
            self.send(NEXT, message)
"""
GOOD = HEAD + MESSAGES + RING
NOBODY = GOOD.replace("            self.send(NEXT, Leader(self.id))", "            pass")  # waits for ever
TWO = GOOD.replace("        elif message.id == self.id:", "        elif message.id == self.id or self.awake:")


def _in_step(lines: str, text: str = NOBODY) -> str:
    """The protocol with these lines at the beginning of its first step."""
    return text.replace(
        "        self.require(not self.awake)\n",
        "".join(f"        {line}\n" for line in lines.splitlines()) + "        self.require(not self.awake)\n",
    )


def _at_once(lines: str, text: str = NOBODY) -> str:
    """The protocol with these lines above its class."""
    return text.replace("\n\nclass Ring", f"\n\n{lines}\n\n\nclass Ring")


# What they hand in, and how many points of ten it is worth.
HONEST = {
    "ada": (GOOD, 10),
    "emmy": (GOOD.replace("            self.send(NEXT, Election(self.id))\n        self.awake", "            self.wake_up()\n        self.awake"), 10),
    "kurt": (GOOD.replace("topology = one_way_ring", 'networks = ("fifo",)\n    topology = one_way_ring\n    elects = "max"'), 10),
    "grace": (_at_once("@always\ndef nobody_sleeps(view):\n    return True", GOOD).replace("import NEXT", "import NEXT, always"), 10),
    "noisy": (_in_step("print('x' * 3_000_000)", GOOD), 10),
    "typed": (GOOD.replace("import NEXT", "import View, NEXT").replace("    awake: bool = False", '    awake: "bool" = False'), 10),
    "empty": ("", 0),
    "does-nothing": (HEAD + "\n\nclass Ring(ElectionProcess):\n    topology = one_way_ring\n", 0),
    "nobody": (NOBODY, 0),
    "two-lead": (TWO, 0),
    "smallest": (GOOD.replace("message.id > self.id", "message.id < self.id"), 0),
    "no-python": ("class Ring(:\n", 0),
    "no-text": (bytes(range(256)) * 4, 0),
    "raises": ("raise RuntimeError('not today')\n" + GOOD, 0),
    "step-raises": (_in_step("1 / 0", GOOD), 0),
    "wordy": (  # right, and dear
        GOOD.replace("            self.send(NEXT, message)\n        elif message", "            self.send(NEXT, message)\n            self.send(NEXT, message)\n        elif message"), 8),
}  # fmt: skip
CHEATS = {
    # another claim
    "own-spec": (_at_once("@always\ndef at_most_one_leader(view):\n    return True\n\n\neveryone_decides = at_most_one_leader").replace("import NEXT", "import always, NEXT"), 0),
    "no-spec": (NOBODY.replace("    awake: bool", "    specs = ()\n    awake: bool"), 0),
    "elects-any": (GOOD.replace("message.id > self.id", "message.id < self.id").replace("    awake: bool", '    elects = "any"\n    awake: bool'), 0),
    "elects-min": (GOOD.replace("message.id > self.id", "message.id < self.id").replace("    awake: bool", '    elects = "min"\n    awake: bool'), 0),
    "alone": (GOOD.replace("one_way_ring", "complete"), 9),  # declares another graph; is checked on the ring, and loses a point
    "knows-n": (GOOD.replace("    awake: bool", '    knows = ("n",)\n    awake: bool').replace("not self.awake)", "not self.awake and self.n > 0)"), 0),
    "knows-all": (NOBODY.replace("    awake: bool", '    knows = ("everyone",)\n    awake: bool').replace("        self.awake = True\n\n    @receive(Leader)", "        self.awake = True\n        self.leader = max(self.everyone)\n\n    @receive(Leader)"), 0),
    "table-of-n": (GOOD.replace("    awake: bool", "    seen: int = 0\n    awake: bool").replace("            self.send(NEXT, message)\n        elif message", "            self.seen += 1\n            self.require(self.seen < 3)\n            self.send(NEXT, message)\n        elif message"), 7),
    "shared": (NOBODY.replace("    awake: bool", "    best: Id | None = shared(None)\n    awake: bool").replace("import NEXT", "import shared, NEXT"), 0),
    "own-start": (GOOD.replace("@initiate", "@step").replace("initiate,", "step,"), 0),
    "dead-at-first": (GOOD.replace("    @initiate", "    def initially(self):\n        self.start_crashed()\n\n    @initiate"), 0),
    "global": (_at_once("SEEN = []").replace("            pass", "            SEEN.append(1)\n            self.leader = self.id"), 0),
    "bundled": ("from modelcheck.models.chang_roberts import ChangRoberts\n\n\nclass Mine(ChangRoberts):\n    pass\n", 0),
    "other-base": (HEAD.replace("ElectionProcess", "Process") + "\n\nclass Ring(Process):\n    topology = one_way_ring\n", 0),
    "two-protocols": (GOOD + RING.replace("class Ring", "class Second"), 0),
    # the machinery
    "exits": ("import sys\nsys.exit(0)\n" + GOOD, 0),
    "raises-exit": ("raise SystemExit(0)\n" + GOOD, 0),
    "os-exit": (_in_step("import os\nos._exit(0)"), 0),
    "patches": ("import modelcheck.check.verdict as v\nv.judge = lambda ledger: v.Judgement('HOLDS', 0, '')\n" + NOBODY, 0),
    "patches-class": (_at_once("ElectionProcess.require = lambda self, what: None"), 0),
    "patches-as-self": (_at_once("self = ElectionProcess\nself.require = None"), 0),
    "patches-by-method": (NOBODY.replace("    @initiate", "    def put(self):\n        self.judged = ()\n\n    put(Property)\n\n    @initiate").replace("import NEXT", "import Property, NEXT"), 0),
    "patches-in-a-step": (NOBODY.replace("    @initiate", "    def put(self):\n        self.judged = ()\n\n    @initiate").replace("import NEXT", "import Property, NEXT").replace("            pass", "            Ring.put(Property)"), 0),
    "patches-a-graph": (NOBODY.replace("    @initiate", "    def put(self):\n        self.shapes = ()\n\n    put(one_way_ring)\n\n    @initiate"), 0),
    "annotation-twice": (NOBODY.replace("    awake: bool", "    note: \"'op' + 'en(0)'\"\n    awake: bool"), 0),
    "looks-inside": (_at_once("SPACE = wake.__globals__").replace("SPACE = wake", "SPACE = initiate"), 0),
    "subclasses": (_at_once("ALL = ().__class__.__base__.__subclasses__()"), 0),
    "getattr": (_at_once("LOOK = getattr(Message, '__' + 'class__')"), 0),
    "format": (_at_once("LOOK = '{0.__globals__}'.format(initiate)"), 0),
    "pattern": (_at_once("match initiate:\n    case object(__globals__=inside):\n        pass"), 0),
    "annotation": (NOBODY.replace("    awake: bool", "    note: \"open('/etc/passwd').read()\"\n    awake: bool"), 0),
    "hidden-annotation": (_at_once("TEXT = 'op' + 'en(0)'").replace("    awake: bool", "    note: TEXT = None\n    awake: bool"), 0),
    "typing-sys": (_at_once("from typing import sys"), 0),
    "reads-others": (_at_once("OTHER = open('../ada.py').read()"), 0),
    "equal-to-all": (NOBODY.replace("    id: Id\n", "    id: Id\n\n    def __eq__(self, other):\n        return True\n"), 0),
    "loops-on-import": ("while True:\n    pass\n" + GOOD, 0),
    "loops": (_in_step("while True:\n    pass"), 0),
    "loops-deaf": (_in_step("while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass"), 0),
    "eats-memory": (_in_step("big = [0] * 10 ** 6\nwhile True:\n    big = big + big"), 0),
    "deep": ("x = " + "(" * 5_000 + ")" * 5_000 + "\n" + GOOD, 0),
    "huge": ("#" * 300_000 + "\n" + GOOD, 0),
    "many-states": (GOOD.replace("    awake: bool", "    count: int = 0\n    awake: bool").replace("    @receive(Leader)", "    @initiate\n    def count_up(self):\n        self.count += 1\n\n    @receive(Leader)"), 0),
}  # fmt: skip
PUPILS = {**HONEST, **CHEATS}


def hand_in(folder: Path, names: list[str] | None = None) -> None:
    """Writes their files, in no order that means anything."""
    chosen = list(names or PUPILS)
    random.Random(7).shuffle(chosen)
    for name in chosen:
        text = PUPILS[name][0]
        (folder / f"{name}.py").write_bytes(text if isinstance(text, bytes) else text.encode())
