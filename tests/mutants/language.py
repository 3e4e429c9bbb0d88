"""Mutants of what a model is written in: values, messages, declarations, topologies, formulas."""

from .mutant import Mutant

LANGUAGE = (
    Mutant(
        "equal-types-pass",
        "modelcheck/language/values.py",
        "            if _may_be_equal(one, other):\n",
        "            if False:\n",
        ("tests/language/test_model_errors.py",),
    ),
    Mutant(
        "own-equality-passes",
        "modelcheck/language/values.py",
        "        if not _compares_all(annotation):\n",
        "        if False:\n",
        ("tests/language/test_model_errors.py",),
    ),
    Mutant(
        "subclasses-pass",
        "modelcheck/language/values.py",
        "return lambda value: type(value) is annotation",
        "return lambda value: isinstance(value, annotation)",
        ("tests/language/test_model_errors.py",),
    ),
    Mutant(
        "sets-as-they-come",
        "modelcheck/language/values.py",
        "return SortedSet(sorted((frozen(item) for item in value), key=order))",
        "return SortedSet([frozen(item) for item in value])",
        (
            "tests/language/test_model_errors.py",
            "tests/semantics/test_system.py",
        ),
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
            "tests/language/test_model_errors.py",
            "tests/semantics/test_system.py",
        ),
    ),
    Mutant(
        "identifiers-descend",
        "modelcheck/language/values.py",
        "            return self._rank < other._rank",
        "            return self._rank > other._rank",
        (
            "tests/semantics/test_system.py",
            "tests/semantics/test_worlds.py",
        ),
    ),
    Mutant(
        "floats-pass",
        "modelcheck/language/values.py",
        ('    if isinstance(value, float):\n        raise Misuse(f"a float'),
        ('    if False:\n        raise Misuse(f"a float'),
        ("tests/language/test_model_errors.py",),
    ),
    Mutant(
        "literals-mix",
        "modelcheck/language/values.py",
        "        if len(numeric) > 1:",
        "        if False:",
        ("tests/language/test_model_errors.py",),
    ),
)
