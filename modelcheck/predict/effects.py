"""What does this step do? What was said of a process and of what it sends, beside what the step does."""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError, nearest
from ..runs.code import lines_that_ran
from ..runs.trace import Snapshot, TraceStep
from ..semantics.components import State
from ..semantics.system import System, Transition

NOTHING = ("", "nothing", "none", "no", "-")
FAILS = "fails"


@dataclass(frozen=True)
class JudgedAnswer:
    """One thing that was said, or was not: `truth` is what the engine says of it."""

    right: bool
    said: str
    truth: str
    about: str  # the variable; empty of what is sent


def variables(before: Snapshot, step: TraceStep) -> dict[str, str]:
    """The variables of the process that takes the step, and the shared ones, with their values before it."""
    own = next((process.fields for process in before.processes if process.process == step.process), ())
    return dict((*own, *before.shared))


def parsed(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """The values that 'leader=3; awake=True' speaks of. Raises UsageError for what is no variable."""
    found = {}
    for part in text.split(";") if text.strip().lower() not in NOTHING else []:
        name, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals:
            raise UsageError(f"write NAME=VALUE, with ; between several, or: nothing; not {part.strip()[:40]!r}")
        if name.strip() not in known:
            raise UsageError(f"there is no variable {name.strip()[:40]!r}; {nearest(name.strip(), known)}")
        found[name.strip()] = value.strip()
    return found


def judged(before: Snapshot, step: TraceStep, said: Mapping[str, str], sent: str) -> list[JudgedAnswer]:
    """What was said of the variables that change (the others stay as they are) and of what is sent, one after the other."""
    if step.failure:
        right = _plain(sent) == FAILS
        return [JudgedAnswer(right, sent.strip() or "nothing", f"the step fails: {step.failure}", "")]
    return [*_of_variables(before, step, said), _of_sends(step, sent)]


def _of_variables(before: Snapshot, step: TraceStep, said: Mapping[str, str]) -> Iterator[JudgedAnswer]:
    was = variables(before, step)
    changes = {name: value for name, _, value in step.changed}
    nothing = True
    for name in dict.fromkeys((*was, *changes)):
        old = was.get(name, "")
        now, told = changes.get(name, old), said.get(name, old)
        if _plain(told) == _plain(old) and old == now:
            continue
        nothing = False
        truth = f"{name}: {old} -> {now}" if name in changes else f"{name} stays {old}"
        right = _plain(told) == _plain(now) if _plain(old) != _plain(now) else told.strip() == now
        yield JudgedAnswer(right, f"{name}={told}", truth, name)
    if nothing:
        yield JudgedAnswer(True, "nothing changes", "nothing changes", "")


def _of_sends(step: TraceStep, sent: str) -> JudgedAnswer:
    pairs = [(send.message, send.target.split(" (")[0]) for send in step.sent]
    truth = "sends " + ", ".join(f"{message} to {target}" for message, target in pairs) if pairs else "sends nothing"
    return JudgedAnswer(_said(sent) == sorted((_plain(message), target) for message, target in pairs), sent.strip() or "nothing", truth, "")  # fmt: skip


def _said(sent: str) -> list[tuple[str, str]]:
    """'Election(3) to p2, p3; Token(1), Token(2) to p1' as pairs, in any order."""
    if sent.strip().lower() in NOTHING:
        return []
    found: list[tuple[str, str]] = []
    messages: list[str] = []  # that were told last
    told = True
    for part in _parts(sent.strip().removeprefix("sends ")):
        message, to, target = part.rpartition(" to ")
        if not to and re.fullmatch(r"p?\d+", part) and told:
            found += [(one, _process(part)) for one in messages]
            continue
        messages = [_plain(message or part)] if told else [*messages, _plain(message or part)]
        told = bool(to)
        found += [(one, _process(target)) for one in messages] if told else []
    return sorted(found if told else [*found, *((one, "") for one in messages)])


def _parts(text: str) -> Iterator[str]:
    """What stands between commas, semicolons and the word `and`, but for what stands in brackets."""
    depth, begun = 0, 0
    for match in re.finditer(r"[(\[{]|[)\]}]|[,;]|\band\b|$", text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(match[0], 0)
        if depth == 0 and match[0] in (",", ";", "and", ""):
            if text[begun : match.start()].strip():
                yield text[begun : match.start()].strip()
            begun = match.end()


def _process(text: str) -> str:
    return f"p{text.strip().removeprefix('p')}"


def _plain(text: str) -> str:
    """The text without what people write one way or another: spaces, quotes, capital letters, the order within a set."""
    text = "".join(text.split()).replace("'", "").replace('"', "").lower()
    return re.sub(r"\{([^{}]*)\}", lambda inside: "{" + ",".join(sorted(_parts(inside[1]))) + "}", text)


def behind(system: System, before: State, taken: Transition, about: str) -> list[str]:
    """The lines of the model that ran in the step and are about this variable, or about sending; all where none names it:
    'chang_roberts.py:57  self.leader = message.id'."""
    files = system.definition.files
    ran = [
        (Path(files[file]).name, line, linecache.getline(files[file], line).strip())
        for file, line in sorted(lines_that_ran(system, taken, before))
    ]
    told = [f"{file}:{line}  {text}" for file, line, text in ran]
    wanted = rf"\bself\.{about}\b" if about else r"\bself\.(send|reply)"
    naming = [words for words, (_, _, text) in zip(told, ran, strict=True) if re.search(wanted, text)]
    return naming or told
