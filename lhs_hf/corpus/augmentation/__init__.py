"""Augmentation of programs (paper, appendix B): three tiers of source transforms, written with libcst.

Tier "a" changes the text and keeps every decision, "b" changes numbers, "c" changes the algorithm a little; crossovers
(tier "c") join two programs. All of it is local and deterministic given a generator: no language model is called.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from libcst import ParserSyntaxError

from ...programs import ProgramError, canonical, parse, program_hash
from ...tasks import get_task
from ..seeds_io import Seed
from . import behavioural, branches, crossover, loops, naming, parametric, structural, syntactic  # noqa: F401  (they register)
from .registry import CROSSOVERS, TRANSFORMS, TaskInterface, Tier, Transform

TIERS: tuple[Tier, ...] = ("a", "b", "c")
MAX_CHARACTERS = 6000
"""Longer results are refused: they outgrow the decoder's context."""

_MOST_STEPS = {"a": 4, "b": 2, "c": 2}


@dataclass(frozen=True)
class Variant:
    """A program made from others. `parents` are program hashes; `parent_source` is the text of the first of them."""

    task: str
    source: str
    tier: Tier
    family: str
    parents: tuple[str, ...]
    transforms: tuple[str, ...]
    parent_source: str


def augment(
    source: str,
    task: TaskInterface | str,
    tier: Tier,
    generator: np.random.Generator,
    partner: str | None = None,
    family: str = "",
    steps: int | None = None,
    weights: Mapping[str, float] | None = None,
) -> Variant | None:
    """Make a variant of a program by a few random transforms of one tier.

    Args:
        source: the program.
        task: the task it solves, or the name of a built-in one.
        tier: "a", "b" or "c".
        generator: where all randomness comes from.
        partner: a second program of the same task; with tier "c" the two are crossed.
        family: passed on to the variant.
        steps: how many transforms to apply; None draws up to 4 (tier a) or 2 (tiers b and c).
        weights: name of a transform or crossover -> how often it is tried first; 1 for those not named, 0 for never.
            None tries them in an order that is uniformly random.

    Returns None if no transform applies or the canonical form stays the same.
    """
    if tier not in TIERS:
        raise ValueError(f"unknown tier {tier!r}; the tiers are: {', '.join(TIERS)}")
    subject = get_task(task) if isinstance(task, str) else task
    wanted = int(generator.integers(1, _MOST_STEPS[tier] + 1)) if steps is None else steps
    text, applied, parents = source, [], [program_hash(source)]
    if partner is not None and tier == "c":
        crossed = _first_success(
            CROSSOVERS, generator, lambda function: function(source, partner, generator, subject), source, weights
        )
        if crossed is None:
            return None
        text, name = crossed
        applied, wanted = [name], 0
        parents.append(program_hash(partner))
    for _ in range(wanted):
        apply = partial(_apply, source=text, generator=generator, task=subject)
        changed = _first_success(TRANSFORMS[tier], generator, apply, text, weights)
        if changed is None:
            break
        text = changed[0]
        applied.append(changed[1])
    if not applied or _canonical(text) == _canonical(source):
        return None
    return Variant(subject.name, text, tier, family, tuple(parents), tuple(applied), source)


