"""Which rule finds the best program for a number of instance runs: rules of choosing under noise on a synthetic model.

    python scripts/benchmarks/racing_rules.py            results/racing_rules.json, about ten minutes on one core

The model: a search starts at 0 % and edits its incumbent. 24 % of the edits change nothing; some are better, by 0.5 to
3 % at first and less the further the search has come (nothing is left at 8 %); a tenth are 0.2 % off; the others are
worse, by 5 % in the middle (log-normal). Paired differences between a program and its edit vary by 4.5 % from instance
to instance: 1.1 % on 16 instances. Shares, sizes and noise are those of the corpus (children of the best quarter of
the programs of tsp and cvrp on `search`). What counts is the true gain of the program a rule ends with, in percent:

* `climb`: 1,600 instance runs, each accepted edit is edited next;
* `climb, finals`: the same, of which 400 choose among the last 4 on 200 fresh instances (halving);
* `pick`: the best of 100 edits of one program, whatever it costs, and what it costs.

What came of it (climb, standard errors .05 to .2; worlds of 15 % better, 4 % better, 8 % a little better): everybody
on 16 instances 6.7, 2.6, 1.0; race with drop .3 and accept .2 to 32 instances 7.2, 5.3, 2.5; accept .05 6.3, 4.5, 1.4;
drop .1 7.0, 4.6, 2.2; Wilcoxon's test 7.1, 5.0, 2.3; halving 7.0, 4.4, 2.1; OCBA 6.9, 4.2, 2.2. Whether `drop` is .3
or .5 makes no difference. Finals paid from the same budget cost .3 to .7: they say what a program is worth.

The rules: everybody on n instances, the best mean wins (`fixed`); paired elimination block by block against the
incumbent (`race`: dropped with p < drop, in its place after the last block with p < accept; t-test, or Wilcoxon's);
successive halving of batches; OCBA on batches (Chen et al., 2000).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
LONGEST, FINAL, NOISE, BUDGET = 128, 200, 4.5, 1600
DOUBLING = (4, 8, 16, 32, 64, 128)
WORLDS = {"15 % better": (0.15, 0.5, 3.0), "4 % better": (0.04, 0.5, 3.0), "8 % a little better": (0.08, 0.2, 1.0)}


class Program:
    """Its true gain in percent, its gain on each instance, and how many of them it has met."""

    def __init__(self, gain: float, values: np.ndarray) -> None:
        self.gain, self.values, self.met = gain, values, 0


class World:
    """Draws edits and counts instance runs."""

    def __init__(self, seed: list[int], better: tuple[float, float, float], budget: float, picks: int | None) -> None:
        self.random = np.random.default_rng(seed)
        self.better, self.budget, self.picks = better, budget, picks
        self.spent = self.drawn = 0
        self.start = Program(0.0, self.random.normal(0, NOISE, LONGEST + FINAL))

    def edit(self, parent: Program) -> Program | None:
        """A child of a program; in a world of picks, of the start, and None after the last."""
        if self.drawn == self.picks:
            return None
        self.drawn += 1
        parent = self.start if self.picks else parent
        kind, (share, least, most) = self.random.random(), self.better
        if kind < 0.24:
            return Program(parent.gain, parent.values.copy())
        if kind < 0.24 + share:
            gain = self.random.uniform(least, most) * max(0.0, 1 - parent.gain / 8)
        elif kind < 0.34 + share:
            gain = self.random.normal(0, 0.2)
        else:
            gain = -np.exp(self.random.normal(np.log(5), 1.3))
        return Program(parent.gain + gain, parent.values + gain + self.random.normal(0, NOISE, LONGEST + FINAL))

    def measure(self, programs: list[Program], count: int) -> bool:
        """Have programs meet the first `count` instances; False, and nothing spent, if the budget is over."""
        cost = sum(max(0, count - each.met) for each in programs)
        if self.spent + cost > self.budget:
            return False
        self.spent += cost
        for each in programs:
            each.met = max(each.met, count)
        return True


Rule = Callable[[World], list[Program]]  # programs, the chosen one first


@cache
def critical(level: float, count: int) -> float:
    """Student's t that is passed with this probability."""
    return float(stats.t.isf(level, count - 1))


