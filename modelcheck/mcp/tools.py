"""The tools, what they take, and what they answer. Called in a process of its own (child.py), for this runs the code of models."""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import api, catalog, guide
from ..check.result import PropertyResult, Result
from ..errors import ModelcheckError, UsageError, nearest
from ..explore.limits import Limits, Meter
from ..interrupts import interruptible
from ..options import arguments, expect_options, limits_asked_for, parsed, reporting, run_options
from ..report.files import as_json
from ..report.terminal import card, expected
from ..report.terminal.page import Page, SteadyConsole
from ..report.terminal.writing import write_told, write_why
from ..report.words import verdict_block
from ..report.words.steps import told
from ..text.visible import visible

LONGEST = 60_000  # characters of an answer
TIME_TO_READ = 20.0  # seconds that reading a model may take

MODEL = {
    "type": "string",
    "description": "A bundled model (chang_roberts; `list` names them), or a file in the working directory (./mine.py); after a colon one of its protocols or variations (./mine.py:Mine).",
}
OPTIONS = {
    "type": "string",
    "description": "Options as they are typed after `modelcheck run MODEL`, such as '--n 2..4 --network bag --crashes 1 --set elects=min'. By default n=3 and what the model declares. `help` with the topic 'options' explains them.",
}
PROPERTY = {"type": "string", "description": "Which violated property; by default the one with the shortest run."}


@dataclass(frozen=True)
class Answered:
    """What a call comes to: a text for whoever reads, and data for programs; `failed` where there was nothing to answer."""

    text: str
    data: dict[str, Any] | None = None
    failed: bool = False


@dataclass(frozen=True)
class Offered:
    """A tool: what it is for, its arguments by name (as JSON schemas) and which of them it needs."""

    does: str
    takes: dict[str, Any]
    needs: tuple[str, ...]
    call: Callable[[dict[str, str], Limits], Answered]

    def described(self, name: str) -> dict[str, Any]:
        """As `tools/list` has it."""
        schema = {
            "type": "object",
            "properties": self.takes,
            "required": list(self.needs),
            "additionalProperties": False,
        }
        return {"name": name, "description": self.does, "inputSchema": schema}


def called(name: str, given: dict[str, Any], limits: Limits) -> Answered:
    """What a tool answers. Whatever is wrong with what is asked, or with the model, is an answer as well."""
    tool = TOOLS[name]
    try:
        for argument, value in given.items():
            if argument not in tool.takes:
                raise UsageError(f"{name} has no argument {argument!r}; {nearest(argument, tool.takes)}")
            if not isinstance(value, str):
                raise UsageError(f"{argument} is given as text, not as {value!r:.60}")
        if missing := [argument for argument in tool.needs if argument not in given]:
            raise UsageError(f"{name} needs {missing[0]!r}: {tool.takes[missing[0]]['description']}")
        answer = tool.call(given, limits)
    except (ModelcheckError, OSError) as error:
        return Answered(visible(str(error)), failed=True)
    text = visible(answer.text)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}\n... {len(text) - LONGEST:,} characters more are left out"
    return replace(answer, text=text)


# --- what there is ---------------------------------------------------------------------------------------------------


def _list(_given: dict[str, str], _: Limits) -> Answered:
    return Answered(_printed(lambda page: card.write_list(catalog.model_files(), page)))


def _show(given: dict[str, str], limits: Limits) -> Answered:
    reference = within(given["model"])
    meter = Meter(replace(limits, max_seconds=min(limits.max_seconds, TIME_TO_READ)))
    try:
        with interruptible(meter):
            model = catalog.find_model(reference)
    except KeyboardInterrupt:
        raise UsageError(f"{reference} was not read to its end: {meter.reached}") from None
    return Answered(_printed(lambda page: card.write_card(model, reference, page)))


def _help(given: dict[str, str], _: Limits) -> Answered:
    topic = given.get("topic", "")
    if topic in guide.topics():
        return Answered(guide.page(topic).text)
    if topic:
        raise UsageError(f"there is no topic {topic!r}; {nearest(topic, guide.topics())}")
    return Answered("\n".join(f"{page.topic}: {page.answers}" for page in guide.pages()))


# --- what is checked -------------------------------------------------------------------------------------------------


def _run(given: dict[str, str], limits: Limits) -> Answered:
    result, note = _checked(given, limits)
    return Answered(str(result) + note, summary(result), failed=result.error is not None)


def _trace(given: dict[str, str], limits: Limits) -> Answered:
    return _of_violation(given, limits, write_told_of)


def _explain(given: dict[str, str], limits: Limits) -> Answered:
    def write(result: Result, found: PropertyResult, page: Page) -> None:
        write_told_of(result, found, page)
        assert found.trace is not None
        write_why(found.trace, page)

    return _of_violation(given, limits, write)


def write_told_of(result: Result, found: PropertyResult, page: Page) -> None:
    write_told(told(result, found, hint=True), page)


