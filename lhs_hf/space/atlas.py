"""Maps of the corpus: the programs of a task in the searched space, seen along the direction in which scores grow."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..corpus.dataset import CorpusRow, load_corpus
from ..metrics import average_ranks, surrogate_spearman
from ..search.components import Components

_RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


@dataclass(frozen=True, eq=False)
class Atlas:
    """The corpus of one task in one space.

    `points` float32 (N, d) are the programs' points, `level` (N,) the share of corpus programs whose score is lower,
    0 to 1. `flat` (N, 2) is the map: across, the direction in which the scores of the training programs grow (a ridge
    regression of their ranks); up, the direction of the largest variance among those at right angles to it. `agreement`
    is Spearman's correlation of the scores of programs that were not trained on with their place across, `remaining`
    the share of the variance that the direction up has of what the one across leaves.
    """

    task: str
    space: str
    rows: tuple[CorpusRow, ...]
    points: np.ndarray
    flat: np.ndarray
    level: np.ndarray
    centre: np.ndarray
    axes: np.ndarray
    agreement: float
    remaining: float

    def project(self, points: np.ndarray) -> np.ndarray:
        """Points (M, d) of the space on the map, (M, 2)."""
        return (np.asarray(points) - self.centre) @ self.axes

    def level_of(self, score: float) -> float:
        """The share of corpus programs that score lower, 0 to 1."""
        return float(np.mean([row.score < score for row in self.rows]))


def make_atlas(components: Components, task: str, space: str) -> Atlas:
    """Encode the corpus programs of a task (their stored behaviour is read, nothing runs) and lay out the map."""
    from ..tasks import get_task

    rows = tuple(load_corpus(task))
    latents = components.encode(
        [row.program for row in rows], get_task(task), behaviours=[row.behaviour for row in rows]
    )
    points = components.to_space(latents).numpy()
    splits = np.array([row.split for row in rows])
    scores = np.array([row.score for row in rows])
    training = splits == "train"
    centre = points[training].mean(axis=0)
    offsets = points - centre
    across = _score_direction(offsets, scores, splits)
    rest = offsets[training] - np.outer(offsets[training] @ across, across)
    _, sizes, directions = np.linalg.svd(rest, full_matrices=False)
    up = directions[0]
    # The sign of a principal axis is arbitrary: a rule makes the map the same on every machine.
    axes = np.stack([across, up if up[np.abs(up).argmax()] > 0 else -up], axis=1)
    flat = offsets @ axes
    return Atlas(
        task,
        space,
        rows,
        points,
        flat,
        level=(scores[:, None] > scores[None, :]).mean(axis=1),
        centre=centre,
        axes=axes,
        agreement=surrogate_spearman(flat[~training, 0], scores[~training]),
        remaining=float(sizes[0] ** 2 / np.sum(sizes**2)),
    )


def _score_direction(offsets: np.ndarray, scores: np.ndarray, splits: np.ndarray) -> np.ndarray:
    """The unit vector (d,) along which the ranks of training programs grow.

    Of several penalties of the regression it takes the one whose ranking of the validation programs is best.
    """
    train, validation = splits == "train", splits == "validation"
    ranks = average_ranks(scores[train])
    targets = (ranks - ranks.mean()) / max(1e-9, float(ranks.std()))
    gram, moments = offsets[train].T @ offsets[train], offsets[train].T @ targets
    directions = [np.linalg.solve(gram + ridge * np.eye(len(gram)), moments) for ridge in _RIDGES]
    if np.count_nonzero(validation) > 2:
        directions.sort(key=lambda each: -surrogate_spearman(offsets[validation] @ each, scores[validation]))
    return directions[0] / max(1e-9, float(np.linalg.norm(directions[0])))


class AtlasShelf:
    """Keeps one atlas a task and space; each is made once, whoever asks first, and none waits for another."""

    def __init__(self, components: Callable[[str, str], Components]) -> None:
        self._components = components
        self._atlases: dict[tuple[str, str], Atlas] = {}
        self._making: dict[tuple[str, str], threading.Lock] = {}
        self._asked: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def get(self, task: str, space: str = "prior") -> Atlas:
        """The atlas of a task, made now if nobody asked for it before."""
        with self._lock:
            making = self._making.setdefault((task, space), threading.Lock())
        with making:
            if (task, space) not in self._atlases:
                self._atlases[task, space] = make_atlas(self._components(task, space), task, space)
            return self._atlases[task, space]

    def ready(self, task: str, space: str = "prior") -> Atlas | None:
        """The atlas if it is made already; if not, it is begun in a thread of its own and nobody waits."""
        with self._lock:
            begin = (task, space) not in self._asked and (task, space) not in self._atlases
            self._asked.add((task, space))
        if begin:
            threading.Thread(target=self.get, args=(task, space), name="atlas", daemon=True).start()
        return self._atlases.get((task, space))
