"""The program for Spin. One step is one `d_step`, so a stored state is a state of ours; Spin stores one more, the one before
init has chosen a world and an initial state, and counts a transition for it and for each of these choices."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from ..errors import UsageError
from ..language.networks import UNORDERED
from .program import InitialState, Program
from .text import heading, legend, said, wrapped

MOST_CELLS = 9_000  # Spin's parser gives up at 10,000 numbers in a row
FAILS, MISSING, FULL = "assert(false)", "assert(1 == 2)", "assert(2 == 3)"  # Spin prints what it asserts: 0, or (1==2)


def promela(program: Program) -> str:
    """The whole program. Raises UsageError for what Promela's channels cannot do."""
    if program.tamperings and program.network.ordered:
        raise UsageError(
            f"losses and duplications on {program.network.name} links are not written in Promela: a guard cannot look past the "
            f"head of a channel; take Murphi, or --network {UNORDERED}"
        )
    return "\n".join(_Promela(program).lines()) + "\n"


class _Promela:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.some = "?" if program.network.ordered else "??"
        self.put = "!" if program.network.ordered else "!!"
        self.around = len(program.environments) > 1
        self.several = len(program.worlds) > 1
        self.layouts = len(program.layouts) > 1
        self.events = {0: program.alone} | {
            len(program.messages) * slot + message: program.received.get((slot, message), {})
            for slot in range(program.slots)
            for message in range(1, len(program.messages) + 1)
        }

    def lines(self) -> Iterator[str]:
        program = self.program
        yield "/*"
        yield from (f" * {line}".rstrip() for line in heading(program))
        yield " *"
        yield " *   spin -a FILE && gcc -O1 -DSAFETY -DNOREDUCE -DVECTORSZ=8192 -o pan pan.c && ./pan -c0"
        yield " *"
        yield from (f" * {line}" for line in legend(program))
        yield " */"
        yield from self._declarations()
        yield from self._inlines()
        yield from self._step()
        yield ""
        yield "proctype process(byte p)"
        yield "{"
        yield "\tdo"
        yield from self._steps()
        yield from self._tamperings()
        yield "\tod"
        yield "}"
        yield from self._init()

    def _declarations(self) -> Iterator[str]:
        program = self.program
        channels = program.n * program.slots
        letters = "byte" if len(program.messages) < 256 else "short"
        yield f"#define IN(s)\t({program.slots} * p + (s))"
        row = f"{program.ports * program.n} * layout + " if self.layouts else ""
        yield f"#define OUT(k)\tleads_to[{row}{program.ports} * p + (k)]"
        if program.crashed:
            yield f"#define DOWN(q)\t(state[q] >= {program.first_crashed})"
        yield ""
        if self.several:
            yield f"{_kind(len(program.worlds))} world;"
        if self.layouts:
            yield f"{_kind(len(program.layouts))} layout;"
        if self.around:
            yield f"{_kind(len(program.environments))} environment;"
        yield f"{_kind(len(program.locals))} state[{program.n}];"
        yield f"chan link[{channels}] = [{max(1, *program.capacities)}] of {{ {letters} }};"
        yield "/* what never changes, and what is used within a step only, is no part of a state */"
        yield from _array("byte", "most", program.capacities)
        ports = range(program.ports)
        yield from _array(
            "byte",
            "leads_to",
            [links[k] if k < len(links) else 0 for way in program.layouts for links in way for k in ports],
        )
        yield "hidden byte c;"
        if program.crashed:
            yield f"hidden {letters} got;"
            yield f"hidden {letters} word;"
        yield from self._tables()

    def _tables(self) -> Iterator[str]:
        """The lists as arrays: how long each is (-1: there is none), where it begins, and what is in its rows."""
        program = self.program
        states, surroundings = range(len(program.locals)), range(len(program.environments))
        keys = [(environment, local) for environment in surroundings for local in states]
        yield ""
        yield "/* An event is 0, a step without a message, or MESSAGES * s + m, message m at in-port s. Of each of them, for each"
        yield " * environment and state: how many rows there are, and one more, 0 where the search has never been; the first row. */"
        yield f"#define HERE\t({f'{len(program.locals)} * environment + ' if self.around else ''}state[p])"
        for event, table in self.events.items():
            lists = [table.get(key) for key in keys]
            if any(found is not None for found in lists):
                yield from _array("short", f"many_{event}", [0 if found is None else len(found) + 1 for found in lists])
            if any(lists):
                yield from _array(
                    "short", f"first_{event}", [program.first_row[found] if found else 0 for found in lists]
                )
        rows = program.rows
        yield ""
        yield "/* Of each row: the state after it; the environment, plus one (0: as it was); whether it fails, 1, or crashes, 2; how many"
        yield " * messages are sent in the rows before it. Of each of these: port and message. */"
        _check_size("rows", len(rows))
        yield f"hidden {_kind(len(program.locals))} after[{len(rows) + 1}] = {{"
        yield from (f"\t{command.after},\t/* {number}: {said(command)} */" for number, command in enumerate(rows))
        yield "\t0 };"
        around = [0 if command.environment is None else command.environment + 1 for command in rows]
        yield from _array("short", "around", around or [0])
        yield from _array("byte", "kind", [command.fails + 2 * command.crashes for command in rows] or [0])
        yield from _array("short", "sent", itertools.accumulate([0, *(len(command.sends) for command in rows)]))
        sends = [send for command in rows for send in command.sends] or [(0, 0)]
        yield from _array("byte", "port_of", [port for port, _ in sends])
        yield from _array("short", "message_of", [message for _, message in sends])
        yield "hidden int r;"
        yield "hidden int i;"

    def _inlines(self) -> Iterator[str]:
        program = self.program
        absorbs = program.network.merges
        put = f"if :: len(link[c]) < most[c] -> link[c]{self.put}m :: else -> {FULL} fi"
        if absorbs:
            put = f"if :: link[c]??[eval(m)] -> skip :: else -> {put} fi"
        if program.crashed:
            put = f"if :: DOWN(c / {program.slots}) -> skip :: else -> {put} fi"
        yield ""
        yield f"inline send(m) {{ {put} }}"
        if program.crashed:
            empty = "do :: nempty(link[c]) -> link[c]?got :: empty(link[c]) -> break od"
            yield ""
            yield "/* of the detector's words a process that is down is left the last on each link */"
            yield "inline report(m) {"
            yield f"\tif :: DOWN(c / {program.slots}) -> {empty} :: else -> skip fi;"
            yield f"\tif :: len(link[c]) < most[c] -> link[c]!m :: else -> {FULL} fi"
            yield "}"
            keep = f"if :: got >= {program.first_word} -> word = got :: else -> skip fi"
            yield "inline forget(s) {"
            yield f"\tc = IN(s); word = 0; do :: nempty(link[c]) -> link[c]?got; {keep} :: empty(link[c]) -> break od;"
            yield "\tif :: word > 0 -> link[c]!word :: else -> skip fi"
            yield "}"

    def _step(self) -> Iterator[str]:
        """One row of the tables, and what it is to receive a message."""
        program = self.program
        yield ""
        yield "inline step(which) {"
        yield "\tr = which;"
        yield "\tif"
        yield f"\t:: kind[r] == 1 -> {FAILS}"
        yield "\t:: else ->"
        if self.around:
            yield "\t\tif :: around[r] > 0 -> environment = around[r] - 1 :: else -> skip fi;"
        if program.crashed:
            forget = "; ".join(f"forget({slot})" for slot in range(program.slots))
            yield f"\t\tif :: kind[r] == 2 -> {forget} :: else -> skip fi;"
        yield "\t\tstate[p] = after[r];"
        yield "\t\ti = sent[r];"
        yield "\t\tdo"
        yield "\t\t:: i < sent[r + 1] ->"
        yield "\t\t\tc = OUT(port_of[i]);"
        if program.words:
            word = f"message_of[i] >= {program.first_word}"
            yield f"\t\t\tif :: {word} -> report(message_of[i]) :: else -> send(message_of[i]) fi;"
        else:
            yield "\t\t\tsend(message_of[i]);"
        yield "\t\t\ti++"
        yield "\t\t:: else -> break"
        yield "\t\tod"
        yield "\tfi"
        yield "}"
        yield ""
        yield "inline receive(which, s, m) {"
        if not program.network.keeps:
            yield f"\tif :: kind[which] == 1 -> skip :: else -> link[IN(s)]{self.some}m fi;"
        yield "\tstep(which)"
        yield "}"

    def _steps(self) -> Iterator[str]:
        program = self.program
        alive = "!DOWN(p) && " if program.crashed else ""
        for event, table in self.events.items():
            slot, message = divmod(event - 1, max(1, len(program.messages)))
            waits = f"{alive}link[IN({slot})]{self.some}[{message + 1}]" if event else "true"
            missing = f"many_{event}[HERE] == 0" if table else "true"
            yield f"\t:: d_step {{ {waits} && {missing} -> {MISSING} }}"
            for choice in range(max(map(len, table.values()), default=0)):
                row = f"(first_{event}[HERE] + {choice})"
                step = f"receive({row}, {slot}, {message + 1})" if event else f"step({row})"
                yield f"\t:: d_step {{ {waits} && many_{event}[HERE] > {choice + 1} -> {step} }}"

    def _tamperings(self) -> Iterator[str]:
        for way in self.program.tamperings:
            for slot in range(self.program.slots):
                for message in range(1, self.program.first_word):
                    change = f"c = IN({slot}); link[c]??{message}"
                    if way.duplicates:
                        change = (
                            f"c = IN({slot}); if :: len(link[c]) < most[c] -> link[c]!!{message} :: else -> {FULL} fi"
                        )
                    guard = f"environment == {way.before} && link[IN({slot})]??[{message}]"
                    yield f"\t:: d_step {{ {guard} -> environment = {way.after}; {change} }}"

    def _init(self) -> Iterator[str]:
        yield ""
        yield "init {"
        yield "\tatomic {"
        yield "\t\tif"
        for number, world in enumerate(self.program.worlds):
            for start in world.starts:
                yield "\t\t:: " + wrapped(self._begun(number, start), "; ", "\t\t   ")
        yield "\t\tfi;"
        yield "\t\t" + wrapped((f"run process({p})" for p in range(self.program.n)), "; ", "\t\t")
        yield "\t}"
        yield "}"

    def _begun(self, world: int, start: InitialState) -> Iterator[str]:
        yield "skip"
        if self.several:
            yield f"world = {world}"
        if self.layouts:
            yield f"layout = {self.program.layouts[self.program.worlds[world].links]}"
        if self.around:
            yield f"environment = {start.environment}"
        for process, local in enumerate(start.locals):
            yield f"state[{process}] = {local}"
        for channel, messages in enumerate(start.channels):
            for message in messages:
                yield f"link[{channel}]{self.put}{message}"


def _array(kind: str, name: str, numbers: Iterable[int]) -> Iterator[str]:
    found = list(map(str, numbers))
    _check_size(name, len(found))
    yield f"hidden {kind} {name}[{len(found)}] = {{ {wrapped(found, ', ', chr(9))} }};"


def _check_size(what: str, size: int) -> None:
    if size > MOST_CELLS:
        raise UsageError(
            f"Spin reads no array as long as {what} would be ({size:,} numbers); take fewer processes or faults, or Murphi"
        )


def _kind(size: int) -> str:
    return "byte" if size <= 256 else "short"
