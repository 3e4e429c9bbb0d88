"""The faults: what may happen to a run beside what its processes do. A new fault is an entry of these tables, and its meaning.

    Fault   a budget: at most so many of them in a run. Settings, options, JSON and reports have one of each.
    Deed    a kind of step that such a budget allows. Traces, sentences and pictures tell steps by their kind.

What a deed does stands in semantics/system.py (`System._deeds`), what it looks like in pictures/marks.py (`DEED_MARKS`); tests/test_faults.py
sees to it that both know every deed. A fault never has to happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A budget of a run.

    name         of the budget, of the argument of `check`, and of the option
    option       where it is asked for; `own` where that option is about nothing else
    help         the help of its own option
    unchecked    what a run without it says nothing about
    needs        a fault without which this one cannot happen, and the words that say so. Where processes may be down `at_first`
                 it happens without that as well
    never_kept   why it has no meaning on a network that keeps messages; `{network}` is its name
    of_network   counted by the network, where that can split, and not by the environment
    """

    name: str
    help: str
    unchecked: str
    option: str = ""
    needs: tuple[str, str] | None = None
    at_first: bool = False
    never_kept: str = ""
    of_network: bool = False

    @property
    def own(self) -> bool:
        return not self.option

    @property
    def asked_by(self) -> str:
        """'--losses'."""
        return self.option or f"--{self.name}"


About = Literal["process", "message", "link", "network"]


@dataclass(frozen=True, kw_only=True)
class Deed:
    """A kind of step that is a fault.

    fault       the budget that allows it, which it uses up unless it is `free`
    about       what it is done to: the process that takes the step, a message that waits for it, one of its links, or the network
    said        what happens, by the name of the step: a verb in the third person, or a participle of a message or a link
    sentence    of `who` takes the step, `source`, `received`, what is `said`, and the `blocks` of the network
    gone        the names of its steps after which a message is gone for ever
    copies      a message waits after it that nobody has sent
    runs_code   it may run a step of the model, whose name is then its own
    """

    kind: str
    fault: str
    about: About
    said: Mapping[str, str]
    sentence: str
    free: bool = False
    gone: tuple[str, ...] = ()
    copies: bool = False
    runs_code: bool = False

    def name_of(self, step: str) -> str:
        """What is done in a step of this name: the deed's kind, where the name is that of a step of the model."""
        return step if step in self.said else self.kind

    def happens(self, step: str) -> str:
        """'crashes', 'lost'."""
        return self.said[self.name_of(step)]


_CRASHES_KEPT = (
    "crashes have no meaning on a {network} network: its messages never leave, so a detector could never "
    "report that all of a crashed process's messages have been received"
)
_FAULTS = (
    Fault(
        name="losses",
        help="At most K messages are lost.",
        unchecked="loss",
    ),
    Fault(
        name="duplications",
        help="At most K messages are duplicated.",
        unchecked="duplication",
        never_kept=(
            "a {network} network already delivers every message again and again: --duplications has no meaning there"
        ),
    ),
    Fault(
        name="crashes",
        help="At most K crashes, at any moment.",
        unchecked="crashes",
        never_kept=_CRASHES_KEPT,
    ),
    Fault(
        name="recoveries",
        help="At most K recoveries.",
        unchecked="recoveries",
        needs=("crashes", "nothing can recover: there are no crashes, and nobody is down at first; add --crashes K"),
        at_first=True,
    ),
    Fault(
        name="suspicions",
        help="",
        unchecked="false suspicions",
        option="--detector",
        never_kept=_CRASHES_KEPT,
    ),
    Fault(
        name="partitions",
        help="At most K splits of the network, in every way, at any moment.",
        unchecked="partitions",
        never_kept=(
            "partitions have no meaning on a {network} network: its messages never leave, so what was sent before a split "
            "would be received across it again and again"
        ),
        of_network=True,
    ),
    Fault(
        name="heals",
        help="At most K times two parts of a split network join again.",
        unchecked="heals",
        needs=("partitions", "nothing can heal: there are no partitions; add --partitions K"),
        of_network=True,
    ),
)
FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _FAULTS}
OF_ENVIRONMENT = tuple(
    fault.name for fault in _FAULTS if not fault.of_network
)  # those that the environment counts down

_TO_A_MESSAGE = "{received} from {source} to {who} is {said}"
_DEEDS = (  # those of a process in the order in which `System.outcomes` has them
    Deed(
        kind="crash",
        fault="crashes",
        about="process",
        said={"crash": "crashes"},
        sentence="{who} {said}",
    ),
    Deed(
        kind="recover",
        fault="recoveries",
        about="process",
        said={"recover": "recovers"},
        sentence="{who} {said}",
        runs_code=True,
    ),
    Deed(
        kind="lose",
        fault="losses",
        about="message",
        said={"lose": "lost"},
        sentence=_TO_A_MESSAGE,
        gone=("lose",),
    ),
    Deed(
        kind="duplicate",
        fault="duplications",
        about="message",
        said={"duplicate": "duplicated"},
        sentence=_TO_A_MESSAGE,
        copies=True,
    ),
    Deed(
        kind="suspect",
        fault="suspicions",
        about="link",
        said={"suspect": "suspected"},
        sentence="{source} suspects {who}, which is alive",
    ),
    Deed(  # what was in transit when its link was cut does not get through
        kind="strand",
        fault="partitions",
        about="message",
        said={"lose": "lost", "hold": "held"},
        sentence=_TO_A_MESSAGE + " by the cut",
        free=True,
        gone=("lose",),
    ),
    Deed(
        kind="split",
        fault="partitions",
        about="network",
        said={"split": "splits"},
        sentence="{who} {said}: {blocks}",
    ),
    Deed(
        kind="heal",
        fault="heals",
        about="network",
        said={"heal": "heals"},
        sentence="{who} {said}: {blocks}",
    ),
)
DEEDS: Mapping[str, Deed] = {deed.kind: deed for deed in _DEEDS}
