"""Active learning: the surrogate learns from what the search found, and a resumed search has the same surrogate."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from search_doubles import Parts

from lhs_hf import LHSSurrogate
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.configuration_lhs import LHSSurrogateConfig
from lhs_hf.models.refit import refit_surrogate
from lhs_hf.search.components import load_components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task
from lhs_hf.training.surrogate_trainer import spearman


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator("knapsack_construct", workers=2) as found:
        yield found


class LearningParts(Parts):
    """Its score is a real surrogate."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.surrogate = LHSSurrogate(LHSSurrogateConfig(latent_size=4, hidden_size=64)).eval()
        self.seen: list[tuple[int, int]] = []

    def score(self, points):
        return self.surrogate(points).score

    def refit(self, points, scores, task, seed):
        assert len(points) == len(scores)
        other = LearningParts()
        other.decoder, other.seen = self.decoder, self.seen
        self.seen.append((len(points), seed))
        other.surrogate = refit_surrogate(self.surrogate, points, torch.from_numpy(scores), seed)
        return other


def _search(path, evaluator, settings, parts, listener=None):
    starts = [("reference", evaluator.task.template)]
    return LatentSearch(parts, evaluator, RunDatabase(path), settings, starts, listener)


def test_refitting_learns_the_order_and_repeats_exactly() -> None:
    generator = torch.Generator().manual_seed(0)
    points = torch.randn(120, 4, generator=generator)
    scores = (points[:, 1] - points[:, 0]).double() * 1e-7 - 6000
    old = LearningParts().surrogate
    before = {name: value.clone() for name, value in old.state_dict().items()}
    state = torch.get_rng_state()
    new = refit_surrogate(old, points[:80], scores[:80], seed=3)
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(value, before[name]) for name, value in old.state_dict().items())
    held_out = spearman(new(points[80:]).score, scores[80:])
    assert held_out > max(0.8, spearman(old(points[80:]).score, scores[80:]))
    again = refit_surrogate(old, points[:80], scores[:80], seed=3)
    assert all(torch.equal(value, again.state_dict()[name]) for name, value in new.state_dict().items())
    same = refit_surrogate(old, points[:5], torch.ones(5), seed=3)
    assert all(torch.equal(value, before[name]) for name, value in same.state_dict().items())


def test_a_search_refits_every_so_many_rounds(tmp_path, evaluator) -> None:
    parts = LearningParts()
    settings = SearchSettings.from_preset("latent", budget=30, seeds=5, refit=2)
    candidates = _search(tmp_path / "run", evaluator, settings, parts).run()
    # Rounds 1 to 5 hold 10, 5, 5, 5, 5 candidates: fits come before rounds 3 and 5.
    expected = [len({c.program_hash for c in candidates if c.ok and c.round <= last}) for last in (2, 4)]
    assert [count for count, _ in parts.seen] == expected
    points = torch.from_numpy(np.stack([c.after for c in candidates if c.round == 2]))
    assert [c.predicted_after for c in candidates if c.round == 2] == pytest.approx(
        parts.score(points).tolist(), abs=1e-5
    )
    later = torch.from_numpy(np.stack([c.after for c in candidates if c.round == 3]))
    stored = torch.tensor([c.predicted_after for c in candidates if c.round == 3])
    assert not torch.allclose(stored, parts.score(later).detach(), atol=1e-3)


@pytest.mark.parametrize("stop_at", [13, 27])
def test_a_resumed_search_has_the_same_surrogate(tmp_path, evaluator, stop_at) -> None:
    settings = SearchSettings.from_preset("latent", budget=28, seeds=5, refit=2, seed=4)
    whole = _search(tmp_path / "whole", evaluator, settings, LearningParts()).run()

    def interrupt(candidate):
        if candidate.id == stop_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _search(tmp_path / "cut", evaluator, settings, LearningParts(), interrupt).run()
    resumed = _search(tmp_path / "cut", evaluator, settings, LearningParts()).run()
    assert [(c.program, c.predicted_after) for c in resumed] == [(c.program, c.predicted_after) for c in whole]


@pytest.mark.integration
def test_the_components_learn_from_the_corpus_too() -> None:
    task = get_task("knapsack_construct")
    components = load_components("lhs-tiny", task)
    points, scores = components.corpus_points(task)
    assert len(points) == len(scores) > 100
    before = {name: value.clone() for name, value in components.surrogate.state_dict().items()}
    refitted = components.refit(points[:3] + 0.01, scores[:3], task, seed=0)
    assert all(torch.equal(value, before[name]) for name, value in components.surrogate.state_dict().items())
    true = torch.from_numpy(scores)
    assert spearman(refitted.score(points), true) > spearman(components.score(points), true)
