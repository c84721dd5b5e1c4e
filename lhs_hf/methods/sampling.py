"""The two plain ways to use a language model: samples that know nothing of each other, and samples shown the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .language_method import LanguageMethod, Steps, block
from .prompts import CODE, about


@dataclass(frozen=True)
class SamplingSettings:
    """There is nothing to set."""


class BestOfN(LanguageMethod):
    """Independent samples: every request is the same, the best program is kept."""

    name: ClassVar[str] = "best_of_n"
    settings_type: ClassVar[type] = SamplingSettings

    def search(self) -> Steps:
        """Sample and evaluate, for ever."""
        text = f"{about(self.task)}\n\nWrite a good heuristic. {CODE}"
        while True:
            yield from self.child(text, "sample")


class Sequential(LanguageMethod):
    """Each request shows the best program so far and asks for a better one."""

    name: ClassVar[str] = "sequential"
    settings_type: ClassVar[type] = SamplingSettings

    def search(self) -> Steps:
        """Sample and evaluate, for ever."""
        while True:
            best = self.best or self.reference
            score = "no score" if best.score is None else f"a score of {best.score:.6g} (higher is better)"
            text = (
                f"{about(self.task)}\n\nThe best heuristic so far, with {score}:\n\n{block(best.source)}\n\n"
                f"Write one that scores higher. {CODE}"
            )
            yield from self.child(text, "sample", [best])
