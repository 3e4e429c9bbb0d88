"""Mutants of the two engines and of counting."""

from .mutant import Mutant

EXPLORE = (
    Mutant(
        "fault-keeps-alive",
        "modelcheck/explore/reference.py",
        "if changes and not transition.outcome.is_fault:",
        "if changes:",
        (
            "tests/explore/test_reference.py",
            "tests/semantics/test_system.py",
        ),
    ),
    Mutant(
        "level-is-no-cycle",
        "modelcheck/explore/reference.py",
        "found.depths[target] <= found.depths[source]",
        "found.depths[target] < found.depths[source]",
        (
            "tests/explore/test_reference.py",
            "tests/explore/test_liveness.py",
        ),
    ),
    Mutant(
        "twins-transitions",
        "modelcheck/explore/reference.py",
        "found.all_transitions += twins",
        "found.all_transitions += 1",
        ("tests/explore/test_orbits.py",),
    ),
    Mutant(
        "failure-is-an-end",
        "modelcheck/explore/reference.py",
        ("                terminal = False\n                observer.on_failure(source, transition)\n"),
        "                observer.on_failure(source, transition)\n",
        ("tests/explore/test_reference.py::test_a_state_whose_only_step_fails_is_no_end",),
    ),
    Mutant(
        "twin-starts",
        "modelcheck/explore/reference.py",
        "elif orbits.representative(start.state) not in numbers:",
        "else:",
        (
            "tests/explore/test_orbits.py",
            "tests/explore/test_reference.py",
        ),
    ),
    Mutant(
        "idle-sends",
        "modelcheck/count/extremes.py",
        "yield Values(column, least, greatest, (idle[column], -1) if idle[column] >= 0 else on_cycle)",
        "yield Values(column, least, greatest, on_cycle)",
        (
            "tests/count/test_compiled.py",
            "tests/check/test_counting.py",
        ),
    ),
    Mutant(
        "one-pass",
        "modelcheck/count/extremes.py",
        "changed &= not found.acyclic  # every step leads to a state of greater number: one pass is all",
        "changed = False",
        (
            "tests/count/test_compiled.py",
            "tests/check/test_counting.py",
        ),
    ),
    Mutant(
        "detector-counted",
        "modelcheck/count/extremes.py",
        ("        if isinstance(message, DETECTOR_MESSAGES):\n            return None\n"),
        "",
        (
            "tests/count/test_compiled.py",
            "tests/check/test_counting.py",
        ),
    ),
    Mutant(
        "kernel-first-send-only",
        "modelcheck/explore/compiled/kernel.py",
        "for s in range(np.int64(rows[ROW * row + SENDS]), np.int64(rows[ROW * row + ROW + SENDS])):",
        "for s in range(np.int64(rows[ROW * row + SENDS]), min(np.int64(rows[ROW * row + SENDS]) + 1, np.int64(rows[ROW * row + ROW + SENDS]))):",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "kernel-tag-is-enough",
        "modelcheck/explore/compiled/kernel.py",
        "                same &= keys[np.uint64(number * len(width) + w)] == words[np.uint64(k * len(width) + w)]",
        "                same &= True",
        ("tests/explore/compiled/test_kernel.py::test_keys_of_one_hash_have_places_of_their_own",),
    ),
    Mutant(
        "kernel-environment-stays",
        "modelcheck/explore/compiled/kernel.py",
        ("                    change(words, there, slots, 0, environment ^ turns)\n                    moved |="),
        "                    moved |=",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "kernel-fault-keeps-alive",
        "modelcheck/explore/compiled/kernel.py",
        "                    terminal &= (flags & FAULT) != 0",
        "                    terminal = False",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "kernel-failure-is-an-end",
        "modelcheck/explore/compiled/kernel.py",
        (
            "                    note(store.firsts, (flags & FAILURES) << 56, source, ordinal)\n"
            "                    terminal = False\n"
        ),
        "                    note(store.firsts, (flags & FAILURES) << 56, source, ordinal)\n",
        ("tests/explore/test_reference.py::test_a_state_whose_only_step_fails_is_no_end",),
    ),
    Mutant(
        "kernel-sees-no-delivery",
        "modelcheck/explore/compiled/kernel.py",
        "                    moved |= seen[d] != seen[d - old + new]\n",
        "",
        ("tests/explore/compiled/test_kernel.py::test_a_property_of_messages_alone_is_judged_after_each_is_sent",),
    ),
    Mutant(
        "kernel-old-observation",
        "modelcheck/explore/compiled/kernel.py",
        "                visible = np.int64(observed[np.uint64(number)])",
        "                visible = before",
        ("tests/explore/compiled/test_kernel.py::test_a_step_back_to_a_known_state_is_judged_too",),
    ),
    Mutant(
        "kernel-level-is-forward",
        "modelcheck/explore/compiled/kernel.py",
        "        not_forward += number < level_end",
        "        not_forward += number < source",
        ("tests/explore/test_orbits.py",),
    ),
    Mutant(
        "kernel-first-twin",
        "modelcheck/explore/compiled/kernel.py",
        "                if spare[w] < keys[begin + w]:",
        "                if spare[w] > keys[begin + w]:",
        ("tests/explore/test_orbits.py",),
        equivalent="the greatest twin is a name for all of them as the least one is",
    ),
    Mutant(
        "kernel-twins-twice",
        "modelcheck/explore/compiled/kernel.py",
        "    return shape.turns.shape[0] // keeping",
        "    return shape.turns.shape[0]",
        ("tests/explore/test_orbits.py",),
    ),
    Mutant(
        "kernel-presented-in-order",
        "modelcheck/explore/compiled/kernel.py",
        "        slot = shape.presented[p]",
        "        slot = p + len(shape.environment)",
        (
            "tests/explore/compiled/test_kernel.py::test_what_properties_saw_in_another_world_is_known_by_identifiers_and_not_by_places",
        ),
    ),
    Mutant(
        "kernel-stale-passes",
        "modelcheck/explore/compiled/kernel.py",
        (
            "                if becomes >= slots[SLOT * slot + LIMIT]:\n"
            "                    missing = STALE\n"
            "                    break\n"
        ),
        "",
        ("tests/explore/compiled/test_growth.py",),
    ),
    Mutant(
        "kernel-observations-alike",
        "modelcheck/explore/compiled/kernel.py",
        "            same &= vectors[number, k] == vector[k]",
        "            same &= True",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "kernel-note-the-last",
        "modelcheck/explore/compiled/kernel.py",
        "    fresh = wrong & ~firsts[0, 0]",
        "    fresh = wrong",
        ("tests/explore/compiled/test_kernel.py::test_of_several_states_that_violate_the_first_is_shown",),
    ),
    Mutant(
        "twins-not-counted",
        "modelcheck/explore/compiled/kernel.py",
        "            counters[ALL_TRANSITIONS] += ordinal * count",
        "            counters[ALL_TRANSITIONS] += ordinal",
        ("tests/explore/test_orbits.py",),
    ),
    Mutant(
        "cycle-unless-all-ready",
        "modelcheck/explore/compiled/cycles.py",
        "    return end < count\n",
        "    return end < count - 1\n",
        ("tests/explore/compiled/test_cycles.py",),
    ),
    Mutant(
        "depth-of-the-parent",
        "modelcheck/explore/compiled/cycles.py",
        "depths[k] = 0 if parents[k] < 0 else depths[parents[k]] + 1",
        "depths[k] = 0 if parents[k] < 0 else depths[parents[k]]",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "messages-to-itself",
        "modelcheck/explore/compiled/steps.py",
        "        to_itself |= shape.links[link] == slot",
        "        to_itself |= False",
        (
            "tests/count/test_compiled.py::test_a_message_to_oneself_that_is_sent_again_as_it_is_received_changes_nothing",
        ),
    ),
    Mutant(
        "counts-the-least-twice",
        "modelcheck/explore/compiled/folding.py",
        "                lower, higher = sent + low[there + c], sent + high[there + c]",
        "                lower, higher = sent + low[there + c], sent + low[there + c]",
        ("tests/count/test_compiled.py",),
    ),
    Mutant(
        "ends-are-not-zero",
        "modelcheck/count/compiled.py",
        "            low.reshape(-1, width)[found.terminals] = 0\n",
        "",
        ("tests/count/test_compiled.py",),
    ),
    Mutant(
        "outcomes-of-another-environment",
        "modelcheck/explore/compiled/tables.py",
        "self.system.outcomes(self.environments.by_number[environment], family.members[number])",
        "self.system.outcomes(self.environments.by_number[0], family.members[number])",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "port-of-another",
        "modelcheck/explore/compiled/tables.py",
        "            self.event[message][in_port] = event",
        "            self.event[message][0] = event",
        ("tests/explore/compiled/test_engine.py",),
    ),
    Mutant(
        "moved-rows-empty",
        "modelcheck/explore/compiled/tables.py",
        "            rows[base : base + family.room] = rows[family.base : family.base + family.room]\n",
        "",
        ("tests/explore/compiled/test_growth.py",),
    ),
    Mutant(
        "exceptions-are-assertions",
        "modelcheck/explore/compiled/tables.py",
        '"exception": 4',
        '"exception": 2',
        ("tests/explore/compiled/test_kernel.py::test_steps_that_fail_in_different_ways_violate_a_property_each",),
    ),
    Mutant(
        "replaced-rows-still-read",
        "modelcheck/explore/compiled/tables.py",
        "                self.span.array, self.pairs.keys = self.span.array.copy(), self.pairs.keys.copy()",
        "                pass",
        (
            "tests/explore/compiled/test_crew.py",
            "tests/explore/compiled/test_engine.py::test_rows_that_another_thread_moves_are_not_misread",
        ),
    ),
    Mutant(
        "terminals-as-they-come",
        "modelcheck/explore/compiled/crew.py",
        "            worker.keep_terminals(piece.terminals[: int(found[kernel.TERMINALS])])",
        "            worker.keep_terminals(piece.terminals[: int(found[kernel.TERMINALS])][::-1])",
        ("tests/explore/compiled/test_crew.py::test_threads_together_find_what_one_finds",),
    ),
    Mutant(
        "firsts-of-pieces-lost",
        "modelcheck/explore/compiled/crew.py",
        "                    kernel.note(worker.firsts, np.int64(1 << bit), *piece.firsts[bit + 1])",
        "                    pass",
        ("tests/explore/compiled/test_crew.py",),
    ),
    Mutant(
        "edges-of-pieces-unmoved",
        "modelcheck/explore/compiled/crew.py",
        "            worker.edges_begin[piece.first : piece.last] += begin\n",
        "",
        ("tests/explore/compiled/test_crew.py::test_threads_together_find_what_one_finds",),
    ),
    Mutant(
        "successors-of-the-next",
        "modelcheck/explore/exploration.py",
        "        return self.targets[self.first[number] : self.first[number + 1]]",
        "        return self.targets[self.first[number] : self.first[number + 1]][::-1]",
        (
            "tests/explore/compiled/test_engine.py",
            "tests/count/test_compiled.py",
            "tests/explore/test_reference.py",
        ),
    ),
    Mutant(
        "limit-one-more",
        "modelcheck/explore/limits.py",
        "        if self.states > self.limits.max_states:",
        "        if self.states > self.limits.max_states + 1:",
        (
            "tests/explore/compiled/test_engine.py",
            "tests/explore/test_reference.py",
            "tests/check/test_verdict.py",
        ),
    ),
    Mutant(
        "reference-depth-first",
        "modelcheck/explore/reference.py",
        "        target = discover(transition.after, source, found.depths[source] + 1) if changed else source",
        "        target = discover(transition.after, source, found.depths[source] + 1)",
        (
            "tests/explore/test_reference.py",
            "tests/explore/test_orbits.py",
        ),
    ),
)
