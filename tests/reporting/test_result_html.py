"""The result of a search in a notebook: well-formed, escaped, with the numbers of the splits and the curve."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from lhs_hf.search.result import SearchResult

BAD = "<script>alert('x')</script>\x1b[31m"
PROGRAM = f'def select(a, b):\n    # {BAD}\n    return "<b>" + a\n'


def _result(**changes: Any) -> SearchResult:
    numbers = {"objective": 5.0, "score": -5.0, "reference_objective": 6.0, "best_in_corpus": 5.5}
    counts = dict.fromkeys(("candidates", "valid", "decoder_calls", "tokens", "distinct_programs"), 4)
    return SearchResult(
        **{
            **{"task": BAD, "sense": "min", "program": PROGRAM, **numbers, **counts},
            "found": {"search": 5.0, f"holdout{BAD}": None},
            "reference": {"search": 6.0, f"holdout{BAD}": 6.5},
            "corpus": {"search": 5.5},
            "history": [6.0, float("nan"), 5.5, 5.0],
            **changes,
        }
    )


def _tree(result: SearchResult) -> ElementTree.Element:
    return ElementTree.fromstring(result._repr_html_())  # noqa: S314


@pytest.mark.parametrize("conclusion", ["", f"Result: {BAD}"])
def test_nothing_that_is_shown_acts(conclusion: str) -> None:
    shown = _result(conclusion=conclusion)._repr_html_()
    assert "<script" not in shown
    assert "\x1b" not in shown
    tags = {each.tag for each in _tree(_result(conclusion=conclusion)).iter()}
    assert tags <= {
        *("div", "p", "strong", "figure", "svg", "path", "line", "figcaption", "small"),
        *("table", "tr", "th", "td", "pre", "span"),
    }
    assert "".join(_tree(_result()).find("pre").itertext()).startswith("def select(a, b):\n    # <script>")


def test_the_table_has_every_split_and_the_gain_has_the_direction_of_the_task() -> None:
    rows = [["".join(cell.itertext()) for cell in row] for row in _tree(_result()).iter("tr")]
    assert rows[0] == ["objective (lower is better)", "reference", "best in corpus", "found", "better by"]
    assert rows[1] == ["search", "6", "5.5", "5", "+16.67 %"]
    assert rows[2][1:] == ["6.5", "—", "—", "—"]
    other = [["".join(cell.itertext()) for cell in row] for row in _tree(_result(sense="max")).iter("tr")]
    assert other[1][-1] == "-16.67 %"


def test_the_curve_is_a_stair_with_the_reference() -> None:
    tree = _tree(_result())
    assert tree.find(".//svg").get("aria-label") == (
        "The incumbent went from 6 to 5 in 4 programs; dashed: the reference, 6"
    )
    assert tree.find(".//path").get("d") == "M8.0,8.0 H317.3 V60.0 H472.0 V112.0"
    assert tree.find(".//line") is not None
    raced = _tree(_result(training={"objective": 5.1}))
    assert raced.find(".//line") is None
    assert _tree(_result(history=[])).find(".//svg") is None
    assert len(_tree(_result(history=[float(n) for n in range(100_000)])).find(".//path").get("d")) < 20_000
