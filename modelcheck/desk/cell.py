"""`%%modelcheck` in notebooks: the cell is a model, and below it stands the page of its run.

`%load_ext modelcheck` comes here. Nothing of IPython is imported before that.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import api
from ..check.result import Result
from ..errors import UsageError
from ..options import arguments, limits_asked_for, parsed, reporting

NAME = "cell.py"


class Checked:
    """What the magic returns: `result` is that of `modelcheck.check`. A notebook shows its whole page, in a frame; a terminal the report."""

    def __init__(self, result: Result) -> None:
        self.result = result

    def __repr__(self) -> str:
        return str(self.result)

    def _repr_html_(self) -> str:
        page = self.result.html()
        show: Any = getattr(page, "_repr_html_", None)
        return str(show()) if show else page


def register(shell: Any) -> None:
    """Makes `%modelcheck` and `%%modelcheck` known to this IPython."""
    from IPython.core.error import UsageError as Refused  # IPython shows it as a line, without a traceback

    folder = tempfile.TemporaryDirectory(prefix="modelcheck-")

    def modelcheck(line: str, cell: str | None = None) -> Checked:
        try:
            return checked(shlex.split(line), cell, Path(folder.name))
        except (UsageError, ValueError) as error:
            raise Refused(str(error)) from None

    modelcheck.__doc__ = checked.__doc__
    shell.register_magic_function(modelcheck, "line_cell", "modelcheck")
    shell.events.register("post_execute", lambda: folder)  # the folder stays as long as the session


def checked(words: Sequence[str], cell: str | None, folder: Path) -> Checked:
    """Checks a model: `%modelcheck NAME [options of modelcheck run]`, or `%%modelcheck [options]` above a cell that is a model.

    The cell is a file of its own: it begins with its imports, and knows nothing of the other cells. Of several protocols in it one is named:
    `%%modelcheck :Mine --n 4`. Options about files are refused, for the page stands below.
    """
    if cell is not None:
        file = folder / NAME
        file.write_text(cell, encoding="utf-8")
        which = words[0] if words and words[0].startswith(":") else ""
        words = [f"{file}{which}", *words[bool(which) :]]
    if not words:
        raise UsageError("which MODEL? %modelcheck NAME, or %%modelcheck above a cell that is a model")
    options = parsed(words)
    if given := [name for name in reporting(options) if options.pop(name) not in (None, False)]:
        raise UsageError(
            f"--{given[0].removesuffix('_file')} is for the command line: here the page stands below the cell"
        )
    limits, model = limits_asked_for(options), str(options.pop("model"))
    return Checked(api.check(model, limits=limits, **arguments(options)))
