"""Functions whose programs answer an amount: a bid, how much to order, a threshold. The size of an answer counts."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import edits
from lhs_hf.search.edits.amount import Amount
from lhs_hf.search.edits.amounts import amounts
from lhs_hf.search.edits.parents import Parent
from lhs_hf.search.portfolio.shares import first_edits
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function

numbers = random.Random(0)
AUCTIONS = [[(numbers.expovariate(1.0), numbers.expovariate(1.5)) for _ in range(60)] for _ in range(8)]
DEMANDS = [[numbers.randint(0, 2 * mean) for _ in range(40)] for mean in (3, 5, 8, 12)]
OFFERS = [[numbers.lognormvariate(0, 0.4) * size for _ in range(12)] for size in (10, 20, 40, 80)]


def won(bid: Callable[..., float]) -> float:
    total = 0.0
    for auction in AUCTIONS:
        money = 6.0
        for place, (value, price) in enumerate(auction):
            offer = bid(value, money, len(auction) - place)
            if not isinstance(offer, (int, float)) or offer < 0 or offer > money:
                raise ValueError("a bid is what is there")
            if offer >= price:
                money -= price
                total += value
    return total


def cost(order: Callable[..., int]) -> float:
    total = 0.0
    for demand in DEMANDS:
        stock, mean = 10, sum(demand) / len(demand)
        for wanted in demand:
            amount = order({"stock": stock, "mean": mean})
            if not isinstance(amount, int) or amount < 0:
                return math.inf
            stock += amount
            total += 2.0 * max(0, stock - wanted) + 9.0 * max(0, wanted - stock) + (4.0 if amount else 0.0)
            stock = max(0, stock - wanted)
    return total


def paid(least: Callable[..., float]) -> float:
    total = 0.0
    for offers in OFFERS:
        for day, offer in enumerate(offers):
            if offer >= least(day, offers[:day], sorted(offers)[6]) or day == len(offers) - 1:
                total += offer - 0.2 * day
                break
    return total


CASES = {
    "bid": (won, "def bid(value, money, left=1):\n    return min(value, money)\n", "max"),
    "order": (
        cost,
        'def order(part):\n    if part["stock"] < 8:\n        return 20 - part["stock"]\n    return 0\n',
        "min",
    ),
    "ask": (
        paid,
        "def least(day, before, guess):\n    if len(before) < 3:\n        return 2 * guess\n    return max(before)\n",
        "max",
    ),
}


@pytest.fixture(params=list(CASES))
def case(request, tmp_path: Path) -> Any:
    objective, template, sense = CASES[request.param]
    return request.param, task_of_function(objective, template, tmp_path, request.param, sense=sense)


def test_they_are_found_out_and_told_by_what_the_reference_answers(case) -> None:
    name, task = case
    known = amounts(task)
    assert known is not None
    assert "amount" in edits(None, (), task)
    assert (known.whole, known.least) == (name == "order", True)
    assert known.most == (("{value}", "{money}") if name == "bid" else ())


def test_another_amount_runs_and_some_are_better(case) -> None:
    _, task = case
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [Amount().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(40)]
    sources = [each.source for each in drawn if each is not None]
    assert len(sources) == 40
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search")
        results = list(evaluator.evaluate_many(sources))
    assert reference.score is not None
    scores = [each.score for each in results if each.score is not None]
    assert len(scores) > 28
    assert max(scores) > reference.score + 0.01 * abs(reference.score)


def test_the_same_seed_gives_the_same_amount(case) -> None:
    _, task = case
    parent = Parent.of(task.template, "reference", 0.0)
    one, two = (Amount().propose(parent, [parent], task, np.random.default_rng(3)) for _ in range(2))
    assert one == two


def test_where_only_the_order_counts_there_are_none(tmp_path: Path) -> None:
    def largest_first(rate: Callable[..., float]) -> float:
        left, total = [(3, 1), (1, 4), (2, 2), (5, 1)], 0.0
        while left:
            left.sort(key=lambda job: rate(*job))
            total += len(left) * left.pop()[0]
        return total

    template = "def rate(work, weight):\n    return weight / work\n"
    assert amounts(task_of_function(largest_first, template, tmp_path, "jobs")) is None
    assert amounts(get_task("tsp_construct")) is None


def test_they_come_before_rules_for_an_order() -> None:
    names = first_edits(1, 100, ("new_rule", "amount", "literals"))
    assert {name: names.count(name) for name in names} == {"new_rule": 4, "amount": 16, "literals": 4}


def spent(share: Callable[..., Any]) -> float:
    channels = [{"reach": reach, "half": half} for reach, half in ((90, 0.3), (60, 0.05), (40, 0.02), (80, 0.6))]
    total = 0.0
    for budget in (0.5, 1.0, 2.0):
        parts = share([dict(each) for each in channels], budget)
        if len(parts) != len(channels) or min(parts) < 0 or abs(sum(parts) - 1) > 1e-6:
            return -math.inf
        shares = zip(channels, parts)
        total += sum(each["reach"] * budget * part / (each["half"] + budget * part) for each, part in shares)
    return total


def marked(keep: Callable[..., Any]) -> float:
    generator, total = np.random.default_rng(0), 0.0
    for _ in range(200):
        dice = generator.integers(1, 7, 5)
        for _ in range(2):
            mask = np.asarray(keep(dice.copy()))
            if mask.shape != (5,) or not set(mask.tolist()) <= {0, 1}:
                raise ValueError("a mask of five")
            dice = np.where(mask == 1, dice, generator.integers(1, 7, 5))
        total += float(dice.sum())
    return total


def root(split: Callable[..., float]) -> float:
    steps = 0
    for target in (0.03, 0.2, 0.4, 0.9):
        low, high = 0.0, 1.0
        while high - low > 1e-3:
            middle = split(low, high, low - target, high - target)
            if not low < middle < high:
                return math.inf
            low, high = (middle, high) if middle < target else (low, middle)
            steps += 1
    return float(steps)


def charged(power: Callable[..., Any]) -> float:
    cars, missing = [{"need": need, "hours": hours} for need, hours in ((8, 2), (6, 6), (9, 4), (4, 1), (7, 5))], 0.0
    for _ in range(6):
        given = power([dict(car) for car in cars], 6.0)
        if min(given) < 0 or sum(given) > 6.0 + 1e-9:
            return math.inf
        for car, amount in zip(cars, given):
            car["need"] = max(0.0, car["need"] - (amount if car["hours"] > 0 else 0.0))
            car["hours"] -= 1
    missing += sum(car["need"] for car in cars)
    return missing


@pytest.mark.parametrize(
    ("objective", "template", "sense"),
    [
        (
            charged,
            "def power(cars, supply):\n    return [supply / len(cars) * (car['need'] > 0) for car in cars]\n",
            "min",
        ),
        (spent, "def share(channels, budget):\n    return [1 / len(channels) for _ in channels]\n", "max"),
        (marked, "def keep(dice):\n    return (dice >= 2).astype(int)\n", "max"),
        (root, "def split(low, high, below, above):\n    return low + 0.05 * (high - low)\n", "min"),
    ],
)
def test_several_amounts_marks_and_points_of_an_interval(objective, template, sense, tmp_path: Path) -> None:
    task = task_of_function(objective, template, tmp_path, objective.__name__, sense=sense)
    known = amounts(task)
    assert known is not None
    assert (known.total, known.marks) == (1.0 if objective is spent else None, objective is marked)
    assert known.limit == ("{supply}" if objective is charged else "")
    assert known.between == (("{low}", "{high}") if objective is root else ())
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [Amount().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(60)]
    sources = [each.source for each in drawn if each is not None]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search")
        scores = [each.score for each in evaluator.evaluate_many(sources) if each.score is not None]
    assert reference.score is not None
    assert len(scores) > 0.7 * len(sources)
    assert max(scores) > reference.score


def test_a_number_that_is_always_the_same_is_an_amount_where_others_are_allowed(tmp_path: Path) -> None:
    ways = {0: {1: 3, 2: 1}, 1: {2: 1, 0: 2}, 2: {0: 5, 1: 1}}

    def objective(length: Callable[..., float]) -> float:
        worth = {(one, two): length(ways, one, two) for one in ways for two in ways[one]}
        return float(sum(abs(ways[one][two] - far) for (one, two), far in worth.items()))

    template = "def length(ways, one, two):\n    return 1\n"
    task = task_of_function(objective, template, tmp_path, "ways")
    assert task.answers == "priority"
    assert task.values_matter


def test_what_a_link_has_is_known_of_its_two_ends(tmp_path: Path) -> None:
    graph = {a: {b: {"far": 3 + (5 * a + b) % 7, "load": (a * b) % 5} for b in range(6) if b != a} for a in range(6)}

    def objective(price: Callable[..., float]) -> float:
        wanted = {(a, b): link["far"] + 4 * link["load"] for a in graph for b, link in graph[a].items()}
        return float(sum(abs(price(graph, a, b) - far) for (a, b), far in wanted.items()))

    template = "def price(graph, a, b):\n    link = graph[a][b]\n    return link['far']\n"
    task = task_of_function(objective, template, tmp_path, "links")
    known = amounts(task)
    assert known is not None
    assert {'{graph}[{a_}][{b_}]["far"]', '{graph}[{a_}][{b_}]["load"]'} <= {term.text for term in known.terms}
