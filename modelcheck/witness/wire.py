"""Values of a model on their way to another interpreter: as their language sees them, and nothing that hangs on to them.

Both ends are this project's own processes, so values are pickled; but a record goes as its fields, and is made anew by its class at the
other end. An attribute that is no field, in which a model could remember something, does not travel.
"""

from __future__ import annotations

import dataclasses
import enum
import io
import pickle
import struct
from collections.abc import Callable
from typing import Any

from ..language.values import field_names, record

_LENGTH = struct.Struct("<Q")

Read = Callable[[int], bytes]


class _Sender(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, type):
            return NotImplemented
        if isinstance(value, enum.Enum) and value.name in kind.__members__:
            return _member, (kind, value.name)
        if issubclass(kind, tuple):  # a NamedTuple
            return kind._make, (tuple(value),)  # type: ignore[attr-defined]
        if dataclasses.is_dataclass(value):
            names = field_names(kind)
            return _record, (kind, names, tuple(getattr(value, name) for name in names))
        return NotImplemented


def _member(kind: type[enum.Enum], name: str) -> enum.Enum:
    return kind[name]


def _record(kind: type, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return record(kind, dict(zip(names, values, strict=True)))


def packed(value: Any) -> bytes:
    """Raises pickle.PicklingError, AttributeError or TypeError for what cannot be found by its name at the other end."""
    stream = io.BytesIO()
    _Sender(stream, protocol=5).dump(value)
    return stream.getvalue()


def unpacked(data: bytes) -> Any:
    """The value again, of the classes that this interpreter has loaded."""
    return pickle.loads(data)


def framed(data: bytes) -> bytes:
    """Bytes with their number before them."""
    return _LENGTH.pack(len(data)) + data


def received(read: Read) -> bytes | None:
    """The next frame; None where the other end is gone."""
    header = _exactly(read, _LENGTH.size)
    return None if header is None else _exactly(read, _LENGTH.unpack(header)[0])


def _exactly(read: Read, count: int) -> bytes | None:
    parts = []
    while count:
        part = read(min(count, 1 << 20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
