"""What a verdict rests on is taken again by a fresh interpreter: models that remember, or look elsewhere, are found out."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from modelcheck import ModelError, StepError, check
from modelcheck.check.result import Result, TakenAgain
from tests.conftest import Write
from tests.protocols import ENDLESS

pytestmark = pytest.mark.witnessed
Run = Callable[..., Result]

# `put` is tried before `see`, which would break the property at once: only a latch that `put` sets keeps it from that.
LATCH = """
{setup}

class Latched(Process):
    topology = one_way_ring
    specs = ()
    x: int = 0
    bad: bool = False

    @step
    def put(self):
        self.require(self.x == 0)
        self.x = 1
        {put}

    @step
    def see(self):
        self.require({unset})
        self.bad = True
{more}
@always
def never_bad(view):
    return not any(p.bad for p in view.processes)
"""
LATCHES = {
    "an object with slots": (
        'class Box:\n    __slots__ = ("on",)\nBOX = Box()\nBOX.on = False', "BOX.on = True", "not BOX.on",
    ),
    "a list in a cache": (
        "import functools\n@functools.cache\ndef box(): return []", "box().append(1)", "not box()",
    ),
    "the environment": ("import os", 'os.environ["LATCH_OF_A_TEST"] = "1"', '"LATCH_OF_A_TEST" not in os.environ'),
    "an iterator": ("ITEMS = iter([0])", "next(ITEMS, None)", "ITEMS.__length_hint__() == 1"),
    "the state of a generator": (
        "def once():\n    yield 1\nITEMS = once()", "next(ITEMS, None)", "ITEMS.gi_frame is not None",
    ),
    "a long array": ("import numpy\nARRAY = numpy.zeros(5000)", "ARRAY[2500] = 1", "ARRAY[2500] == 0"),
    "another module": ("import json.tool", "json.tool.latch = True", 'not hasattr(json.tool, "latch")'),
    "the table of modules": ("", 'sys.modules["latch_of_a_test"] = sys', '"latch_of_a_test" not in sys.modules'),
    "a variable of the thread": (
        "import threading\nHERE = threading.local()", "HERE.on = True", 'not hasattr(HERE, "on")',
    ),
    "a context variable": (
        'import contextvars\nON = contextvars.ContextVar("on", default=False)', "ON.set(True)", "not ON.get()",
    ),
    "a random generator with a fixed seed": (
        "random.seed(5)\nFIRST = random.getstate()", "random.random()", "random.getstate() == FIRST",
    ),
    "a closure": (
        "def made():\n    on = []\n    return on.append, on.__len__\nPUT, SIZE = made()", "PUT(1)", "SIZE() == 0",
    ),
    "an attribute of the class": ("", "type(self).put.latch = True", 'not hasattr(type(self).put, "latch")'),
    "an attribute of a class of the language": ("", "Message.latch = True", 'not hasattr(Message, "latch")'),
    "the default of an argument": ("def box(on=[]): return on", "box().append(1)", "not box()"),
    "the attributes of a built-in function's owner": (
        "import types\nNAMES = types.SimpleNamespace()", "NAMES.on = 1", 'not hasattr(NAMES, "on")',
    ),
    "the recursion limit": ("LIMIT = sys.getrecursionlimit()", "sys.setrecursionlimit(LIMIT + 7)", "sys.getrecursionlimit() == LIMIT"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_stays(monkeypatch: pytest.MonkeyPatch) -> object:
    """What these models leave behind is taken away again."""
    from modelcheck import Message

    limit = sys.getrecursionlimit()
    monkeypatch.setenv("LATCH_OF_A_TEST", "")
    monkeypatch.delenv("LATCH_OF_A_TEST")
    yield
    sys.modules.pop("latch_of_a_test", None)
    sys.setrecursionlimit(limit)
    for owner in (Message, sys.modules.get("json.tool")):
        if owner is not None and "latch" in vars(owner):
            delattr(owner, "latch")


@pytest.mark.parametrize("where", LATCHES)
def test_a_step_that_remembers_is_found_out_wherever_it_does(where: str, run: Run) -> None:
    setup, put, unset = LATCHES[where]
    found = run(LATCH.format(setup=setup, put=put, unset=unset, more=""), n=2)
    assert (found.verdict, found.exit_code, type(found.error)) == ("INCONCLUSIVE", 75, StepError)


def test_the_error_names_the_step_what_was_found_here_and_there_and_the_likely_cause(run: Run) -> None:
    setup, put, unset = LATCHES["a list in a cache"]
    found = run(LATCH.format(setup=setup, put=put, unset=unset, more=""), n=2)
    assert isinstance(found.error, ModelError)
    assert found.error.step == "see"
    assert found.error.state == "x=1, bad=False"
    assert "remembers something that is no field" in found.error.cause
    assert "here: it is not enabled" in found.error.cause
    assert "there: x=1, bad=True" in found.error.cause


def test_a_latch_in_a_module_of_the_author_is_found_out(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "helper_with_a_latch.py").write_text("ON = [False]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = LATCH.format(setup="import helper_with_a_latch as h", put="h.ON[0] = True", unset="not h.ON[0]", more="")
    assert isinstance(check(write(text), n=2).error, StepError)
    sys.modules.pop("helper_with_a_latch", None)


def test_a_file_that_a_step_writes_is_no_place_to_remember_in(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "latch")
    text = LATCH.format(
        setup="import os", put=f"open({file!r}, 'w').close()", unset=f"not os.path.exists({file!r})", more=""
    )
    found = run(text, n=2)
    assert isinstance(found.error, StepError)
    assert f"writes the file {file}" in found.error.cause


def test_a_step_that_looks_at_the_clock_is_found_out(run: Run) -> None:
    found = run(
        LATCH.format(setup=f"START = {time.time()}", put="pass", unset="time.time() > START + 1_000_000", more=""), n=2
    )
    assert isinstance(found.error, StepError)


def test_a_property_of_a_process_that_caches_is_found_out(run: Run) -> None:
    more = """
    @property
    def doubled(self):
        CACHE.setdefault("x", self.x)
        return CACHE["x"]
