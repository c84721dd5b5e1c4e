"""A search that proposes what the shipped editor writes: candidates of its own, the same for one seed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lhs_hf.constants import EDITOR_FOLDER, embedded_model
from lhs_hf.errors import CallError
from lhs_hf.models.composite import open_model
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.stored import open_run
from lhs_hf.tasks import get_task

KNAPSACK = get_task("knapsack_construct")


def search(folder: Path, **options):
    settings = SearchSettings.from_preset(budget=12, seed=3, init="corpus", editor=True)
    result = run_search(KNAPSACK, settings, output=folder, workers=1, stop=options.pop("stop", None), **options)
    return result, [(each.operator, each.program) for each in open_run(folder).candidates]


@pytest.mark.slow
def test_a_search_with_the_editor_is_the_same_twice(tmp_path) -> None:
    result, candidates = search(tmp_path / "one")
    again, others = search(tmp_path / "two")
    assert candidates == others
    assert result.program == again.program
    written = [program for operator, program in candidates if operator == "editor"]
    assert written
    assert len(set(written)) == len(written)


def test_a_model_without_an_editor_says_so(tmp_path) -> None:
    model = tmp_path / "model"
    shutil.copytree(embedded_model(), model, ignore=shutil.ignore_patterns(EDITOR_FOLDER))
    assert open_model(str(model)).editor() is None
    with pytest.raises(CallError, match="lhs-hf train editor"):
        search(tmp_path / "run", model=str(model))


def test_the_default_search_does_not_ask_for_it() -> None:
    assert not SearchSettings().editor
    assert open_model("lhs-tiny").editor() is not None
