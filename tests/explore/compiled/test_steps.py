"""What the rows of the tables stand for, while other threads fill more of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from modelcheck.check.request import read_request
from modelcheck.explore.compiled.steps import outcomes
from modelcheck.explore.compiled.tables import Tables
from modelcheck.semantics.components import Component
from modelcheck.semantics.lockstep import system_for


def test_rows_that_another_world_fills_meanwhile_are_left_out() -> None:
    request = read_request("chang_roberts", ids="1,2,3")
    system = system_for(request.model.definition, request.settings)
    [world] = (world for _, families in request.worlds() for worlds in families for world in worlds)
    [start] = system.starts(world)
    tables = Tables(system, 4)
    environment, first, second = tables.environment(start.state[0]), *start.state[1:3]
    places = [(tables.family(component.profile), tables.number(component)) for component in (first, second)]

    class Meanwhile:
        """The system, while another thread fills the rows of the second process."""

        def outcomes(self, environment: Any, component: Component) -> Any:
            tables.fill_outcomes(0, *places[1])
            return system.outcomes(environment, component)

    assert environment == 0
    tables.fill_outcomes(0, *places[0])
    layout: Any = SimpleNamespace(families=[family for family, _ in places])
    of_row = outcomes(Meanwhile(), layout, tables)  # type: ignore[arg-type]
    assert of_row.outcomes == list(system.outcomes(start.state[0], first))
    assert list(of_row.number[: len(of_row.outcomes)]) == list(range(len(of_row.outcomes)))
    later = outcomes(system, layout, tables)
    assert later.outcomes == [*system.outcomes(start.state[0], first), *system.outcomes(start.state[0], second)]