def _apply(function: Transform, source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    return function(source, generator, task)


def _first_success(
    table: dict[str, Callable[..., str | None]],
    generator: np.random.Generator,
    apply: Callable[[Callable[..., str | None]], str | None],
    source: str,
    weights: Mapping[str, float] | None = None,
) -> tuple[str, str] | None:
    """Try the functions of a table in random order until one changes the program: (new text, name).

    A rewriting that does not parse counts as one that does not apply.
    """
    options = list(table)
    before = _canonical(source)
    for position in _order(options, generator, weights):
        try:
            text = apply(table[options[int(position)]])
        except ParserSyntaxError:
            continue
        if text is not None and len(text) <= MAX_CHARACTERS and _canonical(text) not in (None, before):
            return text, options[int(position)]
    return None


def _order(names: list[str], generator: np.random.Generator, weights: Mapping[str, float] | None) -> np.ndarray:
    """Positions of names in random order, those of a greater weight earlier, those of none left out."""
    if weights is None:
        return generator.permutation(len(names))
    # The first of exponential clocks that run at the speed of the weights: a weighted draw without replacement.
    speeds = np.array([weights.get(name, 1.0) for name in names], dtype=np.float64)
    times = generator.exponential(size=len(names)) / np.where(speeds > 0, speeds, 1.0)
    return np.array([position for position in np.argsort(times) if speeds[position] > 0], dtype=np.int64)


def _canonical(text: str) -> str | None:
    try:
        return canonical(text)
    except ProgramError:
        return None


def helpers_come_first(source: str) -> bool:
    """Whether every function of a program stands above the functions that mention it.

    The decoder writes programs in this order only: a name is legal once it is defined.
    """
    functions = [node for node in parse(source).body if isinstance(node, ast.FunctionDef)]
    later = {function.name for function in functions}
    for function in functions:
        later.discard(function.name)
        if any(isinstance(node, ast.Name) and node.id in later for node in ast.walk(function)):
            return False
    return True


def stream_variants(
    seeds: Sequence[Seed],
    generator: np.random.Generator,
    accept: Callable[[Variant], bool] | None = None,
    tiers: Iterable[Tier] = TIERS,
    tier_weights: Sequence[float] | None = None,
    crossover_share: float = 0.35,
    longest_walk: int = 3,
) -> Iterator[Variant]:
    """Fresh variants of seeds without end, for training. Nothing is evaluated.

    Walks of up to `longest_walk` augmentations start from random seeds, and every step of a walk is a variant: it is
    one augmentation away from its `parent_source`, so that the stream also yields pairs for learning to edit. Give
    seeds of training families only: a crossover takes its partner from them too. `accept` may refuse variants, for
    instance those that fail on a probe state; a walk ends there, as it does where `helpers_come_first` fails.
    `tier_weights`: how often each of `tiers` is drawn.

    Raises `ValueError` if there are no seeds, or no weight for every tier.
    """
    if not seeds:
        raise ValueError("stream_variants needs at least one seed")
    choices = tuple(tiers)
    weights = np.ones(len(choices)) if tier_weights is None else np.asarray(tier_weights, dtype=np.float64)
    if weights.shape != (len(choices),) or weights.min() < 0 or not weights.sum() > 0:
        raise ValueError(f"expected a weight for each of the tiers {choices}, got {tier_weights!r}")
    shares = weights / weights.sum()
    by_task: dict[str, list[Seed]] = {}
    for seed in seeds:
        by_task.setdefault(seed.task, []).append(seed)
    while True:
        seed = seeds[int(generator.integers(len(seeds)))]
        others = by_task[seed.task]
        source = seed.source
        for _ in range(int(generator.integers(1, longest_walk + 1))):
            tier = choices[int(generator.choice(len(choices), p=shares))]
            crossing = tier == "c" and len(others) > 1 and generator.random() < crossover_share
            partner = others[int(generator.integers(len(others)))].source if crossing else None
            variant = augment(source, seed.task, tier, generator, partner, seed.family)
            if variant is None or not helpers_come_first(variant.source):
                break
            if accept is not None and not accept(variant):
                break
            yield variant
            source = variant.source


def transform_names() -> dict[str, tuple[str, ...]]:
    """Names of all transforms by tier, and of the crossovers under "crossover"."""
    return {**{tier: tuple(table) for tier, table in TRANSFORMS.items()}, "crossover": tuple(CROSSOVERS)}


__all__ = [
    "CROSSOVERS",
    "MAX_CHARACTERS",
    "TIERS",
    "TRANSFORMS",
    "Tier",
    "Variant",
    "augment",
    "helpers_come_first",
    "stream_variants",
    "transform_names",
]
