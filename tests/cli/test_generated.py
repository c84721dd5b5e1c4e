"""Options of a search are its settings: each exists, is checked, and stands in a file as well."""

from __future__ import annotations

import dataclasses
import json
import logging

import pytest

from lhs_hf.cli import main
from lhs_hf.errors import CallError
from lhs_hf.fields import settings_of
from lhs_hf.search.settings import SearchSettings

TASK = "knapsack_construct"


@pytest.fixture(autouse=True)
def _working_directory(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def searched(monkeypatch) -> list[dict]:
    """What each search is run with; none is really run."""
    calls = []

    def record(task, settings, **arguments):
        calls.append({"task": task.name, "settings": settings, **arguments})
        raise OSError("far enough")

    monkeypatch.setattr("lhs_hf.search.search.run_search", record)
    return calls


def _help(capsys, *words: str) -> str:
    assert main([*words, "--help"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_every_setting_is_an_option_with_its_help(capsys) -> None:
    text = _help(capsys, "search").replace("- ", "-")
    for each in settings_of(SearchSettings):
        assert f"--{each.name.replace('_', '-')}" in text
        assert each.help.replace("- ", "-") in text
    assert {each.name for each in settings_of(SearchSettings)} == {f.name for f in dataclasses.fields(SearchSettings)}


def test_every_setting_reaches_the_search(searched) -> None:
    options = [
        *("--pool", "7", "--seeds", "3", "--steps", "4", "--step-size", "1e-3", "--temperature", "0.5"),
        *(
            "--top-p",
            "0.8",
            "--max-new-tokens",
            "99",
            "--jitter",
            "0",
            "--nearness",
            "0.2",
            "--no-distinct",
            "--no-guidance",
        ),
        *("--population", "2", "--population-radius", "1", "--radius", "none", "--screening", "2", "--refit", "1"),
        *("--optimizer", "cem", "--space", "latent", "--init", "corpus", "--seed", "5", "--budget", "9"),
        *("--uncertainty", "0.5", "--prior-weight", "0.25", "--proposals", "latent", "--time-limit", "5m"),
    ]
    assert main(["search", TASK, *options]) == 1
    assert searched[0]["settings"] == SearchSettings(
        9, 5, "cem", "latent", "corpus", "default", 2, 1.0, 7, 3, False, 4, 0.001, None, 0.0, 0.5, 0.25, 2, 0.2, 1, 0.5,
        0.8, 99, False, "latent", 300.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"pool": 0}, "pool must be at least 1, got 0"),
        ({"top_p": 1.5}, "top_p must be above 0 and at most 1, got 1.5"),
        ({"jitter": -0.5}, "jitter must be at least 0"),
        ({"init": "nowhere"}, "unknown init 'nowhere'; it can be: auto, reference, corpus"),
        ({"radius": 0}, "radius must be above 0"),
    ],
)
def test_the_bounds_hold_in_python_and_on_the_command_line(capsys, values, message) -> None:
    with pytest.raises(CallError) as caught:
        SearchSettings(**values)
    assert message in str(caught.value)
    ((name, value),) = values.items()
    assert main(["search", TASK, f"--{name.replace('_', '-')}", str(value)]) == 2
    captured = capsys.readouterr()
    assert message.split(",")[0] in captured.err
    assert captured.err.count("\n") == 1


def test_the_docstring_says_what_each_setting_means() -> None:
    assert "    top_p: The decoder samples" in (SearchSettings.__doc__ or "")


@pytest.mark.parametrize("name", ["search.yaml", "search.json"])
def test_a_saved_file_gives_the_same_search(searched, name) -> None:
    options = ["--preset", "paper", "--budget", "12", "--jitter", "0.5", "--workers", "2", "--output", "run"]
    assert main(["search", TASK, *options, "--save-config", name]) == 1
    assert main(["search", "--config", name]) == 1
    first, second = searched
    assert second["settings"] == first["settings"]
    assert second["settings"].radius is None
    differing = {"listener", "cache", "on_stage", "on_split", "on_progress", "settings", "output"}
    assert {k: v for k, v in first.items() if k not in differing} == {
        k: v for k, v in second.items() if k not in differing
    }
    # The folder is of the run, not of what is run: the file can be used again as it is.
    assert str(first["output"]) == "run"
    assert str(second["output"]).startswith("runs")


def test_options_win_over_the_file(searched, tmp_path) -> None:
    (tmp_path / "a.yaml").write_text(f"task: {TASK}\nbudget: 30\nseed: 4\nstep_size: 1e-4\nradius: none\nworkers: 2\n")
    assert main(["search", "--config", "a.yaml", "--budget", "8", "--workers", "1"]) == 1
    settings = searched[0]["settings"]
    assert (settings.budget, settings.seed, settings.step_size, settings.radius) == (8, 4, 0.0001, None)
    assert searched[0]["workers"] == 1
    assert main(["search", "qap_construct", "--config", "a.yaml"]) == 1
    assert searched[1]["task"] == "qap_construct"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("budgett: 3", "unknown key 'budgett' (did you mean 'budget'?)"),
        ("budget: many", "a.yaml: budget must be a whole number, got 'many'"),
        ("budget: [1, 2]", "line 1: expected a name and one plain value"),
        ("seed: 1\nseed: 2", "line 2: seed stands twice"),
        ("a: &a [x, x]\nb: [*a, *a]", "expected a name and one plain value"),
        ("- budget", "holds no settings"),
        ("budget: !!python/object/apply:os.system ['touch ran']", "plain value"),
        ("budget: 'a", "no valid YAML"),
        ("seed: 3", "which task?"),
        (f"task: {TASK}\nsteps: 3", "sets steps, which --preset paper would change"),
        ("#" * (2**20 + 1), "larger than"),
    ],
)
def test_a_wrong_file_is_named_in_one_line(capsys, searched, tmp_path, text, message) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert main(["search", "--config", "a.yaml", "--preset", "paper"]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not searched
    assert not (tmp_path / "ran").exists()


def test_a_file_of_settings_is_never_overwritten(capsys, searched, tmp_path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"task": TASK}))
    assert main(["search", TASK, "--save-config", "a.json"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["search", "--config", "a.txt"]) == 2
    assert "ends in .yaml" in capsys.readouterr().err
    assert not searched


def test_verbosity(capsys, searched) -> None:
    assert main(["search", TASK, "--budget", "1"]) == 1
    assert "run folder" not in capsys.readouterr().err
    assert main(["-v", "search", TASK, "--budget", "1"]) == 1
    text = capsys.readouterr().err
    assert "model lhs-tiny: " in text
    assert "evaluations are remembered in" in text
    listener = searched[0]["listener"]
    assert main(["-q", "search", TASK, "--budget", "1"]) == 1
    assert capsys.readouterr().err == "error: OSError: far enough\n"
    listener.stage("everything")
    assert "evaluating the splits: everything" in capsys.readouterr().err
    listener.split("holdout", {"found": 5.870661, "reference": 6.9, "corpus": None})
    listener.split("test-50", {"found": 5.5})
    first, second, *rest = capsys.readouterr().err.splitlines()
    assert first.startswith(f"the search is over, its program is in {searched[0]['output'] / 'best.py'}")
    assert "Ctrl-C on a test split ends it with what it has" in second
    assert rest == ["on holdout: found 5.87066, reference 6.9, best in corpus fails", "on test-50: found 5.5"]
    searched[-1]["listener"].stage("everything")
    searched[-1]["listener"].split("holdout", {"found": 1.0})
    assert capsys.readouterr().err == ""
    assert logging.getLogger("lhs_hf").level == logging.ERROR
