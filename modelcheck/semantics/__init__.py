"""What a run is: the meaning of every step, fault and delivery, and the worlds that runs begin in.

    system.py      what a step means, the one place that says it: begin here
    components.py  what a state is made of: an environment, and for each process a component (its variables, what waits for it)
    states/        making components, each once; the states that runs begin in
    outcomes.py    what a step does, and leads to, in values
    execution.py   running a step of the model's Python code, in every way its choices allow
    blame.py       what is said of a step at fault
    network.py     what waits on a link, and what of it can be received, on each kind of network
    partitions.py  a network that can split        lockstep.py     another scheduler over the same steps
    settings.py    network, faults, parameters: what is the same in every world of a run
    worlds.py      graph, identifiers, initiators, root: all there are, and one of each class that isomorphisms make
    graphs.py, isomorphism.py, symmetry.py         the graphs that are asked for; which worlds, and which states, are twins
    lines.py       which lines of the model ran
    verification.py, renaming.py, purity.py        is each step a function of what it reads, and blind to all but the order of identifiers?

    System.starts(world)  ──▶ states  ──▶ System.successors(world, state) ──▶ transitions

An engine needs no more than these two. outcomes(environment, component) and deliver(component, port, message), from which
successors are put together, are what the compiled engine tabulates.
"""
