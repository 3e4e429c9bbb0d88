"""Finding sources and their claims, by name among the bundled ones or by path."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from .. import catalog
from ..errors import UsageError, nearest
from ..language.networks import either
from ..text.typed import is_file
from .claim import Claim, Source
from .reading import read_source


def find_claims(reference: str | None) -> list[tuple[Source, tuple[Claim, ...]]]:
    """All claims; those of a source (`garg`, `./mine.toml`); or one of them (`garg-13.3`).

    Raises UsageError for what is not there, or where a file of claims is at fault.
    """
    if reference is None:
        return [(source, source.claims) for source in map(read_source, catalog.claim_files().values())]
    if reference.endswith(".toml"):
        if not is_file(reference):
            raise UsageError(f"there is no file {reference}")
        source = read_source(Path(reference))
        return [(source, source.claims)]
    name, _, rest = reference.partition("-")
    if name not in catalog.claim_files():
        raise UsageError(f"there is no source, and no claim, called {reference!r}; {_meant(reference)}")
    source = read_source(catalog.claim_files()[name])
    if not rest:
        return [(source, source.claims)]
    claims = {claim.name: claim for claim in source.claims}
    if rest not in claims:
        raise UsageError(f"{name} makes no claim {rest!r}; {nearest(rest, claims)}")
    return [(source, (claims[rest],))]


def _meant(reference: str) -> str:
    """What somebody may have meant who left out the source of a claim, or took the name of a model for one."""
    wanted = reference.replace("_", "-")
    sources = [read_source(file) for file in catalog.claim_files().values()]
    named = [f"{source.name}-{claim.name}" for source in sources for claim in source.claims]
    within = [one for one in named if f"-{wanted}-" in f"-{one}-"]
    close = (
        get_close_matches(reference, catalog.claim_files(), n=1) or within[:3] or get_close_matches(reference, named)
    )
    return f"did you mean {either(close)}?" if close else nearest(reference, catalog.claim_files())


def find_exercises(reference: str | None) -> list[tuple[Source, tuple[Claim, ...]]]:
    """The exercises among them. Raises UsageError where there are none."""
    found = [
        (source, tuple(claim for claim in claims if claim.is_exercise)) for source, claims in find_claims(reference)
    ]
    if not any(claims for _, claims in found):
        raise UsageError(f"{reference} is no exercise; `modelcheck exercises` lists them")
    return found
