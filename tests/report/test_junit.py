"""JUnit XML: a test case for each property, and nothing passes that was not proved."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from modelcheck import check
from modelcheck.check.result import Result
from modelcheck.report.files.junit import junit


def outcomes(text: str) -> dict[str, str]:
    cases = ElementTree.fromstring(text).iter("testcase")
    return {case.get("name", ""): case[0].tag if len(case) else "passed" for case in cases}


def test_a_property_that_holds_passes_and_one_that_is_violated_fails_with_its_run() -> None:
    result = check("chang_roberts", ids="1,1,2")
    found = outcomes(junit(result))
    assert {name: verdict == "passed" for name, verdict in found.items()} == {
        one.name: one.verdict == "holds" for one in result.properties
    }
    suite = ElementTree.fromstring(junit(result))
    assert int(suite.get("failures", "")) == sum(one.verdict == "violated" for one in result.properties)
    failure = next(suite.iter("failure"))
    assert "wake_up" in (failure.text or "")


def test_a_search_that_stops_early_is_an_error() -> None:
    found = junit(check("chang_roberts", n=3, max_states=10))
    assert "error" in outcomes(found).values()
    assert "passed" not in [outcomes(found)[name] for name in ("termination", "agreement")]


def test_a_model_whose_code_fails_is_an_error(run: Callable[..., Result]) -> None:
    broken = run("""
class Broken(Process):
    topology = one_way_ring

    @initiate
    def go(self):
        self.nothing_of_the_kind += 1
""", n=2)  # fmt: skip
    assert "error" in outcomes(junit(broken)).values() or "failure" in outcomes(junit(broken)).values()