def _of_violation(
    given: dict[str, str], limits: Limits, write: Callable[[Result, PropertyResult, Page], None]
) -> Answered:
    """The run against a property, and whatever else is written of it; the report where there is none."""
    result, note = _checked(given, limits)
    wanted = given.get("property", "")
    names = [found.name for found in result.properties]
    if result.error is None and wanted and wanted not in names:
        raise UsageError(f"there is no property {wanted!r} here; {nearest(wanted, names)}")
    violated = [
        found
        for found in result.properties
        if found.verdict == "violated" and found.trace and wanted in ("", found.name)
    ]
    if not violated or result.error is not None:
        why = f"there is no run to show: {wanted or 'no property'} is violated by none that was explored\n\n"
        return Answered(
            (why if result.error is None else "") + str(result) + note, summary(result), result.error is not None
        )
    shortest = min(violated, key=lambda found: found.trace.length if found.trace else 0)
    data = {"guarantee": verdict_block.guarantee(result), **as_json.property_of(result, shortest)}
    return Answered(_printed(lambda page: write(result, shortest, page)) + note, data)


def _expect(given: dict[str, str], limits: Limits) -> Answered:
    from ..chance.expecting import expect

    options, used, note = _asked(given, limits, expect_options)
    model, until = options.pop("model"), given.get("until")
    meter = Meter(used)
    try:
        with interruptible(meter):
            result = expect(model, until=until, meter=meter, **arguments(options))
    except KeyboardInterrupt:
        raise UsageError(
            f"INCONCLUSIVE: {meter.reached or 'interrupted'} before there was anything to report"
        ) from None
    return Answered(str(result) + note, expected.document(result), failed=result.search.error is not None)


def _checked(given: dict[str, str], limits: Limits) -> tuple[Result, str]:
    """The result, and a line where the limits are not those that were asked for."""
    options, used, note = _asked(given, limits, run_options)
    return api.check(options.pop("model"), limits=used, **arguments(options)), note


def _asked(given: dict[str, str], limits: Limits, known: Callable[..., Any]) -> tuple[dict[str, Any], Limits, str]:
    """The options that were typed, with paths that lead nowhere else, and limits that are no higher than those of the server."""
    try:
        words = shlex.split(given.get("options", ""))
    except ValueError as error:
        raise UsageError(f"the options cannot be read: {error}") from None
    options = parsed([within(given["model"]), *words], known)
    for name in (*reporting(options), "part"):
        if options.pop(name, None) not in (None, False):
            raise UsageError(
                f"--{name.removesuffix('_file')} is for the command line: the answer of this tool is all there is"
            )
    for name in ("graph", "spec"):
        if options.get(name) is not None:
            options[name] = within(options[name])
    asked = limits_asked_for(options)
    used = Limits(**{name: min(value, getattr(limits, name)) for name, value in vars(asked).items()})
    typed = any(word.startswith("--max-") for word in words)
    note = "" if used == asked or not typed else (
        f"\n\nlimits: {used.max_states:,} states, {used.max_seconds:g} seconds, {used.max_memory:,} MB, the most that this server allows"
    )  # fmt: skip
    return options, used, note


def summary(result: Result) -> dict[str, Any]:
    """The result as JSON, with what it amounts to, and without its runs."""
    document = as_json.document(result)
    properties = [{name: value for name, value in one.items() if name != "trace"} for one in document["properties"]]
    guarantee = verdict_block.guarantee(result) if result.sizes else "none"
    return {**document, "guarantee": guarantee, "properties": properties}


def within(reference: str) -> str:
    """A name, or a path that leads to something in the working directory. Raises UsageError for any other path, whether there is
    something or not."""
    path = reference.partition(":")[0]
    is_name = not (
        "/" in path or "\\" in path or path.endswith((".py", ".graphml", ".edges", ".txt")) or Path(path).exists()
    )
    if not is_name and not Path(path).resolve().is_relative_to(Path.cwd().resolve()):
        raise UsageError(
            f"{path} is outside of the working directory, where this server was started: only files in it are read"
        )
    return reference


def _printed(write: Callable[[Page], object]) -> str:
    file = io.StringIO()
    write(Page(SteadyConsole(file=file, highlight=False, force_terminal=False, no_color=True)))
    return file.getvalue().rstrip("\n")


TOOLS = {
    "list": Offered("Lists the bundled protocols, by topology.", {}, (), _list),
    "show": Offered("Shows what is known of a model (source, assumptions, parameters, steps, properties), and its code.", {"model": MODEL}, ("model",), _show),
    "run": Offered(
        "Checks an election protocol exhaustively: every interleaving, from every assignment of identifiers. Answers with the report: the verdict (HOLDS, VIOLATED or INCONCLUSIVE), "
        "the guarantee it comes with, what was not checked, and the shortest runs against violated properties. INCONCLUSIVE means that nothing was proved: a limit was reached.",
        {"model": MODEL, "options": OPTIONS}, ("model",), _run,
    ),
    "trace": Offered("Checks a model, and shows the shortest run against a property step by step, as text and as data.", {"model": MODEL, "options": OPTIONS, "property": PROPERTY}, ("model",), _trace),
    "explain": Offered("Checks a model, and tells why a property fails: from the failure back to its roots, which step follows from which.", {"model": MODEL, "options": OPTIONS, "property": PROPERTY}, ("model",), _explain),
    "expect": Offered(
        "Computes what to expect of a protocol that draws at random: probabilities and expected numbers of messages, least and greatest over all schedulers.",
        {"model": MODEL, "options": OPTIONS, "until": {"type": "string", "description": "A property: runs go on until it holds, and not until they end."}}, ("model",), _expect,
    ),
    "help": Offered("Shows a page of the guide (such as 'language', on how a model is written); without a topic lists them.", {"topic": {"type": "string", "description": "A topic of the guide."}}, (), _help),
}  # fmt: skip
