"""Models import each other, bundled ones and files beside them; what is imported is as much a model's text as the rest."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from modelcheck import DefinitionError, Limits, UsageError, catalog, check, loading
from modelcheck.catalog import find_model
from modelcheck.check.checkpoint import Keeping
from modelcheck.check.fingerprint import sources
from modelcheck.check.request import read_request
from modelcheck.explore.limits import Meter
from modelcheck.report.html import run as html

COMMON = """
from modelcheck import NEXT, Message, Process, always, initiate, one_way_ring, receive

class Token(Message):
    pass

class _Sends(Process):
    topology = one_way_ring
    left: int = 1

    @initiate
    def go(self):
        self.require(self.left > 0)
        self.send(NEXT, Token())
        self.left -= 1

    @receive(Token)
    def take(self, message):
        if self.never():
            self.left = 0

    def never(self):
        return False

@always
def none_too_many(view):
    "Nobody has more than one left."
    return all(p.left <= 1 for p in view.processes)
"""
MINE = """
from common import _Sends

class Mine(_Sends):
    pass
"""
HIGHER = """
from modelcheck.models.chang_roberts import ChangRoberts, Election, NEXT, receive

class Lazy(ChangRoberts):
    @receive(Election)
    def compare(self, message):
        super().compare(message)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "common.py").write_text(COMMON)
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


def mine(folder: Path) -> str:
    return str(folder / "mine.py")


# --- finding


def test_a_file_beside_the_model_is_imported_from_whatever_folder_modelcheck_is_started_in(folder: Path) -> None:
    assert check(mine(folder), n=2).verdict == "HOLDS"
    assert "common" not in sys.modules


def test_a_bundled_model_is_imported_by_name(tmp_path: Path) -> None:
    """497 states and 1,252 transitions, as Spin and Rumur count them for the protocol."""
    (tmp_path / "mine.py").write_text(HIGHER)
    result = check(mine(tmp_path), n=4)
    assert (result.verdict, result.states, result.transitions) == ("HOLDS", 497, 1_252)


def test_several_bundled_models_are_imported_as_modules(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from modelcheck.models import chang_roberts, stages\nclass Mine(chang_roberts.ChangRoberts): pass\nassert stages.Stages\n"
    )
    assert find_model(mine(tmp_path)).definition.name == "Mine"


def test_of_two_files_of_one_name_each_model_gets_the_one_beside_it(folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    (other / "common.py").write_text(COMMON.replace("left: int = 1", "left: int = 2"))
    (other / "mine.py").write_text(MINE)
    assert [check(mine(place), n=1).verdict for place in (folder, other, folder)] == ["HOLDS", "VIOLATED", "HOLDS"]


def test_a_file_beside_the_model_that_was_changed_is_read_again(folder: Path) -> None:
    verdicts = []
    for left in ("1", "2", "1"):
        (folder / "common.py").write_text(COMMON.replace("left: int = 1", f"left: int = {left}"))
        verdicts.append(check(mine(folder), n=1).verdict)
    assert verdicts == ["HOLDS", "VIOLATED", "HOLDS"]


def test_what_is_imported_may_import_in_turn(folder: Path) -> None:
    (folder / "mine.py").write_text("from further import Between\nclass Mine(Between): pass\n")
    (folder / "further.py").write_text("from .common import _Sends\nclass Between(_Sends): pass\n")
    assert check(mine(folder), n=1).verdict == "HOLDS"
    (folder / "common.py").write_text(COMMON.replace("left: int = 1", "left: int = 2"))
    assert check(mine(folder), n=1).verdict == "VIOLATED"


def test_a_specification_imports_what_stands_beside_it(folder: Path) -> None:
    (folder / "spec.py").write_text(
        "from common import Token\nfrom modelcheck import always\n@always\ndef few(view):\n    return len(view.in_transit(Token)) < 2\n"
    )
    assert check(mine(folder), n=2, spec=str(folder / "spec.py")).property("few").verdict == "violated"


def test_a_module_of_python_is_never_taken_from_beside_the_model(folder: Path) -> None:
    (folder / "random.py").write_text("raise ValueError")
    (folder / "mine.py").write_text("import random\n" + MINE)
    assert check(mine(folder), n=1).verdict == "HOLDS"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from modelcheck.models.chang_robert import ChangRoberts", "did you mean chang_roberts"),
        ("from modelcheck.models import chang_robert", "did you mean chang_roberts"),
        ("import modelcheck.models.chang_roberts", "write from modelcheck.models import chang_roberts"),
        ("import comon", "No module named 'comon'"),
        ("from broken import x", "the file has a syntax error"),
        ("from circle import x", "circle.py, which imports mine.py"),
    ],
)
def test_an_import_that_cannot_be_is_told_with_its_reason(text: str, words: str, folder: Path) -> None:
    (folder / "broken.py").write_text("class X(:\n")
    (folder / "circle.py").write_text("from mine import y\n")
    (folder / "mine.py").write_text(text + "\n")
    with pytest.raises(DefinitionError) as refused:
        find_model(mine(folder))
    assert words in str(refused.value)


