"""Tables of what searches find on test splits, and of the ablation."""

from __future__ import annotations

import pytest

from lhs_hf.reporting.split_tables import ablation_table, split_table


def content(found: list[float | None], **changes: object) -> dict:
    """What measure_search.py --splits writes of a search a value, which is what it found on test-50."""
    shared = {
        "task": "tsp_construct",
        "reference": 6.82,
        "best_in_corpus": 5.84,
        "calls": 100,
        "evaluated": 100,
        "new_behaviours": 40,
        "splits_reference": {"search": 6.82, "test-50": 7.03},
        "splits_corpus": {"search": 5.84, "test-50": 5.88},
    }
    entries = [
        {
            **shared,
            "seed": seed,
            "valid": 90 + seed,
            "found": 5.9,
            "splits": {"search": 5.9, "test-50": value},
            **changes,
        }
        for seed, value in enumerate(found)
    ]
    return {"searches": {"reference": entries}}


def test_a_split_shows_mean_and_deviation_beside_corpus_and_paper() -> None:
    lines = split_table(content([5.9, 6.1])).split("\n")
    assert "| `tsp_construct` | search | 6.82 | 5.84 | 5.9 ± 0 | — |" in lines
    assert "| `tsp_construct` | test-50 | 7.03 | 5.88 | 6 ± 0.14 | 6.46 (ReEvo) |" in lines
    assert "found, 2 seeds" in lines[0]


def test_a_program_that_fails_on_a_split_is_not_averaged_away() -> None:
    assert "| fails (1 of 2) |" in split_table(content([5.9, None]))


@pytest.mark.parametrize(("name", "paper"), [("LHS", "| 74 % | 6.61 |"), ("No-Grad", "| 86 % | 6.79 |")])
def test_variants_stand_beside_the_ablation_of_the_paper(name, paper) -> None:
    text = ablation_table({name: content([6.0, 6.0])})
    line = next(line for line in text.split("\n") if line.startswith(f"| {name} "))
    assert line.startswith(f"| {name} | 90.5 % | 5.9 ± 0 | 6 ± 0 | 40 |")
    assert line.endswith(paper)
    assert "2 seeds, 100 decoder calls each" in text
