"""What waits on a link, and what of it can be received: fifo, bag, set, sticky.

A channel is the tuple of messages waiting on one in-port. The order within it means something only for fifo; the other
kinds keep it sorted, so that equal channels are equal tuples. The detector's messages stand behind all that was sent
before and are received after it, so that `Down` says that nothing the crashed process sent is still to come; what it sends
once it is up again may overtake them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..language.messages import DETECTOR_MESSAGES, Message
from ..language.values import order

Channel = tuple[Message, ...]


def put(network: str, channel: Channel, message: Message) -> Channel:
    """The channel after `message` was sent on it."""
    if network == "fifo" or isinstance(message, DETECTOR_MESSAGES):
        return (*channel, message)
    if network in ("set", "sticky") and message in channel:
        return channel
    since = 1 + max((k for k, other in enumerate(channel) if isinstance(other, DETECTOR_MESSAGES)), default=-1)
    return (*channel[:since], *sorted([*channel[since:], message], key=order))


def receivable(network: str, channel: Channel) -> Iterator[tuple[Message, Channel]]:
    """Each distinct message that can be received now, with the channel after it was."""
    if network == "fifo":
        if channel:
            yield channel[0], channel[1:]
        return
    for place, message in enumerate(channel):
        if isinstance(message, DETECTOR_MESSAGES):
            if place == 0:
                yield message, channel[1:]
        elif place == 0 or message != channel[place - 1]:
            yield message, channel if network == "sticky" else channel[:place] + channel[place + 1 :]


def lost(channel: Channel) -> Iterator[tuple[Message, Channel]]:
    """Each way to lose one message. The detector's messages are not sent over the network and are never lost."""
    for place, message in enumerate(channel):
        repeated = place > 0 and message == channel[place - 1]
        if not isinstance(message, DETECTOR_MESSAGES) and not repeated:
            yield message, channel[:place] + channel[place + 1 :]


def duplicated(channel: Channel) -> Iterator[tuple[Message, Channel]]:
    """Each way to duplicate one message; the copy stands right behind the original."""
    for message, without in lost(channel):
        place = next(
            k for k in range(len(channel)) if channel[:k] + channel[k + 1 :] == without and channel[k] == message
        )
        yield message, (*channel[:place], message, *channel[place:])
