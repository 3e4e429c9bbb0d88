"""What the tests of models at fault share."""

from __future__ import annotations

import pytest

from modelcheck import ModelError
from modelcheck.check.result import Result


def case(name: str, body: str, *words: str) -> object:
    return pytest.param(body, words, id=name)


def the_error(result: Result) -> ModelError:
    assert isinstance(result.error, ModelError), f"no error, but {result.verdict}"
    assert (result.verdict, result.exit_code) == ("INCONCLUSIVE", 75)
    assert result.error.cause or result.error.remedy
    return result.error


def model(*fields: str, beside: str = "", act: str = "pass") -> str:
    """A protocol with these fields beside `done`; its only step, taken once, is `act`."""
    lines = "".join(f"    {field}\n" for field in fields)
    return f"""
import functools
from typing import Generic, TypeVar
{beside}
class Model(Process):
    topology = one_way_ring
    specs = ()
{lines}    done: bool = False
    @step
    def act(self):
        self.require(not self.done)
        self.done = True
        {act}
"""
