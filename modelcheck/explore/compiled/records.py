"""What the kernel works on: tuples of arrays, and what their columns mean. Beside each field: shape, dtype, what stands there.

S slots (the environment, where there is one, then A actors: the processes, and the network where it can split), W words a state,
P ports a process, F families with C rows of components in all, R outcome rows, E events, V observations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

# Columns of the outcome table `rows`, and how many there are.
BECOMES, TURNS, FLAGS, SENDS, ROW = 0, 1, 2, 3, 4
# Columns of `slots`: in which word of a state a slot lies, how far from its low end, behind which mask; where the rows of its family
# begin, and how many of them the tables of now have.
WORD, SHIFT, MASK, BASE, LIMIT, SLOT = 0, 1, 2, 3, 4, 8
# In FLAGS; above these bits the number of the message that is received, and 1; 0 where none is.
FAULT = 1
FAILURES = 2 | 4 | 8  # assertion, exception, unspecified reception
STARTS = 16  # it is of the first @initiate step that is enabled
RECEIVED = 8

# What the steps of a component weigh (choosing.weigh): flags, and above them how many change something, and how many there are.
KNOWN, SHOWS, VAIN, WEIGHT, OUTCOMES = 1, 2, 4, 1 << 3, 1 << 33

NONE = 0xFFFFFFFF  # no such entry yet
LANES = 64  # more than a process can have; and outcomes in a state, where some are chosen
# Columns of what is noted of an actor while outcomes are chosen, sets of lanes: which can be taken, which have something waiting, which may
# yet be taken; where the rows of its fields begin in WithinRecord.brings, or -1 where it is down; then which were tried as a
# beginning, and which left for another; which are in the set, and which come into it.
ABLE, FULL, EVER, BRINGS, TRIED, LEFT, FOUND, NEW, NOW = range(9)


class WorldRecord(NamedTuple):
    """One world. The three tuples are there for their lengths, which the compiler then knows."""

    width: Any  # tuple of W zeros
    environment: Any  # tuple of one zero where states have an environment, else empty
    symmetric: Any  # tuple of one zero where the world has symmetries, else empty
    reduced: (
        Any  # tuple of one zero where only the steps of some processes are explored (explore/stubborn.py), else empty
    )
    turns: Any  # (permutations, S) int64: the slot whose content comes into a slot; the identity first; (0, S) without symmetries
    actors: int  # A
    ports: int  # P, more than any port number
    links: Any  # (A * P * 2,) uint32: of actor and out-port, the slot it leads to and the in-port there
    senders: Any  # (A * P,) int64: of actor and in-port, the actor at the other end
    family: Any  # (S,) int64: the key of the slot's family, which is added to the number of a component in pairs
    presented: Any  # (A,) int64: the slots of the actors in the order in which properties see them
    within: Any  # WithinRecord; empty arrays where steps of one process are not told apart


# Columns of `actors` in a WithinRecord: where the rows of an actor begin in the arrays, and how many it has for each fields, or in all.
FIELDS_AT, EVENTS_AT, LANES_AT, MEETS_AT, EVER_AT, BRINGS_AT, FIELDS, EVENTS, ITS_EVENTS, OUTLETS, ACTOR = range(11)


class WithinRecord(NamedTuple):
    """Which steps of one process meet (explore/independence.py), in one world. Fields and events go by the numbers that they have in this
    world, and get them from those that they have in their family. A set of lanes is a mask."""

    actors: Any  # (A * ACTOR,) int64: see above
    field: Any  # int64, at FIELDS_AT + the family's number: the number of these fields; -1 where they were not foreseen
    event: Any  # int64, at EVENTS_AT + the family's number: where the event stands in `lane`, from LANES_AT on; -1 as above
    lane: Any  # int64: the lane of an event
    brought: Any  # int64, at 2 * (LANES * actor + lane): the sender, or -1; its outlet there, or -1
    meets: Any  # int64, at MEETS_AT + ITS_EVENTS * fields + event
    shows: Any  # int64, the same: whether properties may see the event
    ever: Any  # int64, at EVER_AT + fields
    brings: Any  # int64, at BRINGS_AT + OUTLETS * fields + outlet


class TablesRecord(NamedTuple):
    """What steps and deliveries do, as of now. Another thread may tabulate more in the meantime: a number that reaches the LIMIT
    of its slot is STALE, and `search` is called again with the tables of then."""

    slots: Any  # (S * SLOT,) uint32: see above
    span: Any  # (C * 2,) uint32: of a component, its first outcome row and the one behind its last; NONE: not tabulated
    pair_key: Any  # (places,) uint64, a power of two: environment and component, 0 where a place is empty
    pair_span: Any  # (places, 2) uint32: as `span`, where there is an environment
    rows: Any  # (R * ROW,) uint32: component and environment afterwards, flags, where the sends begin
    sent: Any  # (sends * 2,) uint32: out-port, message
    event: Any  # (messages * P,) uint32: number of the pair of message and in-port; 0: none yet
    push: Any  # (C * E,) uint32: the component after a delivery; NONE: not tabulated
    events: int  # E, the columns of `push`
    empty: Any  # (C,) uint64: the in-ports, as a mask, at which nothing waits; none where the process is down
    spent: Any  # (environments,) uint8: whether no fault is left
    field: Any  # (C,) uint32: the number of a component's fields in its family; NONE where the process is down
    waits: Any  # (C * 2,) uint32: the receptions that the network allows, from the first to the one behind the last, in `waiting`
    waiting: Any  # uint32: the numbers of events in their family
    taken: Any  # (R,) uint32: the number of the event that is taken with an outcome


class ObservationsRecord(NamedTuple):
    """What properties see, and what is known of it. Masks have a bit for each property."""

    seen: Any  # (C,) uint32: what is seen of a component
    seen_environment: Any  # (environments,) uint32
    index: Any  # (places,) int32, open-addressing: the number of an observation + 1
    vectors: Any  # (V, A + 1) uint32: the observations
    wrong: Any  # (V,) int64: the mask of properties that fail of an observation
    pair_key: Any  # (places,) uint64: observations before and after a step
    pair_wrong: Any  # (places, 1) int64: the mask of properties that fail of such a step
    watched: Any  # (messages,) uint8: whether any property looks at such a message where it waits
    weights: Any  # (C,) int64: what the steps of a component weigh; 0: not known yet. The kernel fills it
    watches_steps: bool  # whether any property is about steps


class StatesRecord(NamedTuple):
    """What is found. A state is W words; room for N of them, of which counters[STATES] are filled."""

    states: Any  # (N * W,) uint64
    keys: Any  # (N * W,) uint64: each state's least twin; the same array as `states` where the world has no symmetries
    parents: Any  # (N,) int32: the number of the state it was first met from, negative for a start
    observed: Any  # (N,) uint32: the number of its observation
    visited: Any  # (2 * N,) uint64, open-addressing: 32 bits of the hash, and the number of a state + 1
    edges_begin: Any  # (N + 1,) int64: where the targets of a state begin
    targets: Any  # (transitions,) int32: the numbers of successors, where they are kept
    terminals: Any  # (room,) int32: the numbers of terminal states
    chosen: Any  # (N,) int64: the mask of the processes whose steps were explored, or of the outcomes, where the world is reduced
    firsts: Any  # (64, 2) int64: [0, 0] the mask of what failed, [bit + 1] where: the state, and the transition out of it or -1
    keeps_targets: bool


class BatchRecord(NamedTuple):
    """Successors that wait to be inserted; room for B of them."""

    words: Any  # (B * W,) uint64: the states
    keys: Any  # (B * W,) uint64: their least twins; the same array where the world has no symmetries
    hashes: Any  # (B,) uint64: of the keys
    sources: Any  # (B,) uint32: the numbers of the states they come from
    marks: Any  # (B,) uint32: twice the ordinal of the transition, and one more if what properties see has changed
    vector: Any  # (A + 1,) int64: room for an observation
    spare: Any  # (W,) uint64: room for a state
    weights: Any  # (A,) int64: what the steps of each actor weigh, where the world is reduced
    before: Any  # (A,) int64: how many outcomes the actors before have, where the world is reduced
    needs: Any  # (A,) int64: room for masks of processes
    lanes: Any  # (A * LANES * 3,) int64: of a lane that can be taken how many outcomes it has, whether properties see it, what it meets
    now: Any  # (A * NOW,) int64: see above
    offers: Any  # (LANES,) int64: room for lanes
