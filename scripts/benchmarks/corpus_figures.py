"""Figures of the dataset card: score distributions, and the latents of lhs-tiny by score and by family.

    python scripts/benchmarks/corpus_figures.py [--corpus FOLDER]

Writes PNG files to `figures/` of the corpus folder and the card again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import rankdata
from sklearn.manifold import TSNE

from lhs_hf.constants import resolve_model
from lhs_hf.corpus.card import write_card
from lhs_hf.corpus.dataset import DATA_FOLDER, CorpusRow, corpus_tasks, load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.encoder import load_encoder
from lhs_hf.models.encoding import encode_programs
from lhs_hf.tasks import get_task

BATCH = 64


def _panels(names: tuple[str, ...], height: float) -> tuple[plt.Figure, list[plt.Axes]]:
    figure, axes = plt.subplots(2, 5, figsize=(15, height), constrained_layout=True)
    flat = list(axes.flat)
    for axis in flat[len(names) :]:
        axis.set_visible(False)
    return figure, flat


def draw_scores(rows: dict[str, list[CorpusRow]], path: Path) -> None:
    """Histograms of the objective, clipped at the worst tenth, with the reference."""
    figure, axes = _panels(tuple(rows), 5.2)
    for axis, (name, chosen) in zip(axes, rows.items()):
        task = get_task(name)
        values = np.array([row.objective for row in chosen])
        worst = np.quantile(values, 0.9 if task.sense == "min" else 0.1)
        clipped = np.minimum(values, worst) if task.sense == "min" else np.maximum(values, worst)
        axis.hist(clipped, bins=40, color="#4477aa")
        axis.set_title(f"{name} ({task.sense})", fontsize=9)
        axis.tick_params(labelsize=7)
    figure.suptitle("Objective on search, programs a task (the worst tenth in the outermost bar)", fontsize=10)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def latents(rows: dict[str, list[CorpusRow]]) -> dict[str, np.ndarray]:
    """Latents of lhs-tiny's encoder, two t-SNE coordinates a program."""
    encoder = load_encoder(f"{resolve_model('lhs-tiny')}/encoder")
    found = {}
    for name, chosen in rows.items():
        task = get_task(name)
        with Evaluator(task, workers=2) as evaluator:
            parts = [
                encode_programs(encoder, [row.program for row in chosen[start : start + BATCH]], task, evaluator)
                for start in range(0, len(chosen), BATCH)
            ]
        points = np.concatenate([part.numpy() for part in parts])
        found[name] = TSNE(random_state=0, perplexity=min(30, len(points) / 4), init="pca").fit_transform(points)
    return found


def draw_latents(rows: dict[str, list[CorpusRow]], points: dict[str, np.ndarray], path: Path, by_family: bool) -> None:
    """The t-SNE of each task in a panel of its own."""
    figure, axes = _panels(tuple(rows), 6.2)
    for axis, (name, chosen) in zip(axes, rows.items()):
        if by_family:
            families = {family: number for number, family in enumerate(sorted({row.family for row in chosen}))}
            colours = [families[row.family] * 0.61803 % 1.0 for row in chosen]
        else:
            colours = list(rankdata([row.score for row in chosen]) / len(chosen))
        axis.scatter(*points[name].T, c=colours, cmap="hsv" if by_family else "viridis", s=5)
        axis.set_title(name, fontsize=9)
        axis.set_xticks([])
        axis.set_yticks([])
    label = "family (one colour each)" if by_family else "rank of the score (yellow: best)"
    figure.suptitle(f"t-SNE of the latents of lhs-tiny, by {label}", fontsize=10)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main() -> None:
    """Draw everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=DATA_FOLDER)
    folder = parser.parse_args().corpus
    figures = folder / "figures"
    figures.mkdir(exist_ok=True)
    rows = {name: load_corpus(name, folder=folder) for name in corpus_tasks(folder)}
    draw_scores(rows, figures / "scores.png")
    points = latents(rows)
    draw_latents(rows, points, figures / "latents_by_score.png", by_family=False)
    draw_latents(rows, points, figures / "latents_by_family.png", by_family=True)
    write_card(folder)


if __name__ == "__main__":
    main()
