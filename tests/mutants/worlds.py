"""Mutants of which worlds are explored, and for how many each stands."""

from .mutant import Mutant

WORLDS = (
    Mutant(
        "group-ignores-profiles",
        "modelcheck/semantics/symmetry.py",
        "all(profiles[there] == profiles[here] for here, there in enumerate(g))",
        "all(profiles[there].identifier == profiles[here].identifier for here, there in enumerate(g))",
        (
            "tests/explore/test_orbits.py",
            "tests/semantics/test_world_symmetry.py",
        ),
    ),
    Mutant(
        "orbits-all-alike",
        "modelcheck/semantics/symmetry.py",
        "return len(set(self._turned(state))) if self.group else 1",
        "return len(self.group) if self.group else 1",
        ("tests/explore/test_orbits.py",),
    ),
    Mutant(
        "order-type-of-integers",
        "modelcheck/semantics/worlds.py",
        'return self.policy.symmetry and "integers" not in self.definition.knows',
        "return self.policy.symmetry",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "positions-are-symmetric",
        "modelcheck/semantics/worlds.py",
        'return self.policy.symmetry and "position" not in self.definition.knows',
        "return self.policy.symmetry",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "weight-of-the-group",
        "modelcheck/semantics/worlds.py",
        "namings * multiplicity * len(images))",
        "namings * multiplicity * len(group))",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "order-types-weigh-one",
        "modelcheck/semantics/worlds.py",
        "yield ranks, math.comb(n, kinds)",
        "yield ranks, 1",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "every-symmetry-keeps",
        "modelcheck/semantics/isomorphism.py",
        "return all(fixed[g[i]] == fixed[i] for i in range(len(g)))",
        "return True",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "least-at-the-first-place",
        "modelcheck/semantics/worlds.py",
        "if first == min(g[first] for g in group):",
        "if first == 0:",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "one-set-of-initiators",
        "modelcheck/semantics/worlds.py",
        "sets = (chosen for k in range(1, n + 1) for chosen in itertools.combinations(everyone, k))",
        "sets = (chosen for k in range(1, n) for chosen in itertools.combinations(everyone, k))",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "one-root",
        "modelcheck/semantics/worlds.py",
        "roots = [frozenset({root}) for root in everyone] if rooted",
        "roots = [frozenset({root}) for root in everyone[:1]] if rooted",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "identifiers-from-unchosen",
        "modelcheck/semantics/worlds.py",
        "yield tuple(range(1, n + 1)), math.comb(largest, n)",
        "yield tuple(range(1, n + 1)), 1",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "automorphisms-identity",
        "modelcheck/semantics/isomorphism.py",
        ("for start in attended(range(shape.n)))\n    return [image"),
        ("for start in (0,))\n    return [image"),
        (
            "tests/semantics/test_worlds.py",
            "tests/semantics/test_world_symmetry.py",
        ),
    ),
    Mutant(
        "automorphisms-all",
        "modelcheck/semantics/isomorphism.py",
        "if port != port_there or far != far_there or image.setdefault",
        "if image.setdefault",
        ("tests/semantics/test_world_symmetry.py::test_a_symmetry_keeps_the_ports_at_both_ends_of_every_link",),
    ),
    Mutant(
        "namings-weigh-one",
        "modelcheck/semantics/worlds.py",
        "yield named, whole_group // sum(keeps(g, fixed) for g in automorphisms(named))",
        "yield named, 1",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "by-identifier-weighs-one",
        "modelcheck/semantics/worlds.py",
        "            stands_for = math.factorial(n)\n",
        "            stands_for = 1\n",
        ("tests/semantics/test_worlds.py",),
    ),
    Mutant(
        "turned-backwards",
        "modelcheck/semantics/symmetry.py",
        "        moved[there + 1] = state[here + 1]",
        "        moved[here + 1] = state[there + 1]",
        (
            "tests/semantics/test_world_symmetry.py",
            "tests/explore/test_orbits.py",
        ),
    ),
)
