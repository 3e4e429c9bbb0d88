"""A published fault or another way to do a step is a class derived from the protocol, and is never checked without its name."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from modelcheck import DefinitionError, ElectionProcess, UsageError, catalog, check
from modelcheck.catalog import find_model
from modelcheck.cli import cli

Write = Callable[..., str]

PROTOCOL = '''
class Token(Message):
    pass

class Once(Process):
    """Everyone sends a token once."""
    topology = one_way_ring
    source = "A book, page 1"
    complexity = {"exactly": "n"}
    sent: bool = False

    @initiate
    def go(self):
        self.require(not self.sent)
        self.send(NEXT, Token())
        self.sent = True

    @receive(Token)
    def take(self, message):
        pass

class Twice(Once):
    """Everyone sends two tokens."""
    source = "A book, page 2"

    @initiate
    def go(self):
        super().go()
        self.send(NEXT, Token())

@always
def one_token(view):
    """At most one token waits for a process."""
    return all(len([t for t in view.in_transit(Token) if t.target == p]) <= 1 for p in view.processes)
'''


def typed(*words: str) -> str:
    return CliRunner().invoke(cli, words).stdout


# --- which class is meant


def test_the_protocol_of_a_file_is_the_class_that_derives_from_no_other_of_it(write: Write) -> None:
    model = find_model(write(PROTOCOL, "tokens"))
    assert (model.name, model.definition.name, model.protocol) == ("tokens", "Once", "")
    assert [one.__name__ for one in model.variations] == ["Twice"]
    assert check(write(PROTOCOL, "tokens"), n=2).verdict == "HOLDS"


def test_a_variation_is_named_behind_a_colon_and_so_is_whatever_is_found_of_it(write: Write) -> None:
    path = write(PROTOCOL, "tokens")
    found = typed("run", f"{path}:Twice", "--n", "2")
    assert found.startswith("VIOLATED  one_token      tokens:Twice  n=2")
    assert f"again        modelcheck run {path}:Twice --n 2 --property one_token" in found.replace("--ids 1,2", "--n 2")
    document = json.loads(typed("run", f"{path}:Twice", "--n", "2", "--json"))
    assert document["model"] == "tokens:Twice"


def test_after_a_variation_that_fails_the_protocol_is_the_next_to_look_at(write: Write) -> None:
    path = write(PROTOCOL, "tokens")
    assert f"next         modelcheck run {path} --n 2\n" in typed("run", f"{path}:Twice", "--n", "2")


def test_a_variation_that_is_not_there_is_answered_with_the_nearest(write: Write) -> None:
    with pytest.raises(UsageError, match="has no process 'Twic'; did you mean Twice"):
        find_model(f"{write(PROTOCOL)}:Twic")
    with pytest.raises(UsageError, match="did you mean StartUnguarded"):
        find_model("chang_roberts:StartUngarded")


def test_of_several_protocols_each_goes_by_its_own_name(write: Write) -> None:
    path = write(PROTOCOL + "class Other(Process):\n    pass\n", "two")
    with pytest.raises(UsageError, match=r"several protocols; name one: .*two\.py:Once, .*two\.py:Other"):
        find_model(path)
    assert [find_model(f"{path}:{name}").name for name in ("Once", "Other", "Twice")] == [
        "two:Once",
        "two:Other",
        "two:Twice",
    ]
    assert find_model(f"{path}:Twice").protocol == "two:Once"


def test_a_class_with_an_underscore_is_what_protocols_have_in_common(write: Write) -> None:
    model = find_model(write(PROTOCOL.replace("Once", "_Once"), "tokens"))
    assert (model.name, model.definition.name, model.variations) == ("tokens", "Twice", ())


def test_of_a_variation_that_loses_the_decorator_of_a_step_that_is_said(write: Write) -> None:
    path = write(PROTOCOL + "class Undecorated(Once):\n    def go(self):\n        pass\n")
    with pytest.raises(DefinitionError, match="go overrides a step and is none itself"):
        find_model(f"{path}:Undecorated")


# --- what it inherits


def test_a_step_that_is_replaced_keeps_its_place(write: Write) -> None:
    assert [step.name for step in find_model(f"{write(PROTOCOL)}:Twice").definition.steps] == ["go", "take"]


def test_the_properties_of_the_file_are_claimed_of_a_variation_too(write: Write) -> None:
    assert [prop.name for prop in find_model(f"{write(PROTOCOL)}:Twice").properties] == ["one_token"]


def test_the_formulas_of_a_protocol_are_not_held_against_a_variation(write: Write) -> None:
    """Two tokens each are 2n messages, and nobody says n of them."""
    path = write(PROTOCOL)
    assert [formula.word for formula in find_model(path).definition.formulas] == ["exactly"]
    assert find_model(f"{path}:Twice").definition.formulas == ()
    stated = PROTOCOL.replace('page 2"\n', 'page 2"\n    complexity = {"exactly": "2n"}\n')
    report = typed("messages", f"{write(stated)}:Twice", "--n", "2..3", "--start", "simultaneous")
    assert "2n" in report
    assert "agrees" in report


# --- list and show


@pytest.fixture(scope="module")
def listed() -> list[str]:
    """The lines of the list of bundled protocols."""
    return typed("list").splitlines()


def test_the_list_names_the_variations_of_each_model(listed: list[str]) -> None:
    (place,) = (number for number, line in enumerate(listed) if line.split()[:1] == ["chang_roberts"])
    variations = "variations: WokenStands, StartUnguarded, RelayStaysAsleep, JavaAsPrinted, JavaWithNumbers"
    assert listed[place + 1].strip() == variations


@pytest.mark.parametrize("name", catalog.model_files())
def test_the_list_names_those_that_there_are(name: str, listed: list[str]) -> None:
    """It does not run the files, and so may not go by anything else than they do."""
    (place,) = (number for number, line in enumerate(listed) if line.split()[:1] == [name])
    there = ", ".join(one.__name__ for one in find_model(name).variations)
    said = listed[place + 1].strip() if place + 1 < len(listed) else ""
    assert (said if said.startswith("variations: ") else "") == (f"variations: {there}" if there else "")


def test_the_card_of_a_protocol_has_its_variations_with_sentence_and_source(write: Write) -> None:
    assert "variations   Twice  Everyone sends two tokens.  (A book, page 2)" in typed("show", write(PROTOCOL))


def test_the_card_of_a_variation_says_what_differs_and_shows_no_more_code_than_that(write: Write) -> None:
    card = typed("show", f"{write(PROTOCOL, 'tokens')}:Twice")
    assert card.startswith("tokens:Twice  Everyone sends two tokens.\n")
    assert "variation    of tokens, derived from Once" in card
    assert "differs      go  another step" in card
    assert "class Twice(Once):" in card
    assert "class Once(" not in card


@pytest.mark.parametrize("name", catalog.model_files())
def test_every_bundled_variation_can_be_read_and_has_a_sentence(name: str) -> None:
    for one in find_model(name).variations:
        found = find_model(f"{name}:{one.__name__}")
        assert found.title.endswith((".", ":")), one
        assert found.title != find_model(name).title


# --- beats and best


ELECTS = """
class Model(ElectionProcess):
    topology = one_way_ring
    elects = Parameter("max", "which", among=("max", "min", "any"))
    @initiate
    def go(self):
        self.require(self.leader is None)
        assert self.everyone[0] == self.id or self.beats(self.id, self.everyone[0]) == (self.elects == "max")
        assert not self.beats(self.id, self.id)
        self.leader = self.best(*self.everyone)
    knows = ("everyone",)
