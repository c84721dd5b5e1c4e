"""The corpus as latents of a model's encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..corpus.dataset import corpus_tasks, load_corpus
from ..models.composite import open_model
from ..models.encoding import encode_programs
from ..tasks import get_task


def corpus_latents(root: Path) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Latents z, float32 (n, d), and scores, float64 (n,), of the corpus programs of each task, all splits.

    The stored behaviour is read and nothing runs. Raises `CallError` if the encoder can not be loaded.
    """
    opened = open_model(root)
    encoder = opened.encoder()
    latents, scores = {}, {}
    for name in corpus_tasks():
        rows = load_corpus(name)
        programs, behaviours = [row.program for row in rows], [row.behaviour for row in rows]
        found = encode_programs(
            encoder, programs, get_task(name), behaviours=behaviours, normalize=opened.config.latent_normalized
        )
        latents[name] = found.numpy()
        scores[name] = np.array([row.score for row in rows], dtype=np.float64)
    return latents, scores
