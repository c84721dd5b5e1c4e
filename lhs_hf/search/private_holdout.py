"""The private holdout of a search: instances that nobody could know while it ran, to check what it found.

Published splits follow from published seeds, so a program may draw them again and know what it should not. When a
search starts it draws a seed of its own, stores it in the run database and keeps it in this process. At the end the
program found and the reference meet the instances of that seed; if the gain there is smaller than on `search` by more
than chance, the result says so. Nothing in a search depends on it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..evaluation.result import REPEATABLE
from ..tasks.base import NoFreshInstances, Task
from .database import RunDatabase

SEED_KEY = "private_seed"
CHANCE = 0.01
"""A difference that chance explains with a smaller probability than this is reported."""

_FEWEST, _MOST = 10, 32
_EXACT = 20_000
_SHUFFLES = 20_000


@dataclass(frozen=True)
class PrivateHoldout:
    """What the private holdout says about the program a search found.

    `found`, `reference`, `corpus`: mean objectives on its `count` instances, None where a program fails or there is
    none. `search_gain` and `private_gain`: mean gain of the program found over the reference as a share of the
    reference's objective (positive is better); `difference` is the first minus the second and `p_value` the probability
    of one as large by chance. `agrees` is None where that can not be told; `message` says why, or how the program
    failed. `seed` is a hexadecimal number as text: JSON readers round large numbers.
    """

    seed: str
    count: int = 0
    found: float | None = None
    reference: float | None = None
    corpus: float | None = None
    search_gain: float | None = None
    private_gain: float | None = None
    difference: float | None = None
    p_value: float | None = None
    agrees: bool | None = None
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> PrivateHoldout | None:
        """The reverse of `as_dict`; None for the None of a search without one. Raises `CallError` for anything else."""
        if data is None:
            return None
        if not isinstance(data, dict):
            raise CallError(f"a private holdout is a {type(data).__name__}, expected an object")
        numbers = ("found", "reference", "corpus", "search_gain", "private_gain", "difference", "p_value")
        kinds: dict[str, tuple[type, ...]] = {name: (int, float, type(None)) for name in numbers}
        kinds |= {"seed": (str,), "count": (int,), "agrees": (bool, type(None)), "message": (str,)}
        values = {name: data[name] for name in kinds if name in data}
        for name, value in values.items():
            if not isinstance(value, kinds[name]) or (name in numbers and isinstance(value, bool)):
                raise CallError(f"{name} of a private holdout is {value!r:.80}")
        if "seed" not in values:
            raise CallError("a private holdout without a seed")
        return cls(**values)


def draw_seed() -> int:
    """A seed of 128 bits that nobody can guess."""
    return secrets.randbits(128)


def parse_seed(seed: int | str) -> int:
    """A seed as a number, from a number or its text, decimal or hexadecimal after 0x. Raises `CallError`."""
    try:
        number = int(seed, 0) if isinstance(seed, str) else seed
    except ValueError:
        number = -1
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**128:
        raise CallError(f"a private seed is a whole number of at most 128 bits, such as 17 or 0x5eed, got {seed!r:.80}")
    return number


def chosen_seed(task: Task, given: int | str | None) -> int | None:
    """The seed a caller wants to use again, None for none. Raises `CallError` for one that can not be private."""
    if given is None:
        return None
    seed = parse_seed(given)
    if seed in task.published_seeds:
        raise CallError(f"a published split of {task.name} has the seed {seed}; a private holdout needs another")
    return seed


def seed_of_run(task: Task, database: RunDatabase, wanted: int | None) -> int:
    """The private seed of a run: the one stored, else the one wanted, else a new one; stored at once.

    Raises `CallError` if the one wanted is not the one stored, and for a stored one that can not be private.
    """
    stored = chosen_seed(task, database.get(SEED_KEY))
    if stored is not None:
        if wanted not in (None, stored):
            raise CallError(f"{database.path.parent} was made with another private seed; resume it without one")
        return stored
    seed = draw_seed() if wanted is None else wanted
    database.set(SEED_KEY, hex(seed))
    return seed


def count_for(task: Task) -> int:
    """Instances of a private holdout: as many as `search` has, where it has few enough more for the test to tell."""
    own = task.split("search").count
    count = max(own, _FEWEST)
    while count < _MOST and comb(own + count, own) * CHANCE < 2:
        count += 1
    return count


def check(
    task: Task,
    evaluator: Evaluator,
    seed: int,
    program: str,
    on_search: tuple[tuple[float, ...] | None, tuple[float, ...] | None],
    corpus: str | None = None,
    stop: Callable[[], bool] | None = None,
) -> PrivateHoldout | None:
    """Meet the private holdout with a program, the reference and the best program of the corpus.

    `on_search`: objectives of the program and of the reference on each instance of `search`, None if not known.
    `stop` is asked before each evaluation; None is returned once it says yes.
    """
    try:
        split = task.fresh_split(seed, count_for(task))
    except NoFreshInstances as reason:
        return PrivateHoldout(hex(seed), message=str(reason))
    results: dict[str, Evaluation] = {}
    for source in (program, task.template, corpus):
        if stop is not None and stop():
            return None
        if source is not None and source not in results:
            results[source] = evaluator.evaluate(source, split)
    found, reference = results[program], results[task.template]
    best = results[corpus].objective if corpus is not None else None
    base = PrivateHoldout(hex(seed), split.count, found.objective, reference.objective, best)
    return _judged(base, task, found, reference, on_search)


def _judged(
    base: PrivateHoldout,
    task: Task,
    found: Evaluation,
    reference: Evaluation,
    on_search: tuple[tuple[float, ...] | None, tuple[float, ...] | None],
) -> PrivateHoldout:
    values = asdict(base)
    if not reference.ok:
        return PrivateHoldout(**{**values, "message": f"the reference fails: {reference.status}: {reference.message}"})
    if not found.ok:
        # What a machine under load can cause says nothing about the program.
        agrees = False if found.status in REPEATABLE else None
        return PrivateHoldout(**{**values, "agrees": agrees, "message": f"{found.status}: {found.message}"})
    if not on_search[0] or not on_search[1]:
        return PrivateHoldout(**{**values, "message": "objectives on the instances of search are not known"})
    chosen = gains(task, on_search[0], on_search[1])
    private = gains(task, found.objectives, reference.objectives)
    probability = p_value(chosen, private)
    difference = float(chosen.mean() - private.mean())
    enough = comb(len(chosen) + len(private), len(chosen)) * CHANCE > 1
    values |= {
        "search_gain": float(chosen.mean()),
        "private_gain": float(private.mean()),
        "difference": difference,
        "p_value": probability,
        "agrees": probability >= CHANCE if enough else None,
        "message": "" if enough else f"{len(chosen)} instances of search are too few to tell",
    }
    return PrivateHoldout(**values)


def gains(task: Task, found: tuple[float, ...], reference: tuple[float, ...]) -> np.ndarray:
    """Gain of a program over the reference on each instance, float64 (instances,); their mean is the overall gain.

    Shares are of the reference's mean magnitude over all instances, of 1 where that is 0.
    """
    ours, theirs = np.asarray(found, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    return np.asarray(task.alpha * (ours - theirs) / (np.abs(theirs).mean() or 1.0))


def p_value(chosen: np.ndarray, fresh: np.ndarray) -> float:
    """Probability, one-sided, that instances of one kind fall apart so: mean(chosen) - mean(fresh) as large or larger.

    A permutation test: all ways to divide the instances where they are at most 20,000, else so many drawn ones.
    """
    together = np.concatenate([chosen, fresh])
    size, total = len(chosen), len(together)
    # The mean difference grows with the sum of the first group; equal sums differ in the last digits.
    observed = chosen.sum() - 1e-9 * np.abs(together).sum()
    if comb(total, size) <= _EXACT:
        sums = together[np.array(list(combinations(range(total), size)))].sum(axis=1)
        return float((sums >= observed).mean())
    shuffles = np.random.default_rng(0).permuted(np.tile(np.arange(total), (_SHUFFLES, 1)), axis=1)[:, :size]
    larger = int((together[shuffles].sum(axis=1) >= observed).sum())
    return (larger + 1) / (_SHUFFLES + 1)


def sentence(private: PrivateHoldout) -> str:
    """What there is to say about a private holdout, in one or two plain sentences."""
    if not private.count:
        return f"no private holdout: {private.message}"
    fresh = f"{private.count} fresh instances, seed {private.seed}"
    if private.search_gain is None or private.private_gain is None:
        who = "the program found fails there" if private.reference is not None else "it tells nothing"
        return f"private holdout ({fresh}): {who}: {private.message}"
    figures = (
        f"better than the reference by {100 * private.private_gain:.2f} % there and by "
        f"{100 * private.search_gain:.2f} % on search"
    )
    if private.p_value is None or private.agrees is None:
        return f"private holdout ({fresh}): {figures}; {private.message}"
    if private.agrees:
        shrinks = ", and a gain shrinks a little where it was not chosen" if (private.difference or 0.0) > 0 else ""
        return f"private holdout ({fresh}): {figures}; chance explains that (p = {private.p_value:.2g}){shrinks}"
    return f"private holdout ({fresh}): {figures}; more than chance explains (p = {private.p_value:.2g})"


def warning(private: PrivateHoldout | None) -> str | None:
    """What to say first where `search` and private holdout disagree; None where they do not."""
    if private is None or private.agrees is not False:
        return None
    if private.p_value is None:
        return f"the program found fails on the private holdout: {private.message}"
    return (
        f"search and private holdout disagree by more than chance (p = {private.p_value:.2g}): the program may know "
        "the instances of search, or fit them alone"
    )