def beats(differences: np.ndarray, level: float, test: str = "t") -> bool:
    """Whether a program is better with one-sided p < level."""
    if test == "wilcoxon" and level < 0.5:
        return bool(differences.any()) and stats.wilcoxon(differences, alternative="greater").pvalue < level
    error = differences.std(ddof=1) / len(differences) ** 0.5
    return bool(differences.mean() > critical(level, len(differences)) * error)


def ranked(pool: list[Program], incumbent: Program) -> list[Program]:
    """The incumbent, then the others by gain over it on common instances."""

    def gain(each: Program) -> float:
        count = min(each.met, incumbent.met)
        return float((each.values - incumbent.values)[:count].mean())

    return [incumbent, *sorted((each for each in pool if each is not incumbent), key=gain, reverse=True)]


def fixed(count: int) -> Rule:
    """Everybody on the same instances; the best mean wins."""

    def rule(world: World) -> list[Program]:
        pool = [world.start]
        incumbent = world.start
        world.measure(pool, count)
        while (child := world.edit(incumbent)) is not None and world.measure([child], count):
            pool.append(child)
            incumbent = max(incumbent, child, key=lambda each: each.values[:count].mean())
        return ranked(pool, incumbent)

    return rule


def race(drop: float, accept: float, last: int, test: str = "t", early: int | None = None) -> Rule:
    """Paired elimination on doubling blocks up to `last` instances; accepted there, or from `early` instances on."""
    stops = [stop for stop in DOUBLING if stop <= last]

    def rule(world: World) -> list[Program]:
        incumbent = world.start
        pool = [incumbent]
        while (child := world.edit(incumbent)) is not None:
            for stop in stops:
                if not world.measure([incumbent, child], stop):
                    return ranked(pool, incumbent)
                differences = (child.values - incumbent.values)[:stop]
                if not differences.any() or beats(-differences, drop, test):
                    break
                if stop >= (early or last) and beats(differences, accept, test):
                    incumbent = child
                    pool.append(child)
                    break
                if stop == last:
                    pool.append(child)
        return ranked(pool, incumbent)

    return rule


def batches(world: World, size: int, first: int, incumbent: list[Program]):
    """Edits of `incumbent[0]` that have met the first instances and differ from it, batch by batch."""
    while True:
        children = [child for _ in range(size) if (child := world.edit(incumbent[0])) is not None]
        if not children or not world.measure([incumbent[0], *children], first):
            return
        yield [each for each in children if (each.values - incumbent[0].values)[:first].any()]


