"""Edits as training examples: pairs of programs that descend from one another, or belong to one family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from ..decoding.decoder import signature_of
from ..decoding.grammar import Vocabulary
from ..decoding.spans import FlatProgram, first_names, flat_words, flatten, spans_between
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..models.configuration_editor import LHSEditorConfig
from ..models.program_editor import action_words, actions_of, flat_prompt, program_sketch, token_words
from ..models.word_sketch import bucket_of
from ..opening.folders import replacing
from ..tasks import get_task
from .data import pad
from .editor_programs import EditedProgram

CHANGES = (-0.25, -0.02, 0.02, 0.25)
"""Between the buckets of the change of a score's quantile."""


@dataclass(frozen=True, eq=False)
class EditExample:
    """One edit.

    Attributes:
        input_ids: prompt and flat parent.
        actions: (S, 3) int64: kind, value and the first position that is possible, as `LHSEditor.nll` takes them.
        parent, child: numbers of the programs, -1 for no parent (a whole program is written).
        change: bucket of the change of the score's quantile, 0 for unknown.
        words: (T,), the words of `input_ids`, by their buckets.
        written: (S,), the words that the actions write, -1 for none.
        slots: the words of the parent's slots.
        task: name of the task.
        kind: what the pair is: the edit that made it, with "undo" in front for its other direction, "siblings" for two
            children of one program, "family" for others of one family, "whole" for a program from nothing.
    """

    input_ids: np.ndarray
    actions: np.ndarray
    parent: int
    child: int
    change: int
    words: np.ndarray
    written: np.ndarray
    slots: np.ndarray
    task: str
    kind: str


def change_bucket(before: float, after: float) -> int:
    """The bucket of a change of the score's quantile; 0 if either is not known."""
    if np.isnan(before) or np.isnan(after):
        return 0
    return 1 + int(np.searchsorted(CHANGES, after - before))


