"""`modelcheck exercise --predict`: what happens next? Asked before it is shown, step after step, in the terminal."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from rich.text import Text

from ...errors import UsageError
from ...predict import effects, ending, possible

if TYPE_CHECKING:
    from ...report.terminal.page import Page
    from ...semantics.components import State
    from ...semantics.system import System, Transition
    from ...semantics.worlds import World
    from ...web.paths import WrittenRun
    from ...web.subject import Subject

SHOW, QUIT = "?", ("q", "quit", "exit")


class OverError(Exception):
    """Whoever was asked has had enough."""


class Asking:
    """One run through a world, along which everything is asked before it is shown."""

    def __init__(self, system: System, world: World, page: Page, answers: TextIO) -> None:
        self.system, self.world, self.page, self.answers = system, world, page, answers
        self.right = self.asked = 0

    def along(self, subject: Subject, run: WrittenRun) -> None:
        """From the end of this run to an end of the protocol's, or until there are no more answers."""
        page, state, number = self.page, run.state, len(run.transitions)
        page.entry("world", str(self.world))
        page.entry("answers", "Enter after each; ? shows the answer, q ends")
        try:
            self._ending(subject, state)
            while run.failure is None:
                number += 1
                page.blank()
                self._state(state, number)
                taken = self._step(state)
                if taken is None:
                    page.line("No step of the protocol is possible any more: this is the end.", indent=2)
                    break
                self._effects(state, taken)
                if taken.after is None:
                    break
                state = taken.after
        except OverError:
            page.blank()
        page.entry("score", f"{self.right} of {self.asked} right")

    # --- the questions

    def _ending(self, subject: Subject, state: State) -> None:
        if not ending.can_be_asked(self.system):
            return
        from ...web.predicting import endings_from

        truth = endings_from(subject, self.world, state)
        if not truth.complete:
            return
        answers = ending.answers(self.world)
        self.page.blank()
        self.page.line(Text("Who leads in the end, as long as no fault happens?", style="bold"))
        listed = (f"{letter} {answer}" for letter, answer in zip(string.ascii_letters, answers, strict=False))
        self.page.line("   ".join(listed), indent=2)
        said = self._letters(len(answers), one=True)
        self._tell(said == [answers.index(truth.truth)], truth.said, said is not None)

    def _step(self, state: State) -> Transition | None:
        """Which steps are possible, then which of them is taken; None where there is none."""
        from ...report.words.steps import short

        offered = possible.candidates(self.system, self.world, state)
        if offered:
            self.page.line(Text("Which of these can be taken now? (such as: ac; or: none)", style="bold"))
            self._choices([_who(one.process, one.step, one.received) for one in offered])
            said = self._letters(len(offered))
            right = [place for place, one in enumerate(offered) if one.possible]
            self._tell(said == right, _listed(right), said is not None)
            for place, one in enumerate(offered):
                if said is not None and (place in said) != one.possible:
                    short_of = f"{string.ascii_lowercase[place]}  {short(one.process)} {one.step}"
                    self.page.line(f"{short_of}: {'is possible' if one.possible else one.why}", indent=4, hang=7)
        moves = [t for t in self.system.successors(self.world, state) if not t.outcome.is_fault and t.after != state]
        if len(moves) < 2:
            return moves[0] if moves else None
        self.page.line(Text("Which one is taken? (a letter; Enter for the first)", style="bold"))
        self._choices([_of(self.system, self.world, state, move) for move in moves[: len(string.ascii_letters)]])
        chosen = self._letters(len(moves), one=True)
        return moves[chosen[0] if chosen else 0]

    def _effects(self, state: State, taken: Transition) -> None:
        """What the process is after its step, and what it sends."""
        from ...report.words.steps import in_a_line
        from ...runs.trace import snapshot, steps_of

        (step,) = steps_of(self.system, self.world, state, taken)
        before = snapshot(self.system, self.world, state)
        known = effects.variables(before, step)
        self.page.line(Text.assemble((f"What changes when {step.process} takes {step.step}?", "bold"), " (such as: NAME=VALUE; NAME=VALUE; or: nothing)"))  # fmt: skip
        changes = self._until(lambda text: effects.parsed(text, known))
        sent = "" if changes is None else self._sent()
        if changes is None or sent == SHOW:
            self._tell(False, "", False)
        else:
            for one in effects.judged(before, step, changes, sent):
                self._tell(one.right, one.truth, True)
                for line in () if one.right else effects.behind(self.system, state, taken, one.about):
                    self.page.line(Text(line, style="dim"), indent=6, hang=8)
        self.page.line(in_a_line(step), indent=2, hang=6)

    def _sent(self) -> str:
        """What is said to be sent; nothing is asked where the protocol has no messages."""
        from ...web.meaning import message_types

        types = message_types(self.system)
        if not types:
            return ""
        self.page.line(Text.assemble(("What does it send?", "bold"), f" (such as: {types[0]}(...) to p2; or: nothing)"))
        return self._read()

    # --- asking and telling

    def _state(self, state: State, number: int) -> None:
        from ...runs.trace import snapshot

        shown = snapshot(self.system, self.world, state)
        self.page.line(Text(f"Before step {number}", style="bold"))
        self.page.columns([[process.process, process.described] for process in shown.processes])
        if shown.shared:
            self.page.columns([["shared", ", ".join(f"{name}={value}" for name, value in shown.shared)]])

    def _choices(self, texts: list[Text]) -> None:
        for letter, text in zip(string.ascii_letters, texts, strict=False):
            self.page.line(Text.assemble((letter, "cyan"), "  ") + text, indent=2, hang=5)

    def _read(self) -> str:
        """What is typed next. Raises OverError where there is no more."""
        self.page.console.print("> ", end="")
        typed = self.answers.readline()
        if not typed or typed.strip().lower() in QUIT:
            raise OverError
        if not self.answers.isatty():  # so that what is kept of it can be read
            self.page.line(typed.strip())
        return typed.strip()

    def _until(self, meant: Callable[[str], dict[str, str]]) -> dict[str, str] | None:
        """What was typed, once it makes sense; None where the answer is to be shown."""
        while (typed := self._read()) != SHOW:
            try:
                return meant(typed)
            except UsageError as error:
                self.page.line(str(error), indent=2)
        return None

    def _letters(self, number: int, *, one: bool = False) -> list[int] | None:
        """The places that were chosen; None where the answer is to be shown."""
        known = string.ascii_letters[:number]
        while (typed := self._read()) != SHOW:
            letters = [] if typed.lower() in effects.NOTHING else [c for c in typed if c not in " ,;"]
            if all(letter in known for letter in letters) and (not one or len(letters) < 2):
                return sorted({known.index(letter) for letter in letters})
            self.page.line(f"{'one letter' if one else 'letters'} of {known[0]} to {known[-1]}, ? or q", indent=2)
        return None

    def _tell(self, right: bool, truth: str, tried: bool) -> None:
        self.asked += 1
        self.right += right
        word = ("right", "green") if right else ("no" if tried else "shown", "yellow")
        self.page.line(Text.assemble(word, "  " if truth else "", truth), indent=2, hang=4)


def _listed(places: list[int]) -> str:
    return "possible: " + (", ".join(string.ascii_letters[place] for place in places) or "none")


def _who(process: str, step: str, received: str) -> Text:
    return Text.assemble(process, "  ", (step, "cyan"), "  " if received else "", received)


def _of(system: System, world: World, state: State, move: Transition) -> Text:
    """A step as it is chosen: what it receives and decides, and nothing of what it does."""
    from ...runs.trace import sender, steps_of

    (step,) = steps_of(system, world, state, move)
    received = f"{step.received} from {sender(step.received, step.source)}" if step.received else ""
    return _who(
        step.process, step.step, ", ".join(filter(None, [received, *(f"{v} {', '.join(c)}" for v, c in step.decided)]))
    )
