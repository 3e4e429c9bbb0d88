"""Processes that are alike stay alike: the symmetric run of the argument against anonymous deterministic election."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from modelcheck import AssumptionError, UsageError, catalog, check
from modelcheck.simulate.symmetric import Symmetry, symmetric_run

Write = Callable[..., str]

COIN = """
class Side(Message):
    side: int
class Coin(ElectionProcess):
    topology = {topology}
    identifiers = "none"
    elects = "any"
    side: int = 0
    @initiate
    def throw(self):
        self.require(self.side == 0)
        self.side = self.{how}
        self.send_all(Side(self.side))
    @receive(Side)
    def compare(self, message):
        if self.status == "undecided":
            self.status = "leader" if self.side > message.side else "follower"
"""


def of(model: str, n: int = 3, **parameters: object) -> Symmetry:
    return symmetric_run(catalog.find_model(model), n, parameters=parameters)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("model", ["chang_roberts", "dolev_klawe_rodeh", "stages"])
def test_with_equal_identifiers_everybody_leads_at_the_end(model: str, n: int) -> None:
    """As many rounds whatever the size: the first message that comes is as good as one's own."""
    found = of(model, n)
    assert (found.trace.length, found.trace.loop) == (3, None)
    assert found.leads[-1]
    assert found.complete
    assert found.luck == 1


@pytest.mark.parametrize("model", ["chang_roberts", "dolev_klawe_rodeh", "stages"])
def test_the_checker_says_the_same_of_that_run(model: str) -> None:
    """It is the only lock-step run; and where one leads all do."""
    found = check(model, ids="1,1,1", schedule="lockstep", symmetry=False)
    assert found.property("at_most_one_leader").verdict == "violated"
    assert of(model).trace.length <= found.depth


@pytest.mark.parametrize("n", [2, 3])
def test_where_all_draw_the_same_for_ever_nobody_leads_and_that_has_probability_0(n: int) -> None:
    """A round to start, then n hops of the tokens until they are back and all draw anew: n + 1 rounds, n of them for ever."""
    found = of("itai_rodeh", n)
    assert (found.trace.length, found.trace.unit) == (n + 1, "round")
    assert found.trace.loop == n
    assert not any(found.leads)
    assert found.luck == 0


def test_drawing_from_one_value_leaves_nothing_to_luck() -> None:
    assert of("itai_rodeh", draws=1).luck == 1


@pytest.mark.parametrize(("n", "chance"), [(2, Fraction(5, 9)), (3, Fraction(1, 3))])
def test_the_probability_that_all_draw_the_same_once(write: Write, n: int, chance: Fraction) -> None:
    """One side has weight 2 of 3: with n processes (2/3)^n + (1/3)^n."""
    found = of(write(COIN.format(topology="one_way_ring", how="draw((1, 2), (1, 2))")), n)
    assert (found.luck, found.chooses) == (chance, False)
    assert found.trace.loop is None


def test_where_processes_choose_all_choose_the_same(write: Write) -> None:
    found = of(write(COIN.format(topology="complete", how="choose((1, 2))")))
    assert found.luck == 1
    assert found.chooses
    assert not any(found.leads)


def test_a_first_state_in_which_all_have_chosen_the_same_is_found(write: Write) -> None:
    text = COIN.format(topology="one_way_ring", how="draw((1, 2))") + (
        "\n    def initially(self):\n        self.side = self.choose((0, 3))\n"
    )
    assert of(write(text)).trace.length == 2


@pytest.mark.parametrize(("graph", "n"), [("complete", 4), ("two_way_ring", 4), ("any_graph", 3), ("mesh:2x2", 4)])
def test_graphs_that_look_the_same_from_everywhere_under_some_naming_of_their_ports(
    write: Write, graph: str, n: int
) -> None:
    """Of the connected graphs of three only the triangle does; the 2 x 2 mesh is a ring."""
    path = write(COIN.format(topology="(any_graph, two_way_ring, complete)", how="draw((1, 2))"))
    found = symmetric_run(catalog.find_model(path), n, graph)
    world = found.trace.world
    assert all(len(ports) == len(world.shape.ports[0]) for ports in world.shape.ports)
    assert not any(found.leads)


@pytest.mark.parametrize(
    ("model", "graph", "said"),
    [
        ("spanning_tree", None, "each knows who is the root"),
        ("COIN", "star", "their ports tell them apart"),
        ("COIN", "line", "their ports tell them apart"),
    ],
)
def test_processes_that_are_not_alike_are_no_case_for_the_argument(
    write: Write, model: str, graph: str | None, said: str
) -> None:
    if model == "COIN":
        model = write(COIN.format(topology="any_graph", how="draw((1, 2))"))
    with pytest.raises(AssumptionError, match=said):
        symmetric_run(catalog.find_model(model), 3, graph)


def test_one_process_has_nobody_to_be_told_from() -> None:
    with pytest.raises(UsageError, match="two or more"):
        of("chang_roberts", 1)


def test_a_run_without_an_end_is_given_up() -> None:
    found = of("itai_rodeh:UnboundedRounds", 2)
    assert not found.complete
    assert found.trace.length == 1_000


def test_a_step_that_fails_fails_for_all(write: Write) -> None:
    text = COIN.format(topology="one_way_ring", how="draw((1,))").replace(
        'if self.status == "undecided":', 'assert message.side > 1, "a small one"\n        if True:'
    )
    found = of(write(text))
    assert [step.failure for step in found.trace.steps[-3:]] == ["the assertion fails: a small one"] * 3


@pytest.mark.parametrize("model", catalog.model_files())
def test_of_every_bundled_model_the_argument_can_be_shown_or_is_refused_with_a_reason(model: str) -> None:
    """That all are alike after every round is asserted where the run is followed; here that one turn a round is all there is."""
    try:
        found = of(model, 4)
    except (AssumptionError, UsageError):
        with pytest.raises((AssumptionError, UsageError), match=r"not alike|lock-step"):
            of(model, 4)
        return
    assert found.complete
    for number in range(1, found.trace.length + 1):
        taken = [step for step in found.trace.steps if step.round == number]
        turns = {
            who: [(s.step, s.received, s.changed) for s in taken if s.process == who]
            for who in dict.fromkeys(s.process for s in taken)
        }
        assert len(turns) == 4
        assert len({repr(turn) for turn in turns.values()}) == 1
