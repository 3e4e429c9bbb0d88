"""Runs a command under limits: `python -I -S measured.py SECONDS MEGABYTES COMMAND ...`.

A program by itself that imports next to nothing: a child's peak memory begins with that of the process it comes from.
Both limits are kept by the kernel, and the command ends with its alarm: nothing is left running.
Prints the exit status, seconds and megabytes as the last line of standard error.
"""

import os
import resource
import signal
import sys
import time


def main() -> None:
    seconds, megabytes, command = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000,) * 2)
        signal.setitimer(signal.ITIMER_REAL, seconds)  # outlives exec
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    took = time.perf_counter() - began
    print(f"\n{os.waitstatus_to_exitcode(status)} {took:.4f} {usage.ru_maxrss * 1024 / 1e6:.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
