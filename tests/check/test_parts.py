"""A run in several parts: joined they are that run, whatever the machines; what is missing, or of another run, is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modelcheck import Limits, UsageError, check
from modelcheck.check import checker
from modelcheck.check.parts import Part, asked
from modelcheck.check.plan import Reducing
from modelcheck.check.result import Result
from modelcheck.count.tally import Tally
from tests.conftest import said


def parts_of(folder: Path, count: int, **options: Any) -> list[Path]:
    """Each part explored on its own; their files."""
    files = [folder / f"part{number}.json" for number in range(1, count + 1)]
    for number, file in enumerate(files, 1):
        found = check(**{"model": "chang_roberts", **options}, part=f"{number}/{count}", checkpoint=file)
        assert found.error is None
    return files


def joined(files: list[Path], limits: Limits | None = None) -> Result:
    arguments = asked(files)
    return checker.check(arguments.pop("model"), parts=files, limits=limits, **arguments)


@pytest.mark.parametrize(
    "options",
    [
        {"n": 4},
        {"n": "2..4"},
        {"ids": "any", "n": 3},  # violations, with the shortest runs in different parts
        {"n": 4, "reduce": "order"},
        {"model": "itai_rodeh_async", "n": 2},  # a lasso of probability 0
        {"model": "bully", "n": 3, "no_symmetry": True, "crashes": 1},
        {"model": "spanning_tree", "n": 3, "losses": 1},
        {"model": "chang_roberts:StartUnguarded", "n": 3, "set": {"elects": "min"}, "initiators": "each"},
    ],
)
@pytest.mark.parametrize("count", [2, 5])
def test_the_parts_of_a_run_are_the_run(tmp_path: Path, options: dict[str, Any], count: int) -> None:
    whole = check(**{"model": "chang_roberts", **options})
    files = parts_of(tmp_path, count, **options)
    assert said(joined(files)) == said(whole)
    assert said(joined(files[::-1])) == said(whole)


def test_a_part_says_that_it_is_one(tmp_path: Path) -> None:
    found = check("chang_roberts", n=4, part="2/3", checkpoint=tmp_path / "part.json")
    assert found.verdict == "INCONCLUSIVE"
    assert found.stopped == "part 2 of 3 is done, and the other worlds are explored elsewhere"
    assert {p.verdict for p in found.properties} == {"inconclusive"}
    assert found.worlds == 2  # the second and the fifth of six


def test_a_part_in_which_something_fails_says_so(tmp_path: Path) -> None:
    found = check("chang_roberts", ids="1,1,2", part="1/2", checkpoint=tmp_path / "part.json")
    assert found.verdict == "VIOLATED"


def test_a_part_without_a_world_is_a_part(tmp_path: Path) -> None:
    files = parts_of(tmp_path, 3, n=2)
    assert joined(files).verdict == "HOLDS"


def test_without_one_of_the_parts_there_is_no_verdict(tmp_path: Path) -> None:
    found = joined(parts_of(tmp_path, 3, n=4)[1:])
    assert (found.verdict, found.stopped, found.worlds) == ("INCONCLUSIVE", "a part is missing", 4)


def test_a_part_that_was_stopped_goes_on_where_it_was_left(tmp_path: Path) -> None:
    files = parts_of(tmp_path, 2, n=4)
    whole = files[0].read_bytes()
    files[0].unlink()
    options: dict[str, Any] = {"n": 4, "part": "1/2", "checkpoint": files[0]}
    stopped = check("chang_roberts", max_states=100, reduce="none", **options)
    assert stopped.stopped == "the limit of 100 states was reached"
    files[0].write_bytes(whole)
    assert joined(files).verdict == "HOLDS"


def test_the_limit_on_states_is_that_of_each_part(tmp_path: Path) -> None:
    files = parts_of(tmp_path, 2, n=4, max_states=400, reduce="none")
    found = joined(files, Limits(max_states=400))
    assert (found.verdict, found.states) == ("HOLDS", 497)


@pytest.mark.parametrize(
    "options", [{"n": 5}, {"n": "4..5", "max_states": 4_000}, {"n": 5, "engine": "compiled"}], ids=str
)
def test_parts_reduce_what_the_run_would(tmp_path: Path, options: dict[str, Any]) -> None:
    """Unreduced there would be 6,002 states of 24 worlds, as `--check-reductions` says in the guide."""
    options = {"max_states": 3_000, **options}
    limits = Limits(max_states=options["max_states"])
    whole = check("chang_roberts", **options)
    assert (whole.verdict, whole.reduced) == ("HOLDS", 23)  # all but the first
    assert said(joined(parts_of(tmp_path, 5, **options), limits)) == said(whole)


def test_what_others_explore_is_explored_aside_no_further_than_it_takes_to_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[tuple[int, int]] = []
    foresee = Reducing.foresee

    def noted(self: Reducing, tally: Tally, states: int, weight: int) -> None:
        asked_for.append((tally.n, states))
        foresee(self, tally, states, weight)

    monkeypatch.setattr(Reducing, "foresee", noted)
    found = check("chang_roberts", n="3..5", part="2/24", checkpoint=tmp_path / "part.json", max_states=1_200)
    # There are 2 worlds of n=3, 6 of n=4, 24 of n=5: it has the second of the first and the 18th of the last. The first of n=5 stands for 5
    # of 120 assignments: with more than 1,200 * 5 / 120 = 50 states it is too large already.
    assert found.worlds == 2
    assert [n for n, _ in asked_for] == [3, 4, 5]
    assert asked_for[2][1] <= 51
    assert found.reduced == 1


def test_parts_that_were_not_reduced_alike_are_refused(tmp_path: Path) -> None:
    files = parts_of(tmp_path, 2, n=5, max_states=3_000)
    files[1].unlink()
    check("chang_roberts", n=5, max_states=7_000, part="2/2", checkpoint=files[1])
    with pytest.raises(
        UsageError, match=r"the worlds of n=5 were reduced in one and not in another, under other limits"
    ):
        joined(files)


def test_a_part_that_is_resumed_under_other_limits_reduces_as_it_began(tmp_path: Path) -> None:
    options: dict[str, Any] = {"n": 5, "part": "2/2", "checkpoint": tmp_path / "part.json"}
    left = check("chang_roberts", max_states=500, **options)
    assert left.stopped == "the limit of 500 states was reached"
    found = check("chang_roberts", max_states=50_000, resume=True, **options)
    assert (found.worlds, found.reduced) == (12, 12)


def test_a_violation_that_one_part_has_found_is_that_of_the_run(tmp_path: Path) -> None:
    """The greatest of 1,1,2 and its like; the other half of the worlds is not explored."""
    found = joined(parts_of(tmp_path, 2, n=3, ids="any")[:1])
    assert found.verdict == "VIOLATED"


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    files, others = parts_of(one, 2, n=3), parts_of(two, 2, n=4)
    with pytest.raises(UsageError, match=r"are parts of different runs: they were given another n"):
        joined([files[0], others[1]])
    with pytest.raises(UsageError, match=r"does not go with the others: a world was searched twice"):
        joined([files[0], files[0]])
    with pytest.raises(UsageError, match=r"there is no file"):
        joined([files[0], one / "nothing.json"])
    for name in ("\ud800", "\0"):
        with pytest.raises(UsageError, match=r"is no name that a file can have"):
            joined([files[0], Path(name)])
    files[1].write_bytes(files[1].read_bytes().replace(b'"upto"', b'"ufto"'))
    with pytest.raises(UsageError, match=r"is damaged"):
        joined(files)


def test_a_checkpoint_of_a_whole_run_is_no_part(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    check("chang_roberts", n=5, checkpoint=file, reduce="none", limits=Limits(max_states=3_000))
    with pytest.raises(UsageError, match=r"is no part of a run: it was written without --part"):
        joined([file])


def test_a_model_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "mine.py"
    text = "from modelcheck import *\nclass Mine(ElectionProcess):\n    topology = one_way_ring\n    specs = ()\n    done: bool = False\n"
    step = "    @step\n    def act(self):\n        self.require(not self.done)\n        self.done = True\n"
    model.write_text(text + step)
    files = parts_of(tmp_path, 2, model=str(model), n=3)
    assert joined(files).verdict == "HOLDS"
    model.write_text(text + step + "\n")
    with pytest.raises(UsageError, match=r"is a part of another run: .*mine.py has changed since"):
        joined(files)


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "1/1000000"])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="a part is written 2/8"):
        Part.read(text)


@pytest.mark.parametrize(
    "options",
    [{}, {"checkpoint": "kept.json", "check_symmetry": True}, {"checkpoint": "kept.json", "check_reductions": True}],
)
def test_what_makes_no_sense_with_a_part_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--part"):
        check("chang_roberts", n=3, part="1/2", **options)
