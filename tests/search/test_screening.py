"""Screening: several decodes of one point, one evaluation, every call counted."""

from __future__ import annotations

import sqlite3
from collections import Counter
from itertools import groupby

import numpy as np
import pytest
from search_doubles import Parts

from lhs_hf.evaluation import Evaluator
from lhs_hf.reporting.run_report import report_run
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.result import best_candidate, incumbent_history
from lhs_hf.search.screening import screening_values
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator("knapsack_construct", workers=2) as found:
        yield found


class FewPrograms(Parts):
    """Writes one of three programs, whatever the point."""

    def decode(self, points, task, generators, settings, guide=None, on_finished=None):
        decoded = super().decode(points, task, generators, settings, guide)
        for row, program in enumerate(decoded):
            program.source = program.source.replace("best_value = -1.0", f"best_value = -{1 + row % 3}.0")
            head, tail = program.source.split("item[1] - ")
            program.source = head + "item[1] - 0.1 * item[0]" + tail[tail.index("\n") :]
        return decoded


def _search(path, evaluator, settings, parts=None, listener=None):
    starts = [("reference", evaluator.task.template)]
    return LatentSearch(parts or Parts(), evaluator, RunDatabase(path), settings, starts, listener)


def _points(candidates):
    decoded = [candidate for candidate in candidates if candidate.decoded]
    return [list(group) for _, group in groupby(decoded, key=lambda candidate: (candidate.round, candidate.point))]


def test_one_program_of_each_point_is_evaluated_the_best_by_re_encoding(tmp_path, evaluator) -> None:
    settings = SearchSettings.from_preset("latent", budget=62, screening=4, nearness=0.5)
    parts = Parts(broken_every=7)
    search = _search(tmp_path / "run", evaluator, settings, parts)
    candidates = search.run()
    assert search.budget.spent == sum(candidate.decoded for candidate in candidates) == 62
    points = _points(RunDatabase(tmp_path / "run").candidates())
    assert [len(point) for point in points] == [4] * 15 + [2]
    evaluated = set()
    for point in points:
        assert len({candidate.after.tobytes() for candidate in point}) == 1
        counts = Counter(candidate.status for candidate in point)
        assert counts["ok"] == 1
        assert counts["screened"] + counts["syntax"] == len(point) - 1
        judged = [candidate for candidate in point if candidate.status != "syntax"]
        values, predicted, distance = screening_values(
            parts,
            [c.program for c in judged],
            [None] * len(judged),
            np.stack([c.after for c in judged]),
            evaluator.task,
            0.5,
        )
        np.testing.assert_allclose([c.predicted_program for c in judged], predicted, atol=1e-6)
        np.testing.assert_allclose([c.program_distance for c in judged], distance, atol=1e-6)
        np.testing.assert_allclose(values, predicted - 0.5 * distance / 2, atol=1e-6)
        unknown = [row for row, c in enumerate(judged) if c.program_hash not in evaluated]
        chosen = max(unknown, key=lambda row: values[row])
        assert judged[chosen].status == "ok"
        evaluated.add(judged[chosen].program_hash)
    history = incumbent_history(evaluator.task, candidates)
    assert len(history) == 62
    assert history[-1] == best_candidate(candidates).objective
    assert all(len(set(history[4 * n : 4 * n + 3])) == 1 for n in range(15))


def test_known_programs_are_passed_over_while_there_are_others(tmp_path, evaluator) -> None:
    candidates = _search(
        tmp_path / "run", evaluator, SearchSettings.from_preset("latent", budget=45, screening=3), FewPrograms()
    ).run()
    points = _points(candidates)
    first = [next(c for c in point if c.status == "ok") for point in points]
    assert len({candidate.program_hash for candidate in first[:3]}) == 3
    assert all(candidate.duplicate_of is None for candidate in first[:3])
    assert all(candidate.duplicate_of is not None for candidate in first[3:])
    known = [c for point in points for c in point if c.status == "screened" and c.duplicate_of is not None]
    assert known
    for candidate in known:
        assert candidates[candidate.duplicate_of].program_hash == candidate.program_hash
        assert candidates[candidate.duplicate_of].ok


@pytest.mark.parametrize("stop_after", [1, 3, 12])
def test_a_screened_search_resumes_to_the_same_end(tmp_path, evaluator, stop_after) -> None:
    settings = SearchSettings.from_preset("latent", budget=70, screening=3, seed=2)
    whole = _search(tmp_path / "whole", evaluator, settings).run()
    seen = []

    def interrupt(candidate):
        seen.append(candidate)
        if len(seen) == stop_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _search(tmp_path / "cut", evaluator, settings, listener=interrupt).run()
    resumed = _search(tmp_path / "cut", evaluator, settings).run()
    assert [(c.program, c.status, c.score) for c in resumed] == [(c.program, c.status, c.score) for c in whole]


@pytest.mark.integration
def test_results_and_report_count_what_was_screened(tmp_path, evaluator) -> None:
    settings = SearchSettings.from_preset("latent", budget=30, screening=3)
    result = run_search(evaluator.task, settings, components=FewPrograms(), output=tmp_path / "run", workers=1)
    assert (result.decoder_calls, result.screened, result.valid, result.success_rate) == (30, 20, 10, 1.0)
    assert 0 < result.passed_over <= 20
    text, _ = report_run(tmp_path / "run")
    assert "screening: 20 of these calls gave programs that were run on probe states and not evaluated" in text
    assert f"{result.passed_over} of them known before" in text


def test_a_program_that_does_not_run_is_never_preferred(evaluator) -> None:
    from lhs_hf.search.components import load_components

    components = load_components("lhs-tiny", evaluator.task)
    sources = [
        evaluator.task.template,
        "def select_next_item(remaining_capacity, remaining_items):\n    return None\n\n\nprint(1 / 0)\n",
    ]
    values, predicted, distance = screening_values(
        components,
        sources,
        evaluator.probe_many(sources),
        np.zeros((2, 128), dtype=np.float32),
        evaluator.task,
        0.1,
    )
    assert np.isfinite(values[0])
    assert values[1] == -np.inf
    assert np.isnan(predicted[1])
    assert np.isnan(distance[1])


def test_a_database_without_the_later_columns_is_read_and_extended(tmp_path, evaluator) -> None:
    path = tmp_path / "run"
    _search(path, evaluator, SearchSettings.from_preset("latent", budget=13)).run()
    with sqlite3.connect(path) as connection:
        for name in ("point", "predicted_program", "program_distance"):
            connection.execute(f"ALTER TABLE candidates DROP COLUMN {name}")
    connection.close()
    assert {candidate.predicted_program for candidate in RunDatabase(path)} == {None}
    longer = _search(path, evaluator, SearchSettings.from_preset("latent", budget=21)).run()
    whole = _search(tmp_path / "whole", evaluator, SearchSettings.from_preset("latent", budget=21)).run()
    assert [(c.program, c.point) for c in longer] == [(c.program, c.point) for c in whole]
