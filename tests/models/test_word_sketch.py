"""Sketches of programs: what an edit changes is their difference, wherever it is and whatever names are numbered."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lhs_hf.models.word_sketch import START, bucket_of, sketch, word_vectors

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)
BUCKETS, SIZE = 512, 64


def of(words: list[str]) -> torch.Tensor:
    return sketch([START, *words], BUCKETS, SIZE)


def test_vectors_have_length_one_and_stay_the_same():
    vectors = word_vectors(BUCKETS, SIZE)
    torch.testing.assert_close(vectors.norm(dim=-1), torch.ones(3, BUCKETS))
    assert vectors[0, :2, :6].mul(8).int().tolist() == word_vectors(BUCKETS, SIZE)[0, :2, :6].mul(8).int().tolist()
    # Other words are nearly orthogonal.
    inner = vectors[0] @ vectors[0].T
    assert float(inner[~torch.eye(BUCKETS, dtype=torch.bool)].abs().mean()) < 0.15


@given(before=WORDS, removed=WORDS, written=WORDS, after=WORDS)
def test_the_same_edit_is_the_same_difference_in_any_program(before, removed, written, after):
    # The words beside the edit are the same ones in both programs.
    first = of([*before, "x", *written, "y", *after]) - of([*before, "x", *removed, "y", *after])
    second = of(["x", *written, "y"]) - of(["x", *removed, "y"])
    torch.testing.assert_close(first, second, atol=1e-4, rtol=0)


def test_order_counts():
    assert float((of(["a", "b", "c"]) - of(["c", "b", "a"])).norm()) > 1


@pytest.mark.parametrize("size", [8, 20, 64])
def test_words_may_be_given_by_their_buckets(size):
    words = [START, "for", "name:x"]
    rows = [bucket_of(word, BUCKETS) for word in words]
    torch.testing.assert_close(sketch(words, BUCKETS, size), sketch(rows, BUCKETS, size))
