"""Programs to learn from where a person has none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lhs_hf.cli import main
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.corpus.own import ScoredProgram, write_own_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.modeling_surrogate import LHSSurrogate
from lhs_hf.tasks import get_task
from lhs_hf.training.first_programs import first_programs

pytestmark = pytest.mark.integration

TASK = get_task("setup_times")


def test_programs_run_and_differ_in_quality_and_one_seed_gives_one_set() -> None:
    with Evaluator(TASK, workers=2) as evaluator:
        counts: list[int] = []
        made = first_programs(evaluator, 16, on_program=counts.append)
        again = first_programs(evaluator, 16)
    assert [each.source for each in made] == [each.source for each in again]
    assert counts == list(range(1, len(made) + 1))
    assert len(made) >= 16
    assert made[0].source == TASK.template
    assert len({each.evaluation.objective for each in made}) >= 5
    assert len({each.family for each in made}) >= 3


def test_families_stay_on_one_side(tmp_path: Path) -> None:
    with Evaluator(TASK, workers=2) as evaluator:
        made = first_programs(evaluator, 16)
        written = write_own_corpus(TASK, made, evaluator, tmp_path)
        alike = [ScoredProgram(each.source, each.evaluation, "one") for each in made]
        write_own_corpus(TASK, alike, evaluator, tmp_path / "one")
    rows = load_corpus(TASK.name, folder=tmp_path)
    assert len(rows) == written
    sides = {family: {row.split for row in rows if row.family == family} for family in {row.family for row in rows}}
    assert all(len(side) == 1 for side in sides.values())
    shares = Counter(row.split for row in rows)
    assert 0.1 * written <= shares["validation"] <= 0.55 * written
    # Of one family alone there would be nothing to judge by.
    assert {row.split for row in load_corpus(TASK.name, folder=tmp_path / "one")} == {"train", "validation"}


def test_a_surrogate_is_trained_from_a_task_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lhs_hf.training.first_programs.COUNT", 30)
    assert main(["init-task", "my_jobs"]) == 0
    assert main(["train", "surrogate", "my_jobs.py", "--output", "trained"]) == 0
    said = capsys.readouterr().out
    assert "programs made and scored: trained-programs-" in said
    assert "Spearman" in said
    assert LHSSurrogate.from_pretrained(tmp_path / "trained").config.latent_size == 128
    # What was made is not made again.
    monkeypatch.setattr("lhs_hf.training.first_programs.first_programs", None)
    assert main(["train", "surrogate", "my_jobs.py", "--output", "trained"]) == 0
