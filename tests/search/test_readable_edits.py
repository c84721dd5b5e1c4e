"""What edits write the encoder reads: else the surrogate can say nothing of it, and latents have no place for it."""

from __future__ import annotations

import numpy as np
import pytest

from lhs_hf import programs
from lhs_hf.models.composite import open_model
from lhs_hf.models.encoding import are_readable
from lhs_hf.search.edits import Edit, NewRule, Parent, Rollout
from lhs_hf.tasks import get_task

COUNT = 12


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("vector_bin_packing", NewRule()),
        ("server_moves", NewRule()),
        ("list_update", NewRule()),
        ("vertex_cover", Rollout()),
        ("feedback_arcs", Rollout()),
    ],
)
def test_the_encoder_reads_what_an_edit_writes(name: str, edit: Edit) -> None:
    task, generator = get_task(name), np.random.default_rng(0)
    reference = Parent(task.template, programs.program_hash(task.template), "reference", 0.0)
    proposals = [edit.propose(reference, [reference], task, generator) for _ in range(COUNT)]
    sources = [proposal.source for proposal in proposals if proposal is not None]
    assert len(sources) > COUNT // 2
    assert all(are_readable(open_model("lhs-tiny").encoder(), sources, task))
