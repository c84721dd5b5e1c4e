"""Settings of a comparison that all of its cells share."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import check, documented, setting

UNITS = ("evaluations", "calls", "seconds")
"""What may be equal for all methods of a comparison."""

INITS = ("auto", "reference", "corpus")


@documented
@dataclass(frozen=True, kw_only=True)
class GridSettings:
    """How many seeds, how much of what, and where methods start."""

    seeds: int = setting(5, "Seeds of each method on each task: 0, 1, 2 and so on.", least=1)
    budget: int = setting(100, "How much of what is equal each method gets.", least=1)
    equal: str = setting(
        "evaluations",
        "What is equal: evaluations (instance runs of so many programs on search), calls (of a language model or "
        "decoder; methods without one get as many evaluations), or seconds.",
        choices=UNITS,
    )
    init: str = setting(
        "auto",
        "Where methods without a language model start: from the reference program, from the best training programs of "
        "the corpus; auto takes the corpus where there is one. Methods with one start as they were published.",
        choices=INITS,
    )
    calls: int | None = setting(
        None, "With equal evaluations: calls of a language model, at most. None is twice the budget.", least=1
    )
    temperature: float = setting(0.7, "Of language models, where a method has none of its own.", least=0)
    max_tokens: int = setting(2048, "Longest reply of a language model, in tokens.", least=1)
    latent_model: str = setting("lhs-tiny", "Composite model of the searches with a latent space.")
    curves: bool = setting(True, "Evaluate incumbents on holdout too, for convergence curves; it costs no budget.")

    def __post_init__(self) -> None:
        check(self)