"""
    setup = "from collections import UserDict\nimport functools\n@functools.cache\ndef cache_(): return {}\nCACHE = cache_()"
    text = LATCH.format(setup=setup, put="self.doubled", unset="self.doubled == 1", more=more)
    assert isinstance(run(text, n=2).error, StepError)


def test_a_method_that_caches_is_found_out(run: Run) -> None:
    """One component asks first what x is, and from then on everybody is told the same."""
    more = """
    @staticmethod
    @functools.cache
    def asked(what):
        return NUMBERS.__next__()
"""
    text = LATCH.format(
        setup="import functools, itertools\nNUMBERS = itertools.count()",
        put="self.asked(self.bad)",
        unset="self.asked(self.bad) == 1",
        more=more,
    )
    assert isinstance(run(text, n=2).error, StepError)


def test_what_hangs_on_a_value_and_is_no_field_of_it_does_not_count(run: Run) -> None:
    """By the fields of a log all states are as they were: `see` can never be taken. In a search that hands on one object it can."""
    found = run(
        """
        @dataclass(frozen=True)
        class Log:
            x: int = 0
            def __post_init__(self): object.__setattr__(self, "items", [])

        class Logs(Process):
            topology = one_way_ring
            specs = ()
            log: Log
            stage: int = 0
            bad: bool = False
            def initially(self): self.log = Log(0)
            @step
            def note(self):
                self.require(self.stage == 0)
                self.log.items.append(1)
                self.stage = 1
            @step
            def see(self):
                self.require(self.stage == 0 and self.log.items)
                self.bad = True
        """,
        n=2,
    )
    assert isinstance(found.error, ModelError)


# --- properties ----------------------------------------------------------------------------------------------------------

COUNTING = """
class Counting(Process):
    topology = one_way_ring
    specs = ()
    x: int = 0

    @step
    def up(self):
        self.require(self.x < 2)
        self.x += 1
"""
REMEMBERS = """
import functools
@functools.cache
def seen(): return set()

@always
def never_two(view):
    "Nobody reaches two before everybody has been seen at 0."
    seen().add(tuple(p.x for p in view.processes))
    return (0, 0) not in seen() or not all(p.x == 2 for p in view.processes) or len(seen()) > 3
