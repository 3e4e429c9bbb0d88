"""What a shell may complete beside the names of options: models, properties, and parameters with their values."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from . import catalog
from .errors import ModelcheckError
from .language.definition import spelled


def models(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Bundled models; where a path is begun, whatever the shell finds."""
    if begun.startswith((".", "/", "~")):
        return [CompletionItem(begun, type="file")]
    return [CompletionItem(name) for name in catalog.model_files() if name.startswith(begun)]


def properties(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The properties of the model that stands on the line already, those of its specifications among them."""
    model = _model(ctx)
    if model is None:
        return []
    specs = (prop for name in model.definition.specs for prop in catalog.find_spec(name))
    names = dict.fromkeys(prop.name for prop in (*specs, *model.properties))
    return [CompletionItem(name) for name in names if name.startswith(begun)]


def parameters(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """`key=` with each value that may stand there, where only some may."""
    model = _model(ctx)
    if model is None:
        return []
    found = []
    for key, parameter in model.definition.parameters.items():
        values = (True, False) if isinstance(parameter.default, bool) else parameter.among or ("",)
        found += [f"{key}={spelled(value) if value != '' else ''}" for value in values]
    return [CompletionItem(word) for word in found if word.startswith(begun)]


def _model(ctx: click.Context) -> catalog.Model | None:
    """The model on the line; its code is run. None where there is none, or none that can be read."""
    left = (
        word for word in ctx.args if not word.startswith("-")
    )  # what Click leaves where the last option lacks its value
    reference = ctx.params.get("model") or next(left, None)
    try:
        return catalog.find_model(reference) if reference else None
    except ModelcheckError:
        return None
