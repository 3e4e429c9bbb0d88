"""Mutants of partial-order reduction, and of what explores many worlds at once."""

from .mutant import Mutant

STUBBORN = "modelcheck/explore/stubborn.py"
CHOOSING = "modelcheck/explore/compiled/choosing.py"
KERNEL = "modelcheck/explore/compiled/kernel.py"
SWEEP = "modelcheck/explore/compiled/sweep.py"
REDUCED = ("tests/explore/test_stubborn.py", "tests/explore/test_reducing.py")
SWEPT = ("tests/explore/compiled/test_sweep.py",)

REACH = (
    Mutant(
        "sets-not-closed",
        STUBBORN,
        "        new = (new | needs[one]) & ~closed",
        "        new = 0",
        REDUCED,
    ),
    Mutant(
        "closed-but-for-the-last",
        STUBBORN,
        "        new = (new | needs[one]) & ~closed",
        "        new = (new | needs[one]) & ~closed if closed == 1 << process else 0",
        REDUCED,
    ),
    Mutant(
        "waits-for-what-is-there",
        STUBBORN,
        "                if not channel\n",
        "                if channel\n",
        REDUCED,
    ),
    Mutant(
        "faults-can-wait",
        STUBBORN,
        "        if not is_spent(environment):\n            return self._everyone\n",
        "",
        REDUCED,
    ),
    Mutant(
        "what-shows-is-hidden",
        STUBBORN,
        "if total < fewest and not closed & shows:",
        "if total < fewest:",
        REDUCED,
    ),
    Mutant(
        "fields-alone-show",
        "modelcheck/properties/predicates.py",
        "self.observe(outcome.component) != self.observe(before) or any(map(self.watches, handled))",
        "self.observe(outcome.component) != self.observe(before)",
        REDUCED,
    ),
    Mutant(
        "messages-alone-show",
        "modelcheck/properties/predicates.py",
        "self.observe(outcome.component) != self.observe(before) or any(map(self.watches, handled))",
        "any(map(self.watches, handled))",
        REDUCED,
    ),
    Mutant(
        "bags-are-reduced",
        "modelcheck/explore/independence.py",
        "    return not system.settings.links.ordered or any(len(ports) > 1 for ports in world.shape.in_ports)",
        "    return any(len(ports) > 1 for ports in world.shape.in_ports)",
        (*REDUCED, "tests/explore/test_independence.py"),
    ),
    Mutant(
        "shared-is-reduced",
        STUBBORN,
        "    if system.definition.shared:",
        "    if system.definition.shared and settings.partitions:",
        REDUCED,
    ),
    Mutant(
        "to-itself-is-reduced",
        STUBBORN,
        "    return few and all(link.source != link.target for link in shape.links)",
        "    return few",
        REDUCED,
    ),
    Mutant(
        "cycles-stay-reduced",
        "modelcheck/check/worker.py",
        "(watch.first or found.has_cycle())",
        "watch.first",
        REDUCED,
    ),
    Mutant(
        "longer-runs-stay",
        "modelcheck/check/worker.py",
        "(watch.first or found.has_cycle())",
        "found.has_cycle()",
        REDUCED,
    ),
    Mutant(
        "eventually-is-reduced",
        "modelcheck/check/plan.py",
        "        if on_the_way:\n",
        "        if not request.properties:\n",
        REDUCED,
    ),
    Mutant(
        "kernel-sets-not-closed",
        CHOOSING,
        "            new = more & ~closed",
        "            new = np.int64(0)",
        REDUCED,
    ),
    Mutant(
        "kernel-hides-what-shows",
        CHOOSING,
        "        if closed & shows:\n            continue\n",
        "",
        REDUCED,
    ),
    Mutant(
        "kernel-watches-no-message",
        CHOOSING,
        "                    show |= watched[message] != 0",
        "                    show |= False",
        REDUCED,
    ),
    Mutant(
        "kernel-faults-can-wait",
        CHOOSING,
        "    if offset and not table.spent[environment]:\n        return everyone\n",
        "",
        REDUCED,
    ),
    Mutant(
        "kernel-passes-are-not-numbered",
        KERNEL,
        "                ordinal += end - row\n                passed += end - row\n",
        "",
        REDUCED,
    ),
    Mutant(
        "kernel-passes-are-transitions",
        KERNEL,
        "        counters[TRANSITIONS] += ordinal - passed",
        "        counters[TRANSITIONS] += ordinal",
        REDUCED,
    ),
    Mutant(
        "sweep-looks-at-no-end",
        SWEEP,
        "        if ends.wrong[found]:\n            return UNUSUAL\n",
        "",
        SWEPT,
    ),
    Mutant(
        "sweep-sees-no-failure",
        SWEEP,
        "    if store.firsts[0, 0]:\n        return UNUSUAL\n",
        "",
        SWEPT,
    ),
    Mutant(
        "sweep-forgets-cycles",
        SWEEP,
        "        if end < count:\n            return UNUSUAL\n",
        "",
        SWEPT,
    ),
    Mutant(
        "sweep-remembers-states",
        SWEEP,
        "        forget(world, store, max(count, 1))\n",
        "",
        SWEPT,
    ),
    Mutant(
        "sweep-starts-without-messages",
        SWEEP,
        "= fleet.started[column] + low[column]",
        "= low[column]",
        SWEPT,
    ),
    Mutant(
        "sweep-stays-in-one-place",
        SWEEP,
        "        world.presented[slot] = fleet.presented[at, slot]\n",
        "",
        SWEPT,
    ),
    Mutant(
        "sweep-has-no-limit",
        SWEEP,
        "            counters[MOST] -= count\n",
        "",
        SWEPT,
    ),
    Mutant(
        "sweep-of-any-property",
        "modelcheck/explore/compiled/sweeping.py",
        "            if not (claims.portable and ends.portable):",
        "            if not claims:",
        SWEPT,
    ),
    Mutant(
        "fleets-are-lost",
        "modelcheck/check/search.py",
        "            self._landed += counted.worlds\n",
        "",
        SWEPT,
    ),
)
