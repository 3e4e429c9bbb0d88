"""The two engines on protocols nobody thought of. More examples: RANDOM_PROTOCOLS=10000 pytest tests/explore/test_random_protocols.py"""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import event, given, settings
from hypothesis import strategies as st

from modelcheck import Limits
from tests.explore.comparison import Agreement, both
from tests.explore.random_protocols import RandomProtocol, examples, protocols


def agree(protocol: RandomProtocol, most: int) -> Agreement:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(protocol.source)
        return both(str(path), limits=Limits(max_states=most), **protocol.options)


@settings(max_examples=examples(15, 100))
@given(protocols(), st.sampled_from([300, 60, 1500]))
def test_both_engines_tell_the_same_of_a_random_protocol(protocol: RandomProtocol, most: int) -> None:
    agreement = agree(protocol, most)
    event(f"{agreement.result.judgement.word}, {'stopped' if agreement.result.stopped else 'searched to the end'}")
    event("by the compiled engine" if agreement.by_kernel == len(agreement.findings) else "handed on")
