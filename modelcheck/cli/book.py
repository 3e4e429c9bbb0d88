"""`modelcheck claims` and `exercises`: what the literature says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..interrupts import INTERRUPTED
from ..options import STDOUT, claims_options, exercises_options, limits_asked_for
from .base import Command
from .running import check_writable, print_text, watched, write_file

if TYPE_CHECKING:
    from ..book.trying import Reader

CLAIMS_EXAMPLES = """
\b
Examples:
  modelcheck claims harmony --n 3
  modelcheck claims garg-passive-dkr
  modelcheck claims --cluster local:4
\b
Exit codes: 0 where everything comes out as the book has it, 1 where something comes out otherwise,
20 where something was not reached within the limits, or after Ctrl-C.
"""


@click.command(cls=Command, epilog=CLAIMS_EXAMPLES.strip())
@click.argument("source", required=False, metavar="[SOURCE]")
@claims_options
@click.pass_context
def claims(ctx: click.Context, /, source: str | None, **options: Any) -> None:
    """Tests what the literature says of these protocols.

    Each claim comes out confirmed, refuted (a known error of its source, with the counterexample), or not reached within
    the limits; whatever comes out otherwise than the book has it is a surprise, and the exit code is not 0.

    SOURCE is a source (garg, effatparvar, santoro, krzyzanowski, harmony), one claim of it (garg-passive-dkr), or a file
    of your own: ./mine.toml. Without it all sources are tested, in some minutes; --fast tests a part.
    """
    from ..book.shelf import find_claims

    found = find_claims(source)
    in_full = source is not None and "-" in source and not source.endswith(".toml")
    ctx.exit(read_book(found, in_full=in_full, **options))


EXERCISES_EXAMPLES = """
\b
Examples:
  modelcheck exercises
  modelcheck exercises harmony-25.2
"""


@click.command(cls=Command, epilog=EXERCISES_EXAMPLES.strip())
@click.argument("exercise", required=False, metavar="[EXERCISE]")
@exercises_options
@click.pass_context
def exercises(ctx: click.Context, /, exercise: str | None, json_file: str | None, **options: Any) -> None:
    """Lists the exercises of the literature, or does one.

    The list says what to try and what to look for; an exercise that is done is explained.

    EXERCISE is one of those that `modelcheck exercises` lists, or a source (garg).
    """
    from ..book.shelf import find_exercises

    found = find_exercises(exercise)
    if exercise and sum(len(claims) for _, claims in found) == 1:
        ctx.exit(read_book(found, in_full=True, json_file=json_file, **options))
    from ..report.files import as_json
    from ..report.terminal import book
    from ..report.terminal.page import Page

    if json_file == STDOUT:
        print_text(as_json.dumps(book.exercises_document(found)))
        return
    book.write_exercises(found, Page.on())
    if json_file is not None:
        write_file("--json", json_file, as_json.dumps(book.exercises_document(found)))


def read_book(
    found: Any, *, in_full: bool, n: int | None, fast: bool, json_file: str | None, cluster: str | None = None, **options: Any
) -> int:  # fmt: skip
    """Tries the claims and prints what comes of each as soon as it is known; the exit code."""
    import time

    from ..book.trying import ClaimOutcome, Reader, exit_code
    from ..report.files import as_json
    from ..report.terminal import book
    from ..report.terminal.page import Page

    if json_file is not None and json_file != STDOUT:
        check_writable("--json", json_file)
    began = time.monotonic()
    page = None if json_file == STDOUT else Page.on()
    outcomes: list[ClaimOutcome] = []
    reader = Reader(limits_asked_for(options), n, fast, watch=watched)
    stopped = False
    try:
        with _elsewhere(cluster, reader, found):
            for number, (source, claims) in enumerate(found):
                if page and not in_full:
                    if number:
                        page.blank()
                    book.write_source(source, page)
                for outcome in reader.claims(claims):
                    outcomes.append(outcome)
                    if page:
                        (book.write_claim if in_full else book.write_row)(outcome, page)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        stopped = True
    seconds = time.monotonic() - began
    if page and not in_full:
        book.write_sum(outcomes, seconds, page)
    if json_file is not None:
        text = as_json.dumps(book.document(outcomes, seconds))
        print_text(text) if json_file == STDOUT else write_file("--json", json_file, text)
    return exit_code(outcomes) or (INTERRUPTED if stopped else 0)


@contextmanager
def _elsewhere(cluster: str | None, reader: Reader, found: Any) -> Iterator[None]:
    """Meanwhile a cluster tries the tests, where there is one. Raises UsageError for what is no address."""
    if cluster is None:
        yield
        return
    from ..cluster.gathering import Cluster
    from ..cluster.tried import trying
    from ..report.terminal.progress import tests

    told = reader.tests([claim for _, claims in found for claim in claims])
    with trying(Cluster(cluster), reader, told, partial(watched, describe=tests)):
        yield
