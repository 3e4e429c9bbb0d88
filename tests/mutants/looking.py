"""Mutants of what looks at runs and states without a verdict: random runs, graphs of states."""

from .mutant import Mutant

LOOKING = (
    Mutant(
        "walk-delivers-to-the-crashed",
        "modelcheck/simulate/walk.py",
        "        if not walker.crashed:\n            walker.channels[port] = network.put",
        "        if True:\n            walker.channels[port] = network.put",
        ("tests/simulate/test_walk.py::test_every_step_of_a_random_run_is_one_that_the_exhaustive_search_knows",),
    ),
    Mutant(
        "walk-never-clears-refusals",
        "modelcheck/simulate/walk.py",
        "            walker.fields = effect.fields\n            walker.refused.clear()\n",
        "            walker.fields = effect.fields\n",
        ("tests/simulate/test_walk.py::test_a_closed_port_keeps_its_message_until_the_process_opens_it",),
    ),
    Mutant(
        "walk-shared-wakes-nobody",
        "modelcheck/simulate/walk.py",
        "                self.walkers[other].refused.clear()\n                self._wake(other)\n",
        "                pass\n",
        ("tests/simulate/test_walk.py::test_who_waits_for_a_shared_variable_goes_on_when_another_has_set_it",),
    ),
    Mutant(
        "walk-starts-in-one-order",
        "modelcheck/simulate/walk.py",
        "        if self.shared:\n            self.random.shuffle(order)\n",
        "",
        ("tests/simulate/test_walk.py::test_simultaneous_starts_that_share_a_variable_happen_in_any_order",),
    ),
    Mutant(
        "walk-gives-up-on-draws",
        "modelcheck/simulate/walk.py",
        "            elif effect.choices:\n                lucky = True\n",
        "",
        ("tests/simulate/test_walk.py::test_a_draw_that_changes_nothing_is_tried_again",),
    ),
    Mutant(
        "any-initiators-none",
        "modelcheck/simulate/walk.py",
        "        if chosen:\n            return chosen\n",
        "        return chosen\n",
        ("tests/simulate/test_walk.py::test_random_worlds_are_worlds_of_the_policy",),
    ),
    Mutant(
        "graph-ends-forgotten",
        "modelcheck/graph/building.py",
        "        ends = np.bincount(of[np.asarray(self.found.terminals, np.int64)], minlength=many)",
        "        ends = np.bincount(of[np.asarray(self.found.terminals, np.int64)][:1], minlength=many)",
        ("tests/graph/test_state_graph.py",),
    ),
    Mutant(
        "graph-inside-not-counted",
        "modelcheck/graph/building.py",
        "                self.inside[source] += count\n",
        "                pass\n",
        ("tests/graph/test_state_graph.py",),
    ),
    Mutant(
        "graph-steps-break-nothing",
        "modelcheck/graph/building.py",
        "                broken.setdefault((int(source[place]), int(target[place])), {})[name] = None\n",
        "                pass\n",
        ("tests/graph/test_state_graph.py",),
    ),
    Mutant(
        "one-recovery-is-like-another",
        "modelcheck/runs/looking.py",
        "return outcome.label() == other.label() and outcome.component.fields == other.component.fields",
        "return outcome.label() == other.label()",
        ("tests/runs/test_looking.py::test_of_a_recovery_is_told_what_was_done_by_the_process_that_came_back",),
    ),
)