"""


@pytest.mark.parametrize("apart", [False, True])
def test_a_property_that_remembers_is_found_out_in_whichever_file_it_stands(apart: bool, write: Write) -> None:
    model, spec = (COUNTING, write(REMEMBERS)) if apart else (COUNTING + REMEMBERS, None)
    found = check(write(model), n=2, spec=spec)
    assert isinstance(found.error, StepError)
    assert found.error.step == "never_two"
    assert "here: it holds; there: it fails" in found.error.cause


def test_what_stands_beside_a_property_in_a_file_of_its_own_may_not_change_and_is_named(write: Write) -> None:
    """So may not what has slots and no dictionary."""
    spec = """
class Box:
    __slots__ = ("count",)
BOX = Box()
BOX.count = 0

@always
def counted(view):
    BOX.count += 1
    return True
"""
    found = check(write(COUNTING), n=2, spec=write(spec))
    assert isinstance(found.error, StepError)
    assert found.error.what.startswith("the model changed BOX,")


@pytest.mark.parametrize("kind", ["always", "at_the_end", "eventually", "every_step"])
def test_properties_of_every_kind_are_judged_again(kind: str, run: Run) -> None:
    """Each is true while the clock of the search goes, and would not be a million seconds later."""
    views = "before, after" if kind == "every_step" else "view"
    found = run(
        COUNTING + f"START = {time.time()}\n@{kind}\ndef soon({views}):\n    return time.time() < START + 1_000_000",
        n=2,
    )
    assert isinstance(found.error, StepError)
    assert found.error.step == "soon"


def test_a_violation_is_judged_again_too(run: Run) -> None:
    found = run(
        COUNTING + f"START = {time.time()}\n@always\ndef later(view):\n    return time.time() > START + 1_000_000", n=2
    )
    assert isinstance(found.error, StepError)
    assert "here: it fails; there: it holds" in found.error.cause


# --- the hash seed -------------------------------------------------------------------------------------------------------

PICKS = """
{setup}

class Picks(Process):
    topology = one_way_ring
    specs = ()
    {field}
    picked: str = ""

    @step
    def pick(self):
        self.require(not self.picked)
        self.picked = {first}

@always
def never_red(view):
    return not any(p.picked == "red" for p in view.processes)
"""
SETS = {
    "a constant": ('NAMES = frozenset({"red", "green", "blue", "white"})', "pass", "next(iter(NAMES))"),
    "a set that the step makes": ("", "pass", 'list({"red", "green", "blue"})[0]'),
    "a hash": ("", "pass", '"red" if hash("a") % 5 else "green"[: hash("b") % 6]'),
}


@pytest.mark.parametrize("where", SETS)
def test_the_order_of_a_set_of_texts_never_decides_a_verdict(where: str, run: Run) -> None:
    setup, field, first = SETS[where]
    found = run(PICKS.format(setup=setup, field=field, first=first), n=1)
    assert isinstance(found.error, StepError)
    assert "goes through a set as it comes" in found.error.cause


def test_neither_does_that_of_a_set_of_two_where_an_interpreter_has_the_same_seed_as_the_search(write: Write) -> None:
    model = write(PICKS.format(setup='NAMES = frozenset({"red", "green"})', field="pass", first="next(iter(NAMES))"))
    command = [sys.executable, "-m", "modelcheck", "run", model, "--n", "1"]
    found = subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": "3"}, capture_output=True, text=True)
    assert found.returncode == 75, found.stdout


def test_sets_of_numbers_have_one_order_everywhere(run: Run) -> None:
    found = run(
        """
        class Numbers(Process):
            topology = one_way_ring
            specs = ()
            seen: tuple[int, ...] = ()
            @step
            def look(self):
                self.require(not self.seen)
                self.seen = tuple({5, 3, 70, 2})
        """,
        n=3,
    )
    assert found.verdict == "HOLDS"
    assert found.taken_again is not None
    assert found.taken_again.interpreters > 1


# --- what is said --------------------------------------------------------------------------------------------------------


def test_the_report_says_how_much_was_taken_again_the_same_whatever_the_engine_and_the_workers() -> None:
    """Three processes take two steps each, in any order: three values each, 27 states up to the order of identifiers."""
    found = {
        check("chang_roberts", n=[2, 3, 4], engine=e, workers=w).taken_again for e, w in (("reference", 1), ("auto", 2))
    }
    (one,) = found
    assert one is not None
    assert (one.components, one.undone, one.interpreters) == (one.of_components, "", 1)
    assert 0 < one.states < one.of_states


def test_where_there_are_many_a_sample_is_taken(run: Run) -> None:
    """A counter to 2,000 in a world of one process: 2,001 components and states."""
    found = run(COUNTING.replace("< 2", "< 2000") + "@always\ndef small(view): return view.processes[0].x < 3000", n=1)
    assert found.taken_again == TakenAgain(1000 + 1001 // 20, 2001, 64, 2001, 1)


def test_a_search_that_was_stopped_and_found_nothing_has_nothing_to_take_again(run: Run) -> None:
    from modelcheck import Limits

    assert run(ENDLESS.replace("Token(1)", "Token(1)"), n=3, limits=Limits(max_states=3)).taken_again is None


def test_a_class_made_in_a_function_cannot_be_made_again_and_the_report_says_so() -> None:
    from modelcheck import Process, one_way_ring, step

    class Local(Process):
        topology = one_way_ring
        specs = ()
        x: int = 0

        @step
        def up(self) -> None:
            self.require(self.x < 1)
            self.x += 1

    found = check(Local, n=2)
    assert found.verdict == "HOLDS"
    assert found.taken_again == TakenAgain(undone="its class is made inside a function")


SCRIPT = """
from modelcheck import *

