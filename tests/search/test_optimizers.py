"""The optimisers beside gradient ascent: what each proposes, and that a resumed search proposes the same."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from search_doubles import Parts

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.history import History, Request, Round
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.optimizers import OPTIMIZERS
from lhs_hf.search.settings import OPTIMIZERS as NAMES
from lhs_hf.search.settings import SearchSettings


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator("knapsack_construct", workers=2) as found:
        yield found


def _smooth(points):
    return torch.sin(points).sum(dim=-1)


def _history(scores, start, rounds=(), prior=None):
    mean, deviation = prior or (torch.zeros(len(start)), torch.ones(len(start)))
    return History(np.array(scores, dtype=np.float64), lambda: (mean, deviation), start, rounds, seed=7)


def _propose(name, centres, pool, history, **changes):
    settings = SearchSettings.from_preset("latent", optimizer=name, **changes)
    scale = torch.ones(centres.shape[1])
    return OPTIMIZERS[name](Request(centres, pool, _smooth, settings, scale, torch.Generator().manual_seed(3), history))


def test_the_table_holds_the_names_of_the_settings() -> None:
    assert tuple(OPTIMIZERS) == NAMES


def test_against_lowers_the_prediction_and_none_stays() -> None:
    pool = torch.randn(4, 6, generator=torch.Generator().manual_seed(0))
    history = _history([4, 3, 2, 1], pool[0])
    down = _propose("against", pool, pool, history, radius=1.0, jitter=0.0).after
    assert (_smooth(down) < _smooth(pool)).all()
    assert ((down - pool).norm(dim=-1) <= 1.0001).all()
    assert torch.equal(_propose("none", pool, pool, history).after, pool)


def test_prior_samples_have_the_moments_of_the_training_points() -> None:
    mean, deviation = torch.tensor([5.0, -3.0]), torch.tensor([0.5, 4.0])
    centres = torch.zeros(4000, 2)
    drawn = _propose("prior", centres, centres[:1], _history([1], centres[0], prior=(mean, deviation))).after
    torch.testing.assert_close(drawn.mean(dim=0), mean, atol=0.2, rtol=0)
    torch.testing.assert_close(drawn.std(dim=0), deviation, atol=0.0, rtol=0.1)


def test_nearest_elite_takes_the_nearest_better_program() -> None:
    pool = torch.tensor([[0.0, 9.0], [0.0, 0.0], [0.0, 3.0], [0.0, 2.0]])
    proposal = _propose("nearest_elite", pool, pool, _history([9.0, 5.0, 5.0, 1.0], pool[0]))
    # The best has none above it; equal scores are not better; the last is nearest to the third.
    assert proposal.other_parent == [None, 0, 0, 2]
    assert torch.equal(proposal.after, pool[[0, 0, 0, 2]])


def test_cma_learns_from_true_scores_and_is_rebuilt_from_them() -> None:
    target, start = torch.full((4,), 3.0), torch.zeros(4)
    centres = start.expand(6, 4)
    rounds: list[Round] = []
    distances = []
    state = np.random.get_state()[1].copy()
    for number in range(30):
        points = _propose("cma", centres, centres[:1], _history([0.0], start, rounds), radius=2.0, seeds=6).after
        again = _propose("cma", centres, centres[:1], _history([0.0], start, list(rounds)), radius=2.0, seeds=6).after
        assert torch.equal(points, again)
        scores = -(points - target).square().sum(dim=-1).double().numpy()
        distances.append(float((points - target).norm(dim=-1).mean()))
        scores[number % 6] = np.nan
        rounds.append(Round(scores))
    assert distances[-1] < 0.5 * distances[0]
    assert np.array_equal(np.random.get_state()[1], state)


def test_cma_needs_two_seeds() -> None:
    with pytest.raises(CallError, match="at least 2 seeds"):
        SearchSettings.from_preset("latent", optimizer="cma", seeds=1)


def test_cem_samples_between_the_elite_and_the_prior() -> None:
    pool = 4.0 + 0.1 * torch.randn(8, 3, generator=torch.Generator().manual_seed(1))
    centres = torch.zeros(4000, 3)
    drawn = _propose("cem", centres, pool, _history(range(8), pool[0])).after
    torch.testing.assert_close(drawn.mean(dim=0), torch.full((3,), 3.2), atol=0.1, rtol=0)
    assert (drawn.std(dim=0) < 0.7).all()


@pytest.mark.parametrize("optimizer", ["cma", "cem", "nearest_elite", "prior"])
def test_a_resumed_search_proposes_what_an_undisturbed_one_would(tmp_path, evaluator, optimizer) -> None:
    settings = SearchSettings.from_preset("latent", budget=23, seed=5, optimizer=optimizer, radius=1.0)

    def search(name, listener=None):
        starts = [("reference", evaluator.task.template)]
        return LatentSearch(Parts(), evaluator, RunDatabase(tmp_path / name), settings, starts, listener)

    def interrupt(candidate):
        if candidate.id == 18:
            raise KeyboardInterrupt

    whole = search("whole").run()
    with pytest.raises(KeyboardInterrupt):
        search("cut", interrupt).run()
    resumed = search("cut").run()
    assert [c.program for c in resumed] == [c.program for c in whole]
    assert all(np.array_equal(a.after, b.after) for a, b in zip(resumed[1:], whole[1:]))
