"""Mutants of what is computed of chance: the decision process, the solver, and above all its proofs."""

from .mutant import Mutant

BUILDING = "modelcheck/chance/building.py"
CERTIFYING = "modelcheck/chance/certifying.py"
DECISIONS = "modelcheck/chance/decisions.py"
SOLVING = "modelcheck/chance/solving.py"
EXPECTATIONS = "modelcheck/chance/expectations.py"
GAMES = ("tests/chance/test_solving.py",)
PROTOCOLS = ("tests/chance/test_expecting.py",)

CHANCE = (
    Mutant("chance-any-row-will-do", CERTIFYING, "(gap >= 0 if least else gap <= 0).all()", "True", GAMES),
    Mutant("chance-greatest-proved-as-least", CERTIFYING, "(gap >= 0 if least else gap <= 0).all()", "(gap >= 0).all()", GAMES),
    Mutant("chance-nobody-attains-it", CERTIFYING, "        and (gap[along] == 0).all()\n", "", GAMES),
    Mutant("chance-a-policy-may-go-round", CERTIFYING, "return bool(attracted(decisions, goal, rows)[0].all())", "return True", GAMES),
    Mutant("chance-64-bits-fit-all", CERTIFYING, "kind = np.int64 if fits else object", "kind = np.int64", GAMES),
    Mutant(
        "chance-bounds-from-one-side",
        CERTIFYING,
        "high_holds = above.gap()[along] <= 0 if least else above.gap() <= 0",
        "high_holds = above.gap()[along] <= 0",
        GAMES,
    ),
    Mutant("chance-endless-pays-nothing", SOLVING, "paying[labels[decisions.owner[kept & (reward > 0)]]] = True", "pass", GAMES),
    Mutant("chance-only-who-is-there-is-endless", SOLVING, "endless, _ = attracted(decisions, seeds)", "endless = seeds", GAMES),
    Mutant("chance-a-lucky-end-is-enough", SOLVING, "among, allowed = almost_surely(decisions, goal)", "among, allowed = attracted(decisions, goal)[0], decisions.all_within(attracted(decisions, goal)[0])", GAMES),
    Mutant("chance-leaving-is-staying", DECISIONS, "leaves[decisions.row_of[ways][labels[source] != labels[target]]] = True", "pass", GAMES),
    Mutant("chance-once-is-almost-surely", DECISIONS, "if reached.sum() == among.sum():\n            return among, rows", "if True:\n            return reached, rows", GAMES),
    Mutant("chance-all-draws-are-alike", "modelcheck/semantics/outcomes.py", "return Fraction(self.weight, self.total) if self.random", "return Fraction(1, 2) if self.random", PROTOCOLS),
    Mutant("chance-the-adversary-chooses-with-the-draw", BUILDING, "return tuple(choice.value for choice in choices if not choice.random)", "return ()", PROTOCOLS),
    Mutant("chance-an-unlucky-round-is-none", BUILDING, 'yield source, source, lottery, names.add(weight, (0,) * len(names.columns)), False', "pass", PROTOCOLS),
    Mutant("chance-idle-steps-are-silent", BUILDING, "np.logical_or.at(idle, source[silent], sent[silent] > 0)", "pass", PROTOCOLS),
    Mutant("chance-ends-well-if-it-ends", EXPECTATIONS, "ends if well[stops].all() else probability(found.stopping_in(well), False)", "ends", PROTOCOLS),
    Mutant("chance-equal-messages-are-one", BUILDING, "alone = None if any(choice.random for choice in outcome.choices) else self.outcome(outcome)", "alone = None", PROTOCOLS),
    Mutant("chance-shared-values-may-be-drawn", BUILDING, '    begun += [(common, effect) for effect in prepared(system.runner, "shared_initially", common)]\n', "", PROTOCOLS),
    Mutant("chance-comes-back-by-chance", BUILDING, "    _refuse_drawn_recoveries(system, names.outcomes)\n", "", PROTOCOLS),
)  # fmt: skip
