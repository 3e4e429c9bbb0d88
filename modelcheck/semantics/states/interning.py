"""Components, environments and networks, each distinct value of which exists once."""

from __future__ import annotations

from typing import Any

from ...language.faults import OF_ENVIRONMENT
from .. import network
from ..components import Component, Environment, Profile
from ..partitions import Network, NetworkProfile


class Interning:
    """Makes the parts of states. Two threads may both make the same: `setdefault` lets only one of the two be."""

    def __init__(self) -> None:
        self._components: dict[tuple[Any, ...], Component] = {}
        self._environments: dict[tuple[Any, ...], Environment] = {}
        self._networks: dict[tuple[Any, ...], Network] = {}

    def _intern(
        self, profile: Profile, crashed: bool, fields: tuple[Any, ...], inbox: tuple[network.Channel, ...]
    ) -> Component:
        key = (profile, crashed, fields, inbox)
        found = self._components.get(key)
        if found is None:
            found = self._components.setdefault(key, Component(profile, crashed, fields, inbox))
        return found

    def _with_channel(self, component: Component, place: int, channel: network.Channel) -> Component:
        inbox = (*component.inbox[:place], channel, *component.inbox[place + 1 :])
        return self._intern(component.profile, component.crashed, component.fields, inbox)

    def _environment(self, *values: Any) -> Environment:
        found = self._environments.get(values)
        if found is None:
            found = self._environments.setdefault(values, Environment(*values))
        return found

    def _poorer(self, environment: Environment, fault: str) -> Environment | None:
        """After one more of these faults; None where no more are left."""
        place = OF_ENVIRONMENT.index(fault)
        left = environment.budgets[place]
        budgets = (*environment.budgets[:place], left - 1, *environment.budgets[place + 1 :])
        return self._environment(environment.shared, *budgets) if left else None

    def _network(self, profile: NetworkProfile, *fields: Any) -> Network:
        found = self._networks.get((profile, fields))
        if found is None:
            found = self._networks.setdefault((profile, fields), Network(profile, False, fields, ()))
        return found
