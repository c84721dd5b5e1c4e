"""The zoo's part of the corpus: a configuration of its own, in the columns of the other rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lhs_hf.cli import main
from lhs_hf.corpus.card import card_text
from lhs_hf.corpus.dataset import DATA_FOLDER, SPLITS, corpus_tasks, load_corpus
from lhs_hf.corpus.verify import sample, verify
from lhs_hf.corpus.zoo import ZOO, ZOO_COUNT, ZOO_FOLDER, purpose, zoo_seeds
from lhs_hf.tasks import task_names, zoo_names
from lhs_hf.tasks.names import ZOO_DEVELOPMENT, ZOO_UNSEEN

FEWEST_FAMILIES = 12


def test_every_task_of_the_zoo_has_programs_that_ship() -> None:
    assert set(corpus_tasks(ZOO_FOLDER)) == set(zoo_names())
    assert set(corpus_tasks()) == set(task_names())  # the configuration of the paper's tasks stays as it is
    for name in zoo_names():
        rows = load_corpus(name, folder=ZOO_FOLDER)
        families = {row.family for row in rows}
        assert len(families) >= FEWEST_FAMILIES
        assert families <= {seed.family for seed in zoo_seeds(name)}
        assert FEWEST_FAMILIES <= len({row.hash for row in rows}) == len(rows) <= ZOO_COUNT
        assert sum(len({row.split for row in rows if row.family == family}) for family in families) == len(families)
        assert len({row.objective for row in rows}) > 1
        assert {row.split for row in rows} == set(SPLITS)


def test_the_purposes_of_its_tasks_are_told() -> None:
    told = {name: purpose(name) for name in zoo_names()}
    assert {name for name, what in told.items() if what == "judging"} == set(ZOO_UNSEEN)
    assert {name for name, what in told.items() if what == "development"} == set(ZOO_DEVELOPMENT)
    card = card_text(DATA_FOLDER)
    assert all(f"| {name} (" in card and f") | {what} |" in card for name, what in told.items())


def test_its_rows_say_what_the_programs_do() -> None:
    rows = [row for name in ("ski_rental_fleet", "vertex_cover") for row in load_corpus(name, folder=ZOO_FOLDER)]
    verification = verify(sample(rows, 6, seed=0))
    assert verification.different == []
    assert verification.equal == verification.programs == 6


def test_it_loads_with_datasets_apart_from_the_rest(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(DATA_FOLDER), ZOO, cache_dir=str(tmp_path))
    assert set(loaded) == set(SPLITS)
    tasks = set().union(*(part.unique("task") for part in loaded.values()))
    assert tasks == set(zoo_names())


@pytest.mark.integration
def test_it_is_built_again_by_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["corpus", "build", "--zoo", "--task", "secretary_queue", "--output", str(tmp_path / "corpus")]
    assert main([*command, "--count", "17", "--workers", "2"]) == 0
    assert "17 of 17 programs" in capsys.readouterr().out
    built = load_corpus("secretary_queue", folder=tmp_path / "corpus" / ZOO)
    shipped = {row.hash: row for row in load_corpus("secretary_queue", folder=ZOO_FOLDER)}
    seeds = [row for row in built if row.tier == "seed"]
    assert len(seeds) >= FEWEST_FAMILIES
    for row in seeds:
        assert row.objectives == shipped[row.hash].objectives
        assert np.array_equal(row.decisions, shipped[row.hash].decisions)
    assert not (tmp_path / "corpus" / ZOO / "README.md").exists()


def test_a_task_that_is_not_of_the_zoo_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "corpus")
    assert main(["corpus", "build", "--zoo", "--task", "tsp_construct", "--output", output]) == 2
    assert "tsp_construct" in capsys.readouterr().err
    assert main(["corpus", "build", "--task", "vertex_cover", "--output", output]) == 2
    assert "vertex_cover" in capsys.readouterr().err
    assert not (tmp_path / "corpus").exists()
