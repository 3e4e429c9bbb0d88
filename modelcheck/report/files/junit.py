"""A result as JUnit XML, as servers for continuous integration read it: a test case for each property.

Nothing passes that was not proved: what is undecided is an error, as is a model that could not be checked.
"""

from __future__ import annotations

from xml.etree import ElementTree

from ...check.result import PropertyResult, Result
from ...pictures.svg import clean
from ..words import verdict_block
from ..words.steps import in_a_line


def junit(result: Result) -> str:
    """One test suite."""
    suite = ElementTree.Element("testsuite", name=f"modelcheck {result.model}", time=f"{result.seconds:.3f}")
    system = verdict_block.headline(result).system if result.error is None else result.model
    cases = [_case(suite, system, found) for found in result.properties if result.error is None]
    if result.error is not None or not cases or (result.verdict == "INCONCLUSIVE" and "error" not in cases):
        case = ElementTree.SubElement(suite, "testcase", classname=clean(system), name="the check itself")
        why = str(result.error) if result.error is not None else result.judgement.reason
        ElementTree.SubElement(case, "error", message=clean(f"{result.verdict}: {why}"))
        cases.append("error")
    for kind, number in (("tests", len(cases)), ("failures", cases.count("failure")), ("errors", cases.count("error"))):
        suite.set(kind, str(number))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, system: str, found: PropertyResult) -> str:
    """Adds the test case of a property; what became of it: "", "failure" or "error"."""
    case = ElementTree.SubElement(suite, "testcase", classname=clean(system), name=clean(found.name))
    if found.verdict == "holds":
        return ""
    if found.verdict != "violated":
        ElementTree.SubElement(case, "error", message=clean(f"undecided: {found.note or found.claim}"))
        return "error"
    trace = found.trace
    failure = ElementTree.SubElement(case, "failure", message=clean(trace.reason if trace else found.claim))
    if trace is not None:
        steps = (f"{number}  {in_a_line(step).plain}" for number, step in enumerate(trace.steps, 1))
        failure.text = clean("\n".join([str(trace.world), *steps, trace.reason]))
    return "failure"
