"""`modelcheck list`, `show` and `new`: what models there are, what is known of one, and one to start from."""

from __future__ import annotations

from pathlib import Path

import click

from .. import completion
from ..errors import UsageError
from .base import Command
from .running import found

TIME_TO_READ = 20.0  # seconds that reading a model may take, where nobody says

LIST_EXAMPLES = """
\b
Example:
  modelcheck list
"""


@click.command("list", cls=Command, epilog=LIST_EXAMPLES.strip())
def list_models() -> None:
    """Lists the bundled models, by topology, and their variations."""
    from .. import catalog
    from ..report.terminal.card import write_list
    from ..report.terminal.page import Page

    write_list(catalog.model_files(), Page.on())


SHOW_EXAMPLES = """
\b
Examples:
  modelcheck show chang_roberts
  modelcheck show chang_roberts:StartUnguarded
"""


@click.command(cls=Command, epilog=SHOW_EXAMPLES.strip())
@click.argument("model", metavar="NAME", shell_complete=completion.models)
def show(model: str) -> None:
    """Shows what is known of a model, and its code.

    That is: variations, source, assumptions, parameters, steps and properties.

    NAME is a bundled model, or a file of yours: ./mine.py. After a colon it is a variation of it, of which is shown what
    differs: chang_roberts:StartUnguarded.
    """
    from .. import catalog
    from ..explore.limits import Limits
    from ..report.terminal.card import write_card
    from ..report.terminal.page import Page

    read = found(lambda name, meter: catalog.find_model(name), model, Limits(max_seconds=TIME_TO_READ))  # noqa: ARG005
    write_card(read, model, Page.on())


NEW_EXAMPLES = """
\b
Examples:
  modelcheck new mine
  modelcheck run ./mine.py --n 4
  modelcheck new homework --skeleton garg
"""


@click.command(cls=Command, epilog=NEW_EXAMPLES.strip())
@click.argument("name")
@click.option("--skeleton", "lab", metavar="LAB", help="One with holes to fill in, of a lab: garg, effatparvar, santoro, krzyzanowski, harmony, or ./lab.toml.")  # fmt: skip
def new(name: str, lab: str | None) -> None:
    """Writes ./NAME.py: a small correct protocol to start from."""
    from .. import catalog
    from ..report.terminal.page import Page
    from .skeleton import skeleton

    if name in catalog.model_files():
        raise UsageError(
            f"{name} is a bundled model, and `modelcheck run {name}` would run that one; choose another name"
        )
    text = skeleton(name)  # which refuses what is no name
    if lab is not None:
        from ..grading.lab import find_lab
        from ..grading.skeletons import skeleton_of

        text = skeleton_of(find_lab(lab))
    file = Path(f"{name}.py")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(f"there is a file {file} already, and it stays as it is; choose another name") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from None
    page = Page.on()
    page.line(f"wrote ./{file}")
    page.command("next", f"modelcheck run ./{file} --n 4" if lab is None else f"modelcheck grade {lab} ./{file}")
