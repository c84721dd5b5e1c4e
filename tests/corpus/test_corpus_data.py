"""The corpus that ships: counts, identity, splits, and a sample measured again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lhs_hf.cli import main
from lhs_hf.corpus.build import PAPER_COUNTS
from lhs_hf.corpus.dataset import DATA_FOLDER, SPLITS, CorpusRow, load_corpus
from lhs_hf.corpus.exclusions import Exclusions
from lhs_hf.corpus.identity import skeleton
from lhs_hf.corpus.seeds_io import read_seeds
from lhs_hf.corpus.stats import distinct_behaviours
from lhs_hf.corpus.verify import sample, verify
from lhs_hf.programs import ProgramError, canonical, program_hash
from lhs_hf.tasks import get_task, task_names


@pytest.fixture(scope="module")
def rows() -> dict[str, list[CorpusRow]]:
    return {name: load_corpus(name) for name in task_names()}


def test_the_counts_are_those_of_the_paper(rows: dict[str, list[CorpusRow]]) -> None:
    assert {name: len(found) for name, found in rows.items()} == PAPER_COUNTS
    assert sum(PAPER_COUNTS.values()) == 4624


@pytest.mark.parametrize("name", task_names())
def test_a_hundred_families_each_in_one_split_and_many_behaviours(name: str, rows: dict[str, list[CorpusRow]]) -> None:
    found = rows[name]
    splits = {row.family: {other.split for other in found if other.family == row.family} for row in found}
    assert len(splits) >= 100
    assert all(len(where) == 1 for where in splits.values())
    shares = Counter(next(iter(where)) for where in splits.values())
    assert shares["train"] > shares["test"] > shares["validation"] > 0
    assert len({row.hash for row in found}) == len(found)
    assert all(np.isfinite(row.objective) and row.score == get_task(name).alpha * row.objective for row in found)
    by_hash = {row.hash: row for row in found}
    assert all(by_hash[parent].split == row.split for row in found for parent in row.parents)
    assert distinct_behaviours(np.stack([row.decisions for row in found])) >= 250


@pytest.mark.parametrize("name", task_names())
def test_no_two_seeds_are_one_idea(name: str) -> None:
    seeds = read_seeds(name)
    assert len(seeds) >= 100
    ideas: dict[str, str] = {}
    for seed in seeds:
        other = ideas.setdefault(skeleton(seed.source), seed.family)
        assert other == seed.family, f"{seed.family} is {other} up to names and constants"


def test_identity_of_stored_programs(rows: dict[str, list[CorpusRow]]) -> None:
    for found in rows.values():
        for row in found[::25]:
            assert row.canonical == canonical(row.program)
            assert row.hash == program_hash(row.program)


@pytest.mark.integration
def test_a_sample_gives_every_number_again(rows: dict[str, list[CorpusRow]]) -> None:
    chosen = [row for found in rows.values() for row in sample(found, 4, seed=20)]
    result = verify(chosen, workers=2)
    assert result.different == []
    assert (result.programs, result.equal) == (40, 40)


def test_verification_notices_a_wrong_number(rows: dict[str, list[CorpusRow]]) -> None:
    from dataclasses import replace

    row = rows["knapsack_construct"][0]
    wrong = replace(row, objective=row.objective + 1e-9)
    moved = replace(row, decisions=np.roll(row.decisions + np.arange(64), 1))
    broken = replace(row, program="def select_next_item(a, b):\n    return 1 // 0\n")
    result = verify([row, wrong, moved, broken])
    assert (result.programs, result.equal) == (4, 1)
    assert [text.split(": ")[1].split()[0] for text in result.different] == ["objective", "other", "exception"]


def test_no_program_reads_an_undefined_name(rows: dict[str, list[CorpusRow]], tmp_path: Path) -> None:
    for name, found in rows.items():
        for number, row in enumerate(found):
            (tmp_path / f"{name}_{number}.py").write_text(row.program, encoding="utf-8")
    (tmp_path / "control.py").write_text("def f():\n    return nowhere\n")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F821,F823"]
    done = subprocess.run(
        [*command, "--output-format", "json", str(tmp_path)], capture_output=True, text=True, check=False
    )
    problems = [(Path(each["filename"]).name, each["message"]) for each in json.loads(done.stdout)]
    assert [name for name, _ in problems] == ["control.py"]


def test_the_command_line_verifies_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "verify", "--task", "knapsack_construct", "--sample", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["programs"], found["equal"], found["different"]) == (3, 3, [])
    assert main(["corpus", "stats", "--json"]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert (stats["rows"], stats["duplicates"], stats["split_families_shared"]) == (4624, 0, 0)


def test_the_data_loads_with_datasets(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    for name, count in (("tsp_construct", 450), ("all", 4624)):
        found = datasets.load_dataset(str(DATA_FOLDER), name, cache_dir=str(tmp_path))
        assert set(found) == set(SPLITS)
        assert sum(len(part) for part in found.values()) == count


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("def f(a, b):\n    return a + 2 * b\n", "def g(x, y):\n    # twice\n    return x + 0.5 * y\n", True),
        ("def f(a):\n    return [i for i in a if i > 3]\n", "def f(b):\n    return [k for k in b if k > 9]\n", True),
        ("def f(a, b):\n    return a + b\n", "def f(a, b):\n    return b + a\n", False),
        ("def f(a):\n    return min(a)\n", "def f(a):\n    return max(a)\n", False),
        (
            "import numpy as np\ndef f(a):\n    return np.argmin(a)\n",
            "import numpy as np\ndef f(a):\n    return np.argmax(a)\n",
            False,
        ),
        ("def f(a):\n    return a.x\n", "def f(a):\n    return a.y\n", False),
    ],
)
def test_the_skeleton_forgets_names_and_numbers_only(first: str, second: str, same: bool) -> None:
    assert (skeleton(first) == skeleton(second)) is same


def test_the_skeleton_of_no_program() -> None:
    with pytest.raises(ProgramError):
        skeleton("def f(:\n")


def test_exclusions_settle_for_one_set_of_inputs(tmp_path: Path) -> None:
    first = Exclusions(tmp_path, "tsp_construct", [0, 10, "source"])
    first.note("a" * 64, "slow")
    first.note("b" * 64, "exception")
    first.write()
    again = Exclusions(tmp_path, "tsp_construct", [0, 10, "source"])
    assert again.settled
    assert (again.reason("a" * 64), again.reason("b" * 64)) == ("slow", None)
    other = Exclusions(tmp_path, "tsp_construct", [0, 10, "another source"])
    assert not other.settled
    assert other.reason("a" * 64) is None
    other.write()
    assert not Exclusions(tmp_path, "tsp_construct", [0, 10, "source"]).settled
