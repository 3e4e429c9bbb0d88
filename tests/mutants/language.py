"""Mutants of what a model is written in: values, messages, declarations, topologies, formulas."""

from .mutant import Mutant

LANGUAGE = (
    Mutant(
        "dimensions-backwards",
        "modelcheck/language/oriented.py",
        "ports = [(k, dimension(k + 1)) for",
        "ports = [(k, dimension(n.bit_length() - 1 - k)) for",
        ("tests/language/test_oriented.py",),
    ),
    Mutant(
        "meshes-lie-down",
        "modelcheck/language/oriented.py",
        "for a in range(2, n // 2 + 1) if n % a == 0]",
        "for a in range(2, n // 2 + 1) if n % a == 0 and a * a <= n]",
        ("tests/language/test_oriented.py",),
    ),
    Mutant(
        "borders-wrap",
        "modelcheck/language/oriented.py",
        "if wraps or (0 <= row < rows and 0 <= column < columns):",
        "if wraps or (0 <= row < rows and column < columns):",
        ("tests/language/test_oriented.py",),
    ),
    Mutant(
        "ports-without-names-are-alike",
        "modelcheck/language/values.py",
        "    return port if (int(port), port.name) == (number, name) else None\n",
        "    return Port(number)\n",
        ("tests/semantics/test_oriented.py", "tests/report/test_tracefile.py"),
    ),
    Mutant(
        "equal-types-pass",
        "modelcheck/language/kinds.py",
        ("        for one, other in itertools.combinations(args, 2):\n            if _may_be_equal(one, other):\n"),
        ("        for one, other in itertools.combinations(args, 2):\n            if False:\n"),
        ("tests/language/test_definition.py",),
    ),
    Mutant(
        "own-equality-passes",
        "modelcheck/language/classes.py",
        "    if kind.__eq__ not in (object.__eq__, int.__eq__, str.__eq__) or kind.__hash__ not in hashes:",
        "    if False:",
        ("tests/language/test_classes.py",),
    ),
    Mutant(
        "subclasses-pass",
        "modelcheck/language/kinds.py",
        "    return lambda value: type(value) is annotation",
        "    return lambda value: isinstance(value, annotation)",
        ("tests/language/test_definition.py",),
    ),
    Mutant(
        "sets-as-they-come",
        "modelcheck/language/kinds.py",
        "        return sorted_set(sorted((frozen(item, known) for item in value), key=order))",
        "        return SortedSet([frozen(item, known) for item in value])",
        ("tests/language/test_order.py",),
    ),
    Mutant(
        "identifier-equals-number",
        "modelcheck/language/values.py",
        (
            "        if isinstance(other, (int, float)):\n"
            '            _opaque("compared with a number")\n'
            "        return False"
        ),
        "        return False",
        ("tests/language/test_model_errors.py",),
    ),
    Mutant(
        "options-as-they-come",
        "modelcheck/language/process.py",
        "    for option in in_order(options):",
        "    for option in options:",
        (
            "tests/language/test_values.py::test_a_value_that_is_not_exactly_what_its_field_declares_is_refused_where_it_enters_a_state",
        ),
    ),
    Mutant(
        "identifiers-descend",
        "modelcheck/language/values.py",
        "            return self._rank < other._rank",
        "            return self._rank > other._rank",
        ("tests/semantics/test_renaming.py",),
    ),
    Mutant(
        "floats-pass",
        "modelcheck/language/kinds.py",
        "    if issubclass(kind, float):",
        "    if False:",
        ("tests/language/test_model_errors.py",),
    ),
    Mutant(
        "literals-mix",
        "modelcheck/language/kinds.py",
        (
            "        for one, other in itertools.combinations({type(arg) for arg in args}, 2):\n"
            "            if _may_be_equal(one, other):\n"
        ),
        ("        for one, other in itertools.combinations({type(arg) for arg in args}, 2):\n            if False:\n"),
        ("tests/language/test_definition.py",),
    ),
)
