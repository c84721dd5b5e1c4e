"""Children of a round as candidates: of edits, and of points of the latent space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..database import UNDECODABLE, Candidate
from ..edits import Accepted
from .latent import LatentChild, decoded_hash

LATENT = "latent"
"""The operator of what is decoded."""


def edited_candidate(number: int, accepted: Accepted, known: Mapping[str, Candidate]) -> Candidate:
    """The candidate of an edit in a round; `known`: candidates by the hash of their program."""
    proposal = accepted.proposal
    ids = [known[each].id if each in known else None for each in proposal.parents]
    return Candidate(
        -1,
        number,
        "edit",
        proposal.source,
        parent=ids[0] if ids else None,
        other_parent=ids[1] if len(ids) > 1 else None,
        program_hash=accepted.hash,
        operator=proposal.operator,
        family=proposal.family,
        changes=", ".join(proposal.changes),
    )


def decoded_candidates(
    number: int, role: str, decoded: Sequence[LatentChild], parents: Sequence[Candidate]
) -> list[Candidate]:
    """The candidates of decoded points in a round, each with the parent that its child names by its place."""
    candidates = []
    for child in decoded:
        generated, parent = child.generated, parents[child.parent]
        candidate = Candidate(
            -1,
            number,
            role,
            generated.source,
            parent=parent.id,
            program_hash=decoded_hash(generated),
            tokens=len(generated.token_ids),
            log_probability=generated.log_probability,
            before=child.before,
            after=child.after,
            predicted_before=child.predicted_before,
            predicted_after=child.predicted_after,
            distance=child.distance,
            operator=LATENT,
            family=parent.family,
        )
        if candidate.program_hash is None:
            candidate.status = UNDECODABLE
            candidate.message = f"no program after {candidate.tokens} tokens"
        candidates.append(candidate)
    return candidates
