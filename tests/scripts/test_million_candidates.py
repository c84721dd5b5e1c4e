"""The measurement of large searches runs through the real loop and database, on a few candidates here."""

from __future__ import annotations

import json
from pathlib import Path

import million_candidates
import pytest

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("kind", ["portfolio", pytest.param("latent", marks=pytest.mark.slow)])
def test_rounds_of_each_size_are_measured(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "figures.json"
    sizes = ["60", "400"]
    command = ["million_candidates.py", "--work", str(tmp_path / "runs"), "--sizes", *sizes, "--rounds", "2"]
    monkeypatch.setattr("sys.argv", [*command, "--kinds", kind, "--output", str(output)])
    million_candidates.main()
    rows = json.loads(output.read_text())[kind]["rows"]
    assert [row["candidates"] for row in rows] == [60, 400]
    assert all(row["candidates_a_round"] > 0 for row in rows)
