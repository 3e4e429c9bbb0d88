"""A cluster of two processes, for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modelcheck.cluster.gathering import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two processes with a worker each, as `--cluster local:2` has them."""
    pytest.importorskip("distributed")
    with Cluster("local:2").client() as client:
        yield client.cluster
