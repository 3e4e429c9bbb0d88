"""`modelcheck explore`."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

import click

from .. import completion
from ..options import arguments, explore_options
from .base import Command
from .running import model_prints_to_stderr

if TYPE_CHECKING:
    from ..explore.limits import Limits
    from ..web.subject import Subject

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EXPLORE_EXAMPLES = """
\b
Examples:
  modelcheck explore chang_roberts --n 4
  modelcheck explore chang_roberts --ids 1,1,2
  modelcheck explore bully --n 4 --crashes 1
  modelcheck explore bully_partition --n 3 --partitions 1 --heals 1 --no-open
  modelcheck explore chang_roberts --n 20 --port 8000
\b
On the page: 1, 2, 3, ... take a step, Backspace goes back, the address holds the whole run. Ctrl-C ends it here.
"""


@click.command(cls=Command, epilog=EXPLORE_EXAMPLES.strip())
@click.argument("model", required=False, metavar="[NAME]", shell_complete=completion.models)
@explore_options
@click.option("--trace", "kept", metavar="FILE", help="Open the first run in FILE, as `modelcheck run --trace FILE` has written it, instead of NAME.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="The port of the page.  [default: any that is free]")  # fmt: skip
@click.option("--host", default=LOOPBACK[0], metavar="HOST", help="Another address than this machine's own: then others can look on, and make this machine work.")  # fmt: skip
@click.option("--open/--no-open", "opens", default=True, help="Whether to open the page in the browser.  [default: open]")  # fmt: skip
@click.pass_context
def explore(
    ctx: click.Context, /, model: str | None, kept: str | None, port: int, host: str, opens: bool, **options: Any
) -> None:
    """Opens NAME in the browser, to take its steps one by one.

    The page shows a run as it grows, every process, every step that is enabled and what it would do, and whether the
    properties hold. It leads to violations, to terminal states, and to the nearest state of which a condition holds. Nothing
    is explored beforehand, so the system may be as large as you like.

    NAME is a bundled model (see `modelcheck list`) or a file of yours: ./mine.py, or ./mine.py:ClassName.
    """
    if (model is None) == (kept is None):
        raise click.UsageError("which NAME? `modelcheck list` names them; or --trace FILE, without a NAME", ctx)
    from ..check.request import SEARCH_LIMITS, usual_limits

    given = {name: options.pop(name) for name in ("max_states", "max_seconds", "max_memory")}
    limits = replace(SEARCH_LIMITS, max_memory=usual_limits().max_memory)
    limits = replace(limits, **{name: value for name, value in given.items() if value is not None})
    out = sys.stdout
    with model_prints_to_stderr():
        from ..web import faces, paths
        from ..web.opening import opened
        from ..web.subject import subject_of

        if kept is not None:
            subject, path = opened(kept)
        else:
            subject, path = subject_of(str(model), **arguments(options)), ""
        faces.run(subject, paths.read(subject, path))  # what is wrong with the model is told here, not in the browser
        serve(subject, path, port, host, opens, limits, out)


def serve(subject: Subject, path: str, port: int, host: str, opens: bool, limits: Limits, out: TextIO) -> None:
    """Serves the explorer until Ctrl-C, opened at this path."""
    from ..web import server

    opened = server.listen(host, port)
    port = opened.getsockname()[1]
    shown = "127.0.0.1" if host in ("0.0.0.0", *LOOPBACK[:2]) else "[::1]" if host in ("::", "::1") else host
    address = f"http://{shown}:{port}/" + (f"#{path}" if path else "")
    if host not in LOOPBACK:
        click.secho(
            f"warning: --host {host}: whoever can reach this machine there can look on and start searches on it; "
            "without --host only this machine can",
            fg="yellow",
            err=True,
        )
    click.echo(f"{subject.request.model.title}\n\n  {address}\n\nCtrl-C ends it.", file=out)
    if opens:
        _open(address)
    app = server.application(subject, server.hosts_of(host, port), limits)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve(app, opened)


def _open(address: str) -> None:
    """Opens the page without waiting for the browser; where there is none, the address has been printed."""
    import threading
    import webbrowser

    def opening() -> None:
        with contextlib.suppress(Exception):
            webbrowser.open(address)

    threading.Thread(target=opening, daemon=True).start()
