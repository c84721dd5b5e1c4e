"""The slope of scores in sketches: found again, certain where there is evidence, drawn from its generator."""

from __future__ import annotations

import numpy as np
import torch

from lhs_hf.search.edits.slope import Slope

SIZE = 16


def sketches(count: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(count, SIZE, generator=torch.Generator().manual_seed(seed))


def test_the_word_that_helps_is_found():
    points = sketches(300)
    scores = (points[:, 3] - 0.5 * points[:, 7]).numpy()
    mean = Slope.of_programs(points, scores).mean
    assert np.argmax(mean) == 3
    assert np.argmin(mean) == 7


def test_nothing_is_known_before_anything_is_learned():
    slope = Slope(SIZE)
    assert not slope.mean.any()
    assert not Slope.of_programs(torch.zeros(0, SIZE), np.array([])).mean.any()
    drawn = slope.draw(2000, np.random.default_rng(0))
    assert drawn.shape == (2000, SIZE)
    assert float(drawn.mean(dim=0).abs().max()) < 0.01


def test_evidence_narrows_what_is_drawn():
    slope, points = Slope(SIZE), torch.zeros(500, SIZE)
    points[:, 2] = torch.linspace(-1, 1, 500)
    slope.learn(points, 0.2 * points[:, 2].numpy())
    spread = slope.draw(500, np.random.default_rng(0)).std(dim=0)
    assert float(spread[2]) < 0.5 * float(spread[3])
    assert abs(float(slope.draw(500, np.random.default_rng(0))[:, 2].mean()) - 0.2) < 0.03


def test_learning_in_parts_is_learning_at_once():
    points, values = sketches(40), np.linspace(-0.5, 0.5, 40)
    whole, parts = Slope(SIZE), Slope(SIZE)
    whole.learn(points, values)
    for half in (slice(0, 15), slice(15, 40)):
        parts.learn(points[half], values[half])
    np.testing.assert_allclose(whole.mean, parts.mean)


def test_draws_follow_their_generator():
    slope = Slope.of_programs(sketches(30), np.arange(30.0))
    one, two, three = (slope.draw(3, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert torch.equal(one, two)
    assert not torch.equal(one, three)
