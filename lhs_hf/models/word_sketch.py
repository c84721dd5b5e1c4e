"""What a program says, as a sum of vectors of its words: the part of a latent whose differences name edits."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import shake_128

import numpy as np
import torch
from torch import Tensor

START = "<program>"
"""The word before the first one of a program."""

_ALONE, _LEFT, _RIGHT = range(3)


def bucket_of(word: str, buckets: int) -> int:
    """The row of a word's vectors; words of one row are not told apart."""
    return zlib.crc32(word.encode()) % buckets


@lru_cache(maxsize=4)
def word_vectors(buckets: int, size: int) -> Tensor:
    """Vectors of words, float32 (3, buckets, size): alone, and as the left and the right one of a pair.

    Every entry is a sign over sqrt(size), from a hash: vectors have length 1, and are close to orthogonal. They are the
    same in every model, so that sketches of two models agree.
    """
    length = -(-size // 8)
    names = (f"{kind} {bucket}" for kind in ("alone", "left", "right") for bucket in range(buckets))
    drawn = b"".join(shake_128(name.encode()).digest(length) for name in names)
    bits = np.unpackbits(np.frombuffer(drawn, dtype=np.uint8)).reshape(3, buckets, 8 * length)[..., :size]
    return torch.from_numpy((2.0 * bits - 1.0) / size**0.5).float()


def alone(vectors: Tensor, words: Tensor) -> Tensor:
    """Vectors (..., D) of words (...) by their buckets; `vectors` (3, buckets, D) of `word_vectors`."""
    return vectors[_ALONE][words]


def pairs(vectors: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """Vectors (..., D), of length 1, of pairs of neighbours (...): the elementwise product of both words' vectors."""
    return vectors[_LEFT][left] * vectors[_RIGHT][right] * vectors.shape[-1] ** 0.5


def sketch(words: Iterable[str] | Sequence[int], buckets: int, size: int) -> Tensor:
    """s(p), float32 (size,): the sum of the vectors of a program's words and of all pairs of neighbours.

    `words`: texts, or their buckets, `START` first. A program that differs by an edit differs by the vectors of what is
    removed and of what is written, wherever in the program that is.
    """
    rows = torch.tensor([word if isinstance(word, int) else bucket_of(word, buckets) for word in words])
    vectors = word_vectors(buckets, size)
    return alone(vectors, rows).sum(dim=0) + pairs(vectors, rows[:-1], rows[1:]).sum(dim=0)
