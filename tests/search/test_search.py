"""Algorithm 1: seeds, ascent, budget, resume, what is stored."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from search_doubles import Parts

from lhs_hf.decoding.budget import Budget, BudgetExhausted
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import program_hash
from lhs_hf.search.ascent import ascend, project
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.history import Request
from lhs_hf.search.loop import LatentSearch, select_seeds
from lhs_hf.search.optimizers import interpolation, random
from lhs_hf.search.result import best_candidate, incumbent_history
from lhs_hf.search.settings import OPTIMIZERS, SearchSettings
from lhs_hf.tasks import get_task


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator("knapsack_construct", workers=2) as found:
        yield found


def _search(path, evaluator, settings, parts=None, listener=None):
    database = RunDatabase(path)
    starts = [("reference", evaluator.task.template)]
    return LatentSearch(parts or Parts(), evaluator, database, settings, starts, listener)


def test_every_decoder_call_is_stored_with_its_origin(tmp_path, evaluator) -> None:
    settings = SearchSettings.from_preset("latent", budget=23, seed=3)
    search = _search(tmp_path / "run.sqlite", evaluator, settings, Parts(broken_every=6))
    candidates = search.run()
    decoded = [candidate for candidate in candidates if candidate.decoded]
    assert len(decoded) == search.budget.spent == 23
    assert [candidate.role for candidate in decoded] == ["initial"] * 10 + ["search"] * 13
    stored = RunDatabase(tmp_path / "run.sqlite").candidates()
    assert [(c.id, c.status, c.objective, c.program) for c in stored] == [
        (c.id, c.status, c.objective, c.program) for c in candidates
    ]
    assert {candidate.status for candidate in decoded} == {"ok", "syntax"}
    by_id = {candidate.id: candidate for candidate in stored}
    for candidate in stored[1:]:
        assert by_id[candidate.parent].ok
        assert by_id[candidate.parent].round < candidate.round
        assert candidate.before.shape == candidate.after.shape == (4,)
        assert candidate.predicted_after == pytest.approx(
            float(Parts().score(torch.from_numpy(candidate.after.copy())[None])), abs=1e-5
        )
        if candidate.role == "search":
            assert candidate.distance <= settings.radius * (1 + 1e-5)
    history = incumbent_history(evaluator.task, candidates)
    assert len(history) == 23
    assert history == sorted(history)
    assert history[-1] == best_candidate(candidates).objective


def test_one_seed_gives_one_result_and_another_another(tmp_path, evaluator) -> None:
    def texts(name, seed):
        return [
            c.program
            for c in _search(
                tmp_path / name, evaluator, SearchSettings.from_preset("latent", budget=15, seed=seed)
            ).run()
        ]

    assert texts("a", 1) == texts("b", 1)
    assert texts("c", 2) != texts("a2", 1)


@pytest.mark.parametrize("stop_after", [1, 4, 10, 13, 17])
def test_an_interrupted_search_resumes_to_the_same_end(tmp_path, evaluator, stop_after) -> None:
    settings = SearchSettings.from_preset("latent", budget=19, seed=5)
    whole = _search(tmp_path / "whole", evaluator, settings).run()
    seen = []

    def interrupt(candidate):
        seen.append(candidate)
        if len(seen) == stop_after:
            raise KeyboardInterrupt

    first = _search(tmp_path / "cut", evaluator, settings, listener=interrupt)
    with pytest.raises(KeyboardInterrupt):
        first.run()
    kept = [candidate for candidate in RunDatabase(tmp_path / "cut").candidates() if candidate.ok]
    assert len(kept) >= stop_after
    resumed = _search(tmp_path / "cut", evaluator, settings)
    candidates = resumed.run()
    assert resumed.budget.spent == 19
    assert [(c.program, c.objective) for c in candidates] == [(c.program, c.objective) for c in whole]


class Reporting(Parts):
    """Writes few different programs, and says when each is written."""

    def decode(self, points, task, generators, settings, guide=None, on_finished=None):
        made = super().decode(points.round(), task, generators, settings)
        for row, program in enumerate(made):
            program.source = re.sub(r"(\.\d)\d*", r"\1", program.source)
            on_finished(row, program)
        return made


def test_a_program_is_evaluated_once_though_it_is_written_often(tmp_path, evaluator, monkeypatch) -> None:
    ran = []
    evaluate = evaluator.evaluate
    monkeypatch.setattr(evaluator, "evaluate", lambda source, split=None: ran.append(source) or evaluate(source, split))
    settings = SearchSettings.from_preset("latent", budget=40, seeds=10)
    candidates = _search(tmp_path / "run", evaluator, settings, Reporting()).run()
    hashes = [candidate.program_hash for candidate in candidates]
    assert len(hashes) == 41 > len(set(hashes)) > 2
    assert sorted(map(program_hash, ran)) == sorted(set(hashes))
    assert all(candidate.ok for candidate in candidates)


class Lucky(Parts):
    """Every third program leaves its choice to chance, every fifth could and does not."""

    def decode(self, points, task, generators, settings, guide=None, on_finished=None):
        offset = self.decoded
        made = super().decode(points, task, generators, settings)
        for row, program in enumerate(made, offset):
            if row % 3 == 0:
                program.source = "import os\n" + program.source.replace("-1.0", "os.urandom(1)[0] / 8 - 1.0")
            elif row % 5 == 0:
                program.source = "import os\n" + program.source.replace("-1.0", "len(os.environ) * 0.0 - 1.0")
        return made


def test_what_chance_decides_is_no_result_of_a_search(tmp_path, evaluator) -> None:
    settings = SearchSettings.from_preset("latent", budget=24, seed=5, radius=0.5)
    candidates = _search(tmp_path / "run", evaluator, settings, Lucky()).run()
    lucky = [candidate for candidate in candidates if "urandom" in candidate.program]
    assert len(lucky) == 8
    unrepeatable = [candidate for candidate in candidates if candidate.status == "unrepeatable"]
    # Now and then two runs of a program agree; then its score is one that both have.
    assert 1 <= len(unrepeatable) <= len(lucky)
    assert all(candidate in lucky and candidate.score is None for candidate in unrepeatable)
    assert all(candidate.ok for candidate in candidates if candidate not in lucky)
    assert best_candidate(candidates) not in unrepeatable
    stored = RunDatabase(tmp_path / "run").candidates()
    assert [(c.id, c.status, c.score) for c in stored] == [(c.id, c.status, c.score) for c in candidates]
    resumed = _search(tmp_path / "run", evaluator, settings, Lucky()).run()
    assert [(c.id, c.status, c.score) for c in resumed] == [(c.id, c.status, c.score) for c in candidates]


def test_a_resumed_search_takes_a_larger_budget(tmp_path, evaluator) -> None:
    _search(tmp_path / "run", evaluator, SearchSettings.from_preset("latent", budget=12)).run()
    candidates = _search(tmp_path / "run", evaluator, SearchSettings.from_preset("latent", budget=17)).run()
    whole = _search(tmp_path / "whole", evaluator, SearchSettings.from_preset("latent", budget=17)).run()
    assert [c.program for c in candidates] == [c.program for c in whole]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("preset", ["latent", "paper"])
def test_every_optimizer_and_preset_spends_the_budget(tmp_path, evaluator, optimizer, preset) -> None:
    settings = SearchSettings.from_preset(preset, budget=16, optimizer=optimizer)
    candidates = _search(tmp_path / "run", evaluator, settings).run()
    assert sum(candidate.decoded for candidate in candidates) == 16
    if optimizer == "interpolation":
        assert any(c.other_parent is not None and c.other_parent != c.parent for c in candidates if c.role == "search")


def test_budget_refuses_the_call_after_the_last() -> None:
    budget = Budget(3)
    budget.take(3)
    with pytest.raises(BudgetExhausted, match="0 of 3"):
        budget.take(1)
    assert budget.spent == 3


@given(
    scores=st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=10),
    count=st.integers(1, 8),
    seed=st.integers(0, 2**32 - 1),
)
def test_seeds_are_drawn_without_replacement(scores, count, seed) -> None:
    chosen = select_seeds(np.array(scores), count, np.random.default_rng(seed))
    assert len(chosen) == len(set(chosen.tolist())) == min(count, len(scores))


def test_the_softmax_does_not_depend_on_the_unit_of_the_score() -> None:
    scores = np.array([-6100.0, -6000.0, -5900.0, -5800.0])
    first = [select_seeds(scores, 1, np.random.default_rng(i))[0] for i in range(400)]
    second = [select_seeds(scores / 1e4, 1, np.random.default_rng(i))[0] for i in range(400)]
    assert first == second
    counts = np.bincount(first, minlength=4)
    assert counts[3] > counts[2] > counts[0] > 0


def _smooth(points):
    return torch.sin(points).sum(dim=-1)


@given(seed=st.integers(0, 10_000), radius=st.floats(0.05, 5.0), steps=st.integers(1, 12))
@hypothesis_settings(deadline=None, max_examples=40)
def test_ascent_raises_the_prediction_and_stays_in_the_trust_region(seed, radius, steps) -> None:
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(3, 6, generator=generator)
    scale = torch.rand(6, generator=generator) + 0.1
    settings = SearchSettings.from_preset("latent", radius=radius, steps=steps)
    after = ascend(centres, centres, _smooth, settings, scale)
    assert (_smooth(after) >= _smooth(centres)).all()
    assert (((after - centres) / scale).norm(dim=-1) <= radius * (1 + 1e-4)).all()


def test_the_paper_preset_takes_raw_gradient_steps() -> None:
    centres = torch.zeros(1, 3)
    after = ascend(centres, centres, _smooth, SearchSettings.from_preset("paper"), torch.ones(3))
    expected = torch.zeros(3)
    for _ in range(5):
        expected = expected + 0.001 * torch.cos(expected)
    torch.testing.assert_close(after[0], expected)


def test_controls_move_as_they_say() -> None:
    generator = torch.Generator().manual_seed(0)
    pool = torch.randn(4, 5, generator=generator)
    settings = SearchSettings.from_preset("latent", radius=1.5)
    middle = interpolation(Request(pool[:2], pool, _smooth, settings, torch.ones(5), generator))
    for row, other in enumerate(middle.other_parent):
        assert other != row
        torch.testing.assert_close(middle.after[row], 0.5 * pool[row] + 0.5 * pool[other])
    moved = random(Request(pool, pool, _smooth, settings, torch.full((5,), 2.0), generator))
    torch.testing.assert_close(((moved.after - pool) / 2.0).norm(dim=-1), torch.full((4,), 1.5))


@given(st.floats(0.1, 3.0), st.integers(0, 1000))
def test_projection_never_leaves_the_ball(radius, seed) -> None:
    generator = torch.Generator().manual_seed(seed)
    points, centres = torch.randn(5, 4, generator=generator) * 3, torch.randn(5, 4, generator=generator)
    inside = project(points, centres, radius, torch.ones(4))
    assert ((inside - centres).norm(dim=-1) <= radius).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"optimizer": "adam"}, "gradient, interpolation, random"),
        ({"space": "u"}, "prior, latent"),
        ({"init": "zero"}, "reference, corpus"),
        ({"budget": 0}, "budget must be at least 1"),
        ({"radius": -1.0}, "radius must be above 0"),
        ({"top_p": 0.0}, "top_p"),
        ({"radios": 1.0}, "did you mean 'radius'"),
    ],
)
def test_wrong_settings_name_what_exists(changes, message) -> None:
    with pytest.raises(CallError, match=message):
        SearchSettings.from_preset("default", **changes)


def test_unknown_preset_names_the_presets() -> None:
    with pytest.raises(CallError, match="default, fast, latent, paper"):
        SearchSettings.from_preset("quick")


def test_a_file_that_is_no_database(tmp_path) -> None:
    path = tmp_path / "run.sqlite"
    path.write_bytes(b"this is not a database, by far not" * 50)
    with pytest.raises(CallError, match="not a run database"):
        RunDatabase(path)
    assert get_task("knapsack_construct").template
