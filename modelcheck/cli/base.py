"""What every command has in common: library errors become messages with the exit code that belongs to them."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from typing import Any

import click

from ..errors import ModelcheckError, ReductionError, ReplayError, SearchError, SymmetryError, UsageError
from ..interrupts import INTERRUPTED, raising

BUG = 70


class Command(click.Command):
    """A command whose library errors become messages with the exit code that belongs to them."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with raising():
                return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from None
        except (ReplayError, SymmetryError, ReductionError, SearchError, AssertionError) as error:
            _bug(error)
            ctx.exit(BUG)
        except ModelcheckError as error:
            _lesson(error)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            nobody_reads()
            ctx.exit(0)
        except Exception as error:
            _bug(error)
            ctx.exit(BUG)


class Commands(click.Group):
    command_class = Command


def _lesson(error: ModelcheckError) -> None:
    from ..report.terminal.page import Page
    from ..report.terminal.writing import write_error

    write_error(error, Page.on(sys.stderr))


def _bug(error: BaseException) -> None:
    """A fault of this project, never shown as a verdict."""
    click.echo("a bug in modelcheck, not in your model: please report it with the lines below\n", err=True)
    click.echo("".join(traceback.format_exception(error)), err=True, nl=False)


def nobody_reads() -> None:
    """Lets whatever is still buffered go nowhere, so that the interpreter does not complain at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
