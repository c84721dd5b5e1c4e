"""What the objects of a task hold is data: programs that read it are run once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import Ledger, Race, TrainingInstances, Trials
from lhs_hf.programs import is_repeatable
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.records import data_attributes


@dataclass
class Parcel:
    kilos: float
    fragile: bool


def objective(choose: Any) -> float:
    parcels, total = [Parcel(3.0, True), Parcel(1.0, False), Parcel(2.0, True)], 0.0
    for hour in range(3):
        parcel = choose(parcels)
        parcels.remove(parcel)
        total += hour * parcel.kilos
    return total


TEMPLATE = "def choose(parcels):\n    return max(parcels, key=lambda each: each.kilos)\n"


def test_programs_that_read_data_are_run_once_and_the_reference_twice(tmp_path: Path) -> None:
    task = task_of_function(objective, TEMPLATE, tmp_path, "parcels")
    assert data_attributes(task) == {"kilos", "fragile"}
    other = TEMPLATE.replace("each.kilos", "each.fragile")
    with Evaluator(task, workers=1) as evaluator:
        race = Race(Trials(evaluator, TrainingInstances(task, 0), Ledger()))
        runs = [race.challenge(text).runs for text in (TEMPLATE, other, other.replace("each.fragile", "each.clock"))]
    assert runs[:2] == [2, 1]
    assert runs[2] == 2


def test_names_of_data_make_a_program_repeatable_and_no_others() -> None:
    source = "def f(a):\n    return a.speed\n"
    assert not is_repeatable(source)
    assert is_repeatable(source, frozenset({"speed"}))
    assert not is_repeatable(source, frozenset({"weight"}))
    assert not is_repeatable("def f(a):\n    return a.__class__\n", frozenset({"speed"}))


def test_tasks_of_the_paper_have_none() -> None:
    assert data_attributes(get_task("tsp_construct")) == frozenset()
