"""What a worker process of `local:K` loads first: Ctrl-C is for the command, which lets its workers know.

A terminal sends it to all of them, and each would die of it with a traceback of its own.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