class EditPairs:
    """Examples out of programs of one task and split.

    Args:
        programs: in the order of their file.
        scores: of the task's training programs, which quantiles are counted among.
        tokenizer, config: of the editor. Edits and programs that are too long for it are left out.
        offset: added to the numbers of programs.
    """

    def __init__(
        self,
        programs: Sequence[EditedProgram],
        scores: np.ndarray,
        tokenizer: ProgramTokenizer,
        config: LHSEditorConfig,
        offset: int = 0,
    ) -> None:
        self._programs, self._tokenizer, self._config, self._offset = programs, tokenizer, config, offset
        self._task = get_task(programs[0].task)
        self._signature = signature_of(self._task)
        self._prompt = flat_prompt(tokenizer, self._task)
        ordered = np.sort(scores)
        self._quantiles = [
            float("nan") if np.isnan(each.score) else float(np.searchsorted(ordered, each.score) / len(ordered))
            for each in programs
        ]
        self._ids = [self._encoded(each.program) for each in programs]
        prompt = FlatProgram(self._prompt, first_names(self._signature, tokenizer.vocabulary))
        self._prompt_words = _buckets(flat_words(prompt, tokenizer.vocabulary), config.sketch_buckets)

    def sketches(self) -> Tensor:
        """s(p) of the programs, (N, D); zero for one that can not be read."""
        size, buckets, vocabulary = self._config.sketch_size, self._config.sketch_buckets, self._tokenizer.vocabulary
        table = torch.zeros(len(self._ids), size)
        for number, ids in enumerate(self._ids):
            if ids is not None:
                table[number] = program_sketch(flatten(ids, self._signature, vocabulary), vocabulary, buckets, size)
        return table

    def _encoded(self, program: str) -> list[int] | None:
        try:
            ids = self._tokenizer.encode_program(program, self._signature)
            return flatten(ids, self._signature, self._tokenizer.vocabulary).tokens and ids
        except ValueError:
            return None

    def example(self, parent: int, child: int, kind: str) -> EditExample | None:
        """The edit that turns one program into another; None if one can not be read, or it is too long or nothing."""
        vocabulary, ids = self._tokenizer.vocabulary, self._ids
        after = ids[child]
        if after is None:
            return None
        if parent < 0:
            flat = FlatProgram([vocabulary.eos], first_names(self._signature, vocabulary))
        else:
            before = ids[parent]
            if before is None:
                return None
            flat = flatten(before, self._signature, vocabulary)
        if len(self._prompt) + len(flat.tokens) > self._config.max_program_tokens:
            return None
        buckets = self._config.sketch_buckets
        try:
            other = flatten(after, self._signature, vocabulary, flat.names)
            spans, names = spans_between(flat, other, vocabulary), other.names
        except ValueError:
            return None
        actions = actions_of(spans, len(self._prompt), self._config.vocab_size)
        if not spans or len(actions) > self._config.max_actions:
            return None
        change = 0 if parent < 0 else change_bucket(self._quantiles[parent], self._quantiles[child])
        return EditExample(
            np.array([*self._prompt, *flat.tokens], dtype=np.int16),
            actions,
            -1 if parent < 0 else self._offset + parent,
            self._offset + child,
            change,
            np.array([*self._prompt_words, *_buckets(flat_words(flat, vocabulary), buckets)], dtype=np.int32),
            action_words(spans, names, vocabulary, buckets).astype(np.int32),
            np.array([bucket_of(f"name:{name}", buckets) for name in flat.names], dtype=np.int32),
            self._task.name,
            kind,
        )

    def edits(self) -> Iterator[EditExample]:
        """Each program made by an edit, from what it was made of."""
        for number, program in enumerate(self._programs):
            if program.parent >= 0:
                example = self.example(program.parent, number, program.operator)
                if example is not None:
                    yield example

    def related(self, generator: np.random.Generator, parents: int, most: int) -> Iterator[EditExample]:
        """Edits of some programs into up to `most` others of their family each, the nearest first.

        The more programs were made of one, the sooner it is drawn.
        """
        weights = np.ones(len(self._programs))
        np.add.at(weights, [each.parent for each in self._programs if each.parent >= 0], 2.0)
        clocks = generator.exponential(size=len(weights)) / weights
        families: dict[str, list[int]] = {}
        for number, program in enumerate(self._programs):
            families.setdefault(program.family, []).append(number)
        for number in np.argsort(clocks)[:parents].tolist():
            others = [each for each in families[self._programs[number].family] if each != number]
            steps = np.array([self._distance(number, each) for each in others])
            # Among those equally near, chance decides.
            order = np.lexsort((generator.random(len(others)), steps))
            examples = (self.example(number, others[place], self._kind(number, others[place])) for place in order)
            yield from islice((each for each in examples if each is not None), most)

    def whole(self, generator: np.random.Generator, share: float) -> Iterator[EditExample]:
        """Programs written from nothing, a share of all."""
        for number in np.flatnonzero(generator.random(len(self._programs)) < share).tolist():
            example = self.example(-1, number, "whole")
            if example is not None:
                yield example

    def _line(self, number: int) -> list[int]:
        """A program and those that it descends from, -1 last."""
        line = [number]
        while line[-1] >= 0:
            line.append(self._programs[line[-1]].parent)
        return line

    def _distance(self, one: int, two: int) -> int:
        """How many edits lie between two programs of a family; any two of the corpus are two apart."""
        first, second = self._line(one), self._line(two)
        return min(first.index(each) + second.index(each) for each in first if each in second)

    def _kind(self, parent: int, child: int) -> str:
        before, after = self._programs[parent], self._programs[child]
        if after.parent == parent:
            return after.operator
        if before.parent == child:
            return f"undo {before.operator}"
        return "siblings" if before.parent == after.parent >= 0 else "family"


def _buckets(words: Sequence[str], buckets: int) -> list[int]:
    return [bucket_of(word, buckets) for word in words]


class GroupedEdits:
    """An `ExampleSource` of parents with some edits of each: what is read of a parent serves all of them.

    `most`: edits of a parent that are drawn at a time, as many as it has.
    """

    def __init__(self, examples: Sequence[EditExample], most: int) -> None:
        groups: dict[tuple[str, int], list[EditExample]] = {}
        for example in examples:
            groups.setdefault((example.task, example.parent), []).append(example)
        self.groups = list(groups.values())
        self._most = most

    def __len__(self) -> int:
        return len(self.groups)

    def length(self, index: int) -> int:
        group = self.groups[index]
        return len(group[0].input_ids) + 50 * min(len(group), self._most)

    def example(self, index: int, generator: np.random.Generator) -> list[EditExample]:
        group = self.groups[index]
        chosen = generator.permutation(len(group))[: self._most]
        return [group[int(number)] for number in chosen]


