"""What a model's surrogate and flow are worth on held-out families, beside simple models of the same data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.metrics import average_ranks
from lhs_hf.models.modeling_flow import LHSFlow
from lhs_hf.search.components import Components
from lhs_hf.tasks.base import Task
from lhs_hf.training.flow_trainer import add_noise, gaussian_bits_per_dimension
from lhs_hf.training.surrogate_trainer import better_half_spearman, spearman

from .statistics import rank_correlation

NEIGHBOURS = 10


def surrogate_section(components: Components, task: Task, held: Sequence[CorpusRow]) -> dict[str, Any]:
    """Spearman's correlation of predicted and true scores on held-out programs, all and the better half of them.

    `interval` holds the 95 % interval of the former, by bootstrap over families, None for fewer than three programs.

    `surrogate` and `knn` (`NEIGHBOURS` nearest training points) read points of the searched space, `tfidf_ridge` the
    text; the latter two are fitted here to ranks of the training scores and are None without scikit-learn. Raises
    `ValueError` if the task has no training or no held-out programs.
    """
    train = components.corpus_points(task)
    if train is None or not held:
        raise ValueError(f"{task.name} needs training and held-out programs, it has {len(held)} held-out ones")
    latents = components.encode([row.program for row in held], task, behaviours=[row.behaviour for row in held])
    points = components.to_space(latents)
    true = torch.tensor([row.score for row in held], dtype=torch.float64)
    with torch.no_grad():
        predictions: dict[str, Tensor | None] = {"surrogate": components.score(points)}
    predictions.update(_baselines(task, train, points, [row.canonical for row in held]))
    section: dict[str, Any] = {"programs": len(held), "families": len({row.family for row in held})}
    for name, predicted in predictions.items():
        section[name] = None
        if predicted is not None:
            found = rank_correlation(predicted.tolist(), true.tolist(), [row.family for row in held])
            section[name] = {
                "spearman": spearman(predicted, true),
                "interval": [found["low"], found["high"]],
                "better_half": better_half_spearman(predicted, true),
            }
    return section


def _baselines(
    task: Task, train: tuple[Tensor, np.ndarray], points: Tensor, texts: list[str]
) -> dict[str, Tensor | None]:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import Ridge
        from sklearn.neighbors import KNeighborsRegressor
    except ImportError:
        return {"tfidf_ridge": None, "knn": None}
    from lhs_hf.corpus.dataset import load_corpus

    ranks = average_ranks(train[1])
    neighbours = KNeighborsRegressor(min(NEIGHBOURS, len(ranks)), weights="distance").fit(train[0].numpy(), ranks)
    vectorizer = TfidfVectorizer(token_pattern=r"\w+|[^\w\s]", ngram_range=(1, 2), sublinear_tf=True)  # noqa: S106
    known = vectorizer.fit_transform([row.canonical for row in load_corpus(task.name, "train")])
    ridge = Ridge().fit(known, ranks)
    return {
        "tfidf_ridge": torch.from_numpy(np.asarray(ridge.predict(vectorizer.transform(texts)))),
        "knn": torch.from_numpy(neighbours.predict(points.numpy())),
    }


def flow_section(flow: LHSFlow, train: Tensor, held: Tensor, noise: float, seed: int = 0) -> dict[str, float]:
    """Bits a dimension of held-out latents (M, d) under the flow and under a Gaussian fitted to `train` (N, d).

    Both on latents with Gaussian noise of standard deviation `noise`, the noise the flow was trained with; a flow that
    does not beat the Gaussian has learned no more than means and covariances. `inverse_error_*` is the largest
    |F^-1(F(z)) - z| over the held-out latents, in the two precisions.
    """
    noisy = add_noise(held.float(), noise, seed)
    exact = LHSFlow(flow.config)
    exact.load_state_dict(flow.state_dict())
    errors = {}
    with torch.no_grad():
        bits = float(flow.bits_per_dimension(noisy))
        for name, module, z in (("float32", flow, held.float()), ("float64", exact.double().eval(), held.double())):
            errors[f"inverse_error_{name}"] = float((module.inverse(module(z).u) - z).abs().max())
    return {
        "programs": len(held),
        "noise": noise,
        "bits_per_dimension": bits,
        "gaussian_bits_per_dimension": gaussian_bits_per_dimension(train, noisy, noise),
        **errors,
    }
