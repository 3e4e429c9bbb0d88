"""Running one step of a model's Python code, in every way its choices allow.

An execution gives the step a fresh process object with the local variables, lets it choose according to a script, and
takes what it did: new variables, sends, or the reason why it did nothing. All ways are found by running the step again with
the next script, so model code needs to be plain Python and nothing more. Each is run twice and compared: a step whose
result differs the second time depends on something that is not in the state.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from inspect import getattr_static
from typing import Any, NoReturn

from ..errors import StepError, nearest
from ..language.definition import Definition, Field, namesakes
from ..language.kinds import Guard, Known, frozen, holds_records
from ..language.messages import DETECTOR_MESSAGES, Message
from ..language.process import KNOWLEDGE, Disabled, FieldMark, Process, checked
from ..language.values import Misuse, Port, identical, identity, show
from .blame import complain, failure_of, misused, not_a_function
from .components import CommonProfile, Profile
from .lines import LinesThatRun
from .outcomes import Choice, Effect

MOST_CHOICES = 1_000
MOST_KNOWN = 100_000  # records, of which a random run can make any number
GUARDS = 200  # that are kept: the steps of all processes are run on the same shared variables
Dice = Callable[[list[int]], int]  # from the weights of the options to the place of one


class Execution:
    """The surroundings of one running step: what it may look at, and what it did so far."""

    def __init__(
        self, runner: Runner, profile: Profile, script: list[int], arrival: Port | None, setup: str, dice: Dice | None
    ) -> None:
        self.runner, self.profile, self.script, self.arrival, self.setup = runner, profile, script, arrival, setup
        self.dice = dice
        self.sends: list[tuple[Port, Message]] = []
        self.choices: list[Choice] = []
        self.widths: list[int] = []
        self.crashed = False
        self.disabled = self.changed = self.looked = False
        self.misuse: Misuse | None = None
        self.checked: dict[str, object] = {}  # what was assigned, by field

    def _wrong(self, what: str, cause: str = "", remedy: str = "") -> NoReturn:
        self.misuse = Misuse(what, cause, remedy)  # kept, in case the model swallows it
        raise self.misuse

    def look(self, what: str) -> Any:
        profile = self.profile
        if isinstance(profile, CommonProfile) and what not in ("n", "everyone"):
            self._of_no_process(f"looked at {KNOWLEDGE.get(what, what)}")
        if what == "id":
            if profile.identifier is None:
                self._wrong(
                    "an anonymous process looked at its identifier",
                    "this run has identifiers 'none'",
                    "use --ids unique",
                )
            return profile.identifier
        if what == "ports":
            return profile.ports
        value = getattr(profile, what)
        if value is None:
            self._undeclared(what)
        return value

    def _undeclared(self, what: str) -> NoReturn:
        self._wrong(
            f"the process looked at {KNOWLEDGE[what]} without declaring it",
            "a process knows its identifier and its ports, and what its protocol declares",
            f'declare knows = ("{what}",) if the protocol may know this',
        )

    def neighbour(self, port: Port) -> Any:
        if self.profile.neighbours is None:
            self._undeclared("neighbours")
        self._check_port(port)
        return self.profile.neighbours[self.profile.ports.index(port)]

    def port_to(self, neighbour: Any) -> Port:
        if self.profile.neighbours is None:
            self._undeclared("neighbours")
        for port, identifier in zip(self.profile.ports, self.profile.neighbours, strict=True):
            if identifier == neighbour:
                return port
        own = "that is the process itself: no link leads there" if neighbour == self.profile.identifier else ""
        remedy = "do at once what the message would have had it do" if own else "ask only for neighbours"
        self._wrong(f"no neighbour has the identifier {neighbour!r}", own, remedy)

    def _check_port(self, port: object) -> None:
        if isinstance(port, Message):
            self._wrong(
                f"{port!r} stands where the port should", "the arguments are swapped", "write send(port, message)"
            )
        if type(port) is not Port or port not in self.profile.ports:
            known = ", ".join(map(str, self.profile.ports)) or "none"
            named = [port.written for port in self.profile.ports if port.written]
            shown = str(port).removeprefix("port ") if type(port) is Port else repr(port)
            number = "a number is no port; " if type(port) is int else ""
            ring = type(port) is Port and str(port) in ("next", "previous") and not named
            declare = "declare topology = one_way_ring, or two_way_ring; elsewhere " if ring else ""
            self._wrong(
                f"there is no port {shown} to send on",
                f"{number}this process's ports are: {known}",
                f"write {', '.join(named)}, or one of self.ports" if named else f"{declare}use one of self.ports",
            )

    def send(self, port: Port, message: Message) -> None:
        if self.setup:
            self._wrong(
                f"{self.setup}() sent a message",
                "it computes initial values",
                "send in an @initiate step; what may wait at first a process says itself: self.start_with(port, message)",
            )
        self._check_port(port)
        self.sends.append((port, self._fit_to_be_sent(message)))

    def _fit_to_be_sent(self, message: Message) -> Message:
        if not isinstance(message, Message):
            of = message.__name__ if isinstance(message, type) else ""
            send = f"one of its messages: {of}(...)" if of else "an object of a class derived from Message"
            self._wrong(f"{f'the class {of}' if of else show(message)} was sent and is no message", "", f"send {send}")
        if isinstance(message, DETECTOR_MESSAGES):
            self._wrong(
                f"the step sent {type(message).__name__}",
                "only the failure detector says who is down or up",
                "send a message of your own",
            )
        try:
            return self.runner.fit_to_be_sent(message)
        except Misuse as misuse:
            self.misuse = misuse
            raise

    def reply(self, message: Message) -> None:
        if self.arrival is None:
            self._wrong(
                "self.reply was called outside a receive step",
                "there is nothing to reply to",
                "use self.send(port, ...)",
            )
        back = self.profile.answers[self.profile.in_ports.index(self.arrival)]
        if back is None:
            self._wrong(
                "the link the message came by leads one way only",
                "the topology has no way back",
                "use a two-way topology",
            )
        self.send(back, message)

    def decide(self, options: tuple[Any, ...], weights: tuple[int, ...] | None, random: bool) -> Any:
        if not options:
            self._wrong("nothing to choose from", "the options are empty", "write self.require(options) before")
        if weights is not None and (len(weights) != len(options) or any(type(w) is not int or w < 1 for w in weights)):
            what = "draw needs one weight, a positive integer, for each option"
            self._wrong(what, "", "leave weights out for equal ones")
        if not random and any(choice.random for choice in self.choices):
            self._wrong(
                "a step chose after it drew",
                "then what is chosen may depend on the draw, and a verdict 'with probability 1' would not be sound",
                "choose first, or split the step in two",
            )
        distinct, weighing = self._merged(options, weights or (1,) * len(options))
        place = len(self.choices)
        if place >= MOST_CHOICES:
            self._wrong(
                f"the step chose more than {MOST_CHOICES} times", "it may be a loop without an end", "bound the loop"
            )
        if place == len(self.script):
            self.script.append(self.dice(weighing if random else [1] * len(distinct)) if self.dice else 0)
        self.widths.append(len(distinct))
        which = self.script[place]
        if which >= len(distinct):
            self.changed = True  # kept, in case the model swallows it
            raise _ChangedError
        weight, total = (weighing[which], sum(weighing)) if random else (1, 1)
        self.choices.append(Choice(distinct[which], random, weight, total))
        return distinct[which]

    def _merged(self, options: tuple[Any, ...], weights: tuple[int, ...]) -> tuple[list[Any], list[int]]:
        """The options, equal ones as one, and their weights."""
        distinct: list[Any] = []
        weighing: list[int] = []
        places: dict[Any, int] = {}
        for option, weight in zip(options, weights, strict=True):
            place = places.setdefault(option, len(distinct))
            if place == len(distinct):
                distinct.append(option)
                weighing.append(weight)
            elif identical(distinct[place], option):
                weighing[place] += weight
            else:
                self._wrong(
                    f"the options {distinct[place]!r} and {option!r} are equal to Python",
                    "one of them would not be explored",
                    "use options of one type",
                )
        return distinct, weighing

    def assigned(self, name: str, value: object) -> object:
        field = self.runner.fields.get(name)
        if field is None:
            if name in self.runner.definition.parameters:
                self._wrong(
                    f"the parameter {name} was assigned to",
                    "parameters are fixed for a run",
                    "use a field for what changes",
                )
            hint = nearest(name, self.runner.fields)
            self._wrong(
                f"{name} is not a field of {self.runner.definition.name}",
                hint,
                f"declare it: {name}: TYPE = INITIAL VALUE (the type is needed)",
            )
        if isinstance(self.profile, CommonProfile) and name in self.runner.own:
            self._of_no_process(f"set {name}, which every process has for itself")
        try:
            self.checked[name] = checked(name, value, field.annotation, self.runner.known)
        except Misuse as misuse:
            self.misuse = misuse
            raise
        return self.checked[name]

    def fit(self, value: object) -> Any:
        """The value as it may stand in a state, or Misuse."""
        return frozen(value, self.runner.known)

    def disable(self) -> NoReturn:
        self.disabled = True  # kept, in case the model swallows it
        raise Disabled

    def unknown(self, name: str) -> NoReturn:
        if name in self.runner.fields:
            self._wrong(
                f"the field {name} was read before it had a value",
                f"{self.setup or 'initially'}() has not set it",
                "set it there, or declare a value",
            )
        words = (word for word in vars(Process) if not word.startswith("_"))
        known = [*self.runner.fields, *self.runner.definition.parameters, *words]
        self._wrong(
            f"{self.runner.definition.name} has no {name}",
            nearest(name, known),
            "declare it as a field, or correct the name",
        )

    def hidden(self) -> NoReturn:
        if self.setup:
            remedy = "declare one value for it, or choose both in shared_initially()"
            self._wrong("initially() looked at a shared variable", "shared_initially() chooses its value", remedy)
        self.looked = True  # kept, in case the model swallows it
        raise _LookedError

    def start_crashed(self) -> None:
        self._only_initially("start_crashed", "crashes during a run come from --crashes")
        self.crashed = True

    def start_with(self, port: Port, message: Message) -> None:
        self._only_initially("start_with", "in a step use self.send(port, message)")
        if type(port) is not Port or port not in self.profile.in_ports:
            known = ", ".join(map(str, self.profile.in_ports)) or "none"
            self._wrong(f"nothing can wait at {port!r}", f"this process receives on: {known}", "name one of these")
        self.sends.append((port, self._fit_to_be_sent(message)))

    def _only_initially(self, name: str, remedy: str) -> None:
        if self.setup != "initially":
            self._wrong(f"{name}() was called in {self.setup or 'a step'}", "it belongs into initially()", remedy)

    def _of_no_process(self, did: str) -> NoReturn:
        remedy = "use what all know alike, self.n and self.everyone; choose local variables in initially()"
        self._wrong(f"shared_initially() {did}", "it runs once, for all processes together", remedy)


class _ChangedError(Exception):
    """The step took another path when it ran again under the same choices."""


class _LookedError(BaseException):
    """The step has looked at a shared variable, where they are hidden."""


class Runner:
    """Executes the steps of one protocol under one setting of its parameters; `twice`, to compare, unless told not to."""

    def __init__(self, definition: Definition, parameters: dict[str, Any], twice: bool = True) -> None:
        self.definition, self.parameters, self.twice = definition, parameters, twice
        self.surroundings: type[Execution] = Execution  # of a step that runs
        self.fields: dict[str, Field] = {field.name: field for field in (*definition.fields, *definition.shared)}
        self.watched = LinesThatRun(definition)
        self.own = tuple(own.name for own in definition.fields)
        self._shared = [own.name for own in definition.shared]
        self._can_hide = all(isinstance(getattr_static(definition.cls, name), FieldMark) for name in self._shared)
        self.known = Known()
        self._records = [own.name for own in self.fields.values() if holds_records(own.annotation)]
        self._kinds = dict(definition.kinds)
        self._guards: dict[tuple[int, ...], Guard] = {}  # by the identity of what they watch over, and keep alive

    def effects(
        self,
        function: Callable[..., None],
        profile: Profile,
        fields: dict[str, Any],
        message: tuple[Any, ...] = (),
        *,
        arrival: Port | None = None,
        setup: str = "",
        name: str = "",
    ) -> Iterator[Effect]:
        """Every way `function` can run on these fields, guards that fail left out.

        Raises StepError where the code breaks a rule of the language or is not a function of what it reads.
        """
        script: list[int] = []
        guard = self._guard(fields, message)
        while True:
            first, widths = self._run(function, profile, fields, message, script, arrival, setup, name)
            if self.twice:
                with self.watched.while_running(function.__code__):
                    second, _ = self._run(function, profile, fields, message, list(script), arrival, setup, name)
            self._unchanged(guard, name)
            if len(self.known) > MOST_KNOWN:
                self.forget()
            if self.twice and first != second:
                raise not_a_function(function, name, first, second)
            if first is not None:
                yield first
            script = script[: len(widths)]
            while script and script[-1] == widths[len(script) - 1] - 1:
                script.pop()
            if not script:
                return
            script[-1] += 1

    def is_shut(
        self,
        function: Callable[..., None],
        profile: Profile,
        fields: dict[str, Any],
        message: tuple[Any, ...] = (),
        *,
        arrival: Port | None = None,
        name: str = "",
    ) -> bool:
        """Whether a step whose guard fails on these fields does whatever the shared variables are: it runs again, and there are none."""
        if not self._can_hide:
            return False
        own = {name: value for name, value in fields.items() if name not in self._shared}
        guard = self._guard(fields, message)
        for _ in range(2):
            try:
                effect, widths = self._run(function, profile, own, message, [], arrival, "", name)
            except (_LookedError, StepError):
                return False
            self._unchanged(guard, name)
            if effect is not None or widths:
                return False
        return True

    def sample(
        self,
        function: Callable[..., None],
        profile: Profile,
        fields: dict[str, Any],
        message: tuple[Any, ...] = (),
        *,
        dice: Dice,
        arrival: Port | None = None,
        setup: str = "",
        name: str = "",
    ) -> Effect | None:
        """One of the ways `function` can run on these fields, as the dice fall; None where its guard fails.

        Raises StepError where the code breaks a rule of the language.
        """
        guard = self._guard(fields, message)
        effect, _ = self._run(function, profile, fields, message, [], arrival, setup, name, dice)
        self._unchanged(guard, name)
        return effect

    def _set_by(self, setup: str) -> tuple[str, ...]:
        """The fields that have a value after it."""
        return self.own if setup == "initially" else tuple(self._shared) if setup else ()

    def _guard(self, fields: dict[str, Any], message: tuple[Any, ...]) -> Guard:
        values = (*(fields[own] for own in self._records if own in fields), *message)
        key = (*map(identity, values),)
        guard = self._guards.get(key)
        if guard is None:
            if len(self._guards) > GUARDS:
                self._guards.clear()
            guard = self._guards[key] = Guard(values)
            self.known.keep(values)
        return guard

    def _unchanged(self, watched: Guard | Known, name: str) -> None:
        """What a step was given must be the same afterwards, for other states hold it too."""
        changed = watched.changed()
        if changed:
            complain(
                self.definition,
                f"a value was changed in place: {show(changed[0])}",
                "it was set through object.__setattr__ or a __dict__, or an attribute was added to it",
                "make another value: dataclasses.replace(value, ...) or message.replace(...)",
                name,
            )

    def forget(self) -> None:
        """Begins to know records anew. Raises StepError where one that was known is not what it was."""
        known, self.known = self.known, Known()
        self._unchanged(known, "")

    def fit_to_be_sent(self, message: Message) -> Message:
        """The message, or Misuse where it is not all that its type and its fields say."""
        kind = type(message)
        if self._kinds.setdefault(kind.__name__, kind) is not kind:
            raise namesakes(self._kinds[kind.__name__], kind)
        fit: Message = frozen(message, self.known)
        return fit

    def _run(
        self,
        function: Callable[..., None],
        profile: Profile,
        fields: dict[str, Any],
        message: tuple[Any, ...],
        script: list[int],
        arrival: Port | None,
        setup: str,
        name: str,
        dice: Dice | None = None,
    ) -> tuple[Effect | None, list[int]]:
        execution = self.surroundings(self, profile, script, arrival, setup, dice)
        process = self.definition.cls.__new__(self.definition.cls)
        process.__dict__.update(self.parameters, **fields, _surroundings=execution)
        failure = None
        try:
            function(process, *message)
        except Disabled:
            if execution.misuse is None and not execution.looked:
                return None, execution.widths
        except Misuse as misuse:
            execution.misuse = execution.misuse or misuse
            raise misused(self.definition, execution.misuse, sys.exc_info()[2], name) from None
        except _ChangedError:
            raise not_a_function(function, name, "other options than before", "other options than before") from None
        except (KeyboardInterrupt, MemoryError, _LookedError):
            raise
        except AssertionError as error:
            failure = failure_of("assert", error)
        except BaseException as error:
            failure = failure_of("exception", error)
        if execution.looked:
            raise _LookedError
        if execution.changed:
            raise not_a_function(function, name, "other options than before", "other options than before")
        if execution.misuse is not None:
            raise misused(self.definition, execution.misuse, None, name)
        if execution.disabled:
            complain(
                self.definition,
                "the step went on after self.require had failed",
                "a bare `except:` or a `finally` that returns has swallowed it",
                "catch the exceptions you mean, and keep self.require out of it",
                name,
            )
        after = process.__dict__
        for own in self.fields:
            if own in after and after[own] is not execution.checked.get(own, fields.get(own)):
                complain(
                    self.definition,
                    f"the field {own} was changed behind the checker's back",
                    "it was set through __dict__, vars() or object.__setattr__",
                    f"write self.{own} = ...",
                    name,
                )
        missing = [own for own in self._set_by(setup) if own not in after]
        if missing and failure is None:
            complain(self.definition, f"{setup}() gave {missing[0]} no value", "", "set it on every path", name)
        try:  # once more: since it was assigned or sent it may have been changed
            made = [after[own] for own in self._records if own in execution.checked]
            sent = [message for _, message in execution.sends]
            if any(frozen(value, self.known) is not value for value in made + sent):
                raise Misuse("a value was changed after it was assigned or sent", "", "change nothing in place")
            self.known.keep(made)
        except Misuse as misuse:
            raise misused(self.definition, misuse, None, name) from None
        effect = Effect(
            fields=tuple(after.get(field.name) for field in self.definition.fields),
            shared=tuple(map(after.get, self._shared)),
            sends=tuple(execution.sends),
            choices=tuple(execution.choices),
            failure=failure,
            crashed=execution.crashed,
        )
        return effect, execution.widths
