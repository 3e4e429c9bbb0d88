"""`modelcheck exercise`: one exercise, a step at a time."""

from __future__ import annotations

from typing import Any

import click

from ...options import exercises_options, limits_asked_for
from ..base import Command
from ..running import model_prints_to_stderr

EXERCISE_EXAMPLES = """
\b
Examples:
  modelcheck exercise
  modelcheck exercise harmony-25.2
  modelcheck exercise harmony-25.2 --hint
  modelcheck exercise harmony-25.2 --answer --n 2
  modelcheck exercise chang_roberts --predict --n 3
\b
With --explore: Ctrl-C ends the page here. Exit codes: those of `modelcheck exercises` with --answer, otherwise 0.
"""


@click.command(cls=Command, epilog=EXERCISE_EXAMPLES.strip())
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--hint", is_flag=True, help="Say what to look for.")
@click.option("--answer", is_flag=True, help="Do it, and explain what came out.")
@click.option("--explore", "explores", is_flag=True, help="Open it in the browser: where its run begins; with --hint half of the way, with --answer at its end.")  # fmt: skip
@click.option("--open/--no-open", "opens", default=True, help="Whether --explore opens the browser.  [default: open]")
@click.option("--predict", "predicts", is_flag=True, help="Ask what happens next, step after step, before it is shown. NAME may also be a protocol.")  # fmt: skip
@exercises_options
@click.pass_context
def exercise(
    ctx: click.Context, /, name: str | None, hint: bool, answer: bool, explores: bool, opens: bool, predicts: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Shows one exercise of the literature, a step at a time.

    First what to try, then a hint, then the answer.

    NAME is one of those that `modelcheck exercise` lists. Nothing is told before it is asked for.
    """
    from ...book.shelf import find_exercises
    from ...errors import UsageError
    from ...report.terminal import book
    from ...report.terminal.page import Page

    if hint and answer:
        raise UsageError("--hint and --answer are two steps; ask for one")
    if predicts:
        if name is None or hint or answer or explores:
            raise UsageError("--predict goes with the NAME of an exercise or of a protocol, and with --n")
        _predict(name, options)
        return
    found = find_exercises(name)
    chosen = [claim for _, claims in found for claim in claims]
    page = Page.on()
    if name is None or len(chosen) > 1:
        if hint or answer or explores:
            raise UsageError("name one exercise; `modelcheck exercise` lists them")
        book.write_questions(found, page)
        return
    if explores:
        _explore(chosen[0], "answer" if answer else "hint" if hint else "try", options, opens)
    elif answer:
        from ..book import read_book

        ctx.exit(read_book(found, in_full=True, **options))
    else:
        book.write_question(chosen[0], page, hint=hint)


def _explore(chosen: Any, stage: Any, options: dict[str, Any], opens: bool) -> None:
    import sys
    from dataclasses import replace

    from ...check.request import SEARCH_LIMITS
    from ..explore import LOOPBACK, serve

    limits = limits_asked_for(options)
    out = sys.stdout
    with model_prints_to_stderr():
        from ...web.exercising import opened_at

        subject, path = opened_at(chosen, stage, limits)
        serve(subject, path, 0, LOOPBACK[0], opens, replace(SEARCH_LIMITS, max_memory=limits.max_memory), out)


def _predict(name: str, options: dict[str, Any]) -> None:
    """Asks along a run of an exercise, or of a protocol."""
    import sys

    from ... import catalog
    from ...book.shelf import find_exercises
    from ...errors import UsageError
    from ...report.terminal.page import Page
    from .predicting import Asking

    page, answers, limits = Page.on(sys.stdout), sys.stdin, limits_asked_for(options)
    of_a_book = name.partition("-")[0] in catalog.claim_files() or name.endswith(".toml")
    with model_prints_to_stderr():
        from ...web import paths
        from ...web.exercising import opened_at
        from ...web.predicting import refuse_rounds
        from ...web.subject import subject_of

        if of_a_book:
            chosen = [claim for _, claims in find_exercises(name) for claim in claims]
            if len(chosen) > 1:
                raise UsageError("name one exercise; `modelcheck exercise` lists them")
            subject, path = opened_at(chosen[0], "try", limits)
        else:
            subject, path = subject_of(name, n=options["n"] or 3), ""
        refuse_rounds(subject)
        run = paths.read(subject, path)
        Asking(subject.system, run.world, page, answers).along(subject, run)
