"""Children of a round as candidates: of edits, and of points of the latent space."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np
import torch

from ..candidates import Candidates
from ..database import CLOSED, PENDING, UNDECODABLE, Candidate, RunDatabase
from ..edits import Accepted, Known, Parent, Proposal
from ..edits.transfer import TRANSFER
from .latent import LatentChild, decoded_hash

LATENT = "latent"
"""The operator of what is decoded."""


def edited_candidate(number: int, accepted: Accepted, known: Callable[[str], Candidate | None]) -> Candidate:
    """The candidate of an edit in a round; `known`: the candidate of a program, by its hash."""
    proposal = accepted.proposal
    ids = [each.id if each is not None else None for each in map(known, proposal.parents)]
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
        decisions=accepted.key,
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
            changes=CLOSED if generated.closed else "",
        )
        if candidate.program_hash is None:
            candidate.status = UNDECODABLE
            candidate.message = f"no program after {candidate.tokens} tokens"
        candidates.append(candidate)
    return candidates


def transferred(
    number: int, programs: Sequence[Parent], key: Callable[[str], str | None], known: Known
) -> list[Candidate]:
    """The candidates of programs of like tasks as they are, which `known` learns; `key`: of what a text decides."""
    candidates = []
    for each in programs:
        decided = key(each.source)
        if decided is not None:
            proposal = Proposal(each.source, TRANSFER, (each.hash,), (f"family {each.family}",), each.family)
            known.add(each.source, each.hash, decided)
            candidates.append(edited_candidate(number, Accepted(proposal, each.hash, decided), lambda _: None))
    return candidates


def decide(children: Iterable[Candidate], key: Callable[[str], str], database: RunDatabase) -> None:
    """Say what each decides, for those that come after it; runs of earlier versions have not stored it."""
    for child in children:
        if child.decisions is None:
            child.decisions = key(child.program)
            if child.status != PENDING:
                database.update(child)


def best_estimated(candidates: Iterable[Candidate], count: int) -> list[Parent]:
    """The first of the candidates (`Candidates.best`) as parents, by their estimates."""
    best = islice(candidates, count)
    return [Parent(each.program, each.program_hash or "", each.family, each.score or 0.0) for each in best]


def torch_generator(generator: np.random.Generator) -> torch.Generator:
    """A generator for PyTorch whose seed this one draws."""
    return torch.Generator().manual_seed(int(generator.integers(2**63)))


def numbered(children: Sequence[Candidate], earlier: Candidates) -> list[Candidate]:
    """The children with their numbers; one whose program is known already points to where it was first."""
    new: dict[str, int] = {}
    for place, child in enumerate(children):
        child.id, child.point = len(earlier) + place, place
        if child.program_hash is not None:
            first = earlier.first(child.program_hash)
            child.duplicate_of = new.get(child.program_hash) if first is None else first.id
            new.setdefault(child.program_hash, child.id)
    return list(children)
