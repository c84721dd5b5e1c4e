"""Figures of searches without the best families: those of a task that is measured again take the place of the old."""

from __future__ import annotations

from typing import Any

from searches.without_best import merged, without_best_text


def figures(found: list[float], gain: list[float | None] | None) -> dict[str, Any]:
    return {
        "found": found,
        "gain": gain,
        "passes": gain is not None and gain[0] > 0,
        "novelty": ["new"] * len(found),
        "valid": 1.0,
    }


def content(steps: int, **tasks: Any) -> dict[str, Any]:
    return {
        "settings": {"weights": "a", "weights_cut": str(steps), "seeds": 2, "budget": 100},
        "left_out": {"without": [], "best_share": 0.1, "steps": steps, "variants": 1200},
        "tasks": {name: {"seen": 5.0, "whole": 6.0, **starts} for name, starts in tasks.items()},
    }


def test_a_task_that_is_measured_again_takes_the_place_of_its_old_figures() -> None:
    old, new = figures([5.0, 5.0], [0.0, None, None]), figures([5.0, 5.1], [0.0031, -0.01, 0.02])
    before = content(2200, cflp={"corpus": old, "reference": old}, tsp={"corpus": old, "reference": old})
    again = content(600, cflp={"corpus": new, "reference": figures([], None)})
    result = merged(before, again)
    assert result["left_out"] == before["left_out"]
    assert result["tasks"]["tsp"] == before["tasks"]["tsp"]
    assert result["tasks"]["cflp"] == {"seen": 5.0, "whole": 6.0, "corpus": new, "reference": old, "steps": 600}
    assert "steps" not in merged(before, content(2200, cflp={"corpus": new}))["tasks"]["cflp"]
    text = without_best_text(result)
    assert "| `cflp`† | 5 | 6 | 5.05 (+0.003 % [-0.01, +0.02])" in text
    assert "† Measured later, with a model of 600 steps." in text
    assert "on 1 of 2 tasks from the corpus, and on 0 from the reference" in text
    assert "†" not in without_best_text(before)
