"""`python -m modelcheck`."""

from .cli import main

main()
