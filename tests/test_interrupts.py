"""Signals and the time limit: heard at once, whatever the main thread is at, and never as a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from modelcheck import Limits, View, always
from modelcheck.explore.limits import Meter
from modelcheck.interrupts import STOPPING, interruptible
from modelcheck.properties.view import evaluate

ROOT = Path(__file__).parents[1]

# The main thread waits in C for a lock that a traced thread has, and a signal comes to it there: just so it is where a signal comes
# after Python has looked for one and before the main thread sleeps.
ASLEEP = """
import ctypes, signal, sys, threading
from modelcheck import Limits
from modelcheck.explore.limits import Meter
from modelcheck.interrupts import interruptible

libc, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(256)
main, held = threading.main_thread(), threading.Event()

def sleeps():
    return open(f"/proc/self/task/{main.native_id}/stat").read().rpartition(")")[2].split()[0] == "S"

def entered(): ...

def works():
    libc.pthread_mutex_lock(mutex)
    held.set()
    asleep = 0
    while asleep < 100:
        asleep = asleep + 1 if sleeps() else 0
    sys.settrace(lambda *_: None)
    signal.pthread_kill(main.ident, signal.SIGINT)
    entered()
    sys.settrace(None)
    libc.pthread_mutex_unlock(mutex)

meter = Meter(Limits())
with interruptible(meter):
    threading.Thread(target=works, daemon=True).start()
    held.wait()
    libc.pthread_mutex_lock(mutex)
print(meter.interrupted)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux whether a thread sleeps")
def test_a_signal_that_does_not_wake_the_main_thread_keeps_no_traced_thread_from_its_work() -> None:
    found = subprocess.run(
        [sys.executable, "-c", ASLEEP], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (found.stdout, found.stderr) == ("True\n", "")


@pytest.mark.parametrize("number", STOPPING)
def test_the_first_signal_asks_the_search_to_stop_and_the_second_ends_it(number: signal.Signals) -> None:
    meter, before = Meter(Limits()), signal.signal(number, signal.SIG_DFL)  # under nohup one of them is ignored
    try:
        with interruptible(meter):
            signal.raise_signal(number)
            assert meter.interrupted
            assert meter.stop()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
    finally:
        signal.signal(number, before)


def test_a_signal_is_heard_though_the_main_thread_runs_no_handler() -> None:
    """Another thread sees it, and so would the workers of a search."""
    meter = Meter(Limits())
    seen = threading.Event()

    def watches() -> None:
        while not meter.interrupted:
            pass
        seen.set()

    with interruptible(meter):
        other = threading.Thread(target=watches, daemon=True)
        other.start()
        os.kill(os.getpid(), signal.SIGINT)
        assert seen.wait(60)


def endless() -> None:
    while True:
        pass


def test_what_goes_on_for_ever_is_ended_after_the_first_signal() -> None:
    meter = Meter(Limits())
    with interruptible(meter):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            endless()
    assert meter.reached == "interrupted"


def test_a_property_that_swallows_the_interrupt_is_interrupted_again() -> None:
    meter = Meter(Limits(max_seconds=0))
    swallowed = 0

    @always
    def deaf(*_: View) -> bool:
        nonlocal swallowed
        while True:
            try:
                endless()
            except KeyboardInterrupt:
                swallowed += 1
                if swallowed == 2:
                    raise

    with interruptible(meter), pytest.raises(KeyboardInterrupt):
        evaluate(deaf, ())
    assert swallowed == 2


def test_signals_are_what_they_were_when_the_search_is_over() -> None:
    before = [signal.getsignal(number) for number in STOPPING]
    with interruptible(Meter(Limits())):
        assert signal.getsignal(signal.SIGINT) != before[0]
    assert [signal.getsignal(number) for number in STOPPING] == before
    wakeup = signal.set_wakeup_fd(-1)
    assert wakeup == -1


# --- the first moments

# Sends the process a signal when a module is first looked for.
SITE = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["AT_MODULE"]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), int(os.environ["SENT"]))

sys.meta_path.insert(0, Finder())
"""
EARLY = ("modelcheck.cli", "click", "modelcheck.check.checker", "modelcheck.semantics.system", "psutil", "inspect")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", EARLY)
def test_a_signal_while_modules_are_imported_ends_the_command_with_a_sentence(
    module: str, number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(SITE)
    found = subprocess.run(
        [sys.executable, "-m", "modelcheck", "run", "chang_roberts", "--n", "2"],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
            "AT_MODULE": module,
            "SENT": str(int(number)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (20, "")
    assert found.stderr == "interrupted before there was anything to report\n"
