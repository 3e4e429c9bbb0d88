"""What the programs for both checkers say in comments, and how long lines are broken."""

from __future__ import annotations

from collections.abc import Iterable

from .program import GuardedCommand, Program

WIDTH = 100


def plain(text: str) -> str:
    """A text that ends no comment and no string, whatever a model's values contain."""
    shown = text.encode("ascii", "backslashreplace").decode().replace("\\", "/").replace('"', "'")
    return "".join(c if c.isprintable() else "?" for c in shown).replace("*/", "* /").replace("/*", "/ *")


def legend(program: Program) -> list[str]:
    """What the numbers mean, a line each."""
    lines = [f"state {number}: {text}" for number, text in enumerate(program.locals)]
    lines += [f"message {number}: {text}" for number, text in enumerate(program.messages, 1)]
    if len(program.environments) > 1:
        lines += [f"environment {number}: {text}" for number, text in enumerate(program.environments)]
    lines += [f"world {number}: {world.name}" for number, world in enumerate(program.worlds)]
    return [plain(line)[:200] for line in lines]


def heading(program: Program) -> list[str]:
    """What is in the program and what is not, for whoever reads it."""
    counts = program.counts
    return [
        *(plain(line) for line in (program.title, *program.about)),
        "",
        "Written by modelcheck: the tables of a search it has made. `state[p]` is the local state of process p, a link is a",
        f"channel, and channel {program.slots} * p + s leads to in-port s of process p. A world is chosen first and never changes.",
        "What the search never met (a local state, a message that can be received in one, a channel that is longer) is an",
        "assertion that must not fail. What a step means is taken from the tables: this can confirm the search, not them.",
        "",
        f"The search came to {counts.states} states, {counts.transitions} transitions, {counts.failing} of them failing steps,",
        f"and {counts.ends} states in which no step is enabled.",
    ]


def wrapped(parts: Iterable[str], between: str, indent: str) -> str:
    """Parts with something between them, in lines that are not too long."""
    lines, line = [], ""
    for part in parts:
        if line and len(line) + len(between + part) > WIDTH:
            lines.append(line + between.rstrip())
            line = part
        else:
            line += (between if line else "") + part
    return f"\n{indent}".join([*lines, line])


def said(command: GuardedCommand) -> str:
    """What a command is, in a few words."""
    return plain(f"state {command.local}: {command.text}{' fails' if command.fails else ''}")
