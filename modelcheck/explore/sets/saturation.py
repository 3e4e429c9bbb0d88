"""Saturation: all that is reachable, without looking at any state by itself. The hot loop.

A set of states is a node: its edges are labelled with members (what can stand at its level), and lead to nodes of the next level. An event
is what one process does in one step together with what the others are made to do: it takes one of the rows of its own member, it
makes another of the members that it sends to, and it leaves all the others alone. So it has a highest and a lowest level.

    fire(event, node)    what the event makes of the vectors of a node, at the node's level and below; and of that the fixpoint
    close(node)          the fixpoint of a node under all events whose highest level is its own
    union(a, b)          the vectors of either

To saturate a set is to bring all its nodes to their fixpoints, the lowest first (Ciardo, Marmorstein, Siminiceanu: The saturation algorithm
for symbolic state-space exploration, STTT 8(1), 2006, with local states that are found on the way). Event 0 does nothing: to fire it
is to saturate.

As recursive functions:

    fire(e, q) at level l:                          close(w) at level l:
        if l > BOTTOM[e]: return q                      until nothing changes, for each edge i -> c of w:
        w = {}                                              for each row of i, to j, that does no more:   put(j, c)
        for each edge i -> c of q:                          for each row of i, to j, that is of event e
            f = fire(e, c)                                      with TOP[e] = l:      put(j pushed, fire(e, c))
            j = what e makes of i                           for each event e of a process further down
            if f: w[j] = union(w[j], f)                         with TOP[e] = l:      put(i pushed, fire(e, c))
        return close(w)                                 put(j, f): w[j] = union(w[j], f)

What is a fixpoint already is not closed again: most of what events make is there by then. A union of fixpoints is one.

They are not recursive here. What an operation waits for is always further down, so each level has one operation under way at a time, with a
frame of its own and one node that it is making. The loop goes down where an operation needs another (CALL) and up where it has its
answer. It can be left at any time, for what is not tabulated yet or for want of room, and entered again. Everything that is known of
the present stands in arrays; so nodes can be swept in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.jit import jit
from .making import NEW, NEXT_EDGE, closed_already, finished, put, queue_all, settle, unite_on
from .nodes import keep, recall
from .records import (
    ANSWER,
    ASK_A,
    ASK_B,
    ASK_C,
    AT,
    BASE,
    BELOW,
    BLOCK,
    BOTTOM,
    CALL,
    CLOSE,
    CLOSES,
    COUNT,
    DEED,
    DONE,
    EDGE,
    EMPTY,
    FIRE,
    FIRST,
    FOUND,
    FROM,
    GOAL,
    HEAD,
    KIND,
    LABEL,
    LEVEL,
    NEXT,
    NO_EVENT,
    NO_PUSH,
    NO_ROWS,
    NONE,
    PAUSE,
    PLAIN,
    ROW,
    STAGE,
    TAIL,
    TOP,
    TURNS,
    UNION,
    A,
    B,
)  # fmt: skip

LEARNED = 1 << 31  # with a block, in place of an event: that its rows are known of all members of a node
# Stages. Those that wait for an answer from further down are odd.
FIRED, PLACING, PLACED = 1, 2, 3  # fire
NEXT_MEMBER, ROWS, ROW_FIRED, ROW_PUSHES, ROW_PLACED = 0, 2, 1, 4, 3  # close
EVENTS, EVENT_FIRED, EVENT_PUSHES, EVENT_PLACED = 6, 5, 8, 7


@jit(counts=False)
def saturate(forest: Any, unions: Any, fires: Any, alphabet: Any, work: Any, most: Any) -> Any:
    """Goes on with what is under way, for `most` steps of the loop. Returns DONE, with the answer in now[ANSWER], or why not."""
    now = work.now
    level, answer = now[LEVEL], now[ANSWER]
    for _ in range(most):
        kind = work.frame[level, KIND]
        if kind == UNION:
            found = unite_on(forest, unions, work, level, answer)
        elif kind == FIRE:
            found = fire_on(forest, unions, fires, alphabet, work, level, answer)
        else:
            found = close_on(forest, unions, fires, alphabet, work, level, answer)
        if found >= 0:
            answer = found
            if level == now[BASE]:
                now[ANSWER] = answer
                return DONE
            level -= 1
        elif found == CALL:
            level += 1
        else:
            now[LEVEL], now[ANSWER] = level, answer
            return found
    now[LEVEL], now[ANSWER] = level, answer
    return PAUSE


# --- firing ----------------------------------------------------------------------------------------------------------


@jit(counts=False)
def fire(fires: Any, alphabet: Any, work: Any, level: Any, event: Any, node: Any) -> Any:
    """What an event makes of a node of this level, where it is known; else CALL, and it is begun."""
    if node == EMPTY or level > alphabet.event[event, BOTTOM]:
        return np.int64(node)
    known = recall(fires, event, node)
    if known >= 0:
        return known
    frame = work.frame[level]
    frame[KIND], frame[STAGE], frame[A], frame[B], frame[COUNT] = FIRE, NEXT_EDGE, event, node, 0
    frame[HEAD], frame[TAIL], frame[EDGE] = 0, 0, 0
    return np.int64(CALL)


@jit(counts=False)
def fire_on(forest: Any, unions: Any, fires: Any, alphabet: Any, work: Any, level: Any, answer: Any) -> Any:
    """Goes on with firing an event: edge by edge."""
    frame = work.frame[level]
    event, node = frame[A], frame[B]
    begin, end = forest.first[node], forest.first[node + 1]
    takes_step = alphabet.event[event, AT] == level
    deed, block = alphabet.event[event, DEED], alphabet.event[event, BLOCK]
    delivery, came_from = np.int64(alphabet.delivery[event, level]), alphabet.event[event, FROM]
    while True:
        k = begin + frame[EDGE]
        stage = frame[STAGE]
        if stage == NEXT_EDGE:
            if k == end:
                break
            label = np.int64(forest.label[k])
            if level < alphabet.environments and came_from and label != came_from - 1:
                frame[EDGE] += 1
                continue
            if takes_step:
                row = next_row(alphabet, block, label, deed, np.int64(-1))
                if row == NO_ROWS:
                    return ask(work, NO_ROWS, block, label, level)
                if row < 0:
                    frame[EDGE] += 1
                    continue
                frame[ROW] = row
            frame[STAGE] = FIRED
            answer = fire(fires, alphabet, work, level + 1, event, np.int64(forest.child[k]))
            if answer < 0:
                return answer
        elif stage == FIRED:
            if answer == EMPTY:
                frame[STAGE] = NEXT_EDGE
                frame[EDGE] += 1
                continue
            frame[BELOW] = answer
            frame[STAGE] = PLACING
        elif stage == PLACING:
            member = np.int64(alphabet.row[frame[ROW], 1]) if takes_step else np.int64(forest.label[k])
            if level < alphabet.environments and came_from:
                member = np.int64(forest.label[k]) if delivery else np.int64(alphabet.event[event, TURNS])
            if delivery:
                member = delivered(alphabet, work, delivery, member, -1 if takes_step else node)
                if member < 0:
                    return member
            frame[GOAL] = member
            frame[STAGE] = PLACED
            called = put(unions, work, level, member, frame[BELOW])
            if called < 0:
                return called
            answer = np.int64(work.child[level, member])
        else:
            settle(work, level, frame[GOAL], answer)
            row = next_row(alphabet, block, np.int64(forest.label[k]), deed, frame[ROW]) if takes_step else np.int64(-1)
            if row >= 0:
                frame[ROW], frame[STAGE] = row, PLACING
            else:
                frame[STAGE] = NEXT_EDGE
                frame[EDGE] += 1
    found = closed_already(forest, work, level) if work.now[CLOSES] else finished(forest, work, level)
    if found >= 0:
        keep(fires, event, node, found)
    if found != NEW:
        return found
    frame[KIND], frame[STAGE] = CLOSE, NEXT_MEMBER
    queue_all(work, level)
    return close_on(forest, unions, fires, alphabet, work, level, answer)


@jit(inline="always", counts=False)
def next_row(alphabet: Any, block: Any, member: Any, deed: Any, row: Any) -> Any:
    """The next row (of all, where `row` is -1) by which a member does a deed. Negative: there is none; NO_ROWS: none is known."""
    end = np.int64(alphabet.span[block, member, 1])
    if row < 0:
        row = np.int64(alphabet.span[block, member, 0]) - 1
        if row == NONE - 1:
            return np.int64(NO_ROWS)
    row += 1
    while row < end and alphabet.row[row, 0] != deed:
        row += 1
    return row if row < end else np.int64(-1)


@jit(inline="always", counts=False)
def delivered(alphabet: Any, work: Any, delivery: Any, member: Any, beside: Any) -> Any:
    """The member after a delivery; NO_PUSH where it is asked for, as for all members of the node `beside` (-1: none)."""
    after = np.int64(alphabet.push[delivery, member])
    return ask(work, NO_PUSH, delivery, member, beside) if after == NONE else after


@jit(inline="always", counts=False)
def ask(work: Any, what: Any, a: Any, b: Any, c: Any) -> Any:
    """Says what is missing."""
    work.now[ASK_A], work.now[ASK_B], work.now[ASK_C] = a, b, c
    return np.int64(what)


# --- the fixpoint ----------------------------------------------------------------------------------------------------


@jit(counts=False)
def close_on(forest: Any, unions: Any, fires: Any, alphabet: Any, work: Any, level: Any, answer: Any) -> Any:
    """Goes on with the fixpoint of a node: as long as a member has news below it, all that can happen there is fired once more."""
    frame, queue = work.frame[level], work.queue[level]
    is_environment = level < alphabet.environments
    while True:
        stage = frame[STAGE]
        if stage == NEXT_MEMBER:
            if frame[HEAD] == frame[TAIL]:
                break
            label = np.int64(queue[frame[HEAD]])
            if is_environment:
                missing = learn(
                    forest, fires, alphabet, work, level + 1, FIRST + label, np.int64(work.child[level, label])
                )
                if missing < 0:
                    return missing
                frame[ROW] = np.int64(alphabet.chain[alphabet.delivery.shape[1] + FIRST + label])
                frame[STAGE] = EVENTS
            else:
                if alphabet.span[PLAIN, label, 0] == NONE:
                    return ask(work, NO_ROWS, PLAIN, label, level)
                frame[ROW] = np.int64(alphabet.span[PLAIN, label, 0])
                frame[STAGE] = ROWS
            step_head(frame, queue)
            work.queued[level, label] = 0
            frame[LABEL], frame[BELOW] = label, np.int64(work.child[level, label])
        elif stage == ROWS:
            row = frame[ROW]
            if row == np.int64(alphabet.span[PLAIN, frame[LABEL], 1]):
                frame[ROW], frame[STAGE] = np.int64(alphabet.chain[level]), EVENTS
                continue
            deed = np.int64(alphabet.row[row, 0])
            event = np.int64(alphabet.event_of[level, deed]) if deed else np.int64(0)
            if event == NONE:
                return ask(work, NO_EVENT, level, deed, 0)
            if deed and alphabet.event[event, TOP] < level:  # it is fired further up
                frame[ROW] = row + 1
                continue
            frame[STAGE] = ROW_FIRED
            answer = fire(fires, alphabet, work, level + 1, event, frame[BELOW]) if deed else frame[BELOW]
            if answer < 0:
                return answer
        elif stage == ROW_FIRED:
            frame[FOUND], frame[STAGE] = answer, ROW_PUSHES
        elif stage == ROW_PUSHES:
            deed, member = np.int64(alphabet.row[frame[ROW], 0]), np.int64(alphabet.row[frame[ROW], 1])
            delivery = np.int64(alphabet.delivery[alphabet.event_of[level, deed], level]) if deed else np.int64(0)
            if delivery:  # it sends to itself
                member = delivered(alphabet, work, delivery, member, -1)
                if member < 0:
                    return member
            frame[GOAL], frame[STAGE] = member, ROW_PLACED
            called = put(unions, work, level, member, frame[FOUND])
            if called < 0:
                return called
            answer = np.int64(work.child[level, member])
        elif stage == ROW_PLACED:
            settle(work, level, frame[GOAL], answer)
            frame[ROW] += 1
            frame[STAGE] = ROWS
        elif stage == EVENTS:
            event = frame[ROW]
            if event == 0:
                frame[STAGE] = NEXT_MEMBER
                continue
            frame[STAGE] = EVENT_FIRED
            answer = fire(fires, alphabet, work, level + 1, event, frame[BELOW])
            if answer < 0:
                return answer
        elif stage == EVENT_FIRED:
            if answer == EMPTY:
                frame[ROW] = np.int64(alphabet.event[frame[ROW], NEXT])
                frame[STAGE] = EVENTS
            else:
                frame[FOUND], frame[STAGE] = answer, EVENT_PUSHES
        elif stage == EVENT_PUSHES:
            event, member = frame[ROW], frame[LABEL]
            delivery = np.int64(alphabet.delivery[event, level])
            if is_environment:
                member = np.int64(alphabet.event[event, TURNS])
            elif delivery:
                member = delivered(alphabet, work, delivery, member, -1)
                if member < 0:
                    return member
            frame[GOAL], frame[STAGE] = member, EVENT_PLACED
            called = put(unions, work, level, member, frame[FOUND])
            if called < 0:
                return called
            answer = np.int64(work.child[level, member])
        else:
            settle(work, level, frame[GOAL], answer)
            frame[ROW] = np.int64(alphabet.event[frame[ROW], NEXT])
            frame[STAGE] = EVENTS
    node = finished(forest, work, level)
    if node >= 0:
        forest.closed[node] = 1
        keep(fires, frame[A], frame[B], node)
    return node


@jit(inline="always", counts=False)
def step_head(frame: Any, queue: Any) -> None:
    """Takes the first out of the queue."""
    frame[HEAD] += 1
    if frame[HEAD] == len(queue):
        frame[HEAD] = 0


@jit(counts=False)
def learn(forest: Any, fires: Any, alphabet: Any, work: Any, level: Any, block: Any, node: Any) -> Any:
    """Asks for the rows that members at and below a node have under one environment, and for their events, until all are known: none is
    asked for that is not met under it."""
    if level == alphabet.delivery.shape[1] or recall(fires, LEARNED + block, node) >= 0:
        return np.int64(0)
    for k in range(forest.first[node], forest.first[node + 1]):
        label = np.int64(forest.label[k])
        if alphabet.span[block, label, 0] == NONE:
            return ask(work, NO_ROWS, block, label, level)
        for row in range(np.int64(alphabet.span[block, label, 0]), np.int64(alphabet.span[block, label, 1])):
            deed = np.int64(alphabet.row[row, 0])
            if alphabet.event_of[level, deed] == NONE:
                return ask(work, NO_EVENT, level, deed, 0)
        missing = learn(forest, fires, alphabet, work, level + 1, block, np.int64(forest.child[k]))
        if missing < 0:
            return missing
    keep(fires, LEARNED + block, node, 1)
    return np.int64(0)
