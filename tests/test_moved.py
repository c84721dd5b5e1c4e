"""Old names of modules: they work, and say where everything is now."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("adapters", "integrations.adapters", "export_adapter"),
        ("pipeline", "integrations.pipeline", "LatentHeuristicPipeline"),
        ("publish", "hub.publishing", "push_models"),
        ("write_ahead", "store", "use_write_ahead_log"),
        ("report", "reporting.run_report", "report_run"),
        ("model_report", "reporting.model_report", "report_model"),
        ("search.run", "search.search", "run_search"),
    ],
)
def test_a_module_that_moved_is_there_under_both_names(old: str, new: str, name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"lhs_hf.{old} is now lhs_hf.{new}"):
        value = getattr(import_module(f"lhs_hf.{old}"), name)
    assert value is getattr(import_module(f"lhs_hf.{new}"), name)
    with pytest.raises(AttributeError):
        _ = import_module(f"lhs_hf.{old}").no_such_name


def test_the_folder_of_a_model_by_its_name_is_what_the_opener_says() -> None:
    with pytest.warns(DeprecationWarning, match="open_model"):
        folder = import_module("lhs_hf.hub").local_model("lhs-tiny")
    assert folder == import_module("lhs_hf.models.composite").open_model("lhs-tiny").folder
