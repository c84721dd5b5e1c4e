"""Tables of the default search's gains: points with intervals where every pair has a percentage, outcomes always."""

from __future__ import annotations

from typing import Any

from searches.discovery_tables import discovery_tables


def comparison(other: str, task: str, outcomes: tuple[int, int, int], mean: float, count: int) -> dict[str, Any]:
    wins, ties, losses = outcomes
    gain = {"mean": mean, "low": mean - 0.02, "high": mean + 0.02, "p": 0.01, "count": count}
    return {
        "other": other,
        "task": task,
        "gain": gain,
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "p_corrected": 0.03,
    }


def test_a_gain_has_its_interval_and_outcomes_and_none_where_a_pair_has_no_percentage() -> None:
    latent, climb = "latent@reference", "climb@reference"
    rows = [
        comparison(latent, "tsp_construct", (4, 0, 1), 0.5, 5),
        comparison(latent, "qap_construct", (3, 1, 1), 0.05, 5),
        comparison(latent, "admissible_set", (2, 2, 1), 30.0, 3),
        comparison(climb, "tsp_construct", (5, 0, 0), 12.0, 5),
    ]
    against = [comparison(latent, "", (9, 3, 3), 1.0, 13), comparison(climb, "", (5, 0, 0), 12.0, 5)]
    content = {"summary": {"reference": {"by_task": rows, "against": against}}}
    lines = discovery_tables(
        content, "reference", ("tsp_construct", "admissible_set", "qap_construct", "jssp_construct")
    )
    assert lines.splitlines()[2:] == [
        "| `tsp_construct` | +0.50 [+0.48, +0.52] | 4 / 0 / 1 | +12.00 [+11.98, +12.02] | 5 / 0 / 0 |",
        "| `admissible_set` | — | 2 / 2 / 1 |  |  |",
        "| `qap_construct` | +0.050 [+0.030, +0.070] | 3 / 1 / 1 |  |  |",
        "| all together, p | 0.030 | 9 / 3 / 3 | 0.030 | 5 / 0 / 0 |",
    ]
