"""`python -m modelcheck`, and the `modelcheck` command: what a signal does is settled before anything heavy is imported."""

from .interrupts import leave_when_interrupted


def main() -> None:
    leave_when_interrupted()
    from .cli import main as run

    run()


if __name__ == "__main__":
    main()
