"""Settings of a search and its presets."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..errors import CallError, unknown
from ..fields import check, documented, setting

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
AUTO = "auto"
INITS = ("reference", "corpus")
PROPOSALS = ("latent", "portfolio")

LATENT_ALONE = ("optimizer", "space", "seeds", "distinct", "screening", "nearness", "refit")
"""Settings of the search by latents alone: a portfolio has no use for them."""

PORTFOLIO_ALONE = ("max_slowdown", "editor")

PRESETS: dict[str, dict[str, Any]] = {
    # Edits of good programs beside points of the latent space, chosen in races on fresh training instances.
    "default": {},
    "fast": {"time_limit": 60.0},
    # Points of the latent space alone, chosen on the search split.
    "latent": {"proposals": "latent", "init": "reference", "pool": 20},
    # Appendix A: T = 5 steps of eta = 0.001 on the raw gradient, seeds from the top ten as they stand, temperature 0.7.
    "paper": {
        "proposals": "latent",
        "init": "reference",
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
    # What the default was called before it was the default.
    "portfolio": {},
}

EARLIER: dict[str, Any] = {"proposals": "latent", "pool": 20, "editor": False, "time_limit": None, "max_slowdown": None}
"""How runs went that were made before there were these settings."""


def names_programs(init: str) -> bool:
    """Whether `init` is the path of programs, which need not be there: settings outlive them."""
    path = Path(init)
    return path.suffix in (".py", ".jsonl") or len(path.parts) > 1 or path.is_dir()


@documented
@dataclass(frozen=True)
class SearchSettings:
    """What Algorithm 1 needs to know.

    Lengths are Euclidean and in standard deviations of the space that is searched: the prior N(0, I) has one standard
    deviation a dimension; in the latent space (No-Flow) the standard deviation is that of the training latents.
    """

    budget: int = setting(
        100,
        "Decoder calls of the whole search, the first population included. A portfolio gets as many instance runs as "
        "this number of programs takes on the search split.",
        least=1,
    )
    seed: int = setting(0, "Seed; two runs with one seed give one result.", least=0)
    optimizer: str = setting(
        "gradient",
        "How points move: interpolation is No-Grad, cma CMA-ES, cem the cross-entropy method; random, against, none, "
        "prior and nearest_elite are controls.",
        choices=OPTIMIZERS,
    )
    space: str = setting("prior", "The space that is searched; latent is No-Flow.", choices=SPACES)
    init: str = setting(
        AUTO,
        "Start from the reference program, from the best training programs of the corpus, or from programs of one's "
        "own: the path of a Python file, of a folder of them or of a .jsonl file with each text under program. auto: "
        "from the corpus where there is one of the task; the search by latents alone takes the reference.",
    )
    preset: str = setting(
        "default",
        "Settings that go together: default edits good programs beside points of the latent space, fast does so for a "
        "minute, latent moves through the latent space alone, paper does so with its published step size. Without "
        "one, settings of the search by latents alone (such as optimizer) choose latent.",
        choices=tuple(PRESETS),
    )
    population: int = setting(
        10, "Points around the reference that are decoded before the first round (init reference).", least=1
    )
    population_radius: float = setting(
        8.0, "The farthest that the first population starts from the reference.", least=0
    )
    pool: int = setting(10, "How many best programs seeds are drawn from.", least=1)
    seeds: int = setting(20, "How many of the pool are drawn a round, without replacement.", least=1)
    distinct: bool = setting(True, "Programs of equal objective take one place in the pool.")
    steps: int = setting(10, "Ascent steps T.", least=0)
    step_size: float = setting(0.001, "Without a radius, a step is this times the raw gradient (eta).", least=0)
    radius: float | None = setting(
        8.0,
        "Trust region: each step has length radius / steps along the normalised gradient and never leaves the ball of "
        "this radius around the seed. Without one, step_size counts.",
        above=0,
    )
    jitter: float = setting(
        1.0, "Length of a random displacement before the ascent, as a share of the radius.", least=0
    )
    uncertainty: float = setting(
        0.0,
        "Weight of the surrogate's standard deviation (Monte Carlo dropout, or an ensemble), subtracted from what the "
        "ascent climbs; 0 leaves it out.",
        least=0,
    )
    prior_weight: float = setting(
        0.0,
        "Weight of the squared norm under the prior, a dimension, subtracted from what the ascent climbs.",
        least=0,
    )
    screening: int = setting(
        1,
        "Programs decoded from each point. With more than one, each is run on the task's probe states and encoded "
        "again, and only the one with the largest predicted score is evaluated. Every decode costs a call.",
        least=1,
    )
    nearness: float = setting(
        0.1,
        "Weight, in that choice, of the distance between the point and the program encoded again (root mean square "
        "over the dimensions, in standard deviations).",
        least=0,
    )
    refit: int = setting(
        0,
        "Rounds after which the surrogate is fine-tuned again, from the weights it came with, on everything found so "
        "far and on the task's training programs; 0 never does it.",
        least=0,
    )
    temperature: float = setting(1.0, "Sampling temperature of the decoder.", least=0)
    top_p: float = setting(0.95, "The decoder samples from the likeliest tokens of this share.", above=0, most=1)
    max_new_tokens: int = setting(512, "Longest program that is decoded, in tokens.", least=1)
    guidance: bool = setting(
        True,
        "Run each statement on probe states as it is written and sample it again if it fails. It costs tokens and runs "
        "on states that belong to no benchmark split, neither decoder calls nor evaluations.",
    )
    proposals: str = setting(
        "portfolio",
        "Where programs come from: points of the latent space that are chosen on the search split, or a portfolio that "
        "edits good programs too and has them race on fresh training instances.",
        choices=PROPOSALS,
    )
    time_limit: float | None = setting(
        None,
        "Seconds after which the search ends with the best program so far, whatever its budget; the comparison on the "
        "splits comes after it.",
        above=0,
        duration=True,
    )
    max_slowdown: float | None = setting(
        None,
        "A portfolio looks for programs that take at most so many times as long as the reference program.",
        least=2,
    )
    editor: bool = setting(
        False, "A portfolio proposes edits that the model's editor writes, beside transforms and crossovers."
    )

    islands: int = setting(
        1,
        "Portfolios that search side by side, each with dice of its own, and pass on their best programs. They share "
        "the budget.",
        least=1,
    )
    migration: int = setting(2, "Rounds of each island after which the best programs are passed on.", least=1)

    def __post_init__(self) -> None:
        check(self)
        if self.init not in (AUTO, *INITS) and not names_programs(self.init):
            raise unknown("init", self.init, (AUTO, *INITS, "the path of a .py or .jsonl file or of a folder"))
        if self.raced:
            plain = {field.name: field.default for field in fields(self)}
            for name in LATENT_ALONE:
                if getattr(self, name) != plain[name]:
                    raise CallError(
                        f"{name} {getattr(self, name)!r} belongs to the search by latents alone, and a portfolio is "
                        "asked for; choose --preset latent"
                    )
        for name in PORTFOLIO_ALONE if not self.raced else ():
            if getattr(self, name):
                raise CallError(f"{name} belongs to a portfolio, and the search by latents alone is asked for")
        if self.islands > 1 and not self.raced:
            raise CallError("islands are portfolios, and the search by latents alone is asked for")
        if self.islands > self.budget:
            raise CallError(f"{self.islands} islands share a budget of {self.budget}; expected at least 1 for each")
        if self.optimizer == "cma" and self.seeds < 2:
            raise CallError(f"optimizer 'cma' needs at least 2 seeds a round, got {self.seeds}")

    @property
    def raced(self) -> bool:
        """Whether programs race on training instances, and the budget is counted in instance runs."""
        return self.proposals == "portfolio"

    @classmethod
    def from_preset(cls, preset: str | None = None, **changes: Any) -> SearchSettings:
        """The settings of a preset with some of them changed.

        Without a preset it is "default", or "latent" if a setting is changed that only the search by latents alone has.
        Raises `CallError` for an unknown preset or setting.
        """
        plain = {field.name: field.default for field in fields(cls)}
        for name in changes:
            if name not in plain:
                raise unknown("search setting", name, sorted(plain))
        if preset is None:
            alone = any(changes.get(name, plain[name]) != plain[name] for name in LATENT_ALONE)
            preset = "latent" if alone and "proposals" not in changes else "default"
        if preset not in PRESETS:
            raise unknown("preset", preset, PRESETS)
        return replace(cls(), **{**PRESETS[preset], "preset": preset, **changes})

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)
