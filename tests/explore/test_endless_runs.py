"""Protocols of which it is known whether all their fair runs end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modelcheck.check.result import Result

PING_PONG = """
    class Ball(Message):
        pass

    class PingPong(Process):
        topology = line
        started: bool = False
        @initiate
        def serve(self):
            self.require(not self.started)
            self.started = True
            self.send(self.ports[0], Ball())
        @receive(Ball)
        def hit(self, message):
            self.reply(message)
    """


def test_ping_pong_goes_on_for_ever(run: Callable[..., Result]) -> None:
    """One serves; two hits later the ball is back where it was: a stem of 1 and a loop of 2."""
    result = run(PING_PONG, n=2, initiators=[1])
    found = result.property("termination")
    assert (result.verdict, result.exit_code, found.verdict) == ("VIOLATED", 13, "violated")
    assert found.trace is not None
    assert (found.trace.loop, found.trace.length) == (1, 3)


TOGGLE, GAP = "self.x = 1 - self.x", " " * 16


@pytest.mark.parametrize(
    ("go", "stop", "verdict", "note"),
    [
        pytest.param(TOGGLE, "not self.done", "holds", "", id="what stays enabled is taken at last"),
        pytest.param(TOGGLE, "self.x == 1", "violated", "", id="what is enabled at every other state is not owed"),
        pytest.param(
            f"{TOGGLE}\n{GAP}self.done = self.choose((False, True))", "False", "violated", "", id="no choice is owed"
        ),
        pytest.param(
            f"{TOGGLE}\n{GAP}self.done = self.draw((False, True))",
            "False",
            "holds",
            "with probability 1",
            id="a coin leaves",
        ),
        pytest.param(
            "self.x = self.draw(((self.x + 1) % 3, (self.x + 2) % 3))", "False", "violated", "", id="no draw leaves"
        ),
        pytest.param(
            f"self.done = self.draw(self.choose(((False,), (True, False))))\n{GAP}{TOGGLE}",
            "False",
            "violated",
            "",
            id="who chooses may choose the draw that cannot leave",
        ),
        pytest.param("self.x = 0", "False", "holds", "", id="changing nothing is no run"),
        pytest.param("self.require(self.x > 0)", "False", "holds", "", id="waiting for what never comes is an end"),
        pytest.param(
            "self.done = self.choose((False, True))", "False", "holds", "", id="staying is no progress, leaving is owed"
        ),
    ],
)
def test_small_protocols_terminate_as_weak_fairness_has_it(
    run: Callable[..., Result], go: str, stop: str, verdict: str, note: str
) -> None:
    """One process that may `go` until it was stopped; the id of each case says why it ends or does not."""
    result = run(
        f"""
        class Small(Process):
            x: int = 0
            done: bool = False
            @step
            def go(self):
                self.require(not self.done)
                {go}
            @step
            def stop(self):
                self.require({stop})
                self.done = True
        """,
        n=1,
    )
    found = result.property("termination")
    assert (result.error, found.verdict, found.note) == (None, verdict, note)


def test_a_closed_port_that_never_opens_is_an_end_with_a_message_waiting(run: Callable[..., Result]) -> None:
    result = run(
        """
        class Ball(Message):
            pass
        class Closed(Process):
            topology = one_way_ring
            sent: bool = False
            @initiate
            def send_one(self):
                self.require(not self.sent)
                self.sent = True
                self.send(NEXT, Ball())
            @receive(Ball)
            def never(self, message):
                self.require(False)
        @at_the_end
        def nothing_waits(view):
            return not view.in_transit()
        """,
        n=2,
    )
    assert result.property("termination").verdict == "holds"
    assert (result.property("nothing_waits").verdict, result.exit_code) == ("violated", 11)


def test_a_step_that_only_faults_could_enable_is_no_endless_run(run: Callable[..., Result]) -> None:
    """Losses are used up: a message that is resent until it arrives need not arrive, yet only so often can it be lost."""
    result = run(
        """
        class Ping(Message):
            pass
        class Resend(Process):
            topology = one_way_ring
            sent: int = 0
            got: int = 0
            @initiate
            def send_one(self):
                self.require(self.sent < 2)
                self.sent += 1
                self.send(NEXT, Ping())
            @receive(Ping)
            def get(self, message):
                self.got += 1
        @at_the_end
        def got_one(view):
            return all(p.got >= 1 for p in view.processes)
        """,
        n=2,
        losses=1,
    )
    assert result.verdict == "HOLDS"


def test_a_short_loop_further_on_is_shown_rather_than_a_long_one_at_the_start(run: Callable[..., Result]) -> None:
    """0 1 2 3 0 takes four steps, 0 4 5 4 takes three."""
    found = run(
        """
        class Walks(Process):
            place: int = 0
            @step
            def walk(self):
                self.place = self.choose({0: (1, 4), 1: (2,), 2: (3,), 3: (0,), 4: (5,), 5: (4,)}[self.place])
        """,
        n=1,
    ).property("termination")
    assert found.trace is not None
    assert (found.verdict, found.trace.loop, found.trace.length) == ("violated", 1, 3)


def test_a_run_of_probability_0_is_told_beside_cycles_that_are_not_fair(run: Callable[..., Result]) -> None:
    """With a coin it almost surely ends. Without one it does, for what stays enabled is taken at last, though at first that leads
    to another cycle."""
    found = run(
        f"""
        class Small(Process):
            x: int = 0
            coin: bool
            late: bool = False
            done: bool = False
            def initially(self):
                self.coin = self.choose((False, True))
            @step
            def go(self):
                self.require(not self.done)
                {TOGGLE}
                if self.coin:
                    self.done = self.draw((False, True))
            @step
            def stop(self):
                self.require(not self.coin and not self.done)
                self.done = self.late
                self.late = True
        """,
        n=1,
    ).property("termination")
    assert (found.verdict, found.note) == ("holds", "with probability 1")


def test_what_a_draw_leads_out_of_draws_may_lead_out_of(run: Callable[..., Result]) -> None:
    """From 2 a draw may end it; so from 0, where a draw leads to 2, no way is sure to stay; and so from 1, where one leads to 0: that 1 and 3
    lead to each other is no run that a draw must not leave."""
    found = run(
        """
        class Walk(Process):
            topology = one_way_ring
            place: int = 0
            @step
            def go(self):
                self.require(self.place != 9)
                ways = {0: (1, 2), 1: (0, 3), 2: (0, 9), 3: (1,)}
                self.place = self.draw(ways[self.place])
        """,
        n=1,
    )
    ends = found.property("termination")
    assert (ends.verdict, ends.note) == ("holds", "with probability 1")


@pytest.mark.parametrize(
    ("may_go", "verdict", "note"),
    [
        pytest.param("True", "violated", "", id="whoever need not toss may go on for ever"),
        pytest.param("self.x == 0 or self.left", "holds", "with probability 1", id="who must toss leaves some time"),
    ],
)
def test_a_toss_may_lead_to_other_cycles(run: Callable[..., Result], may_go: str, verdict: str, note: str) -> None:
    """A toss is possible at every other state, so it is never owed. Where it leads there are cycles, but no fair one."""
    found = run(
        f"""
        class Small(Process):
            x: int = 0
            left: bool = False
            done: bool = False
            @step
            def go(self):
                self.require(not self.done and ({may_go}))
                {TOGGLE}
            @step
            def toss(self):
                self.require(self.x == 1 and not self.left)
                self.x = 0
                self.left = self.draw((False, True))
            @step
            def stop(self):
                self.require(self.left)
                self.done = True
        """,
        n=1,
    ).property("termination")
    assert (found.verdict, found.note) == (verdict, note)


@pytest.mark.parametrize("network", ["bag", "set"])
def test_a_message_that_waits_while_another_comes_again_and_again_is_received_at_last(
    run: Callable[..., Result], network: str
) -> None:
    """The same step receives both, from the same port: fairness is owed to each message,
    and which of them comes next is not drawn by lot."""
    text = """
        class Go(Message):
            on: bool
        class Own(Process):
            topology = one_way_ring
            networks = ("bag", "set")
            sent: bool = False
            odd: bool = False
            done: bool = False
            @initiate
            def start(self):
                self.require(not self.sent)
                self.sent = True
                self.send(NEXT, Go(True))
                self.send(NEXT, Go(False))
            @receive(Go)
            def get(self, message):
                self.odd = not self.odd
                self.done = self.done or not message.on
                if not self.done:
                    self.send(NEXT, Go(True))
        """
    found = run(text, n=1, network=network).property("termination")
    assert (found.verdict, found.note) == ("holds", "")
