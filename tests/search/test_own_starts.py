"""A search that begins with programs of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lhs_hf.cli import main
from lhs_hf.corpus.zoo import ZOO_SEEDS
from lhs_hf.errors import CallError
from lhs_hf.program_files import programs_in
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts, starting_programs
from lhs_hf.tasks import get_task

TASK = get_task("setup_times")
HEAD = f"{TASK.signature()}\n"
LAST, MIDDLE = (f"{HEAD}    return unfinished[{place}]\n" for place in ("-1", "len(unfinished) // 2"))


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    texts = [LAST, MIDDLE, LAST + "\n", TASK.template]
    path.write_text("".join(json.dumps({"program": text}) + "\n" for text in texts))
    return path


def test_a_file_a_folder_and_lines_are_read(tmp_path: Path, lines: Path) -> None:
    (tmp_path / "a.py").write_text(LAST)
    (tmp_path / "b.py").write_text(MIDDLE)
    assert [text for _, text in programs_in(tmp_path)] == [LAST, MIDDLE]
    assert programs_in(tmp_path / "b.py") == [(str(tmp_path / "b.py"), MIDDLE)]
    assert len(programs_in(lines)) == 4


def test_each_different_program_is_a_start_of_its_own(lines: Path) -> None:
    starts = portfolio_starts(TASK, str(lines))
    assert [(start.role, start.source) for start in starts] == [
        ("reference", TASK.template),
        ("own", LAST),
        ("own", MIDDLE),
    ]
    assert len({start.family for start in starts}) == 3
    settings = SearchSettings.from_preset("latent", init=str(lines))
    assert starting_programs(TASK, settings) == [(start.role, start.source) for start in starts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps({"program": "def other():\n    return 1\n"}), "mine.jsonl:1 is no program of setup_times"),
        (json.dumps({"program": TASK.template}), "no program of setup_times besides the reference"),
        ("nonsense", "line 1"),
    ],
)
def test_what_is_no_program_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text)
    with pytest.raises(CallError, match=words):
        portfolio_starts(TASK, str(path))


def test_a_word_that_is_no_path_is_refused_with_what_exists() -> None:
    with pytest.raises(CallError, match=r"unknown init 'corpse' \(did you mean 'corpus'\?\)"):
        SearchSettings(init="corpse")
    assert SearchSettings(init="gone/programs.jsonl").init == "gone/programs.jsonl"


@pytest.mark.integration
@pytest.mark.parametrize("preset", ["default", "latent"])
def test_a_search_begins_there_and_is_resumed_without_the_file(
    tmp_path: Path, lines: Path, preset: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    command = ["search", "setup_times", "--init", str(lines), "--preset", preset, "--output", "run"]
    assert main([*command, "--budget", "3"]) == 0
    with RunDatabase(tmp_path / "run" / "run.sqlite") as database:
        starts = [each for each in database.candidates() if each.round == 0]
    assert [each.role for each in starts] == ["reference", "own", "own"]
    assert all(each.ok for each in starts)
    if preset == "default":
        lines.unlink()
        assert main([*command, "--resume", "--raise-budget", "4"]) == 0
    assert "own" not in capsys.readouterr().err


@pytest.mark.integration
def test_a_program_that_was_given_is_not_called_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    starts = str(ZOO_SEEDS / "setup_times.py")
    assert main(["search", "setup_times", "--init", starts, "--budget", "1", "--output", str(tmp_path / "run")]) == 0
    text = capsys.readouterr().out
    with RunDatabase(tmp_path / "run" / "run.sqlite") as database:
        assert database.get("result")["novelty"]["level"] == "given"
    assert "one of the programs that the search was given" in text
    assert "nothing better than the programs it was given was found; the best of them, " in text
