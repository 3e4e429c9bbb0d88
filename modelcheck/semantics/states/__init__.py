"""States: interning.py makes their parts, each distinct one once; preparing.py runs `initially`; starting.py has those in which runs begin."""
