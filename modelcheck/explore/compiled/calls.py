"""What the kernel says to whoever calls it: why it returns, and what stands in the array of counters."""

from __future__ import annotations

# Why search returned.
(
    DONE,
    PAUSE,
    STALE,
    NO_OUTCOMES,
    NO_DELIVERY,
    NO_OBSERVATION,
    NO_PAIR,
    MANY_STATES,
    MANY_SUCCESSORS,
    MANY_TARGETS,
    UNFORESEEN,
    MANY_TERMINALS,
) = range(12)

# Places in the array of counters that search reads and updates. FILLED successors stand in the batch, the first INSERTED
# of them are done with; states are expanded no more once more than MOST are known, exactly as in the reference engine.
(
    CURSOR,
    STATES,
    TRANSITIONS,
    LEVEL_END,
    DEPTH,
    TERMINALS,
    TARGETS,
    NOT_FORWARD,
    FILLED,
    INSERTED,
    MOST,
    ASK_A,
    ASK_B,
    ASK_C,
    ALL_STATES,  # with their twins, where the world has symmetries
    ALL_TRANSITIONS,
    ALL_TERMINALS,
) = range(17)
COUNTERS = 17
