"""Modified Ring with two of its variations at once: the initiator announces, and smaller identifiers are swallowed."""

from modelcheck.models.ring_modified import InitiatorAnnounces, Swallowing


class SwallowingInitiator(Swallowing, InitiatorAnnounces):
    pass
