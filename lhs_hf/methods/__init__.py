"""Search methods beside Algorithm 1: controls and peers, one file each, all by ask and tell."""

from __future__ import annotations

from ..errors import unknown
from .eoh import EoH
from .funsearch import FunSearch
from .hsevo import HSEvo
from .language_method import LanguageMethod
from .mcts_ahd import MCTSAHD
from .method import Method, Result
from .reevo import ReEvo
from .sampling import BestOfN, Sequential

LANGUAGE_METHODS: dict[str, type[LanguageMethod]] = {
    each.name: each for each in (BestOfN, Sequential, FunSearch, EoH, ReEvo, MCTSAHD, HSEvo)
}
"""The methods that have a language model write programs, by name."""


def language_method(name: str) -> type[LanguageMethod]:
    """A method by its name. Raises `CallError` naming those that exist."""
    if name not in LANGUAGE_METHODS:
        raise unknown("method", name, LANGUAGE_METHODS)
    return LANGUAGE_METHODS[name]


__all__ = ["LANGUAGE_METHODS", "LanguageMethod", "Method", "Result", "language_method"]
