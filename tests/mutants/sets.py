"""Mutants of the engine of sets."""

from .mutant import Mutant

SATURATION = "modelcheck/explore/sets/saturation.py"
MAKING = "modelcheck/explore/sets/making.py"
DIAGRAM = "modelcheck/explore/sets/diagram.py"
ALPHABET = "modelcheck/explore/sets/alphabet.py"
READING = "modelcheck/explore/sets/reading.py"
PASSES = "modelcheck/explore/sets/passes.py"
LAYERS = "modelcheck/explore/sets/layers.py"
JUDGING = "modelcheck/check/by_sets/judging.py"
ENDING = "modelcheck/check/by_sets/ending.py"
COUNTING = "modelcheck/check/by_sets/counting.py"
SENDING = "modelcheck/check/by_sets/sending.py"
COUNTED = ("tests/explore/sets/test_saturation.py",)
AGREEING = ("tests/explore/sets/test_agreement.py",)
MESSAGES = "tests/explore/sets/test_messages.py"
NO_END = (f"{MESSAGES}::test_where_no_run_ends_there_is_a_greatest_number_alone",)
PUBLISHED = (f"{MESSAGES}::test_chang_and_roberts_send_as_many_as_they_proved",)
SHOWN = (f"{MESSAGES}::test_the_run_that_is_shown_is_a_shortest_of_the_first_world",)
BOTH = (*COUNTED, *AGREEING)

SETS = (
    Mutant(
        "union-of-one",
        MAKING,
        "        elif k == end or forest.label[k_2] < forest.label[k]:\n            labels[count], children[count] = forest.label[k_2], forest.child[k_2]",
        "        elif k == end or forest.label[k_2] < forest.label[k]:\n            labels[count], children[count] = forest.label[k_2], forest.child[k if k < end else k_2]",
        COUNTED,
    ),
    Mutant(
        "events-of-others-lost",
        SATURATION,
        "                frame[ROW], frame[STAGE] = np.int64(alphabet.chain[level]), EVENTS\n",
        "                frame[ROW], frame[STAGE] = np.int64(0), EVENTS\n",
        COUNTED,
    ),
    Mutant(
        "first-event-alone",
        SATURATION,
        "            settle(work, level, frame[GOAL], answer)\n            frame[ROW] = np.int64(alphabet.event[frame[ROW], NEXT])\n",
        "            settle(work, level, frame[GOAL], answer)\n            frame[ROW] = np.int64(0)\n",
        COUNTED,
    ),
    Mutant(
        "no-second-look",
        MAKING,
        "    if frame[KIND] == CLOSE and work.queued[level, member] == 0:\n",
        "    if frame[KIND] == CLOSE and work.queued[level, member] == 0 and old == EMPTY:\n",
        COUNTED,
    ),
    Mutant(
        "whatever-is-there-is-a-fixpoint",
        MAKING,
        "    if node == 0 or forest.closed[node] == 0:\n",
        "    if node == 0:\n",
        COUNTED,
    ),
    Mutant(
        "fired-under-any-environment",
        SATURATION,
        "            if level < alphabet.environments and came_from and label != came_from - 1:\n",
        "            if False and came_from:\n",
        BOTH,
    ),
    Mutant(
        "images-for-fixpoints",
        DIAGRAM,
        "            now[CLOSES] = closes\n            self.fires.entry[:] = 0\n",
        "            now[CLOSES] = closes\n",
        BOTH,
    ),
    Mutant(
        "swept-and-remembered",
        PASSES,
        "        if cache.entry[at] != 0 and marks[cache.entry[at + 1]] == 0:\n",
        "        if False and marks[cache.entry[at + 1]] == 0:\n",
        COUNTED,
    ),
    Mutant(
        "swept-from-under",
        PASSES,
        "            marks[work.child[level, work.members[level, k]]] = 1\n",
        "            pass\n",
        COUNTED,
    ),
    Mutant(
        "ends-that-send",
        READING,
        "        if root == EMPTY or not self.present(root)[level, list(doing)].any():\n            return root\n",
        "        return root\n",
        COUNTED,
    ),
    Mutant(
        "ends-that-change-themselves",
        ALPHABET,
        "self._with_own(outcome.component, sends) is component",
        "outcome.component is component",
        AGREEING,
    ),
    Mutant(
        "failing-steps-end-runs",
        ALPHABET,
        "                moving.add(CHANGES)\n                continue\n",
        "                continue\n",
        AGREEING,
    ),
    Mutant(
        "history-without-end",
        ALPHABET,
        "            if history > self._most:\n                raise EndlessError\n",
        "            history = min(history, self._most)\n",
        AGREEING,
    ),
    Mutant(
        "circles-unseen",
        ENDING,
        "    return not nx.is_directed_acyclic_graph(graph)",
        "    return False",
        AGREEING,
    ),
    Mutant(
        "worlds-mixed-in-extremes",
        COUNTING,
        "                add, more = (kind[label] * self._scale[level], history[label]) if is_member else (0, 0)\n",
        "                add, more = (0, history[label]) if is_member else (0, 0)\n",
        AGREEING,
    ),
    Mutant(
        "greatest-of-those-that-end",
        COUNTING,
        "greatest = at_an_end if all_end else",
        "greatest = at_an_end if True else",
        NO_END,
    ),
    Mutant(
        "types-as-in-total",
        COUNTING,
        "        if used == {column}:\n",
        "        if column in used:\n",
        PUBLISHED,
    ),
    Mutant(
        "nothing-sent-though-no-run-ends",
        COUNTING,
        "least=np.where(total.least < NEVER, 0, NEVER)",
        "least=np.zeros_like(total.least)",
        NO_END,
    ),
    Mutant(
        "runs-that-stop-before-their-end",
        SENDING,
        "self._ended(layer, at_rest) if ends else layer",
        "layer",
        SHOWN,
    ),
    Mutant(
        "judged-before-all-was-read",
        JUDGING,
        "                if monitor.breadth == breadth:\n                    break\n",
        "                break\n",
        AGREEING,
    ),
    Mutant(
        "steps-that-change-nothing-hold",
        JUDGING,
        "(False, True) if still else (True,)",
        "(False,)",
        AGREEING,
    ),
    Mutant(
        "layers-of-some-events",
        LAYERS,
        "        for event in self.events:\n            beat()\n            found = self",
        "        for event in self.events[1:]:\n            beat()\n            found = self",
        COUNTED,
    ),
    Mutant(
        "sets-begin-with-the-declared-values",
        "modelcheck/explore/sets/beginning.py",
        "            and not self.system.definition.chooses_shared\n",
        "",
        ("tests/semantics/test_beginnings.py::test_every_engine_begins_with_all_values_of_the_shared_variables",),
    ),
)
