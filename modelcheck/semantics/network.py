"""What waits on a link, and what of it can be received, on each kind of network (language/networks.py).

A channel is the tuple of messages waiting on one in-port. The order within it means something only where links keep it; the
others have it sorted, so that equal channels are equal tuples. What is sent may take the place of what waits, or be lost where a
link is full. The detector's messages stand behind all that was sent
before and are received after it, so that `Down` says that nothing the crashed process sent is still to come; what it sends
once it is up again may overtake them.

While a split of the network cuts the link, a `Cut` stands in the channel. What stands before it was in transit at the split
and may still come; what stands behind it is held until the link is whole again.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass

from ..language.messages import DETECTOR_MESSAGES, Cut, Down, Message, Up
from ..language.networks import NetworkKind
from ..language.values import order

Channel = tuple[Message, ...]
EMPTY: Channel = ()


@dataclass(frozen=True, kw_only=True)
class LinkRules(NetworkKind):
    """A kind of network under the settings of a run.

    capacity  so many messages wait on one link at most, the detector's left out, and what is sent on a full one is lost; 0 without a bound
    hesitant  what stands behind an `Up` may be received before it
    """

    capacity: int = 0
    hesitant: bool = False

    def is_full(self, channel: Channel) -> bool:
        """Whether there is no room for another message."""
        return 0 < self.capacity <= sum(not isinstance(message, DETECTOR_MESSAGES) for message in channel)


def put(kind: LinkRules, channel: Channel, message: Message) -> Channel:
    """The channel after `message` was sent on it."""
    if isinstance(message, DETECTOR_MESSAGES):
        return (*channel, message)
    if kind.replaces:
        channel = tuple(other for other in channel if type(other) is not type(message))
    if (kind.merges and message in channel) or kind.is_full(channel):
        return channel
    if not channel or kind.ordered:
        return (*channel, message)
    since = 1 + max((k for k, other in enumerate(channel) if isinstance(other, DETECTOR_MESSAGES)), default=-1)
    after = list(channel)
    insort(after, message, lo=since, key=order)
    return tuple(after)


def receivable(kind: LinkRules, channel: Channel) -> Iterator[tuple[Message, Channel]]:
    """Each distinct message that can be received now, with the channel after it was."""
    if kind.ordered:
        first = next((k for k, m in enumerate(channel) if not (kind.hesitant and isinstance(m, Up))), 0)
        for place in sorted({0, first}) if channel else ():
            if not isinstance(channel[place], Cut):
                yield channel[place], channel[:place] + channel[place + 1 :]
        return
    for place, message in enumerate(channel):
        if isinstance(message, Cut):
            return
        if isinstance(message, DETECTOR_MESSAGES):
            if place == 0:
                yield message, channel[1:]
        elif place == 0 or message != channel[place - 1]:
            yield message, channel if kind.keeps else channel[:place] + channel[place + 1 :]


def lost(channel: Channel) -> Iterator[tuple[Message, Channel]]:
    """Each way to lose one message. The detector's messages are not sent over the network and are never lost."""
    for place, message in enumerate(channel):
        repeated = place > 0 and message == channel[place - 1]
        if not isinstance(message, DETECTOR_MESSAGES) and not repeated:
            yield message, channel[:place] + channel[place + 1 :]


def duplicated(kind: LinkRules, channel: Channel) -> Iterator[tuple[Message, Channel]]:
    """Each way to duplicate one message; the copy stands right behind the original. On a full link there is no room for one."""
    for message, without in lost(channel) if not kind.is_full(channel) else ():
        place = next(
            k for k in range(len(channel)) if channel[:k] + channel[k + 1 :] == without and channel[k] == message
        )
        yield message, (*channel[:place], message, *channel[place:])


# --- crashes and partitions --------------------------------------------------------------------------------------


def report(kind: LinkRules, channel: Channel, word: Message) -> Channel:
    """The channel after the detector said `word`: behind all that was sent, over a cut too if nothing is held there.
    While an `Up` that is slow still waits there is no need to say `Down`: the suspicion has come true, or is another."""
    if kind.hesitant and isinstance(word, Down) and any(isinstance(message, Up) for message in channel):
        return tuple(message for message in channel if not isinstance(message, Up))
    before, behind = _parts(channel)
    return (*before, word, Cut()) if is_cut(channel) and not behind else (*channel, word)


def remembered(kind: LinkRules, channel: Channel) -> Channel:
    """What is left of the channel to a process that crashes: the detector's last word, and the cut. An `Up` that is slow is kept with
    the `Down` before it, which the process may have forgotten if the suspicion comes true."""
    words = tuple(message for message in channel if isinstance(message, (Down, Up)))[-1:]
    if kind.hesitant and words == (Up(),):
        words = (Down(), Up())
    return words + ((Cut(),) if is_cut(channel) else ())


def is_cut(channel: Channel) -> bool:
    return any(isinstance(message, Cut) for message in channel)


def cut(channel: Channel, words: Channel) -> Channel:
    """The channel when its link is cut, with what the detector says of that."""
    return (*channel, *words, Cut())


def mended(kind: LinkRules, channel: Channel, up: Channel, down: Channel) -> Channel:
    """The channel when its link is whole again: what was held comes now. The detector may say `up` before it, or `down`
    behind it."""
    before, behind = _parts(channel)
    return _all_put(kind, before + up, (*behind, *down) if behind else behind)


def stranded(kind: LinkRules, channel: Channel, held: bool, certain: bool) -> Iterator[tuple[Message, Channel]]:
    """Each way in which a message that was in transit when the link was cut does not get through: then it is lost, or held.
    In fifo order whatever came behind it has not got through either. What stands before the word of a detector that is
    `certain` has come."""
    if not is_cut(channel):
        return
    before, behind = _parts(channel)
    since = 1 + max((k for k, m in enumerate(before) if certain and isinstance(m, (Down, Up))), default=-1)
    ways = list(lost(before[since:]))
    for message, without in ways[-1:] if kind.ordered else ways:
        yield message, _all_put(kind, (*before[:since], *without, Cut()), (message, *behind) if held else behind)


def _parts(channel: Channel) -> tuple[Channel, Channel]:
    """What stands before the cut and what behind it; everything and nothing where there is none."""
    place = next((k for k, message in enumerate(channel) if isinstance(message, Cut)), len(channel))
    return channel[:place], channel[place + 1 :]


def _all_put(kind: LinkRules, channel: Channel, messages: Channel) -> Channel:
    for message in messages:
        channel = put(kind, channel, message)
    return channel
