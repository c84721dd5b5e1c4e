"""How a portfolio should choose: parents, whom to measure again, how many finals, when the best known gives way.

    python scripts/benchmarks/choosing.py            results/choosing.json, about ten minutes on two cores

The races and the finals are the package's own (`lhs_hf.evaluation.racing`); programs are drawn from a synthetic model,
since hundreds of searches tell rules apart and a handful does not. A search starts at 0 % with seven programs that are
worse, takes 1,600 instance runs in rounds of eight children, and draws parents by rank. 24 % of the children are equal
to their parent, a share is better (the less the further the search has come), a tenth are 0.2 % off, the others are
worse, by 5 % in the middle (log-normal). Paired differences between a program and its child vary by 4.5 % from instance
to instance. What counts is the true gain, in percent, of the program that a search ends with.

A variant says how the pool is ranked (by the gain on common instances, or by the gain that is expected of it), how many
of the pool meet more instances each round, how many finalists share which part of the budget, and by how many standard
errors the best of them has to beat the best known.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from lhs_hf.evaluation.racing import Block, Ledger, Race, Standing, Trials, finalists, finals_cost
from lhs_hf.evaluation.racing.instances import stops
from lhs_hf.evaluation.racing.ledger import Entry
from lhs_hf.evaluation.racing.trials import Contender
from lhs_hf.grid.statistics import Interval
from lhs_hf.search.edits import draw_by_rank

ROOT = Path(__file__).resolve().parents[2]
NOISE, BUDGET, ROUND, POOL, UNIT, BLOCKS, FINAL = 4.5, 1600, 8, 10, 4, 8, 200
LEVEL = 100.0
"""Objectives are so much, and gains in percent of it."""
KNOWN = (0.0, -0.1, -0.3, -0.8, -1.5, -2.0, -3.0, -4.0)
WORLDS = {
    "0.5 % better": (0.005, 0.5, 2.0),
    "4 % a little better": (0.04, 0.2, 1.0),
    "8 % a little better": (0.08, 0.2, 1.0),
    "4 % better": (0.04, 0.5, 3.0),
}
"""The share of better children, and how much better they are at first: from, to."""


@dataclass(frozen=True)
class Variant:
    """A way to choose."""

    expected: bool = True
    again: int = 1
    finalists: int = 6
    share: float = 0.2


VARIANTS = {
    "gain, 3 finalists, 30 %": Variant(expected=False, again=0, finalists=3, share=0.3),
    "gain, 6 finalists, 20 %": Variant(expected=False, again=0),
    "expected, 6 finalists, 20 %": Variant(again=0),
    "expected, again, 3 finalists, 20 %": Variant(finalists=3),
    "expected, again, 6 finalists, 20 %": Variant(),
    "expected, again, 6 finalists, 30 %": Variant(share=0.3),
    "expected, again, 10 finalists, 20 %": Variant(finalists=10),
    "expected, 2 again, 6 finalists, 20 %": Variant(again=2),
}
ERRORS = (0.0, 0.25, 0.5, 1.0)


class Instances:
    """Blocks that have places in the values of a program: those of the race, then those of the finals."""

    unit, deterministic = UNIT, False

    def block(self, number: int, size: int) -> Block:
        """As `TrainingInstances.block`."""
        return Block(f"race-{number}", size)

    def final(self, count: int) -> tuple[Block, ...]:
        """As `TrainingInstances.final`."""
        first, second, last = stops(count)
        self.places = {"final-0": (0, first), "final-1": (first, second), "final-2": (second, last)}
        return tuple(Block(name, stop - start) for name, (start, stop) in self.places.items())

    def seconds(self, count: int) -> float:
        """Nothing takes time here."""
        return float("inf")

    def place(self, block: Block) -> slice:
        """Where its values are."""
        if block.name in getattr(self, "places", {}):
            start, stop = self.places[block.name]
            return slice(UNIT * BLOCKS + start, UNIT * BLOCKS + stop)
        start = UNIT * int(block.name.split("-")[1])
        return slice(start, start + block.size)


class SyntheticTrials(Trials):
    """Programs are names whose values are known beforehand."""

    def __init__(self, values: dict[str, np.ndarray]) -> None:
        limits = SimpleNamespace(limits=SimpleNamespace(wall_s=None))
        self.evaluator, self.instances, self.ledger = limits, Instances(), Ledger()
        self.task, self.values = SimpleNamespace(alpha=1), values

    def contender(self, source: str) -> Contender:
        """The program of a name."""
        return Contender(source, source)

    def _run(self, priced: Sequence[tuple[Contender, int]], block: Block) -> None:
        for each, price in priced:
            values = tuple(LEVEL + self.values[each.identity][self.instances.place(block)])
            self.ledger.add(Entry(each.identity, block.name, "ok", values, price, 0.0))


class World:
    """Draws programs and knows what they are worth."""

    def __init__(self, seed: int, better: tuple[float, float, float]) -> None:
        self.random, self.better = np.random.default_rng(seed), better
        self.gains: dict[str, float] = {}
        self.values: dict[str, np.ndarray] = {}
        for gain in KNOWN:
            self._add(gain, self._noise())

    def _noise(self) -> np.ndarray:
        return self.random.normal(0, NOISE, UNIT * BLOCKS + FINAL)

    def _add(self, gain: float, noise: np.ndarray) -> str:
        name = str(len(self.gains))
        self.gains[name], self.values[name] = gain, gain + noise
        return name

    def child(self, parent: str) -> str:
        """A new program made of one."""
        kind, (share, least, most), gain = self.random.random(), self.better, self.gains[parent]
        noise = self.values[parent] - gain
        if kind < 0.24:
            return self._add(gain, noise)
        if kind < 0.24 + share:
            change = self.random.uniform(least, most) * max(0.0, 1 - gain / 8)
        elif kind < 0.34 + share:
            change = self.random.normal(0, 0.2)
        else:
            change = -np.exp(self.random.normal(np.log(5), 1.3))
        return self._add(gain + change, noise + self._noise())


def ranked(standings: Iterable[Standing], variant: Variant) -> list[Standing]:
    """The pool as a variant has it, the incumbent first."""
    leader, *others = standings
    return [leader, *sorted(others, key=lambda each: -(each.expected if variant.expected else each.gain))]


def search(seed: int, better: tuple[float, float, float], variant: Variant) -> list[float]:
    """The true gain of what one search ends with, for each of `ERRORS`."""
    world = World(seed, better)
    trials = SyntheticTrials(world.values)
    known, *others = world.gains
    count = next(n for n in range(FINAL, 0, -1) if finals_cost(variant.finalists, n, True) <= variant.share * BUDGET)
    race = Race(trials, budget=BUDGET - finals_cost(variant.finalists, count, True))
    race.challenge(known)
    race.challenge_many(others)
    while race.affordable():
        pool = ranked(race.ranking(), variant)[:POOL]
        unsure = [each.source for each in pool[1:] if each.instances < UNIT * BLOCKS][: variant.again]
        for each in unsure:
            race.challenge(each)
        places = [(-place, each.source) for place, each in enumerate(pool)]
        drawn = [draw_by_rank(places, world.random, lambda pair: pair[0])[1] for _ in range(ROUND)]
        race.challenge_many([world.child(parent) for parent in drawn])
        for block in race.blocks:
            trials.measure([race.incumbent], block, race.budget)
    last = [each.source for each in ranked(race.ranking(), variant)][: variant.finalists]
    first = finalists(trials, last, count, known)[0]
    return [world.gains[first.source] if first.gain > errors * first.error else world.gains[known] for errors in ERRORS]


def main() -> None:
    """Print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "choosing.json")
    options = parser.parse_args()
    table: dict[str, dict[str, dict[str, Any]]] = {}
    seeds = range(options.repetitions)
    with ProcessPoolExecutor(2) as pool:
        for world, better in WORLDS.items():
            print(f"\n{world:38} gain that is asked of the best, in standard errors")
            print(" " * 38 + "".join(f"{errors:>16}" for errors in ERRORS))
            for name, variant in VARIANTS.items():
                repeated = len(seeds)
                rows = pool.map(search, seeds, [better] * repeated, [variant] * repeated, chunksize=8)
                means = [Interval.of(column) for column in zip(*rows)]
                table.setdefault(world, {})[name] = {
                    str(errors): {key: each and round(each, 3) for key, each in asdict(interval).items()}
                    for errors, interval in zip(ERRORS, means)
                }
                print(f"{name:38}" + "".join(f"{each.mean:16.2f}" for each in means), flush=True)
    options.output.write_text(json.dumps({"repetitions": options.repetitions, "worlds": table}, indent=1) + "\n")


if __name__ == "__main__":
    main()
