"""Thirty functions of different people: templates repeat their values, better rules are better; the summary's sums."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import own_functions
import pytest
from functions import FUNCTIONS
from functions.better import BETTER
from functions.measure import better_value, rule_of, value
from functions.summary import summary, table


def cell(name: str, seed: int, sense: str, reference: float, found: float, better: float) -> dict[str, Any]:
    figures = {"reference": reference, "found": found, "better": better, "seconds": 2.0 + seed, "valid": 0.5}
    return {"name": name, "seed": seed, "budget": 8, "sense": sense, "program": "", **figures}


CELLS = [
    cell("less", 0, "min", 10.0, 8.0, 5.0),
    cell("less", 1, "min", 10.0, 6.0, 5.0),
    cell("more", 0, "max", -2.0, 3.0, 2.0),
    cell("same", 0, "max", 1000.0, 1000.5, 1100.0),
    cell("equal", 0, "min", 0.3, 0.1 + 0.1, 0.2),
]


def test_there_are_thirty_with_a_better_rule_each() -> None:
    assert len(FUNCTIONS) == 30
    assert BETTER.keys() == FUNCTIONS.keys()


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_a_template_repeats_its_value_and_the_better_rule_is_better(name: str) -> None:
    objective, template, sense = FUNCTIONS[name]()
    rule = rule_of(template)
    first = value(objective, rule)
    assert math.isfinite(first)
    assert value(objective, rule) == first
    better = better_value(name)
    assert math.isfinite(better)
    assert better > first if sense == "max" else better < first


def test_the_way_from_the_reference_to_the_better_rule() -> None:
    rows = summary(CELLS)["functions"]
    ways = {name: each["way_percent"] for name, each in rows.items()}
    assert ways == pytest.approx({"less": 60.0, "more": 125.0, "same": 0.5, "equal": 100.0})
    assert (rows["less"]["found"], rows["less"]["seeds"], rows["less"]["seconds"]) == (7.0, 2, 2.5)


def test_half_a_part_in_a_thousand_is_no_improvement() -> None:
    content = summary(CELLS)
    assert [name for name, each in content["functions"].items() if not each["improved"]] == ["same"]
    assert {name for name, each in content["functions"].items() if each["reached"]} == {"more", "equal"}
    together = content["together"]
    assert (together["functions"], together["improved"], together["reached"]) == (4, 3, 2)
    assert together["way_percent"]["median"] == pytest.approx(80.0)
    assert "better than the template: 3 of 4; as good as the better rule: 2" in table(content)


def test_no_cells_make_an_empty_summary() -> None:
    assert summary([])["together"] == {"functions": 0, "improved": 0, "reached": 0, "way_percent": None}
    assert "0 of 0" in table(summary([]))


def kept(work: Path) -> Path:
    for each in CELLS:
        file = own_functions.cell_file(work, each["name"], each["seed"])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(each))
    return work


def test_the_summary_needs_no_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "own.json"
    command = ["own_functions.py", "--summary", "--work", str(kept(tmp_path)), "--output", str(output)]
    monkeypatch.setattr("sys.argv", command)
    own_functions.main()
    content = json.loads(output.read_text())
    assert content["summary"]["together"]["improved"] == 3
    assert len(content["cells"]) == len(CELLS)


def test_cells_of_another_budget_are_not_mixed_in(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="budget 8"):
        own_functions.run(own_functions.arguments(["--work", str(kept(tmp_path)), "--budget", "9"]))
