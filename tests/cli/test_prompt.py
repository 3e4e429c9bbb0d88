"""What helps at the prompt: completion, the short option, the words of a report, help in groups."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from modelcheck.cli import cli
from modelcheck.report.words.glossary import glossary
from tests.cli.conftest import Type


def offered(*words: str) -> list[str]:
    """What a shell would offer for the last of these words."""
    completion = ShellComplete(cli, {}, "modelcheck", "_MODELCHECK_COMPLETE")
    return [item.value for item in completion.get_completions(list(words[:-1]), words[-1])]


def test_models_properties_and_parameters_are_completed() -> None:
    assert offered("run", "chang_roberts_") == ["chang_roberts_initiators", "chang_roberts_maxid", "chang_roberts_participant"]  # fmt: skip
    assert offered("run", "chang_roberts", "--property", "one_") == ["one_leader_wave"]
    assert offered("run", "chang_roberts", "--set", "el") == ["elects=max", "elects=min"]
    assert offered("run", "nothing_like_it", "--property", "a") == []


def test_n_has_a_short_form(type_in: Type) -> None:
    assert "n=2 " in type_in("run", "chang_roberts", "-n", "2").stdout


def test_whoever_types_a_model_is_told_how_to_run_it(type_in: Type) -> None:
    result = type_in("chang_roberts", "--n", "4")
    assert result.exit_code == 2
    assert "did you mean `modelcheck run chang_roberts --n 4`?" in " ".join(result.stderr.split())


def test_the_help_of_run_is_in_groups(type_in: Type) -> None:
    lines = type_in("run", "--help").stdout.splitlines()
    titles = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles[:5] == [
        "Which runs there are:", "Faults:", "What must hold:", "How it is searched:", "What is shown and written:",
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["vacuous", "not checked", "world", "lasso"])
def test_a_word_of_a_report_has_its_sentence(word: str, type_in: Type) -> None:
    result = type_in("help", word)
    assert result.exit_code == 0
    assert glossary()[word] in " ".join(result.stdout.split())


def test_every_label_of_a_report_is_explained(type_in: Type) -> None:
    """The labels stand at the beginning of a line, two spaces in."""
    text = type_in("run", "chang_roberts", "--ids", "1,1,2", "--why").stdout
    labels = {line[2:15].strip() for line in text.splitlines() if line.startswith("  ") and line[2].isalpha()}
    assert labels - glossary().keys() == set()
