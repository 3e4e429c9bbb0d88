"""Files of claims: what is wrong with one is said with the file, the claim and the field."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelcheck.book.reading import read_source
from modelcheck.errors import UsageError

HEAD = 'title = "Mine"\n[[claim]]\nname = "one"\nwhere = "page 1"\nstates = "It elects."\n'
RUN = 'run = "chang_roberts", n = "1..3"'

FAULTS = {
    "is no TOML": "title = ",
    "the field 'title' is missing": "claim = []",
    "there is no field 'claims'; did you mean claim?": 'title = "Mine"\nclaims = []',
    "claim number 1: there is no field 'nmae'; did you mean name?": 'title = "M"\n[[claim]]\nnmae = "one"',
    "claim one: it has no 'tests'; if nothing can be run, 'read' says why": HEAD,
    "claim one: there is no field 'err'; did you mean errs": HEAD + 'err = "x"',
    "claim one, test 1: there is no field 'hold'; did you mean holds": HEAD + f"tests = [{{ {RUN}, hold = true }}]",
    "claim one, test 1: it expects nothing": HEAD + f"tests = [{{ {RUN} }}]",
    "claim one, test 1: the field 'run' is missing": HEAD + "tests = [{ holds = true }]",
    "claim one, test 1: the field 'run': No such option": HEAD + 'tests = [{ run = "bully --loss 1", holds = true }]',
    "claim one, test 1: the field 'run': the sizes belong into the field 'n'": HEAD
    + 'tests = [{ run = "bully --n 3", holds = true }]',
    "claim one, test 1: the field 'n': the range 3..1 is empty": HEAD
    + 'tests = [{ run = "bully", n = "3..1", holds = true }]',
    "claim one, test 1: the field 'n' is a number of processes": HEAD
    + "tests = [{ run = 'bully', n = true, holds = true }]",
    "claim one, test 1: the field 'violated.agreement': 'n +' is no formula": HEAD
    + f"tests = [{{ {RUN}, violated = {{ agreement = 'n +' }} }}]",
    "claim one, test 1: the field 'messages': there is no 'wrost'; did you mean worst": HEAD
    + f"tests = [{{ {RUN}, messages = {{ wrost = 'n' }} }}]",
    "claim one, test 1: the field 'of': 'i' should be two formulas": HEAD
    + f"tests = [{{ {RUN}, messages = {{ best = 'n' }}, of = 'i' }}]",
    "claim one, test 1: there is no field 'messages'": HEAD
    + "tests = [{ formula = 'n = n', n = 1, messages = { best = 'n' } }]",
    "claim one, test 1: the field 'expected' is a table": HEAD + f"tests = [{{ {RUN}, expected = {{}} }}]",
    "claim one, test 1: the field 'expected.rounds': 'n +' is no formula": HEAD
    + f"tests = [{{ {RUN}, expected = {{ rounds = 'n +' }} }}]",
    "claim one: there is another of this name": HEAD
    + 'read = "x"\n[[claim]]\nname = "one"\nwhere = "p"\nstates = "s"\nread = "x"',
    "exercise two: the field 'try' is missing": 'title = "M"\n[[exercise]]\nname = "two"\nwhere = "p"\n'
    'states = "s"\nread = "x"',
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_said_with_its_place(fault: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(FAULTS[fault])
    with pytest.raises(UsageError) as found:
        read_source(file)
    assert str(found.value).startswith("mine.toml")
    assert fault in str(found.value)


def test_files_named_beside_the_claims_are_found_there(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + 'tests = [{ run = "./mine.py --graph ../a.edges", holds = true }]')
    [claim] = read_source(file).claims
    assert claim.trials[0].words == (str(tmp_path / "mine.py"), "--graph", str(tmp_path / "../a.edges"))


def test_the_command_of_a_trial_is_what_one_types(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + f"tests = [{{ {RUN}, fast = 2, holds = true }}, {{ {RUN}, messages = {{ best = 'n' }} }}]")
    [claim] = read_source(file).claims
    run, messages = claim.trials
    assert run.command(run.sizes) == "modelcheck run chang_roberts --n 1..3"
    assert messages.command((2,)) == "modelcheck messages chang_roberts --n 2"
    assert (run.fast, messages.fast) == ((2,), (1, 2, 3))
