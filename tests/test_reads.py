"""What a model reads from outside is part of its checkpoint, however it does so; what nobody can read again keeps it from having one."""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modelcheck import UsageError, catalog, loading, reads
from modelcheck.check.checker import check
from modelcheck.check.checkpoint import Keeping
from modelcheck.check.result import Result
from modelcheck.explore.limits import Limits, Meter

Write = Callable[..., str]

# models are written without care
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")

MODEL = """
import os, pathlib, subprocess, socket, time
{top}
class Counts(Process):
    topology = one_way_ring
    count: int = 0
    {within}

    @step
    def tick(self):
        {step}
        self.require(self.count < 1)
        self.count += 1

@always{when}
def low(view):
    {prop}
    return True
"""
ROOMY = {"top": "", "within": "", "step": "pass", "prop": "pass", "when": ""}


def model(**parts: str) -> str:
    return MODEL.format(**{**ROOMY, **parts})


class Stops(Meter):
    """Is interrupted after one world; before that something may happen."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        super().__init__(Limits())
        self.meanwhile = meanwhile

    def landed(self, states: int, transitions: int) -> None:
        super().landed(states, transitions)
        self.meanwhile()
        self.interrupted = True


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the model, what it reads and the checkpoint are; modules in it can be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "data.txt").write_text("3")
    (tmp_path / "helper_that_is_read.py").write_text("LIMIT = 3\n")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        packed.writestr("helper_in_zip.py", "LIMIT = 3\n")
    with sqlite3.connect(tmp_path / "data.db") as base:
        base.execute("create table limits (value)")
    base.close()
    yield tmp_path
    another_process(tmp_path)


def another_process(folder: Path) -> None:
    """As far as models are concerned."""
    reads._notes.clear()
    for made in (loading._made, loading.loaded, loading._modules):
        made.clear()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(folder)):
            del sys.modules[name]


def left(folder: Path, path: str, meanwhile: Callable[[], object] = lambda: None, **options: Any) -> Result:
    stopped = check(path, n=3, checkpoint=Keeping(folder / "kept.json", haste=1000), meter=Stops(meanwhile), **options)
    another_process(folder)
    return stopped


def refusal(folder: Path, path: str, **options: Any) -> str:
    with pytest.raises(UsageError) as refused:
        check(path, n=3, checkpoint=folder / "kept.json", resume=True, **options)
    return str(refused.value)


# --- files

# How the content of a file can get into a model: the code, the file, and how it changes.
WAYS = {
    "open": ("open('{}/data.txt').read()", "data.txt"),
    "in binary": ("open('{}/data.txt', 'rb').read()", "data.txt"),
    "for reading and writing": ("open('{}/data.txt', 'r+').read()", "data.txt"),
    "pathlib": ("pathlib.Path('{}/data.txt').read_text()", "data.txt"),
    "os.open": ("os.read(os.open('{}/data.txt', os.O_RDONLY), 9)", "data.txt"),
    "linecache": ("__import__('linecache').getline('{}/data.txt', 1)", "data.txt"),
    "numpy": ("str(__import__('numpy').loadtxt('{}/data.txt'))", "data.txt"),
    "a map": ("(lambda file: __import__('mmap').mmap(file.fileno(), 0, prot=1)[:])(open('{}/data.txt'))", "data.txt"),
    "a zip": ("__import__('zipfile').ZipFile('{}/packed.zip').namelist()", "packed.zip"),
    "sqlite": ("__import__('sqlite3').connect('{}/data.db').close()", "data.db"),
    "exec": ("exec(open('{}/helper_that_is_read.py').read())", "helper_that_is_read.py"),
    "runpy": ("__import__('runpy').run_path('{}/helper_that_is_read.py')['LIMIT']", "helper_that_is_read.py"),
    "__import__": ("__import__('helper_that_is_read').LIMIT", "helper_that_is_read.py"),
    "importlib": ("__import__('importlib').import_module('helper_that_is_read').LIMIT", "helper_that_is_read.py"),
    "zipimport": ("__import__('zipimport').zipimporter('{}/packed.zip').load_module", "packed.zip"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_was_read_and_changed_is_named_and_the_checkpoint_refused(
    way: str, folder: Path, write: Write
) -> None:
    code, name = WAYS[way]
    path = write(model(top=f"LIMIT = str({code.format(folder)})[:0]"))
    assert left(folder, path).kept.worlds == 1  # type: ignore[union-attr]
    before = (folder / name).read_bytes()
    with (folder / name).open("ab") as stream:
        stream.write(b" ")
    imported = way == "__import__"  # from beside the model: that is its own text
    assert f"{name}{'' if imported else ', which it reads,'} has changed since" in refusal(folder, path)
    (folder / name).write_bytes(before)
    another_process(folder)
    assert check(path, n=3, checkpoint=folder / "kept.json", resume=True).verdict == "HOLDS"


READ = "open('{}/data.txt').read()"
PLACES = {
    "a step": {"step": READ},
    "a property": {"prop": READ},
    "when a property applies": {"when": "(when=lambda _: bool(" + READ + "))"},
    "an initial value": {"within": "def initially(self):\n        " + READ + "; self.count = 0"},
    "the class": {"within": "text = " + READ},
    "a helper's function": {"top": "from helper_that_is_read import looks", "step": "looks()"},
}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("place", PLACES)
def test_it_does_not_matter_where_a_file_is_read(place: str, engine: Any, folder: Path, write: Write) -> None:
    (folder / "helper_that_is_read.py").write_text(f"def looks():\n    return {READ.format(folder)}\n")
    path = write(model(**{part: code.format(folder) for part, code in PLACES[place].items()}))
    assert left(folder, path, engine=engine, workers=2).kept.worlds >= 1  # type: ignore[union-attr]
    (folder / "data.txt").write_text("4")
    assert "data.txt, which it reads, has changed since" in refusal(folder, path)


def test_a_specification_may_read_a_file_too(folder: Path, write: Write) -> None:
    path = write(model())
    spec = write(f"LIMIT = int({READ.format(folder)})\n@always\ndef fine(view):\n    return True\n")
    left(folder, path, spec=spec)
    (folder / "data.txt").write_text("4")
    assert "data.txt, which it reads, has changed since" in refusal(folder, path, spec=spec)


def test_a_file_that_was_not_there_and_is_now_is_a_change(folder: Path, write: Write) -> None:
    top = f"try: open('{folder}/absent.txt')\nexcept OSError: pass"
    path = write(model(top=top))
    left(folder, path)
    (folder / "absent.txt").write_text("")
    assert "absent.txt, which it reads, has changed since" in refusal(folder, path)


def test_a_file_that_is_only_written_is_no_part_of_it(folder: Path, write: Write) -> None:
    path = write(model(top=f"open('{folder}/log.txt', 'a').close()"))
    left(folder, path)
    (folder / "log.txt").write_text("something")
    assert check(path, n=3, checkpoint=folder / "kept.json", resume=True).verdict == "HOLDS"


def test_a_file_that_changes_while_the_run_goes_on_keeps_it_from_having_a_checkpoint(
    folder: Path, write: Write
) -> None:
    path = write(model(top=f"LIMIT = len({READ.format(folder)})"))
    stopped = left(folder, path, lambda: (folder / "data.txt").write_text("5"))
    assert stopped.kept is not None
    assert stopped.kept.worlds == 0
    assert "data.txt, which has changed since it was first read" in stopped.kept.trouble
    assert not (folder / "kept.json").exists()


def test_a_file_that_is_changed_and_put_back_while_the_run_goes_on_is_noticed(folder: Path, write: Write) -> None:
    path = write(model(top=f"LIMIT = len({READ.format(folder)})"))
    stopped = left(folder, path, lambda: [(folder / "data.txt").write_text(text) for text in ("5", "3")])
    assert stopped.kept is not None
    assert "data.txt, which has changed since it was first read" in stopped.kept.trouble


def test_a_file_that_changes_while_a_resumed_run_goes_on_leaves_it_without_a_verdict(
    folder: Path, write: Write
) -> None:
    """Some worlds were searched with what it was, others with what it is."""
    path = write(model(step=READ.format(folder)))
    left(folder, path)

    class Meanwhile(Meter):
        def landed(self, states: int, transitions: int) -> None:
            super().landed(states, transitions)
            (folder / "data.txt").write_text("4")

    with pytest.raises(UsageError, match=r"do not belong together: .*data\.txt, which has changed"):
        check(path, n=3, checkpoint=folder / "kept.json", resume=True, meter=Meanwhile(Limits()))


def test_what_only_the_worlds_of_the_past_read_is_not_forgotten(folder: Path, write: Write) -> None:
    """A run that is left twice: the second sitting searches one world and reads nothing."""
    (folder / "once.txt").write_text("1")
    reading = f"os.path.exists('{folder}/go') and open('{folder}/once.txt').read()"
    path = write(model(step=reading))
    (folder / "go").write_text("")
    check(path, n=4, checkpoint=Keeping(folder / "kept.json", haste=1000), meter=Stops())
    another_process(folder)
    (folder / "go").unlink()
    check(path, n=4, checkpoint=Keeping(folder / "kept.json", resume=True, haste=1000), meter=Stops())
    another_process(folder)
    (folder / "once.txt").write_text("2")
    with pytest.raises(UsageError, match=r"once\.txt, which it reads, has changed since"):
        check(path, n=4, checkpoint=folder / "kept.json", resume=True)


# --- folders, the environment, constants


@pytest.mark.parametrize("code", ["os.listdir('{}')", "list(os.scandir('{}'))", "list(pathlib.Path('{}').glob('*'))"])
def test_the_names_in_a_folder_that_was_listed_are_part_of_it(code: str, folder: Path, write: Write) -> None:
    listed = folder / "listed"
    listed.mkdir()
    path = write(model(top=code.format(listed)))
    left(folder, path)
    (listed / "new").write_text("")
    assert f"the names in {listed}, which it reads, has changed since" in refusal(folder, path)


@pytest.mark.parametrize(
    "code",
    [
        "os.environ['LIMIT_OF_A_MODEL']",
        "os.environ.get('LIMIT_OF_A_MODEL')",
        "os.getenv('LIMIT_OF_A_MODEL')",
        "os.environb[b'LIMIT_OF_A_MODEL']",
        "'LIMIT_OF_A_MODEL' in os.environ",
        "from os import environ; environ['LIMIT_OF_A_MODEL']",
    ],
)
@pytest.mark.parametrize("place", ["top", "step", "prop"])
def test_a_variable_of_the_environment_that_was_read_is_part_of_it(
    code: str, place: str, folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMIT_OF_A_MODEL", "3")
    path = write(model(**{place: code}))
    left(folder, path)
    monkeypatch.setenv("LIMIT_OF_A_MODEL", "4")
    assert "the environment variable LIMIT_OF_A_MODEL, which it reads, has changed since" in refusal(folder, path)


def test_who_goes_through_the_whole_environment_reads_it_all_but_what_terminals_set(
    folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(model(top="len(dict(os.environ))"))
    monkeypatch.setenv("COLUMNS", "80")
    left(folder, path)
    monkeypatch.setenv("NEW_OF_A_MODEL", "4")
    assert "the environment, which it reads, has changed since" in refusal(folder, path)
    monkeypatch.delenv("NEW_OF_A_MODEL")


def test_what_no_model_looks_at_may_be_otherwise(folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(model(top=f"LIMIT = int(open('{folder}/data.txt').read())"))
    left(folder, path)
    monkeypatch.setenv("COLUMNS", "57")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir("/")
    (folder / "more.txt").write_text("")
    assert check(path, n=3, checkpoint=folder / "kept.json", resume=True).verdict == "HOLDS"


def test_a_file_with_a_relative_name_is_looked_for_in_the_same_folder(
    folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    path = write(model(top="open('data.txt').read()"))
    left(folder, path)
    (folder / "other").mkdir()
    (folder / "other" / "data.txt").write_text("4")
    monkeypatch.chdir(folder / "other")
    assert "it was run in another folder" in refusal(folder, path)


@pytest.mark.parametrize(
    "code", ["SEEN = time.time_ns()", "SEEN = [os.urandom(8)]", "SEEN = {'a': (object, {time.time_ns()})}"]
)
def test_what_a_model_has_made_of_the_clock_or_of_chance_is_part_of_it(code: str, folder: Path, write: Write) -> None:
    path = write(model(top=code))
    left(folder, path)
    assert f"SEEN of {Path(path).name} has another value than then" in refusal(folder, path)


# --- what cannot be seen again


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("subprocess.run(['true'])", "starts a program"),
        ("os.system('true')", "starts a program"),
        ("os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)", "starts a program"),
        ("socket.getaddrinfo('127.0.0.1', 1)", "opens a connection"),
        ("open('/dev/urandom', 'rb').read(1)", "reads /dev/urandom, which is no file"),
        ("open('/proc/self/stat').read()", "reads /proc/self/stat, which is no file"),
        ("open(os.pipe()[0])", "reads a pipe"),
        ("__import__('ctypes').CDLL('libc.so.6')", "loads a library in C"),
    ],
)
@pytest.mark.parametrize("place", ["top", "step"])
def test_what_cannot_be_read_again_keeps_a_run_from_having_a_checkpoint(
    code: str, words: str, place: str, folder: Path, write: Write
) -> None:
    stopped = left(folder, write(model(**{place: code})))
    assert stopped.kept is not None
    assert stopped.kept.worlds == 0
    assert stopped.kept.trouble == f"the model {words}, so nobody can tell whether a run that goes on sees the same"
    assert not (folder / "kept.json").exists()


def test_what_the_checker_itself_reads_is_not_the_models(folder: Path, write: Write) -> None:
    path = write(model())
    check(path, n=3, checkpoint=Keeping(folder / "kept.json", haste=1000))
    assert reads.read_by([path]) == ({}, [])


def test_what_a_package_reads_whenever_garbage_is_collected_is_not_the_models(write: Write) -> None:
    """As Dask's does, in the middle of a step."""
    names: dict[str, Any] = {}
    exec(
        compile("def reads(phase, about):\n    open('/proc/self/statm').close()", "/site-packages/p.py", "exec"), names
    )
    path = write(model(step="__import__('gc').collect(0)"))
    gc.callbacks.append(names["reads"])
    try:
        check(path, n=3)
        assert reads.read_by([path]) == ({}, [])
    finally:
        gc.callbacks.remove(names["reads"])


def test_a_model_of_the_book_reads_nothing() -> None:
    check("chang_roberts", n=3)
    assert reads.read_by([catalog.find_model("chang_roberts").definition.file]) == ({}, [])


def test_who_asks_for_the_environment_gets_what_it_is() -> None:
    reads.notice()
    os.environ["SET_BY_A_TEST"] = "1"
    assert os.environ["SET_BY_A_TEST"] == os.getenv("SET_BY_A_TEST") == dict(os.environ)["SET_BY_A_TEST"] == "1"
    del os.environ["SET_BY_A_TEST"]
    assert "SET_BY_A_TEST" not in os.environ
