"""What the ascent climbs when uncertainty and distance from the data count."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from search_doubles import Parts

from lhs_hf import LHSSurrogate
from lhs_hf.errors import CallError
from lhs_hf.models.configuration_lhs import LHSSurrogateConfig
from lhs_hf.search.ascent import ascend
from lhs_hf.search.components import Components
from lhs_hf.search.objective import ascent_objective
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")


def _surrogate(seed, **changes):
    torch.manual_seed(seed)
    return LHSSurrogate(LHSSurrogateConfig(latent_size=6, hidden_size=32, **changes)).eval()


def _components(surrogate):
    return Components(None, None, None, surrogate, "prior", torch.ones(6))


@pytest.fixture
def points():
    return torch.randn(5, 6, generator=torch.Generator().manual_seed(0))


def test_off_it_is_the_surrogate(points) -> None:
    parts = Parts()
    assert torch.equal(ascent_objective(parts, SearchSettings(), TASK)(points), parts.score(points))


def test_dropout_samples_are_fixed_functions_around_the_score(points) -> None:
    surrogate = _surrogate(0)
    sampled = surrogate.sampled_scores(points, 4000, seed=1)
    assert torch.equal(sampled, surrogate.sampled_scores(points, 4000, seed=1))
    # A row's score does not depend on the rows beside it.
    torch.testing.assert_close(sampled[:, 2:3], surrogate.sampled_scores(points[2:3], 4000, seed=1))
    assert not torch.equal(sampled[:8], surrogate.sampled_scores(points, 8, seed=2))
    deviation = sampled.std(dim=0)
    assert (deviation > 0).all()
    assert ((sampled.mean(dim=0) - surrogate(points).score).abs() < 0.5 * deviation).all()
    with pytest.raises(ValueError, match="without dropout"):
        _surrogate(0, dropout=0.0).sampled_scores(points, 2, seed=0)


def test_an_ensemble_disagrees_by_more_than_its_offset(points) -> None:
    first, second = _surrogate(0), _surrogate(0)
    parts = replace(_components(first), ensemble=(second,))
    with torch.no_grad():
        second.layers[-1].bias += 100.0
    assert float(parts.deviation(points, 0).detach().max()) < 1e-3
    assert float(replace(parts, ensemble=(_surrogate(1),)).deviation(points, 0).detach().min()) > 1e-3


@pytest.mark.parametrize("name", ["uncertainty", "prior_weight"])
def test_a_weight_leads_the_ascent_where_its_term_is_smaller(points, name) -> None:
    parts = _components(_surrogate(0))

    def cost(at):
        return parts.deviation(at, 0) if name == "uncertainty" else at.square().sum(dim=-1)

    ends = []
    for weight in (0.0, 10.0):
        settings = SearchSettings(radius=2.0, steps=8, **{name: weight})
        ends.append(ascend(points, points, ascent_objective(parts, settings, TASK), settings, parts.scale))
    plain, careful = ends
    with torch.no_grad():
        assert (cost(careful) < cost(plain)).all()
        assert (parts.score(plain) > parts.score(careful)).all()


def test_negative_weights_are_refused() -> None:
    with pytest.raises(CallError, match="prior_weight must be at least 0"):
        SearchSettings(prior_weight=-1.0)
