"""The zoo: objectives by hand, golden values of references and families, and every task like one of a person's own."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.cli import main
from lhs_hf.corpus.zoo import zoo_seeds
from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import check_signature, load_function, parse
from lhs_hf.tasks import ZOO, Infeasible, Task, get_task, zoo_names
from lhs_hf.tasks import zoo as zoo_package
from lhs_hf.tasks.check import check_task_file
from lhs_hf.tasks.names import ZOO_DEVELOPMENT, ZOO_LATER, ZOO_UNSEEN
from lhs_hf.tasks.simple import SimpleTask

FILES = Path(zoo_package.__file__).parent
CASES = Path(__file__).parent / "cases"
FEWEST_FAMILIES = 12


def stored(name: str) -> dict[str, Any]:
    return json.loads((CASES / f"{name}.json").read_text())


def value(plain: Any) -> Any:
    """An instance as a task draws it: {"array": [...]} stands for an array."""
    if isinstance(plain, dict):
        if set(plain) == {"array"}:
            return np.array(plain["array"])
        return {key: value(each) for key, each in plain.items()}
    return [value(each) for each in plain] if isinstance(plain, list) else plain


def objective(task: Task, program: str, split: str) -> float:
    """The mean over a split, in this process: what is run here is the project's own."""
    function = load_function(program, task.function_name, len(task.arguments))
    return float(np.mean([task.objective(each, task.rollout(function, each)) for each in task.instances(split)]))


def test_the_zoo_is_what_its_folder_holds(capsys) -> None:
    files = {path.stem for path in FILES.glob("*.py")} - {"__init__"}
    assert files == set(zoo_names())
    assert len(zoo_names()) == 62
    assert len(ZOO) >= 8
    assert len(ZOO_UNSEEN) == 12
    assert len(ZOO_DEVELOPMENT) == 10
    assert not set(ZOO_UNSEEN) & set(ZOO_DEVELOPMENT)
    assert set(ZOO_UNSEEN) | set(ZOO_DEVELOPMENT) <= files
    assert main(["tasks", "--zoo", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    by_kind = defaultdict(list)
    for each in listed:
        by_kind[each["kind"]].append(each["name"])
    assert {kind: tuple(names) for kind, names in by_kind.items()} == ZOO


def test_the_unseen_tasks_are_those_that_a_seed_drew() -> None:
    names = sorted({*zoo_names()} - {*ZOO_DEVELOPMENT, *ZOO_LATER, "permutation_flow_shop"})
    assert sorted(np.random.default_rng(25).choice(names, 12, replace=False).tolist()) == list(ZOO_UNSEEN)


@pytest.mark.parametrize("name", zoo_names())
def test_objectives_are_those_worked_out_by_hand(name) -> None:
    task = get_task(name)
    assert isinstance(task, SimpleTask)
    assert task.name == name
    outcomes = []
    for case in stored(name)["cases"]:
        instance, solution = value(case["instance"]), np.array(case["solution"], dtype=task.solution_dtype)
        if "infeasible" in case:
            with pytest.raises(Infeasible) as caught:
                task.objective(instance, solution)
            assert case["infeasible"] in str(caught.value)
        else:
            assert task.objective(instance, solution) == pytest.approx(case["objective"], rel=1e-12)
        outcomes.append("infeasible" in case)
    assert {True, False} == set(outcomes)


@pytest.mark.parametrize("name", zoo_names())
def test_the_reference_has_its_golden_value(name) -> None:
    task = get_task(name)
    assert objective(task, task.template, "search") == pytest.approx(stored(name)["golden"]["reference"]["search"])


@pytest.mark.parametrize("name", zoo_names())
def test_families_are_programs_of_their_task(name) -> None:
    task, seeds = get_task(name), zoo_seeds(name)
    assert len(seeds) >= FEWEST_FAMILIES
    assert len({seed.source for seed in seeds}) == len(seeds)
    for seed in seeds:
        check_signature(parse(seed.source), task.function_name, len(task.arguments))


@pytest.mark.slow
@pytest.mark.parametrize("name", zoo_names())
def test_a_file_of_the_zoo_is_like_one_of_a_persons_own(name) -> None:
    assert check_task_file(FILES / f"{name}.py") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", zoo_names())
def test_all_golden_values(name) -> None:
    task, golden = get_task(name), stored(name)["golden"]
    seeds = {seed.family: seed.source for seed in zoo_seeds(name)}
    with Evaluator(task, workers=2) as evaluator:
        for split, expected in golden["reference"].items():
            assert evaluator.evaluate(task.template, split).objective == pytest.approx(expected), split
        for family, expected in golden["families"].items():
            assert evaluator.evaluate(seeds[family], "search").objective == pytest.approx(expected), family
        results = dict(zip(seeds, evaluator.evaluate_many(list(seeds.values()), "search")))
        behaviours = evaluator.probe_many(list(seeds.values()))
    assert [family for family, result in results.items() if not result.ok] == []
    alike = defaultdict(list)
    for family, behaviour in zip(seeds, behaviours):
        alike["" if behaviour is None else behaviour.decisions.tobytes()].append(family)
    assert [families for families in alike.values() if len(families) > 1] == []
    assert "" not in alike
    scores = [result.score for result in results.values()]
    assert max(scores) > task.alpha * golden["reference"]["search"]
    assert len(set(scores)) > len(scores) / 2
