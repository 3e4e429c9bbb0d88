"""The program for Rumur, in Murphi. A rule fired is a step; a step that fails is an error of its rule, which Rumur does not
count among the rules fired. Missing entries are invariants, so they are looked for in each state."""

from __future__ import annotations

from collections.abc import Iterator

from .program import GuardedCommand, InitialState, List, Program
from .text import heading, legend, said, wrapped

FAILS, MISSING, FULL = "a step fails", "an entry is missing", "a channel is longer than any the search met"


def murphi(program: Program) -> str:
    """The whole program."""
    return "\n".join(_Murphi(program).lines()) + "\n"


class _Murphi:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.fifo = program.network.ordered
        self.once = program.network.merges  # a message waits once, however often it was sent
        self.around = len(program.environments) > 1
        self.several = len(program.worlds) > 1
        self.layouts = len(program.layouts) > 1
        self.room = max(1, *program.capacities)

    def lines(self) -> Iterator[str]:
        program = self.program
        yield from (f"-- {line}".rstrip() for line in heading(program))
        yield "--"
        yield "--   rumur --deadlock-detection stuttering --counterexample-trace off --max-errors 1000000000 --output m.c FILE"
        yield "--   gcc -std=c11 -O1 -mcx16 -o m m.c -lpthread && ./m"
        yield "--"
        yield from (f"-- {line}" for line in legend(program))
        yield from self._declarations()
        yield from self._links()
        yield from self._channels()
        for number, world in enumerate(program.worlds):
            for start in world.starts:
                yield from self._start(number, start)
        yield ""
        yield from self._tables()
        yield from self._rows()
        yield from self._rules()
        yield "end;"

    def _declarations(self) -> Iterator[str]:
        program = self.program
        yield "type"
        yield f"  Process: 0..{program.n - 1};"
        yield f"  Slot: 0..{program.slots - 1};"
        yield f"  Port: 0..{program.ports - 1};"
        yield f"  Channel: 0..{program.n * program.slots - 1};"
        yield f"  State: 0..{len(program.locals) - 1};"
        yield f"  Message: 1..{max(1, len(program.messages))};"
        yield f"  None: 0..{max(1, len(program.messages))};"
        yield f"  Length: 0..{self.room};"
        yield f"  Row: -1..{len(program.rows)};"
        yield f"  Choice: 0..{max(1, *map(len, program.first_row)) - 1};"
        yield "var"
        if self.several:
            yield f"  world: 0..{len(program.worlds) - 1};"
        if self.layouts:
            yield f"  layout: 0..{len(program.layouts) - 1};"
        if self.around:
            yield f"  environment: 0..{len(program.environments) - 1};"
        yield "  state: array [Process] of State;"
        if self.fifo:
            yield "  length: array [Channel] of Length;"
            yield f"  link: array [Channel] of array [0..{self.room - 1}] of None;  -- 0 behind the last"
        else:
            yield "  link: array [Channel] of array [Message] of Length;  -- how many of each"

    def _links(self) -> Iterator[str]:
        """Functions from ports to channels, and to the process at a channel's end."""
        program = self.program
        yield ""
        yield f"function into(p: Process; s: Slot): Channel; begin return {program.slots} * p + s; end;"
        yield "function out(p: Process; k: Port): Channel;"
        yield "begin"
        for links, number in program.layouts.items():
            here = f" & layout = {number}" if self.layouts else ""
            for process, channels in enumerate(links):
                for port, channel in enumerate(channels):
                    yield f"  if p = {process} & k = {port}{here} then return {channel}; end;"
        yield '  error "there is no such link";'
        yield "end;"
        yield "function most(c: Channel): Length;"
        yield "begin"
        for capacity in sorted(set(program.capacities)):
            these = (f"c = {channel}" for channel, most in enumerate(program.capacities) if most == capacity)
            yield f"  if {' | '.join(these)} then return {capacity}; end;"
        yield "end;"
        if program.crashed:
            yield f"function down(p: Process): boolean; begin return state[p] >= {program.first_crashed}; end;"

    def _channels(self) -> Iterator[str]:
        """Functions and procedures about what waits."""
        crashed = self.program.crashed
        yield ""
        if self.fifo:
            yield "function receivable(c: Channel; m: Message): boolean; begin return link[c][0] = m; end;"
            yield "procedure remove(c: Channel; place: Length);"
            yield "begin"
            yield f"  for i: 0..{self.room - 1} do"
            yield f"    if i >= place then if i < {self.room - 1} then link[c][i] := link[c][i + 1]; else link[c][i] := 0; end; end;"
            yield "  end;"
            yield "  length[c] := length[c] - 1;"
            yield "end;"
            yield "procedure take(c: Channel; m: Message); begin remove(c, 0); end;"
            yield "procedure enqueue(c: Channel; m: Message);"
            yield "begin"
            yield f'  assert length[c] < most(c) "{FULL}";'
            yield "  link[c][length[c]] := m;"
            yield "  length[c] := length[c] + 1;"
            yield "end;"
            if any(way.duplicates for way in self.program.tamperings):
                yield from self._copying()
        else:
            yield "function receivable(c: Channel; m: Message): boolean; begin return link[c][m] > 0; end;"
            yield "procedure take(c: Channel; m: Message); begin link[c][m] := link[c][m] - 1; end;"
            yield "procedure enqueue(c: Channel; m: Message);"
            yield f"var waiting: 0..{self.room * max(1, len(self.program.messages))};"
            yield "begin"
            if self.once:
                yield "  if link[c][m] = 0 then"
            yield "  waiting := 0;"
            yield "  for other: Message do waiting := waiting + link[c][other]; end;"
            yield f'  assert waiting < most(c) "{FULL}";'
            yield "  link[c][m] := link[c][m] + 1;"
            if self.once:
                yield "  end;"
            yield "end;"
        if crashed:
            yield from self._crashing()
        yield "procedure send(p: Process; k: Port; m: Message);"
        if crashed:
            yield f"begin if !down(out(p, k) / {self.program.slots}) then enqueue(out(p, k), m); end; end;"
        else:
            yield "begin enqueue(out(p, k), m); end;"

    def _copying(self) -> Iterator[str]:
        yield "procedure copy(c: Channel; place: Length);"
        yield "begin"
        yield "  enqueue(c, link[c][length[c] - 1]);"
        yield f"  for i: 1..{self.room - 1} do"  # from the last, of which there are two now, to the one behind the copied
        yield f"    if {self.room} - i > place & {self.room} - i < length[c] then link[c][{self.room} - i] := link[c][{self.room - 1} - i]; end;"
        yield "  end;"
        yield "end;"

    def _crashing(self) -> Iterator[str]:
        yield "-- of the detector's words a process that is down is left the last on each link"
        yield "procedure forget(c: Channel);"
        if not self.fifo:
            yield "begin for m: Message do link[c][m] := 0; end; end;"
            return
        yield "var word: None;"
        yield "begin"
        yield "  word := 0;"
        yield f"  for i: 0..{self.room - 1} do"
        yield f"    if link[c][i] >= {self.program.first_word} then word := link[c][i]; end;"
        yield "    link[c][i] := 0;"
        yield "  end;"
        yield "  length[c] := 0;"
        yield "  if word > 0 then enqueue(c, word); end;"
        yield "end;"
        yield "procedure drain(c: Channel);"
        yield f"begin for i: 0..{self.room - 1} do link[c][i] := 0; end; length[c] := 0; end;"
        yield "procedure report(p: Process; k: Port; m: Message);"
        yield f"begin if down(out(p, k) / {self.program.slots}) then drain(out(p, k)); end; enqueue(out(p, k), m); end;"

    def _start(self, number: int, start: InitialState) -> Iterator[str]:
        yield ""
        yield f'startstate "world {number}"'
        yield "begin"
        if self.several:
            yield f"  world := {number};"
        if self.layouts:
            yield f"  layout := {self.program.layouts[self.program.worlds[number].links]};"
        if self.around:
            yield f"  environment := {start.environment};"
        if self.fifo:
            yield f"  for c: Channel do length[c] := 0; for i: 0..{self.room - 1} do link[c][i] := 0; end; end;"
        else:
            yield "  for c: Channel do for m: Message do link[c][m] := 0; end; end;"
        states = (f"state[{process}] := {local};" for process, local in enumerate(start.locals))
        yield "  " + wrapped(states, " ", "  ")
        for channel, messages in enumerate(start.channels):
            for message in messages:
                yield f"  enqueue({channel}, {message});"
        yield "end;"

    def _tables(self) -> Iterator[str]:
        """The function from what a process is and receives to the row of its step."""
        program = self.program
        lists: dict[int, dict[tuple[int, int], dict[List, list[int]]]] = {}
        for slot, message, table in [
            (0, 0, program.alone),
            *((*waits, table) for waits, table in program.received.items()),
        ]:
            for (environment, local), commands in table.items():
                lists.setdefault(local, {}).setdefault((slot, message), {}).setdefault(commands, []).append(environment)
        yield ""
        yield "-- the row of the step that a process takes, by itself (m = 0) or with a message, and of its choices; 0 where it takes"
        yield "-- none, -1 where the search has never been"
        yield "function row(p: Process; s: Slot; m: None; choice: Choice): Row;"
        yield "begin"
        yield "  switch state[p]"
        for local, events in lists.items():
            yield f"  case {local}:"
            for (slot, message), found in events.items():
                event = f"s = {slot} & m = {message}"
                for commands, environments in found.items():
                    here = " | ".join(f"environment = {number}" for number in environments)
                    depends = self.around and len(environments) < len(program.environments)
                    yield f"    if {event}{f' & ({here})' if depends else ''} then"
                    first = program.first_row[commands] + 1
                    for choice in range(len(commands)):
                        yield f"      if choice = {choice} then return {first + choice}; end;"
                    yield "      return 0;"
                    yield "    end;"
        yield "  end;"
        yield "  return -1;"
        yield "end;"

    def _rows(self) -> Iterator[str]:
        """The procedure that takes a step, after the message it is about was taken."""
        yield ""
        yield "procedure act(p: Process; r: Row);"
        yield "begin"
        yield "  switch r"
        for number, command in enumerate(self.program.rows, 1):
            yield f"  case {number}:  -- {said(command)}"
            yield f"    {self._effect(command)}"
        yield "  end;"
        yield "end;"

    def _effect(self, command: GuardedCommand) -> str:
        if command.fails:
            return f'error "{FAILS}";'
        done = []
        if command.environment is not None:
            done.append(f"environment := {command.environment};")
        if command.after != command.local:
            done.append(f"state[p] := {command.after};")
        if command.crashes:
            done += [f"forget(into(p, {slot}));" for slot in range(self.program.slots)]
        for port, message in command.sends:
            how = "report" if message >= self.program.first_word and self.program.crashed else "send"
            done.append(f"{how}(p, {port}, {message});")
        return " ".join(done)

    def _rules(self) -> Iterator[str]:
        alive = "!down(p) & " if self.program.crashed else ""
        take = "" if self.program.network.keeps else "take(into(p, s), m); "
        yield ""
        yield "ruleset p: Process do"
        yield "  ruleset choice: Choice do"
        yield '  rule "by itself" row(p, 0, 0, choice) > 0 ==> begin act(p, row(p, 0, 0, choice)); end;'
        yield "  end;"
        yield "  ruleset s: Slot; m: Message; choice: Choice do"
        yield f'  rule "receives" {alive}receivable(into(p, s), m) & row(p, s, m, choice) > 0 ==>'
        yield "  var r: Row;"
        yield f"  begin r := row(p, s, m, choice); {take}act(p, r); end;"
        yield "  end;"
        yield from self._tamperings()
        yield f'  invariant "{MISSING}"'
        yield "    row(p, 0, 0, 0) >= 0"
        if self.program.messages:
            yield f"    & forall s: Slot do forall m: Message do {alive}receivable(into(p, s), m) -> row(p, s, m, 0) >= 0 end end"
        yield "  ;"

    def _tamperings(self) -> Iterator[str]:
        """Losses and duplications: of equal messages that stand in a row, the first."""
        last = self.program.first_word - 1
        for way in self.program.tamperings:
            name = f"environment {way.before}: a message is {'duplicated' if way.duplicates else 'lost'}"
            here = f"environment = {way.before}"
            if self.fifo:
                yield f"  ruleset s: Slot; place: 0..{self.room - 1} do"
                new = "(place = 0 | link[into(p, s)][place] != link[into(p, s)][place - 1])"
                some = f"link[into(p, s)][place] > 0 & link[into(p, s)][place] <= {last}"
                yield f'  rule "{name}" {here} & {some} & {new} ==>'
                if way.duplicates:
                    yield "  begin copy(into(p, s), place);"
                else:
                    yield "  begin remove(into(p, s), place);"
            else:
                yield "  ruleset s: Slot; m: Message do"
                yield f'  rule "{name}" {here} & m <= {last} & receivable(into(p, s), m) ==>'
                yield f"  begin {'enqueue' if way.duplicates else 'take'}(into(p, s), m);"
            yield f"    environment := {way.after};"
            yield "  end;"
            yield "  end;"
