"""What a result says of the program found: gain over the corpus, runtime, and both in words."""

from __future__ import annotations

import pytest
from search_doubles import Parts

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluation
from lhs_hf.reporting.run_report import COMPARISON_HEADER, comparison_rows, report_run, verdict_lines
from lhs_hf.search.comparison import compare_on_splits, corpus_gain, runtimes
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.result import gain_sentence, runtime_cell
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

TSP, KNAPSACK = get_task("tsp_construct"), get_task("knapsack_construct")
FAILED = Evaluation("exception", runtime_s=9.0)


def evaluation(*objectives: float, runtime_s: float = 1.0) -> Evaluation:
    mean = sum(objectives) / len(objectives)
    return Evaluation("ok", mean, mean, objectives, runtime_s)


def gain(found: Evaluation | None, corpus: Evaluation | None, task=TSP):
    table = {"found": {"holdout": found} if found else {}, "corpus": {"holdout": corpus} if corpus else {}}
    return corpus_gain(task, table)


def test_the_gain_is_paired_and_has_the_sign_of_the_task() -> None:
    theirs, ours = evaluation(10.0, 20.0, 30.0), evaluation(8.0, 19.0, 27.0)
    minimised, maximised = gain(ours, theirs), gain(ours, theirs, KNAPSACK)
    assert minimised["gain"] == pytest.approx(0.1)
    assert maximised["gain"] == pytest.approx(-0.1)
    # Student's t with two degrees of freedom: differences 2, 1, 3 of a mean of 20.
    assert (minimised["low"], minimised["high"]) == pytest.approx((0.1 - 0.1242, 0.1 + 0.1242), abs=1e-4)
    assert gain_sentence(minimised) == (
        "on holdout (3 instances) 10.00 % better than the best in corpus (95 % interval -2.42 to +22.42 %; that may be "
        "noise)"
    )
    assert "10.00 % worse than" in gain_sentence(maximised)
    steady = gain(evaluation(8.9, 18.0, 27.1), evaluation(10.0, 19.0, 28.0))
    assert "noise" not in gain_sentence(steady)


def test_what_tells_most_is_measured_first_and_told_at_once() -> None:
    asked, told, stages = [], [], []

    class Programs:
        def evaluate(self, source: str, split: str) -> Evaluation:
            asked.append((split, source))
            return FAILED if source == "bad" else evaluation(float(len(source)))

    table = compare_on_splits(
        TSP,
        Programs(),
        {"found": "new", "reference": "bad", "corpus": None},
        {"new": evaluation(7.0)},
        stop=lambda: len(asked) >= 5,
        on_stage=stages.append,
        on_split=lambda split, row: told.append((split, row)),
    )
    assert asked == [
        *[("search", "bad"), ("holdout", "new"), ("holdout", "bad"), ("test-50", "new"), ("test-50", "bad")]
    ]
    assert stages == [f"{'found' if source == 'new' else 'reference'} on {split}" for split, source in asked]
    assert told[0] == ("search", {"found": 7.0, "reference": None})
    assert [split for split, _ in told] == ["search", "holdout", "test-50"]
    # The table has the splits in the order of the task.
    assert list(table["found"]) == [split for split in TSP.splits if split in ("search", "test-50", "holdout")]
    assert table["corpus"] == {}


def test_a_split_that_is_interrupted_ends_the_comparison_with_what_is_known() -> None:
    told = []

    class Interrupted:
        def __init__(self, at: str) -> None:
            self.at = at

        def evaluate(self, source: str, split: str) -> Evaluation:
            if (split, source) == (self.at, "old"):
                raise KeyboardInterrupt
            return evaluation(float(len(source)))

    def compared(at: str):
        programs, listener = {"found": "new", "reference": "old"}, lambda split, row: told.append((split, sorted(row)))
        return compare_on_splits(TSP, Interrupted(at), programs, {}, on_split=listener)

    table = compared("test-100")
    assert list(table["found"]) == ["search", "test-50", "test-100", "holdout"]
    assert list(table["reference"]) == ["search", "test-50", "holdout"]
    assert told[-1] == ("test-100", ["found"])
    for first in ("search", "holdout"):
        with pytest.raises(KeyboardInterrupt):
            compared(first)