@dataclass(frozen=True)
class ProgramTables:
    """What is known of N programs: latents z (N, d) and sketches (N, D), and z of no program, `nothing` (d,)."""

    latents: Tensor
    sketches: Tensor
    nothing: Tensor


@dataclass(frozen=True)
class TokenWords:
    """The words of all tokens and of the end of a span, `plain` (V + 1,), and the tokens that are slots."""

    plain: Tensor
    slots: list[int]

    @classmethod
    def of(cls, vocabulary: Vocabulary, buckets: int) -> TokenWords:
        """Of a tokenizer's vocabulary."""
        return cls(torch.from_numpy(token_words((), vocabulary, buckets)), list(vocabulary.slot_ids))


def collate(groups: Sequence[Sequence[EditExample]], tables: ProgramTables, words: TokenWords) -> dict[str, Tensor]:
    """A batch of B parents with up to R edits each; missing ones are padding."""
    latents, nothing, sketches = tables.latents, tables.nothing, tables.sketches
    input_ids, mask = pad([group[0].input_ids.tolist() for group in groups])
    most = max(len(group) for group in groups)
    steps = max(len(example.actions) for group in groups for example in group)
    actions = torch.zeros(3, len(groups), most, steps, dtype=torch.long)
    actions[0] = -1
    parents = torch.stack([nothing if group[0].parent < 0 else latents[group[0].parent] for group in groups])
    targets = parents[:, None].repeat(1, most, 1)
    changes = torch.zeros(len(groups), most, dtype=torch.long)
    positions, _ = pad([group[0].words.tolist() for group in groups])
    written = torch.full((len(groups), most, steps), -1)
    differences = torch.zeros(len(groups), most, sketches.shape[1])
    tokens = words.plain.repeat(len(groups), 1)
    for row, group in enumerate(groups):
        for place, example in enumerate(group):
            actions[:, row, place, : len(example.actions)] = torch.from_numpy(example.actions.T)
            targets[row, place] = latents[example.child]
            changes[row, place] = example.change
            written[row, place, : len(example.written)] = torch.from_numpy(example.written.astype(np.int64))
            before = torch.zeros(1) if example.parent < 0 else sketches[example.parent]
            differences[row, place] = sketches[example.child] - before
        own = torch.from_numpy(group[0].slots.astype(np.int64))
        tokens[row, words.slots[: len(own)]] = own
    return {
        "input_ids": input_ids,
        "mask": mask,
        **dict(zip(("kinds", "values", "lowest"), actions)),
        "parent": parents,
        "target": targets,
        "change": changes,
        "words": positions,
        "written": written,
        "tokens": tokens,
        "difference": differences,
    }


def write_edits(edits: Sequence[EditExample], path: Path) -> None:
    """Write edits as one Parquet file, which appears whole or not at all."""
    columns = {name: [getattr(edit, name) for edit in edits] for name in ("parent", "child", "change", "task", "kind")}
    columns["input_ids"] = [edit.input_ids.tolist() for edit in edits]
    columns["actions"] = [edit.actions.ravel().tolist() for edit in edits]
    for name in ("words", "written", "slots"):
        columns[name] = [getattr(edit, name).tolist() for edit in edits]
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        pq.write_table(pa.table(columns), temporary, compression="zstd")


def read_edits(path: Path) -> list[EditExample]:
    """The edits of a file that `write_edits` wrote, in order."""
    edits = []
    for record in pq.read_table(path).to_pylist():
        record["input_ids"] = np.array(record["input_ids"], dtype=np.int16)
        record["actions"] = np.array(record["actions"], dtype=np.int64).reshape(-1, 3)
        for name in ("words", "written", "slots"):
            record[name] = np.array(record[name], dtype=np.int32)
        edits.append(EditExample(**record))
    return edits
