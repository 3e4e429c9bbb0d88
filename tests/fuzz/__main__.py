"""The command: tries cases of each kind by turns until the time is over, and prints every complaint with the name of its case."""

from __future__ import annotations

import itertools
import random
import sys
import time

import click

from . import KINDS, complaints

TURN = 50  # cases of one kind before the next has its turn


@click.command()
@click.option("--seconds", type=float, default=60.0 * len(KINDS), show_default=True, help="For how long, in all.")
@click.option("--seed", type=int, help="Of the cases.  [default: another each time]")
@click.option("--only", type=click.Choice(list(KINDS)), help="One kind alone.")
@click.option("--case", "one", help="One case again: KIND:SEED:NUMBER.")
def main(seconds: float, seed: int | None, only: str | None, one: str | None) -> None:
    """Tries bad input by chance."""
    if one is not None:
        kind, of, number = one.split(":")
        found = next(complaints(kind, int(of), range(int(number), int(number) + 1)))
        print(found or f"{one} is answered as it should be")
        sys.exit(found is not None)
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    kinds = [only] if only else list(KINDS)
    print(f"seed {seed}", file=sys.stderr)
    end, tried, wrong = time.monotonic() + seconds, 0, 0
    for turn in itertools.count():
        for kind in kinds:
            for complaint in complaints(kind, seed, range(turn * TURN, (turn + 1) * TURN)):
                tried += 1
                if complaint is not None:
                    wrong += 1
                    print(complaint, flush=True)
                if time.monotonic() > end:
                    print(f"{tried} cases, {wrong} complaints", file=sys.stderr)
                    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
