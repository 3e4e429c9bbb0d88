"""A run in an address: it leads to the same run again, or is refused with the reason."""

from __future__ import annotations

import contextlib
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelcheck import catalog
from modelcheck.errors import UsageError
from modelcheck.runs.trace import values
from modelcheck.web import paths
from modelcheck.web.faces import run as face
from modelcheck.web.paths import PathError
from modelcheck.web.subject import Subject, WorldChoice, subject_of

from ..conftest import Write


def wandered(subject: Subject, steps: int, seed: int) -> str:
    """The path of a run of so many steps, each taken at random."""
    chance = random.Random(seed)
    path = paths.read(subject, "").path
    for _ in range(steps):
        run = paths.read(subject, path)
        enabled = list(enumerate(subject.system.successors(run.world, run.state))) if run.failure is None else []
        if not enabled:
            break
        path += paths.following(run, *chance.choice(enabled))
    return path


@pytest.mark.parametrize("model", catalog.model_files())
def test_a_path_leads_to_the_same_state_in_another_server(model: str) -> None:
    options = {"schedule": "lockstep"} if model == "itai_rodeh_sync" else {}
    one, other = (
        subject_of(model, n=4 if model in ("mesh_corners", "hyper_elect", "rows_and_columns") else 3, **options)
        for _ in range(2)
    )
    path = wandered(one, 12, seed=1)
    assert values(paths.read(one, path).state) == values(paths.read(other, path).state)
    assert paths.read(other, path).path == path


def test_every_beginning_of_a_path_is_a_path() -> None:
    subject = subject_of("bully", n=4, crashes=1)
    path = wandered(subject, 8, seed=2)
    run = paths.read(subject, path)
    shorter = path
    for transition, state in reversed(list(zip(run.transitions, run.states, strict=False))):
        shorter = shorter[: shorter.rindex("/") + 1] + "".join(_tokens(shorter)[:-1])
        found = paths.read(subject, shorter)
        assert found.state == state
        assert transition.outcome.label() in [
            t.outcome.label() for t in subject.system.successors(found.world, found.state)
        ]


def _tokens(path: str) -> list[str]:
    return re.findall(r"\d+[a-z]", path.rsplit("/", 1)[1])


def test_a_run_of_a_larger_system_than_could_ever_be_explored() -> None:
    subject = subject_of("chang_roberts", n=60)
    shown = face(subject, paths.read(subject, wandered(subject, 40, seed=3)))
    assert shown["length"] == 40
    assert len(shown["processes"]) == 60


def test_a_path_for_another_system_says_which_command_serves_it() -> None:
    path = wandered(subject_of("bully", n=3, crashes=1), 2, seed=1)
    with pytest.raises(PathError, match=r"of `modelcheck explore bully --n 3 --crashes 1`"):
        paths.read(subject_of("bully", n=3), path)


def test_a_step_that_no_longer_fits_a_changed_model_is_named(write: Write) -> None:
    text = """
    class Ping(Message):
        pass
    class Once(Process):
        topology = one_way_ring
        specs = ()
        done: bool = False
        @initiate
        def {name}(self):
            self.require(not self.done)
            self.done = True
            self.send(NEXT, Ping())
        @receive(Ping)
        def take(self, message): ...
    """
    file = write(text.replace("{name}", "go"), "once")
    path = wandered(subject_of(file, n=2), 3, seed=5)
    refused = 0
    for name in ("other", "leave", "depart", "set_off"):
        write(text.replace("{name}", name), "once")
        try:
            paths.read(subject_of(file, n=2), path)
        except PathError as error:
            refused += "no longer fits; the model or the options have changed" in str(error)
    assert refused == 4


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("2/x/y/0/", "reads version 1"),
        ("nonsense", "not one of a run"),
        ("1/chang_roberts+--n+3", "cut short"),
        ("1/chang_roberts+--n+3/ids=1,2/0/", "3 processes need 3 identifiers"),
        ("1/chang_roberts+--n+3/ids=1,2,x/0/", "positive numbers with commas"),
        ("1/chang_roberts+--n+3/ids=1,2,0/0/", "positive numbers"),
        ("1/chang_roberts+--n+3/identities=1,2,3/0/", "no 'identities'; did you mean"),
        ("1/chang_roberts+--n+3/ids=1,2,3;root=1/0/", "know of no root"),
        ("1/chang_roberts+--n+3/ids=1,2,3;initiators=4/0/", "no process p4"),
        ("1/chang_roberts+--n+3/ids=1,2,3;graph=2/0/", "no graph 2"),
        ("1/chang_roberts+--n+3/ids=1,2,3;ports=0.0.0/0/", "fixed names"),
        ("1/chang_roberts+--n+3/ids=1,2,3/9/", "no initial state of number 9"),
        ("1/chang_roberts+--n+3/ids=1,2,3/x/", "no number"),
        ("1/chang_roberts+--n+3/ids=1,2,3/0/0", "steps of this address are damaged"),
        ("1/chang_roberts+--n+3/ids=1,2,3/0/99a", "step 1 of this address cannot be taken"),
        ("1/chang_roberts+--n+3/ids=1,2,3/0/~0", "loop of this address begins after its end"),
        ("1/chang_roberts+--n+3/ids=1,2,3/0/" + "0a" * 3000, "at most 2,000"),
    ],
)
def test_a_bad_path_is_refused_with_the_reason(path: str, why: str) -> None:
    with pytest.raises(UsageError, match=why.replace("(", r"\(")):
        paths.read(subject_of("chang_roberts", n=3), path)


CHANG_ROBERTS = subject_of("chang_roberts", n=3)


@given(st.text(max_size=60) | st.text(max_size=40).map(lambda text: f"1/chang_roberts+--n+3/ids=1,2,3/0/{text}"))
def test_whatever_stands_in_the_address_nothing_else_is_raised(path: str) -> None:
    with contextlib.suppress(UsageError):
        assert paths.read(CHANG_ROBERTS, path).path.startswith("1/chang_roberts")


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"ids": "any"}),
        ("chang_roberts", {"initiators": "each"}),
        ("chang_roberts", {"ids": "from:9"}),
        ("flooding", {}),
        ("tree_elect_min", {}),
        ("mega_merger", {}),
        ("bully", {}),
        ("itai_rodeh", {}),
        ("stages", {"graph": "two_way_ring:unoriented"}),
    ],
)
def test_worlds_at_random_are_worlds_and_are_written_and_read_back(model: str, options: dict[str, str]) -> None:
    subject = subject_of(model, n=4, **options)
    for _ in range(30):
        choice = subject.at_random()
        world = subject.world(choice)
        assert subject.read(subject.written(choice)) == choice
        found = subject.chosen(world)
        assert found is not None
        assert subject.world(found) == world


def test_ports_of_a_complete_graph_are_numbered_by_who_is_behind_them() -> None:
    subject = subject_of("bully", n=3)
    world = subject.world(WorldChoice((2, 3, 1), (1, 2, 3)))
    behind = [[world.identifiers[world.route[i][port][0]] for port in world.shape.ports[i]] for i in range(3)]
    assert behind == [[1, 3], [1, 2], [2, 3]]


def test_a_loop_begins_before_the_end_of_its_run() -> None:
    subject = subject_of("chang_roberts", n=2)
    with pytest.raises(PathError, match="loop"):
        paths.read(subject, paths.read(subject, "").path + "~3")