def halving(size: int, last: int, accept: float) -> Rule:
    """Successive halving: the better half of a batch goes on to twice the instances; the winner meets the incumbent."""

    def rule(world: World) -> list[Program]:
        incumbent, pool = [world.start], [world.start]
        for children in batches(world, size, DOUBLING[0], incumbent):
            for stop in [stop for stop in DOUBLING if DOUBLING[0] < stop <= last]:
                children.sort(key=lambda each: -each.values[: each.met].mean())
                children = children[: max(1, (len(children) + 1) // 2)]
                if not world.measure([incumbent[0], *children], stop):
                    return ranked(pool, incumbent[0])
            children.sort(key=lambda each: -each.values[: each.met].mean())
            pool += children
            if children and beats((children[0].values - incumbent[0].values)[:last], accept):
                incumbent[0] = children[0]
        return ranked(pool, incumbent[0])

    return rule


def ocba(size: int, total: int, accept: float, step: int = 4) -> Rule:
    """Optimal computing budget allocation: `total` runs a batch, a step at a time to who lags most behind its share."""

    def rule(world: World) -> list[Program]:
        incumbent, pool = [world.start], [world.start]
        for children in batches(world, size, step, incumbent):
            spent = step * size
            while children and spent < total:
                differences = [(each.values - incumbent[0].values)[: each.met] for each in children]
                means = np.array([0.0, *(each.mean() for each in differences)])
                deviations = np.array([NOISE, *(each.std(ddof=1) + 1e-9 for each in differences)])
                best = int(means.argmax())
                shares = (deviations / np.maximum(means[best] - means, 1e-6)) ** 2
                shares[best] = 0.0
                shares[best] = deviations[best] * np.sqrt((shares**2 / deviations**2).sum())
                met = np.array([incumbent[0].met, *(each.met for each in children)])
                lag = (met.sum() + step) * shares / shares.sum() - met
                lag[0], lag[met + step > LONGEST] = (
                    -np.inf,
                    -np.inf,
                )  # the incumbent follows whoever it is compared with
                chosen, before = int(lag.argmax()), world.spent
                if not np.isfinite(lag[chosen]):
                    break
                if not world.measure([incumbent[0], children[chosen - 1]], int(met[chosen]) + step):
                    return ranked(pool, incumbent[0])
                spent += world.spent - before
            if children:
                best_child = max(children, key=lambda each: (each.values - incumbent[0].values)[: each.met].mean())
                pool.append(best_child)
                if beats((best_child.values - incumbent[0].values)[: best_child.met], accept):
                    incumbent[0] = best_child
        return ranked(pool, incumbent[0])

    return rule


def finals(programs: list[Program]) -> Program:
    """Successive halving on 50, 100 and 200 instances that decided nothing before."""
    for stop in (50, 100, 200):
        programs = sorted(programs, key=lambda each: -each.values[LONGEST : LONGEST + stop].mean())
        programs = programs[: (len(programs) + 1) // 2]
    return programs[0]


RULES: dict[str, Rule] = {
    **{f"fixed {count}": fixed(count) for count in (8, 16, 32)},
    **{
        f"race drop {drop} accept {accept} to {last}": race(drop, accept, last)
        for drop, accept, last in [
            *((drop, accept, 32) for drop in (0.5, 0.4, 0.3, 0.1) for accept in (0.5, 0.2, 0.1, 0.05)),
            *((drop, 0.2, last) for drop in (0.5, 0.4, 0.3) for last in (16, 64)),
        ]
    },
    "race drop 0.4 accept 0.2 to 64, early from 16": race(0.4, 0.2, 64, early=16),
    "race drop 0.3 accept 0.2 to 32, Wilcoxon": race(0.3, 0.2, 32, "wilcoxon"),
    **{f"halving of 8 to 32, accept {accept}": halving(8, 32, accept) for accept in (0.5, 0.2)},
    "halving of 16 to 64, accept 0.5": halving(16, 64, 0.5),
    "ocba of 8 with 96 runs, accept 0.5": ocba(8, 96, 0.5),
    "ocba of 16 with 160 runs, accept 0.5": ocba(16, 160, 0.5),
}


def measure(rule: Rule, better: tuple[float, float, float], repetitions: int) -> dict[str, float]:
    """One row: means over repetitions and, of the climb, the standard error."""
    climbs, edits, with_finals, picks, costs = [], [], [], [], []
    for seed in range(repetitions):
        world = World([0, seed], better, BUDGET, None)
        climbs.append(rule(world)[0].gain)
        edits.append(world.drawn)
        with_finals.append(finals(rule(World([0, seed], better, BUDGET - 400, None))[:4]).gain)
        world = World([1, seed], better, float("inf"), 100)
        picks.append(rule(world)[0].gain)
        costs.append(world.spent)
    error = np.std(climbs, ddof=1) / len(climbs) ** 0.5
    row = {"climb": np.mean(climbs), "error": error, "edits": np.mean(edits), "climb, finals": np.mean(with_finals)}
    return {
        key: round(float(value), 3) for key, value in (row | {"pick": np.mean(picks), "runs": np.mean(costs)}).items()
    }


def main() -> None:
    """Print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "racing_rules.json")
    options = parser.parse_args()
    table: dict[str, dict[str, dict[str, float]]] = {}
    for world, better in WORLDS.items():
        print(f"\n{world:46}  climb   +-  edits  with finals   pick   runs")
        for name, rule in RULES.items():
            row = table.setdefault(world, {})[name] = measure(rule, better, options.repetitions)
            climb, error, edits, last, pick, runs = row.values()
            print(f"{name:46} {climb:6.2f} {error:5.2f} {edits:5.0f} {last:10.2f} {pick:8.2f} {runs:6.0f}", flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"repetitions": options.repetitions, "worlds": table}, indent=1) + "\n")


if __name__ == "__main__":
    main()
