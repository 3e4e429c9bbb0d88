"""`modelcheck watch`: checks a model again whenever it is saved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ... import completion
from ...errors import UsageError
from ...options import arguments, files_asked_for, limits_asked_for, watch_options
from ...witness.interpreters import prepare
from ..base import Command
from ..run import check_files, write_files, write_lines
from ..running import watched

WATCH_EXAMPLES = """
\b
Examples:
  modelcheck watch ./mine.py --n 4
  modelcheck watch ./mine.py --n 2..4 --network bag --lines
  modelcheck watch ./mine.py --html report.html
\b
Files that the model imports are watched as well. A save while a check goes on begins it anew. Ctrl-C ends it (exit code 0).
"""


@click.command(cls=Command, epilog=WATCH_EXAMPLES.strip())
@click.argument("model", metavar="MODEL", shell_complete=completion.models)
@watch_options
def watch(*, model: str, why: bool, lines: bool, **options: Any) -> None:
    """Checks MODEL again on each save, and shows what changed.

    The first check is shown as `modelcheck run` shows it. After that it is what differs from the check before: verdicts, violations that are new
    or mended, the lengths of counterexamples, states and messages; and the runs that are new.
    """
    limits = limits_asked_for(options)
    files = files_asked_for(options)
    asked = arguments(options)
    check_files(files)
    prepare()
    from ... import catalog
    from ...check.checker import check
    from ...check.result import Result
    from ...desk.watching import Watched
    from ...report.terminal import watched as terminal
    from ...report.terminal.page import Page

    path = catalog.model_path(model)
    saves = Watched([path.resolve(), *_besides(asked)])
    last: Result | None = None
    first = True
    try:
        while True:
            try:
                with watched(limits) as meter, saves.stopping(meter):
                    result = check(model, meter=meter, **asked)
            except UsageError as error:
                if first:
                    raise
                click.echo(f"error: {error}")
            else:
                saves.follow(path)
                if result.stopped is not None and result.stopped.kind == "interrupted" and not saves.is_stale():
                    return
                if result.stopped is None or result.stopped.kind != "interrupted":
                    if lines:
                        write_lines(result)
                    terminal.write_changes(last, result, Page.on(), why=why)
                    write_files(result, model, asked, files)
                    last = result if result.error is None else last
            first = False
            terminal.write_waiting(saves.files, Page.on())
            sys.stdout.flush()
            terminal.write_saved(saves.wait(), Page.on())
            sys.stdout.flush()
    except KeyboardInterrupt:
        return


def _besides(asked: dict[str, Any]) -> list[Path]:
    """The files that a run reads beside the model."""
    from ... import catalog

    spec, graph = asked.get("spec"), asked.get("graph")
    found = [] if spec is None else [catalog.spec_path(spec)]
    return [*found, *([Path(graph)] if graph is not None and Path(graph).is_file() else [])]
