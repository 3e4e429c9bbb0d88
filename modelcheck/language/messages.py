"""Messages: small immutable records, declared by their fields."""

from __future__ import annotations

import dataclasses
from typing import Any, NoReturn, Self, dataclass_transform

from ..errors import nearest
from .kinds import admitted
from .values import Misuse, Port, field_names, show


@dataclass_transform(frozen_default=True, eq_default=True)
class Message:
    """Base of a protocol's messages.

        class Election(Message):
            id: Id

    Two messages are equal when their types and all their fields are.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("__init__", "__new__", "__post_init__", "__eq__", "__hash__", "__getattribute__"):
            if name in vars(cls):
                raise Misuse(
                    f"the message {cls.__name__} defines {name}",
                    "what is equal and what is checked would no longer be the same",
                    "declare its fields only; compute values where the message is made",
                )
        if cls.__repr__ is not Message.__repr__:
            raise Misuse(
                f"the message {cls.__name__} has a __repr__ of its own",
                "traces and searches tell messages apart by their text",
                "leave it out",
            )
        dataclasses.dataclass(frozen=True, repr=False)(cls)
        cls.__setattr__ = _refuse_change  # type: ignore[method-assign]
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            if not field.compare or field.hash is False:
                raise Misuse(
                    f"{cls.__name__}.{field.name} is left out of comparisons",
                    "messages that differ would be merged",
                    "",
                )

    def __post_init__(self) -> None:
        settled = admitted(type(self))(self)
        if settled is not self:
            for name in field_names(type(self)):
                object.__setattr__(self, name, getattr(settled, name))

    def replace(self, **changes: Any) -> Self:
        """The same message with some fields changed, as in `message.replace(hops=message.hops + 1)`."""
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise Misuse(
            f"{type(self).__name__} messages have no field {name}",
            nearest(name, field_names(type(self))),
            "correct the name, or declare it",
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(show(getattr(self, name)) for name in field_names(type(self)))})"


def _refuse_change(_: object, name: str, __: Any) -> NoReturn:
    raise Misuse(
        f"the field {name} of a message was changed",
        "messages never change: others may hold the same one",
        f"make another: message.replace({name}=...)",
    )


class Down(Message):
    """From the failure detector: the process at the other end of this link has crashed, or is suspected."""


class Up(Message):
    """From the failure detector: the process at the other end of this link has recovered."""


class Cut(Message):
    """Stands in a channel where a split of the network has cut its link: nothing behind it gets through."""


class Reach(Message):
    """From the network, when it splits or heals: these in-ports of the process are cut, and no others. It takes effect at
    once, and no step sees it. At the other end of the `quiet` ones is a process that is down, as the detector has said."""

    cut: frozenset[Port]
    quiet: frozenset[Port]


DETECTOR_MESSAGES = (Down, Up, Cut, Reach)  # what no protocol sends
