"""The paired test of ascent: parents, moves, records, statistics."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from latents.moves import FIXED_MOVES, MOVES, choose_parents, move_points
from latents.paired import PairedSettings, measure_task
from latents.predictors import flow_section, surrogate_section
from latents.records import RecordStore
from latents.statistics import estimate, mcnemar, paired_difference, rank_correlation, summarize

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.corpus.novelty import Reference
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.encoding import encode_programs
from lhs_hf.search.components import load_components
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task
from lhs_hf.training.flow_trainer import gaussian_bits_per_dimension

pytestmark = pytest.mark.integration

TASK = get_task("knapsack_construct")
SETTINGS = PairedSettings(SearchSettings(steps=3), radii=(3.0,), parents=1, screening=(1, 2))


@pytest.fixture(scope="module")
def components():
    return load_components("lhs-tiny", TASK)


@pytest.fixture(scope="module")
def rows():
    return load_corpus(TASK.name)


@pytest.fixture(scope="module")
def records(components, rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("paired") / "records.sqlite"
    with RecordStore(path) as store, Evaluator(TASK, workers=2) as evaluator:
        measure_task(components, evaluator, rows, "validation", SETTINGS, store)
        found = store.records()
        # What is stored is not made again.
        calls = components.decoder.budget.spent
        measure_task(components, evaluator, rows, "validation", SETTINGS, store)
        assert (calls, components.decoder.budget.spent) == (2 * len(MOVES), 0)
        assert store.records() == found
    return found


def test_parents_take_turns_over_families_and_fewer_are_the_first_of_more(rows) -> None:
    held = [row for row in rows if row.split == "validation"]
    families = {row.family for row in held}
    chosen = choose_parents(held, len(families), 0)
    assert {row.family for row in chosen} == families
    assert choose_parents(held, 4, 0) == chosen[:4]
    assert choose_parents(held, 4, 1) != chosen[:4]
    twice = choose_parents(held, 2 * len(held), 0)
    assert {row.hash for row in twice[: len(held)]} == {row.hash for row in held}
    assert twice[len(held) :] == twice[: len(held)]
    assert choose_parents([], 3, 0) == []


def test_moves_go_where_they_say(components) -> None:
    points, scores = components.corpus_points(TASK)
    parents, own = points[:6], scores[:6]
    settings = replace(SETTINGS.search, radius=3.0)
    moved = move_points(components, TASK, parents, own, settings, 0)
    assert tuple(moved) == MOVES
    assert torch.equal(moved["none"], parents)
    with torch.no_grad():
        before = components.score(parents)
        assert (components.score(moved["gradient"]) > before).all()
        assert (components.score(moved["against"]) < before).all()
        latents = components.to_latents(parents)
        lengths = {name: (components.to_latents(moved[name]) - latents).norm(dim=-1) for name in MOVES}
    length = (moved["gradient"] - parents).norm(dim=-1)
    assert (length <= 3.0 * 1.0001).all()
    torch.testing.assert_close((moved["random"] - parents).norm(dim=-1), length)
    torch.testing.assert_close(lengths["random_latent"], lengths["gradient"], rtol=1e-3, atol=1e-4)
    for row, target in enumerate(moved["nearest_elite"]):
        found = int((points - target).norm(dim=-1).argmin())
        distances = (points - parents[row]).norm(dim=-1)
        assert scores[found] > own[row] or own[row] == scores.max()
        assert not any(scores[other] > own[row] and distances[other] < distances[found] for other in range(len(points)))
    # What one parent does depends on no other.
    alone = move_points(components, TASK, parents[:2], own[:2], settings, 0)
    for name in MOVES:
        torch.testing.assert_close(alone[name], moved[name][:2], rtol=1e-3, atol=1e-3)
    other = move_points(components, TASK, parents, own, settings, 1)
    assert not torch.allclose(other["random"], moved["random"])
    assert not torch.allclose(other["prior"], moved["prior"])


def test_every_move_is_recorded_and_judged_against_its_parent(records, rows) -> None:
    assert [(r["move"], r["sample"]) for r in sorted(records, key=lambda r: (MOVES.index(r["move"]), r["sample"]))] == [
        (move, sample) for move in MOVES for sample in range(2)
    ]
    [parent] = choose_parents([row for row in rows if row.split == "validation"], 1, SETTINGS.seed)
    reference = Reference(rows)
    with Evaluator(TASK) as evaluator:
        for record in records:
            assert record["radius"] == (0.0 if record["move"] in FIXED_MOVES else 3.0)
            assert (record["parent_hash"], record["family"]) == (parent.hash, parent.family)
            if record["status"] == "screened":
                assert record["chosen_by"] == []
                assert record["objective"] is None
                continue
            again = evaluator.evaluate(record["program"])
            assert (again.status, again.objective) == (record["status"], record["objective"])
            assert record["quantile"] == reference.quantile(again.score)
            assert record["beats"] == (again.ok and again.score > parent.score + 1e-9 * abs(parent.score))
    for move in MOVES:
        sizes = [r["chosen_by"] for r in records if r["move"] == move]
        assert 1 in sizes[0]
        assert sum(2 in found for found in sizes) == 1


def test_the_summary_has_shares_and_differences(records) -> None:
    entries = summarize(records)
    assert [(entry["radius"], entry["screening"]) for entry in entries] == [(3.0, 1), (3.0, 2)]
    for entry in entries:
        assert set(entry["all"]["moves"]) == set(MOVES)
        assert set(entry["all"]["gradient_minus"]) == set(MOVES) - {"gradient"}
        alone, together = entry["tasks"][TASK.name], entry["all"]
        assert {**alone, "prediction": None} == {**together, "prediction": None}
        assert together["prediction"] == {name: each["mean"] for name, each in alone["prediction"].items()}
    json.dumps(entries)


def test_quantiles_count_ties_half_and_novelty_needs_five_percent(rows) -> None:
    reference = Reference(rows)
    scores = np.array([row.score for row in rows])
    assert reference.quantile(None) == 0.0
    assert reference.quantile(scores.max() + 1) == 1.0
    assert reference.quantile(scores.min() - 1) == 0.0
    middle = float(np.median(scores))
    expected = ((scores < middle - 1e-6).mean() + (scores <= middle + 1e-6).mean()) / 2
    assert reference.quantile(middle + 1e-12) == pytest.approx(expected)
    assert reference.has_text(rows[3].hash)
    assert not reference.has_text("0" * 64)
    from lhs_hf.evaluation.behaviour import Behaviour

    one = replace(rows[0], decisions=np.zeros(64, dtype=np.int64))
    alone = Reference([one])
    for changed, known in ((3, True), (4, False)):
        decisions = one.decisions.copy()
        decisions[:changed] += 1
        assert alone.has_behaviour(Behaviour(decisions, one.behaviour)) is known


def test_intervals_widen_with_clusters_and_find_what_is_there() -> None:
    generator = np.random.default_rng(0)
    clusters = np.repeat(np.arange(20), 10)
    values = np.repeat(generator.normal(size=20), 10)
    alone = estimate(values, np.ones(200), np.arange(200))
    together = estimate(values, np.ones(200), clusters)
    assert together["mean"] == pytest.approx(values.mean())
    assert together["high"] - together["low"] > 2 * (alone["high"] - alone["low"])
    clear = paired_difference(0.5 + 0.1 * generator.normal(size=200), clusters)
    assert clear["low"] > 0.4
    assert clear["p"] < 0.01
    assert paired_difference(np.zeros(200), clusters)["p"] == 1.0
    assert estimate(values, np.zeros(200), clusters)["mean"] is None


def test_rank_correlation_has_an_interval_over_clusters() -> None:
    generator = np.random.default_rng(1)
    true = generator.normal(size=200)
    clusters = np.repeat(np.arange(20), 10)
    found = rank_correlation(np.exp(true).tolist(), true.tolist(), clusters.tolist())
    assert (found["mean"], found["low"], found["high"]) == pytest.approx((1.0, 1.0, 1.0))
    noise = rank_correlation(generator.normal(size=200).tolist(), true.tolist(), clusters.tolist())
    assert noise["low"] < 0 < noise["high"]
    assert rank_correlation([1.0, 2.0], [1.0, 2.0], [0, 1])["mean"] is None


def test_mcnemar_is_exact() -> None:
    first = np.array([True] * 8 + [False] * 2 + [True] * 5)
    second = np.array([False] * 8 + [True] * 2 + [True] * 5)
    found = mcnemar(first, second)
    assert (found["only_first"], found["only_second"]) == (8, 2)
    assert found["p"] == pytest.approx(0.109375)
    assert mcnemar(first, first)["p"] == 1.0


def test_a_store_holds_one_model_and_whole_batches(tmp_path) -> None:
    with RecordStore(tmp_path / "records") as store:
        store.check({"split": "validation", "screening": [1, 4]})
        store.check({"split": "validation", "screening": [1, 4]})
        with pytest.raises(CallError, match="'validation' -> 'test'"):
            store.check({"split": "test", "screening": [1, 4]})
        record = {"task": "t", "radius": 1.0, "parent": 0, "move": "none", "sample": 0}
        with pytest.raises(Exception, match="UNIQUE"):
            store.add([record, record])
        assert store.done("t") == set()
        store.add([record])
        assert store.done("t") == {(1.0, 0, "none")}
    (tmp_path / "text").write_text("no database, by far" * 100)
    with pytest.raises(CallError, match="is not a file of measurements"):
        RecordStore(tmp_path / "text")


def test_predictors_are_compared_on_held_out_programs(components, rows) -> None:
    held = [row for row in rows if row.split == "validation"]
    section = surrogate_section(components, TASK, held)
    assert section["programs"] == len(held)
    assert section["families"] == len({row.family for row in held})
    for name in ("surrogate", "tfidf_ridge", "knn"):
        assert -1 <= section[name]["better_half"] <= 1
        low, high = section[name]["interval"]
        assert 0.2 < section[name]["spearman"] <= 1
        assert low < section[name]["spearman"] < high
    with pytest.raises(ValueError, match="held-out"):
        surrogate_section(components, TASK, [])


def test_the_flow_is_compared_with_a_gaussian(components, rows) -> None:
    held = [row for row in rows if row.split == "validation"]
    latents = encode_programs(
        components.encoder, [row.program for row in held], TASK, behaviours=[row.behaviour for row in held]
    )
    found = flow_section(components.model.flow, latents, latents, 0.05)
    assert found["inverse_error_float64"] < 1e-9 < found["inverse_error_float32"] < 1e-3
    noisy = latents + 0.05 * torch.randn(latents.shape, generator=torch.Generator().manual_seed(0))
    assert found["gaussian_bits_per_dimension"] == pytest.approx(gaussian_bits_per_dimension(latents, noisy, 0.05))
    with torch.no_grad():
        assert found["bits_per_dimension"] == pytest.approx(float(components.model.flow.bits_per_dimension(noisy)))
