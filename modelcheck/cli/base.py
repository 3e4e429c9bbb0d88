"""What every command has in common: library errors become messages with the exit code that belongs to them."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import textwrap
import traceback
from typing import IO, Any

import click

from ..errors import ModelcheckError, ReductionError, ReplayError, SearchError, SymmetryError, UsageError
from ..interrupts import INTERRUPTED, raising
from ..options import GROUPS, OTHER, group_of

BUG = 70
CODE = r"(?:^|(?<= ))(\d+(?:, \d+)*)  (\S.*?)(?=\s+\d+(?:, \d+)*  \S|$)"  # an exit code and what it says, of which a line may have two
MANY = 16  # options that one list cannot hold


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

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples stay as they are, to be copied; sentences are broken where the terminal ends, and of exit codes each gets a line."""
        room = formatter.width - 2
        for line in (self.epilog or "").split("\n"):
            parts = [line]
            if line == "\b":
                parts = [""]
            elif len(line) > room and not line.lstrip().startswith("modelcheck "):
                codes = [f"{number:>4}  {words}" for number, words in re.findall(CODE, line)] or [line]
                hang = "" if codes == [line] else " " * 6
                parts = [
                    part
                    for code in codes
                    for part in textwrap.wrap(code, room, subsequent_indent=hang, break_on_hyphens=False)
                ]
            for part in parts:
                formatter.write(f"  {part}".rstrip() + "\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Many options are listed in groups, by what they are about."""
        records: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)) is not None:
                records.setdefault(group_of(str(param.name)), []).append(record)
        if sum(map(len, records.values())) < MANY:
            super().format_options(ctx, formatter)
            return
        for title in (title for title in (*GROUPS, OTHER) if title in records):
            with formatter.section(title):
                formatter.write_dl(records[title])


class Refused(click.UsageError):
    """What a command cannot be asked, in lines that fit the terminal."""

    def show(self, file: IO[Any] | None = None) -> None:
        from rich.text import Text

        from ..report.terminal.page import Page

        stream = file or sys.stderr
        if self.ctx is not None:
            help_option = self.ctx.help_option_names[-1]
            click.echo(self.ctx.get_usage(), file=stream)
            click.echo(f"Try '{self.ctx.command_path} {help_option}' for help.\n", file=stream)
        page = Page.on(stream)
        first, *others = self.format_message().split("\n")
        page.line(Text.assemble(("Error:", "bold red"), f" {first}"), hang=7)
        for line in others:
            page.line(line, hang=7)


class Commands(click.Group):
    command_class = Command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise Refused(error.format_message(), error.ctx) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Whoever types a model in place of a command wants to run it."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from ..catalog import model_files

            if args[0] in model_files() or args[0].endswith(".py"):
                meant = f"{args[0]!r} is a model and no command; did you mean `modelcheck run {' '.join(args)}`?"
                raise click.UsageError(meant, ctx) from None
            raise


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
