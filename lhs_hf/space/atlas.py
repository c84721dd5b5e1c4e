"""Maps of the corpus: the programs of a task in the searched space, seen along its two principal directions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..corpus.dataset import CorpusRow, load_corpus
from ..search.components import Components


@dataclass(frozen=True, eq=False)
class Atlas:
    """The corpus of one task in one space.

    `points` float32 (N, d) are the programs' points, `flat` (N, 2) the same along the first two principal axes of the
    training programs, `level` (N,) the share of corpus programs whose score is lower, 0 to 1.
    """

    task: str
    space: str
    rows: tuple[CorpusRow, ...]
    points: np.ndarray
    flat: np.ndarray
    level: np.ndarray
    centre: np.ndarray
    axes: np.ndarray

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
    training = points[[row.split == "train" for row in rows]]
    centre = training.mean(axis=0)
    _, _, directions = np.linalg.svd(training - centre, full_matrices=False)
    axes = directions[:2].T
    # The sign of a principal axis is arbitrary: a rule makes the map the same on every machine.
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), range(2)] < 0, -1.0, 1.0)
    scores = np.array([row.score for row in rows])
    level = (scores[:, None] > scores[None, :]).mean(axis=1)
    return Atlas(task, space, rows, points, (points - centre) @ axes, level, centre, axes)


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
