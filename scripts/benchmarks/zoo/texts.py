"""Programs under other names, and prompts that say what arguments are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lhs_hf.corpus.dataset import DATA_FOLDER, CorpusRow, load_corpus
from lhs_hf.corpus.zoo import ZOO_FOLDER
from lhs_hf.decoding.grammar import Signature
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.decoding.wording import Translation, wording
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task
from lhs_hf.tasks.likeness import interface
from zoo.arms import Arm

FUNCTION = "solve"
PLACEHOLDERS = tuple(f"a{number}" for number in range(16))
KINDS = ("scalar", "name", "vector", "mapping", "table", "links", "ids", "names", "listing", "empty", "other")
FACTS = ("listed", "whole", "inside", "indexed", "negative")
ANSWERS = ("entry", "pair", "scores", "priority", "unknown")
TYPE_WORDS = (*KINDS, *FACTS, *(f"answers_{each}" for each in ANSWERS))


def rows_of(name: str) -> list[CorpusRow]:
    """The programs of a task of the paper or of the zoo."""
    return load_corpus(name, folder=DATA_FOLDER if get_task(name).of_paper else ZOO_FOLDER)


def own_signature(task: Task) -> Signature:
    """The function under the task's own names."""
    return Signature(task.function_name, tuple(task.arguments))


def placed(task: Task, generator: np.random.Generator) -> Translation:
    """The function of a task with arguments called and ordered at random."""
    own = own_signature(task)
    count = len(own.arguments)
    names = tuple(PLACEHOLDERS[each] for each in generator.choice(len(PLACEHOLDERS), count, replace=False))
    order = tuple(int(each) for each in generator.permutation(count))
    return Translation(FUNCTION, names, own, order)


def drawn(arm: Arm, task: Task, generator: np.random.Generator) -> Signature:
    """The function as a decoder is to be told of it."""
    if arm.placeholders:
        return placed(task, generator)
    return wording(task).signature if arm.translated else own_signature(task)


class Types:
    """What the arguments of a task are, as words of a prompt."""

    def __init__(self, task: Task) -> None:
        known = interface(task)
        self._answer = f"answers_{known.answer or 'unknown'}"
        self._words = {}
        for argument in known.arguments:
            facts = [name for name, holds in zip(FACTS, argument.facts) if holds]
            self._words[argument.name] = [argument.kind if argument.kind in KINDS else "other", *facts]

    def prompt(self, tokenizer: ProgramTokenizer, signature: Translation) -> list[int]:
        """The general prompt with what is answered behind the function's name, and what it is behind each argument."""
        # `order[i]` is the place here of the task's argument i.
        own = dict(zip(signature.order, signature.own.arguments))
        prompt = [tokenizer.vocabulary.ids["<general>"], *named(tokenizer, signature.function_name)]
        prompt += typed(tokenizer, [self._answer])
        for place, name in enumerate(signature.arguments):
            prompt += [*named(tokenizer, name), *typed(tokenizer, self._words.get(own[place], []))]
        return [*prompt, tokenizer.vocabulary.ids["<program>"]]


def named(tokenizer: ProgramTokenizer, name: str) -> list[int]:
    """The tokens of a name in a prompt."""
    return tokenizer.encode_prompt(None, Signature(name, ()))[1:-1]


def typed(tokenizer: ProgramTokenizer, words: Sequence[str]) -> list[int]:
    """The tokens of words of `TYPE_WORDS`."""
    return [tokenizer.vocabulary.ids[f"<class:is_{word}>"] for word in words]


def prompt_of(arm: Arm, types: Types, tokenizer: ProgramTokenizer, signature: Signature, task: Task) -> list[int]:
    """The prompt of an arm for a function."""
    if arm.types and isinstance(signature, Translation):
        return types.prompt(tokenizer, signature)
    subject = wording(task).subject if arm.translated else None
    return tokenizer.encode_prompt(subject, signature)


def variant_file(work: Path, name: str) -> Path:
    """The streamed variants of a task."""
    return work / "variants" / f"{name}.parquet"


def encoded(tokenizer: ProgramTokenizer, signature: Signature, source: str, most: int) -> list[int] | None:
    """The actions of a program under a signature; None for one that is outside the grammar or too long."""
    try:
        ids: Any = tokenizer.encode_program(signature.read(source), signature)
    except ValueError:
        return None
    return ids if len(ids) <= most else None