def test_a_fault_in_what_is_imported_is_told_with_its_own_place(folder: Path) -> None:
    (folder / "common.py").write_text("x = 1\ny = 1 / 0\n")
    with pytest.raises(DefinitionError) as refused:
        find_model(mine(folder))
    assert refused.value.where == f"{folder / 'common.py'}:2  y = 1 / 0"


def test_assertions_are_compiled_into_what_is_imported(folder: Path) -> None:
    (folder / "common.py").write_text(COMMON.replace("if self.never():", "assert self.never()\n        if False:"))
    program = "import sys; from modelcheck import check; print(check(sys.argv[1], n=1, engine='reference').exit_code)"
    command = [sys.executable, "-O", "-c", program, mine(folder)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "14\n"


# --- in a program


def test_a_program_imports_bundled_models_by_name_and_gets_the_one_that_is_run(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
            from modelcheck import check, receive
            from modelcheck.models.chang_roberts import ChangRoberts, Election

            class Mine(ChangRoberts):
                @receive(Election)
                def compare(self, message):
                    super().compare(message)

            if __name__ == "__main__":
                result = check(Mine, n=3)
                print(result.states, result.transitions, result.taken_again.undone or "taken again")
                print(check(ChangRoberts, n=3).states)
        """)
    )
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout == "56 106 taken again\n56\n"  # as Spin and Rumur count


def test_a_program_that_asks_for_a_bundled_model_that_is_not_there_gets_an_import_error() -> None:
    with pytest.raises(ImportError, match="chang_robert"):
        __import__("modelcheck.models.chang_robert")


# --- it is the model's text


OF_CHANG_ROBERTS = [
    "whoever_asks_is_told_the_leaders_number",
    "one_leader_wave",
]  # the first only of who knows integers


def test_the_properties_of_the_file_of_the_protocol_come_along(folder: Path, tmp_path: Path) -> None:
    assert [prop.name for prop in find_model(mine(folder)).properties] == ["none_too_many"]
    (tmp_path / "lazy.py").write_text(HIGHER)
    assert [prop.name for prop in find_model(str(tmp_path / "lazy.py")).properties] == OF_CHANG_ROBERTS


def test_a_property_that_is_imported_by_name_is_claimed(folder: Path) -> None:
    (folder / "mine.py").write_text(HIGHER + "\nfrom common import none_too_many\n")
    assert [prop.name for prop in find_model(mine(folder)).properties] == [*OF_CHANG_ROBERTS, "none_too_many"]


def test_a_property_of_the_same_name_takes_the_place_of_the_one_that_comes_along(folder: Path) -> None:
    text = MINE + "\nfrom modelcheck import always\n@always\ndef none_too_many(view):\n    'Mine.'\n    return True\n"
    (folder / "mine.py").write_text(text)
    assert [prop.claim for prop in find_model(mine(folder)).properties] == ["Mine."]


def test_a_protocol_of_another_file_is_no_variation(folder: Path) -> None:
    model = find_model(mine(folder))
    assert (model.name, model.protocol) == ("mine", "")


@pytest.mark.witnessed
def test_a_fresh_interpreter_takes_the_same_texts(folder: Path) -> None:
    """Whatever the file holds by then."""

    class Meanwhile(Meter):
        def landed(self, states: int, transitions: int) -> None:
            super().landed(states, transitions)
            (folder / "common.py").write_text("raise ValueError")

    result = check(mine(folder), n=2, meter=Meanwhile(Limits()))
    assert result.taken_again is not None
    assert result.taken_again.undone == ""
    assert result.taken_again.components == result.taken_again.of_components > 0
    assert result.verdict == "HOLDS"


class Stops(Meter):
    def landed(self, states: int, transitions: int) -> None:
        super().landed(states, transitions)
        self.interrupted = True


@pytest.mark.parametrize("imported", ["common.py", "constants.py"])
def test_a_checkpoint_does_not_fit_where_what_is_imported_has_changed(imported: str, folder: Path) -> None:
    """Also where nothing but a number is imported."""
    (folder / "constants.py").write_text("LIMIT = 3\n")
    (folder / "mine.py").write_text(MINE + "\nfrom constants import LIMIT\n")
    kept, options = folder / "kept.json", {"n": [1, 2, 3]}
    check(mine(folder), checkpoint=Keeping(kept, haste=1000), meter=Stops(Limits()), **options)
    before = (folder / imported).read_text()
    (folder / imported).write_text(before + "\n# a remark\n")
    with pytest.raises(UsageError, match=f"{imported} has changed since"):
        check(mine(folder), checkpoint=kept, resume=True, **options)
    (folder / imported).write_text(before)
    assert check(mine(folder), checkpoint=kept, resume=True, **options).verdict == "HOLDS"


def test_a_checkpoint_does_not_fit_where_two_files_of_one_name_have_changed_places(folder: Path) -> None:
    """That of the model and that of its specification: each of the two texts is still there."""
    others = folder / "others"
    others.mkdir()
    (others / "spec.py").write_text(
        "from common import Token\nfrom modelcheck import always\n@always\ndef so(view):\n    return True\n"
    )
    (others / "common.py").write_text(COMMON.replace("left <= 1", "left <= 2"))
    kept, options = folder / "kept.json", {"n": [1, 2, 3], "spec": str(others / "spec.py")}
    check(mine(folder), checkpoint=Keeping(kept, haste=1000), meter=Stops(Limits()), **options)
    before = {path: path.read_text() for path in (folder / "common.py", others / "common.py")}
    for path, text in zip(before, reversed(before.values()), strict=True):
        path.write_text(text)
    with pytest.raises(UsageError, match=r"common\.py has changed since"):
        check(mine(folder), checkpoint=kept, resume=True, **options)


def test_a_constant_is_compared_in_each_of_two_files_of_one_name(folder: Path) -> None:
    """The number of the one is a clock's, or chance's, and that of the other is not."""
    others = folder / "others"
    others.mkdir()
    (others / "common.py").write_text("NUMBER = 1\n")
    (others / "spec.py").write_text(
        "import common\nfrom modelcheck import always\n@always\ndef so(view):\n    return True\n"
    )
    (folder / "common.py").write_text("import random\nNUMBER = random.random()\n" + COMMON)
    (folder / "mine.py").write_text("import common\nclass Mine(common._Sends):\n    pass\n")
    found = []
    for remark in ("", "# again\n"):
        (folder / "mine.py").write_text((folder / "mine.py").read_text() + remark)
        loading._made.clear()
        found.append(sources(read_request(mine(folder), spec=str(others / "spec.py"))).constants["NUMBER of common.py"])
    assert found[0] != found[1]


def test_a_bundled_model_that_is_imported_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HIGHER)
    assert {"mine.py", "chang_roberts.py"} <= sources(read_request(mine(tmp_path))).texts.keys()


def test_lines_of_what_is_imported_that_never_ran_are_named_with_their_own_file(folder: Path) -> None:
    result = check(mine(folder), n=2)
    assert result.never_ran == ("common.py:20  self.left = 0",)


def test_of_two_files_of_one_name_lines_that_never_ran_say_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "chang_roberts.py"
    path.write_text(
        HIGHER.replace(
            "super().compare(message)",
            "super().compare(message)\n        if self.id != self.id:\n            self.leader = None",
        )
    )
    place = next(place for place in check(str(path), n=1).never_ran if "leader = None" in place)
    assert place == f"{tmp_path.name}/chang_roberts.py:9  self.leader = None"


def test_the_page_shows_every_text(folder: Path) -> None:
    page = html.document(check(mine(folder), n=2))
    assert "the model, mine.py, as it was checked" in page
    assert "what it imports, common.py, as it was checked" in page


def test_a_helper_that_remembers_something_is_found_out(folder: Path) -> None:
    text = COMMON.replace("return False", "SEEN.append(1)\n        return False") + "\nSEEN = []\n"
    (folder / "common.py").write_text(text)
    error = check(mine(folder), n=2).error
    assert error is not None
    assert "the model changed SEEN" in str(error)


def test_every_bundled_model_can_be_imported_by_name() -> None:
    for name in catalog.model_files():
        module = getattr(__import__(f"modelcheck.models.{name}", fromlist=["x"]), "__name__", "")
        assert loading.text_of(module) is not None