@pytest.mark.parametrize(
    ("seconds", "asked"),
    [
        # Limits of the splits: 30, 187.5, 382.8 and 773.4 seconds.
        ({"search": 5.3, "holdout": 36.0, "test-50": 37.0, "test-100": 226.0}, False),
        ({"search": 0.85, "holdout": 5.3, "test-50": 5.5, "test-100": 34.0}, True),
        ({"search": 0.0, "holdout": 0.0, "test-50": 0.0, "test-100": 0.0}, True),
        # What fails says nothing of a program's time.
        ({"search": 5.3, "holdout": 36.0, "test-50": 37.0, "test-100": None}, True),
    ],
)
def test_a_program_that_can_not_finish_a_large_split_is_not_run_there(seconds, asked) -> None:
    met = []

    class Timed:
        def evaluate(self, source: str, split: str) -> Evaluation:
            met.append(split)
            spent = seconds.get(split, 700.0)
            return FAILED if spent is None else evaluation(7.0, runtime_s=spent)

    table = compare_on_splits(TSP, Timed(), {"found": "new", "reference": None}, {})
    assert met == ["search", "holdout", "test-50", "test-100", *["test-200"] * asked]
    assert ("test-200" in table["found"]) == asked
    assert list(table["found"]) == [split for split in TSP.splits if split in met]


def test_what_can_not_be_compared_has_no_gain() -> None:
    known = evaluation(1.0, 2.0)
    assert gain(FAILED, known) is None
    assert gain(known, FAILED) is None
    assert gain(known, None) is None
    assert gain_sentence(None) is None
    single = gain(evaluation(8.0), evaluation(10.0))
    assert (single["gain"], single["low"]) == (pytest.approx(0.2), None)
    assert gain_sentence(single) == "on holdout (1 instance) 20.00 % better than the best in corpus"
    assert gain_sentence(gain(known, known)) == "on holdout (2 instances) the same as the best in corpus"
    nothing = gain(evaluation(6.0), evaluation(0.0))
    assert (nothing["gain"], nothing["difference"]) == (None, -6.0)
    assert gain_sentence(nothing) == "on holdout (1 instance) 6 worse than the best in corpus"
    with pytest.raises(CallError, match="gain over the corpus"):
        gain_sentence({"gain": "much"})


def test_runtimes_stand_beside_the_reference() -> None:
    table = {"found": {"search": evaluation(1.0, runtime_s=3.0), "holdout": FAILED}, "reference": {"search": FAILED}}
    assert runtimes(table) == {
        "search": {"found": 3.0, "reference": None},
        "holdout": {"found": None, "reference": None},
    }
    assert runtime_cell({"search": {"found": 3.0, "reference": 0.5}}, "search") == "3 s (×6)"
    assert runtime_cell(runtimes(table), "search") == "3 s"
    for unknown in (None, {}, {"search": {"found": None, "reference": 1.0}}, {"search": 3}, [3]):
        assert runtime_cell(unknown, "search") == "—"


@pytest.mark.integration
def test_a_run_keeps_what_was_said_and_older_runs_open_without(tmp_path) -> None:
    folder = tmp_path / "run"
    result = run_search(KNAPSACK, SearchSettings(budget=3), components=Parts(), output=folder, workers=1)
    assert set(result.runtime) == set(KNAPSACK.splits)
    assert all(each["found"] > 0 and each["reference"] > 0 for each in result.runtime.values())
    assert result.corpus_gain["instances"] == 100
    lines = verdict_lines(result.as_dict())
    assert len(lines) == 2
    assert all(row[-1].endswith(")") for row in comparison_rows(KNAPSACK, result.as_dict()) if row[0] != "private")
    assert len(COMPARISON_HEADER) == len(comparison_rows(KNAPSACK, result.as_dict())[0])
    with RunDatabase(folder / "run.sqlite") as database:
        stored = database.get("result")
        later = ("novelty", "runtime", "corpus_gain")
        database.set("result", {name: stored[name] for name in stored if name not in later})
    assert not any(line in report_run(folder)[0] for line in lines)
    with RunDatabase(folder / "run.sqlite") as database:
        database.set("result", {**stored, "novelty": {"level": "verbatim", "family": "<b>|[x](y)"}})
    text, _ = report_run(folder)
    assert f"- {lines[1]}" in text
    assert "\\<b>\\|" in text
