"""Settings of a search and its presets."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from numbers import Integral, Real
from typing import Any

from ..errors import CallError, unknown

SPACES = ("prior", "latent")
OPTIMIZERS = (
    "gradient",
    "interpolation",
    "random",
    "against",
    "none",
    "prior",
    "nearest_elite",
    "cma",
    "cem",
)
INITS = ("reference", "corpus")


@dataclass(frozen=True)
class SearchSettings:
    """What Algorithm 1 needs to know.

    Lengths are Euclidean and in standard deviations of the space that is searched: the prior N(0, I) has one standard
    deviation a dimension; in the latent space (No-Flow) the standard deviation is that of the training latents.

    Attributes:
        budget: decoder calls of the whole search, the first population included.
        population: points around the reference that are decoded before the first round (`init="reference"`).
        population_radius: the farthest that the first population starts from the reference.
        pool: how many best programs seeds are drawn from; `seeds`: how many are drawn a round, without replacement.
        distinct: whether programs of equal objective take one place in the pool.
        steps: ascent steps T. `step_size`: eta; with `radius` None the step is eta times the raw gradient (paper).
        radius: trust region. Each step has length radius / steps along the normalised gradient and never leaves the
            ball of this radius around the seed.
        jitter: length of a random displacement before the ascent, as a share of `radius`.
        uncertainty: weight of the surrogate's standard deviation (Monte Carlo dropout, or an ensemble), subtracted from
            what the ascent climbs; 0 leaves it out.
        prior_weight: weight of the squared norm under the prior, a dimension, subtracted from what the ascent climbs.
        screening: programs decoded from each point. With more than one, each is run on the task's probe states and
            encoded again, and only the one with the largest predicted score is evaluated. Every decode costs a call.
        nearness: weight, in that choice, of the distance between the point and the program encoded again (root mean
            square over the dimensions, in standard deviations).
        refit: rounds after which the surrogate is fine-tuned again, from the weights it came with, on everything found
            so far and on the task's training programs; 0 never does it.
        temperature, top_p: of the decoder.
        guidance: run each statement on probe states as it is written and sample it again if it fails. It costs tokens
            and runs on states that belong to no benchmark split, neither decoder calls nor evaluations.
    """

    budget: int = 100
    seed: int = 0
    optimizer: str = "gradient"
    space: str = "prior"
    init: str = "reference"
    preset: str = "default"
    population: int = 10
    population_radius: float = 8.0
    pool: int = 20
    seeds: int = 20
    distinct: bool = True
    steps: int = 10
    step_size: float = 0.001
    radius: float | None = 8.0
    jitter: float = 1.0
    uncertainty: float = 0.0
    prior_weight: float = 0.0
    screening: int = 1
    nearness: float = 0.1
    refit: int = 0
    temperature: float = 1.0
    top_p: float = 0.95
    max_new_tokens: int = 512
    guidance: bool = True

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_type(field.name, getattr(self, field.name), field.default)
        for kind, value, existing in (
            ("optimizer", self.optimizer, OPTIMIZERS),
            ("space", self.space, SPACES),
            ("init", self.init, INITS),
            ("preset", self.preset, PRESETS),
        ):
            if value not in existing:
                raise unknown(kind, value, existing)
        for name, least in (
            ("budget", 1),
            ("population", 1),
            ("pool", 1),
            ("seeds", 1),
            ("steps", 0),
            ("screening", 1),
            ("refit", 0),
            ("seed", 0),
            ("max_new_tokens", 1),
        ):
            if getattr(self, name) < least:
                raise CallError(f"{name} must be at least {least}, got {getattr(self, name)}")
        if self.radius is not None and self.radius <= 0:
            raise CallError(f"radius must be positive, got {self.radius}")
        for name in ("uncertainty", "prior_weight", "nearness"):
            if not getattr(self, name) >= 0:
                raise CallError(f"{name} can not be negative, got {getattr(self, name)}")
        if self.optimizer == "cma" and self.seeds < 2:
            raise CallError(f"optimizer 'cma' needs at least 2 seeds a round, got {self.seeds}")
        if not self.temperature >= 0:
            raise CallError(f"temperature can not be negative, got {self.temperature}")
        if not 0 < self.top_p <= 1:
            raise CallError(f"top_p must be in (0, 1], got {self.top_p}")

    @classmethod
    def from_preset(cls, preset: str = "default", **changes: Any) -> SearchSettings:
        """The settings of a preset with some of them changed. Raises `CallError` for an unknown preset or setting."""
        if preset not in PRESETS:
            raise unknown("preset", preset, PRESETS)
        names = {field.name for field in fields(cls)}
        for name in changes:
            if name not in names:
                raise unknown("search setting", name, sorted(names))
        return replace(cls(), **{**PRESETS[preset], "preset": preset, **changes})

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def _check_type(name: str, value: Any, default: Any) -> None:
    """Raise `CallError` for a setting of another type than its default: None, a text for a number, NaN."""
    if name == "radius" and value is None:
        return
    if isinstance(default, (bool, str)):
        fits, expected = isinstance(value, type(default)), "true or false" if isinstance(default, bool) else "a text"
    elif isinstance(default, int):
        fits, expected = isinstance(value, Integral) and not isinstance(value, bool) and value < 2**63, "a whole number"
    else:
        fits, expected = isinstance(value, Real) and not isinstance(value, bool) and isfinite(value), "a finite number"
    if not fits:
        raise CallError(f"{name} must be {expected}, got {value!r:.80}")


PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    # Appendix A: T = 5 steps of eta = 0.001 on the raw gradient, seeds from the top ten as they stand, temperature 0.7.
    "paper": {
        "steps": 5,
        "step_size": 0.001,
        "radius": None,
        "jitter": 0.0,
        "distinct": False,
        "guidance": False,
        "temperature": 0.7,
        "top_p": 0.9,
        "seeds": 5,
        "pool": 10,
    },
}
