"""What the hot loop could overlook and would not notice: each on the smallest model where it matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from modelcheck.explore.compiled import kernel
from tests.explore.comparison import both, by_kernel

Write = Callable[..., str]


def plain(function: Any) -> Any:
    """A function of the kernel as Python wrote it, whether or not it was compiled."""
    return getattr(function, "py_func", function)


def test_keys_of_one_hash_have_places_of_their_own() -> None:
    """The tag in an entry is half of the hash: that it agrees does not say that the keys do."""
    width, visited = (0, 0), np.zeros(4, np.uint64)
    keys, words, h = np.zeros(8, np.uint64), np.array([7, 1, 7, 2], np.uint64), np.uint64(5 << 32 | 3)
    places = []
    with np.errstate(over="ignore"):
        for number in (0, 1):
            at = plain(kernel.place_of)(width, keys, visited, words, number, h)
            assert visited[at] == 0
            plain(kernel.store_at)(width, keys, visited, at, words, number, h, number)
            places.append(int(at))
        assert [int(plain(kernel.place_of)(width, keys, visited, words, k, h)) for k in (0, 1)] == places
    assert len(set(places)) == 2


def test_a_property_of_messages_alone_is_judged_after_each_is_sent(write: Write) -> None:
    """Nothing else that it sees changes."""
    path = write(
        """
        class Ball(Message):
            pass
        class Sends(Process):
            topology = one_way_ring
            specs = ()
            count: int = 0
            @step
            def send_one(self):
                self.require(self.count < 3)
                self.count += 1
                self.send(NEXT, Ball())
            @receive(Ball)
            def get(self, message):
                pass
        @always
        def few_are_under_way(view):
            return len(view.in_transit()) < 3
        """
    )
    found = by_kernel(both(path, n=1)).result.property("few_are_under_way")
    assert found.trace is not None
    assert (found.verdict, found.trace.length) == ("violated", 3)


def test_a_property_of_a_shared_variable_alone_is_judged_after_each_change(write: Write) -> None:
    path = write(
        """
        class Counts(Process):
            topology = one_way_ring
            specs = ()
            count: int = shared(0)
            @step
            def up(self):
                self.require(self.count < 3)
                self.count += 1
        @always
        def low(view):
            return view.shared.count < 2
        """
    )
    found = by_kernel(both(path, n=1)).result.property("low")
    assert found.trace is not None
    assert (found.verdict, found.trace.length) == ("violated", 2)


def test_a_step_back_to_a_known_state_is_judged_too(write: Write) -> None:
    """0, 1, 2, and 0 again: the third step is the only one that goes down."""
    path = write(
        """
        class Turns(Process):
            topology = one_way_ring
            specs = ()
            x: int = 0
            @step
            def turn(self):
                self.x = (self.x + 1) % 3
        @every_step
        def never_down(before, after):
            return before.processes[0].x <= after.processes[0].x
        """
    )
    found = by_kernel(both(path, n=1)).result.property("never_down")
    assert found.trace is not None
    assert (found.verdict, found.trace.length) == ("violated", 3)


def test_of_several_states_that_violate_the_first_is_shown(write: Write) -> None:
    """States 2, 3 and 4 do: the first of them is two steps away."""
    path = write(
        """
        class Counts(Process):
            topology = one_way_ring
            specs = ()
            x: int = 0
            @step
            def count(self):
                self.require(self.x < 4)
                self.x += 1
        @always
        def low(view):
            return view.processes[0].x < 2
        """
    )
    found = by_kernel(both(path, n=1)).result.property("low")
    assert found.trace is not None
    assert (found.verdict, found.trace.length) == ("violated", 2)


def test_steps_that_fail_in_different_ways_violate_a_property_each(write: Write) -> None:
    path = write(
        """
        class Unheard(Message):
            pass
        class Fails(Process):
            topology = one_way_ring
            specs = ()
            sent: bool = False
            @step
            def claim(self):
                assert self.sent
            @step
            def divide(self):
                1 // self.sent
            @step
            def send_it(self):
                self.require(not self.sent)
                self.sent = True
                self.send(NEXT, Unheard())
        """
    )
    result = by_kernel(both(path, n=1)).result
    lengths = {"assertions": 1, "no_exceptions": 1, "every_message_is_received": 2}
    for kind, length in lengths.items():
        found = result.property(kind)
        assert found.trace is not None
        assert (found.verdict, found.trace.length) == ("violated", length)


def test_what_properties_saw_in_another_world_is_known_by_identifiers_and_not_by_places(write: Write) -> None:
    """In the ring 1, 2, 3 the token of 1 comes to 3 in two hops, in the ring 1, 3, 2 to 2: the third place is that of another."""
    path = write(
        """
        class Token(Message):
            id: Id
            hops: int
        class Counts(Process):
            topology = one_way_ring
            specs = ()
            hit: bool = False
            sent: bool = False
            @initiate
            def send_token(self):
                self.require(not self.sent)
                self.sent = True
                self.send(NEXT, Token(self.id, 1))
            @receive(Token)
            def get(self, message):
                if message.hops:
                    self.send(NEXT, Token(message.id, 0))
                elif message.id < self.id:
                    self.hit = True
        @always
        def second_is_never_hit(view):
            return not sorted(view.processes, key=lambda p: p.id)[1].hit
        """
    )
    found = by_kernel(both(path, n=3)).result.property("second_is_never_hit")
    assert found.trace is not None
    assert (found.verdict, found.trace.length) == ("violated", 3)
