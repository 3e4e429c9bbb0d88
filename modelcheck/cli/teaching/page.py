"""`modelcheck page`: protocols checked in the browser, with nothing installed."""

from __future__ import annotations

from pathlib import Path

import click

from ..base import Command

PAGE_EXAMPLES = """
\b
  npm pack pyodide
  modelcheck page site/ --pyodide pyodide-0.29.0.tgz
  python -m http.server --directory site
"""


@click.command(cls=Command, epilog=PAGE_EXAMPLES.strip("\n"))
@click.argument("folder", metavar="FOLDER")
@click.option("--pyodide", required=True, metavar="FILE", help="Pyodide's npm package, as `npm pack pyodide` writes it, or the folder it was unpacked to.")  # fmt: skip
def page(folder: str, pyodide: str) -> None:
    """Writes a page into FOLDER that checks protocols in the browser.

    Nothing need be installed to use it: Python comes with the page. Put FOLDER on any web server; opened as a file it does not work.
    It has the bundled models to begin with, and whatever is written in its editor.
    """
    from ...page.building import build

    done = build(Path(folder), Path(pyodide))
    whole = (done.python + done.modelcheck) / 1e6
    click.echo(f"wrote {Path(folder) / 'index.html'}: {whole:.1f} MB, {done.packed / 1e6:.1f} MB where the server compresses (Pyodide {done.version})")  # fmt: skip
    click.echo(f"  try it       python -m http.server --directory {folder}")
