"""What a model imports: `from modelcheck import ...`."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import modelcheck

HEAVY = ("numpy", "scipy", "networkx", "numba", "psutil", "rich", "click")


@pytest.mark.parametrize("name", modelcheck.__all__)
def test_every_name_that_is_promised_is_there(name: str) -> None:
    assert getattr(modelcheck, name) is not None


def test_a_star_imports_what_is_promised_and_nothing_else() -> None:
    found: dict[str, object] = {}
    exec("from modelcheck import *", found)
    assert sorted(name for name in found if not name.startswith("__")) == sorted(modelcheck.__all__)


def test_check_is_the_function_whatever_of_the_package_of_that_name_was_imported() -> None:
    importlib.import_module("modelcheck.properties.view")
    from modelcheck import check

    assert check is importlib.import_module("modelcheck.api").check


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        _ = modelcheck.chek  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "code",
    [
        "from modelcheck import Id, Message, NEXT, Process, always, because, one_way_ring, receive",
        "import modelcheck.semantics.lockstep, modelcheck.properties.view, modelcheck.catalog",
    ],
)
def test_the_language_and_the_semantics_import_none_of_what_a_search_needs(code: str) -> None:
    ask = f"{code}; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_small_run_needs_neither_arrays_nor_a_compiler() -> None:
    """Not even to tell that nothing goes on for ever: of 24 worlds none has more than a few thousand transitions."""
    ask = "import sys, modelcheck; print(modelcheck.check('chang_roberts', n=5).verdict)"
    ask += "; print([name for name in ('numpy', 'numba', 'scipy') if name in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout == "HOLDS\n[]\n"
    )