class Up(Process):
    topology = one_way_ring
    specs = ()
    x: int = 0

    @step
    def up(self):
        self.require(self.x < 1)
        self.x += 1

{call}
"""
TELL = 'print("ran"); found = check(Up, n=2); print(found.verdict, found.taken_again.undone or found.taken_again.components)'


def _script(tmp_path: Path, call: str) -> list[str]:
    file = tmp_path / "script.py"
    file.write_text(textwrap.dedent(SCRIPT).format(call=call))
    return subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True).stdout.splitlines()


def test_a_script_never_runs_a_second_time(tmp_path: Path) -> None:
    ran, verdict = _script(tmp_path, TELL)
    assert ran == "ran"
    assert verdict.startswith("HOLDS it stands in a program that would do its work a second time")


def test_the_model_of_a_script_that_guards_its_work_is_taken_again(tmp_path: Path) -> None:
    """Two identifiers, each with x = 0 or 1: four components."""
    assert _script(tmp_path, f'if __name__ == "__main__":\n    {TELL}') == ["ran", "HOLDS 4"]


def test_a_run_that_is_resumed_says_that_the_worlds_before_are_not_among_it(tmp_path: Path) -> None:
    """A ring of 4 has (4 - 1)! = 6 worlds; 3 of them were explored before, and of those no state is judged again."""
    from modelcheck.check.checkpoint import Keeping
    from tests.check.leaving import Stops

    file = tmp_path / "kept.json"
    check("chang_roberts", n=4, checkpoint=Keeping(file, haste=1000), meter=Stops(3))
    resumed, whole = (
        check("chang_roberts", n=4, checkpoint=file, resume=True).taken_again,
        check("chang_roberts", n=4).taken_again,
    )
    assert resumed is not None
    assert whole is not None
    assert (resumed.worlds_before, whole.worlds_before) == (3, 0)
    assert resumed.states < whole.states


# --- the other process ---------------------------------------------------------------------------------------------------


def test_the_interpreter_ends_when_the_one_that_started_it_is_killed() -> None:
    """Even while a step that it takes again never returns. Its answers then come to an end, which is what is waited for here."""
    import psutil

    code = (
        "import os, sys; from modelcheck.witness.interpreters import Interpreter; i = Interpreter(1);"
        "print(i._process.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        witness = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        psutil.wait_procs([witness], timeout=60)
        assert not witness.is_running() or witness.status() == psutil.STATUS_ZOMBIE


def test_a_step_that_never_returns_there_ends_with_the_limit(run: Run) -> None:
    from modelcheck import Limits

    text = LATCH.format(setup="import os\nHERE = os.getpid()", put="pass", unset="loop()", more="")
    text = text.replace("class Latched", f"def loop():\n    while os.getpid() != {os.getpid()}: pass\n\nclass Latched")
    found = run(text, n=1, limits=Limits(max_seconds=2))
    assert (found.verdict, found.stopped) == ("INCONCLUSIVE", "the limit of 2 seconds was reached")
