"""Mutants of how properties are judged."""

from .mutant import Mutant

PROPERTIES = (
    Mutant(
        "property-judged-once",
        "modelcheck/properties/monitor.py",
        "if (suspicious or not verdict) and bool(evaluate(self.property, views)) != verdict:",
        "if False:",
        ("tests/properties/test_monitor.py",),
    ),
    Mutant(
        "failure-judged-once",
        "modelcheck/properties/monitor.py",
        "if (suspicious or not verdict) and bool(evaluate(self.property, views)) != verdict:",
        "if suspicious and bool(evaluate(self.property, views)) != verdict:",
        ("tests/check/test_chance.py",),
    ),
    Mutant(
        "numbering-seldom-tried",
        "modelcheck/properties/monitor.py",
        "        for other in self._orders if suspicious else self._orders[:1]:",
        "        for other in ():",
        (
            "tests/properties/test_monitor.py",
            "tests/simulate/test_symmetric.py",
        ),
    ),
    Mutant(
        "one-twin-tried",
        "modelcheck/properties/monitor.py",
        "for g in self._group[1:]:",
        "for g in self._group[1:2]:",
        (
            "tests/properties/test_monitor.py",
            "tests/explore/test_orbits.py",
            "tests/semantics/test_world_symmetry.py",
            "tests/simulate/test_symmetric.py",
        ),
    ),
    Mutant(
        "verdicts-not-forgotten",
        "modelcheck/properties/monitor.py",
        ("            self._verdicts.clear()\n            self._projections.clear()\n"),
        "            self._projections.clear()\n",
        ("tests/properties/test_monitor.py",),
        equivalent="a verdict is one of what had been read, and no key of more that is read means less of it",
    ),
    Mutant(
        "portable-over-worlds",
        "modelcheck/properties/monitor.py",
        "return self._world.distinct and not self.reads & {POSITION, WORLD}",
        "return self._world.distinct and not self.reads & {POSITION}",
        (
            "tests/explore/compiled/test_growth.py::test_a_property_that_reads_more_in_a_later_world_is_not_judged_by_what_it_read_before",
        ),
    ),
    Mutant(
        "portable-over-positions",
        "modelcheck/properties/monitor.py",
        "return self._world.distinct and not self.reads & {POSITION, WORLD}",
        "return self._world.distinct and not self.reads & {WORLD}",
        (
            "tests/properties/test_monitor.py",
            "tests/simulate/test_symmetric.py",
        ),
    ),
    Mutant(
        "shared-not-in-key",
        "modelcheck/properties/monitor.py",
        ("        if SHARED in self.reads:\n            parts.append(state[0].shared)\n"),
        "",
        ("tests/properties/test_monitor.py",),
    ),
    Mutant(
        "crashed-not-in-key",
        "modelcheck/properties/monitor.py",
        "return (values, component.crashed, messages,",
        "return (values, messages,",
        (
            "tests/properties/test_monitor.py",
            "tests/semantics/test_system.py",
        ),
    ),
    Mutant(
        "texts-tell-nothing",
        "modelcheck/properties/monitor.py",
        "if verdict and any(view.texts for view in views):",
        "if False:",
        ("tests/properties/test_monitor.py",),
    ),
    Mutant(
        "twins-not-tried",
        "modelcheck/properties/monitor.py",
        "            self._expect(verdict, (self._view(twin, reads) for twin in twins))",
        "            list(twins)",
        ("tests/explore/test_orbits.py::test_every_twin_of_a_state_is_asked_about",),
    ),
    Mutant(
        "steps-see-the-state-before",
        "modelcheck/properties/predicates.py",
        "if not monitor.holds(before, after))",
        "if not monitor.holds(before, before))",
        ("tests/explore/compiled/test_kernel.py::test_a_step_back_to_a_known_state_is_judged_too",),
    ),
    Mutant(
        "unchanged-is-always-fine",
        "modelcheck/properties/predicates.py",
        "        return all(monitor.holds(state, state) for monitor in self._steps)",
        "        return True",
        (
            "tests/explore/compiled/test_engine.py::test_a_step_property_that_fails_where_nothing_changes_is_left_to_the_reference_engine",
        ),
    ),
    Mutant(
        "shared-not-observed",
        "modelcheck/properties/predicates.py",
        "return environment.shared if any(SHARED in monitor.reads for monitor in self._all) else None",
        "return None",
        (
            "tests/explore/compiled/test_kernel.py::test_a_property_of_a_shared_variable_alone_is_judged_after_each_change",
        ),
    ),
    Mutant(
        "any-return-value",
        "modelcheck/properties/view.py",
        "    if not isinstance(verdict, (bool, Because)):",
        "    if False:",
        ("tests/properties/test_monitor.py",),
    ),
    Mutant(
        "alive-are-all",
        "modelcheck/properties/view.py",
        "return tuple(process for process in self.processes if not process.crashed)",
        "return tuple(process for process in self.processes)",
        (
            "tests/properties/test_monitor.py",
            "tests/models/test_bully.py",
        ),
    ),
)