"""


@pytest.mark.parametrize(("elects", "verdict"), [("max", "HOLDS"), ("min", "HOLDS")])
def test_what_beats_what_and_which_is_best_follow_from_what_is_elected(elects: str, verdict: str, write: Write) -> None:
    assert check(write(ELECTS), n=[1, 2, 3], parameters={"elects": elects}).verdict == verdict


def test_where_anyone_may_be_elected_nothing_beats_anything(write: Write) -> None:
    result = check(write(ELECTS), n=2, parameters={"elects": "any"})
    assert "no identifier is better than another where elects = 'any'" in str(result.error)


@pytest.mark.parametrize("declared", ["best: Id", "best: Id | None = None", "beats: bool = False"])
def test_a_field_may_be_called_so_too(declared: str, write: Write) -> None:
    name = declared.split(":")[0]
    given = "self.id" if name == "best" else "True"
    text = f"""
class Model(ElectionProcess):
    elects = "any"
    {declared}
    def initially(self):
        self.{name} = {given}
    @initiate
    def go(self):
        self.require(self.leader is None)
        self.leader = self.id
        assert self.{name}
"""
    assert check(write(text), n=1).verdict == "HOLDS"


def test_a_model_may_say_itself_what_beats_what(write: Write) -> None:
    assert (
        find_model(write(ELECTS + "    def beats(self, one, other):\n        return True\n")).definition.name == "Model"
    )
    assert ElectionProcess.beats.__doc__


# --- the figure


def test_the_protocol_of_chang_and_roberts_is_no_longer_than_its_figure() -> None:
    """30 lines of code: the two messages, what is declared, and the three steps."""
    path = catalog.model_files()["chang_roberts"]
    classes: dict[str, Any] = {
        node.name: node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)
    }
    lines = Path(path).read_text().splitlines()
    figure = [
        line
        for name in ("Election", "Leader", "ChangRoberts")
        for line in lines[classes[name].lineno - 1 : classes[name].end_lineno]
    ]
    assert len([line for line in figure if line.strip()]) <= 30
