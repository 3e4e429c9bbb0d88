"""MinMax with two of its variations at once: values stay where they are, and the larger survives first."""

from modelcheck.models.minmax import KeepsItsValue, LargerFirst


class LargerKept(KeepsItsValue, LargerFirst):
    pass
