"""Programs in, edited programs out: the editor with its tokenizer and the grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from ..decoding.decoder import signature_of
from ..decoding.flat_state import FlatState
from ..decoding.grammar import Signature, Vocabulary
from ..decoding.spans import FlatProgram, Span, flat_words, flatten, spans_between
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..decoding.wording import wording
from ..errors import CallError
from ..tasks.base import Task
from .edit_residual import NOWHERE, PLACE, STOP_PLACE, TOKEN, EditWords
from .modeling_editor import EditCondition, LHSEditor
from .word_sketch import START, bucket_of, sketch


@dataclass(frozen=True, eq=False)
class ReadParent:
    """A parent as the editor reads it: prompt and flat program (T,), and how many of these are prompt."""

    input_ids: np.ndarray
    offset: int
    program: FlatProgram
    signature: Signature


@dataclass(frozen=True)
class WrittenEdit:
    """A child: its text in canonical form, the spans that were replaced, the natural logarithm of its probability.

    The probability is that under the condition, at temperature 1 and without guidance or masks.
    """

    source: str
    spans: tuple[Span, ...]
    log_probability: float


@dataclass(frozen=True)
class EditSampling:
    """How edits are sampled.

    Attributes:
        temperature, top_p: of every action.
        guidance: 1 follows the editor; more moves away from what it would write without a target.
        max_actions: longer edits are given up.
    """

    temperature: float = 1.0
    top_p: float = 0.95
    guidance: float = 1.0
    max_actions: int = 48


@dataclass
class _Writing:
    """An edit that is being written."""

    state: FlatState
    parent: ReadParent
    kinds: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    mode: int = PLACE
    kept: int = 0  # the first token of the parent of which nothing is decided
    start: int = 0
    tokens: list[int] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    source: str | None = None
    done: bool = False

    def mask(self, length: int, end_of_span: int) -> np.ndarray:
        """What the next action may be: bool over positions and the end, positions, or tokens and the end of a span."""
        offset, program = self.parent.offset, self.parent.program.tokens
        if self.mode == TOKEN:
            allowed = np.append(self.state.allowed(), False)
            something = bool(self.tokens) or self.kept > self.start
            allowed[end_of_span] = something and bool(allowed[program[self.kept]])
            return allowed
        positions = np.zeros(length + (self.mode == PLACE), dtype=bool)
        first = self.start if self.mode == STOP_PLACE else self.kept + bool(self.spans)
        positions[offset + first : offset + len(program)] = True
        if self.mode == PLACE:
            positions[length] = bool(self.spans)
        return positions

    def take(self, choice: int, length: int, end_of_span: int, buckets: int) -> None:
        """One action. Raises `ValueError` if what is kept can not follow."""
        self.words.append(-1)
        offset, program = self.parent.offset, self.parent.program.tokens
        finish = self.mode == PLACE and choice == length
        self.kinds.append(self.mode)
        self.values.append(NOWHERE if finish else choice)
        if finish:
            self._keep(len(program))
            self.source, self.done = self.state.source(), True
        elif self.mode == PLACE:
            self.start = choice - offset
            self._keep(self.start)
            self.mode = STOP_PLACE
        elif self.mode == STOP_PLACE:
            self.kept, self.tokens, self.mode = choice - offset, [], TOKEN
        elif choice == end_of_span:
            self.spans.append(Span(self.start, self.kept, tuple(self.tokens)))
            self.mode = PLACE
        else:
            self.state.advance(choice)
            self.tokens.append(choice)
            written = action_words([Span(0, 0, tuple(self.tokens))], self.state.names, self.state.vocabulary, buckets)
            self.words[-1] = int(written[-3])

    def _keep(self, stop: int) -> None:
        for token in self.parent.program.tokens[self.kept : stop]:
            self.state.advance(token)
        self.kept = stop


class ProgramEditor:
    """Writes children of programs with an `LHSEditor`.

    Args:
        editor: the model.
        tokenizer: the program tokenizer it was trained with.

    Raises `CallError` if the two do not belong together.
    """

    def __init__(self, editor: LHSEditor, tokenizer: ProgramTokenizer) -> None:
        if len(tokenizer.vocabulary) != editor.config.vocab_size:
            raise CallError(
                f"the editor knows {editor.config.vocab_size} tokens, the tokenizer has {len(tokenizer.vocabulary)}"
            )
        self.editor = editor.eval()
        self.tokenizer = tokenizer

    @property
    def vocabulary(self) -> Vocabulary:
        """Of the tokenizer."""
        return self.tokenizer.vocabulary

    def parent(self, source: str, task: Task) -> ReadParent:
        """A program as the editor reads it. Raises `ValueError` for one that it can not read, or that is too long."""
        signature, prompt = signature_of(task), flat_prompt(self.tokenizer, task)
        program = flatten(self.tokenizer.encode_program(signature.read(source), signature), signature, self.vocabulary)
        ids = np.array([*prompt, *program.tokens], dtype=np.int64)
        if len(ids) > self.editor.config.max_program_tokens:
            raise ValueError(f"the program has {len(ids)} tokens, at most {self.editor.config.max_program_tokens} fit")
        return ReadParent(ids, len(prompt), program, signature)

    def words(self, parent: ReadParent) -> EditWords:
        """The words of a parent (B = 1), with no actions."""
        buckets = self.editor.config.sketch_buckets
        tokens = token_words(parent.program.names, self.vocabulary, buckets)
        ids = torch.from_numpy(parent.input_ids.astype(np.int64))[None]
        table = torch.from_numpy(tokens)
        return EditWords(ids, table[ids], table[None], torch.zeros(1, 1, 0, dtype=torch.long))

    def sketch(self, source: str, task: Task) -> Tensor:
        """s(p) (D,) of a program. Raises `ValueError` for one that can not be read."""
        signature = signature_of(task)
        program = flatten(self.tokenizer.encode_program(signature.read(source), signature), signature, self.vocabulary)
        return program_sketch(
            program, self.vocabulary, self.editor.config.sketch_buckets, self.editor.config.sketch_size
        )

    def spans(self, parent: ReadParent, child: str) -> list[Span]:
        """What turns a parent into a program. Raises `ValueError` for one that can not be read."""
        ids = self.tokenizer.encode_program(parent.signature.read(child), parent.signature)
        flat = flatten(ids, parent.signature, self.vocabulary, parent.program.names)
        return spans_between(parent.program, flat, self.vocabulary)

    @torch.no_grad()
    def sample(
        self,
        parent: ReadParent,
        condition: EditCondition,
        generator: torch.Generator,
        sampling: EditSampling = EditSampling(),
    ) -> list[WrittenEdit]:
        """One edit for each of the R wants of the condition (B = 1), those left out that can not be finished.

        What is written parses, has the signature, and reads no name before it is assigned.
        """
        ids = torch.from_numpy(parent.input_ids)[None]
        mask = torch.ones_like(ids, dtype=torch.bool)
        memory = self.editor.read(ids, mask)
        words = self.words(parent)
        count = condition.target.shape[1]
        names = parent.program.names
        writings = [_Writing(FlatState(parent.signature, self.vocabulary, names), parent) for _ in range(count)]
        totals = [0.0] * count
        rows = list(range(count))
        while rows:
            choices = self._step(writings, rows, (mask, memory, words), condition, generator, sampling)
            for row, (choice, log_probability) in zip(rows, choices):
                writing = writings[row]
                totals[row] += log_probability
                try:
                    writing.take(choice, ids.shape[1], self.editor.end_of_span, self.editor.config.sketch_buckets)
                except ValueError:
                    writing.done = True
                if len(writing.kinds) >= min(sampling.max_actions, self.editor.config.max_actions - 1):
                    writing.done = True
            rows = [row for row in rows if not writings[row].done]
        return [
            WrittenEdit(parent.signature.written(writing.source), tuple(writing.spans), total)
            for writing, total in zip(writings, totals)
            if writing.source is not None
        ]

    def _step(
        self,
        writings: Sequence[_Writing],
        rows: Sequence[int],
        read: tuple[Tensor, Tensor, EditWords],
        condition: EditCondition,
        generator: torch.Generator,
        sampling: EditSampling,
    ) -> list[tuple[int, float]]:
        """The next action of each edit that is not done, with its log-probability under the condition."""
        length = read[0].shape[1]
        wanted = _rows_of(condition, rows)
        kinds = torch.tensor([writings[row].kinds for row in rows]).view(1, len(rows), -1)
        values = torch.tensor([writings[row].values for row in rows]).view(1, len(rows), -1)
        written = torch.tensor([writings[row].words for row in rows], dtype=torch.long).view(1, len(rows), -1)
        read = (*read[:2], read[2].of_actions(written))
        tables = self._log_probabilities(wanted, kinds, values, read)
        plain = tables
        if sampling.guidance != 1.0:
            plain = self._log_probabilities(wanted.without_target(), kinds, values, read)
        choices = []
        draws = torch.rand(len(rows), generator=generator).tolist()
        for place, row in enumerate(rows):
            writing = writings[row]
            own, free = tables[writing.mode][place], plain[writing.mode][place]
            guided = free + sampling.guidance * (own - free)
            allowed = torch.from_numpy(writing.mask(length, self.editor.end_of_span))
            choice = _draw(guided.masked_fill(~allowed, -torch.inf), draws[place], sampling)
            choices.append((choice, float(own[choice])))
        return choices

    def _log_probabilities(
        self, condition: EditCondition, kinds: Tensor, values: Tensor, read: tuple[Tensor, Tensor, EditWords]
    ) -> list[Tensor]:
        """By kind of action, (R, choices): positions and the end, positions, tokens and the end of a span."""
        mask, memory, words = read
        logits = self.editor.write(memory, mask, words, condition, kinds.long(), values.long())
        place, stop, token, copy = (each[0, :, -1] for each in vars(logits).values())
        copied = torch.full_like(token, -torch.inf)
        # Log-sum-exp of all positions that hold a token, as one more way to write it.
        top = copy.max(dim=-1, keepdim=True).values
        mass = torch.zeros_like(token).index_add_(1, words.ids[0], (copy - top).exp())
        copied = torch.where(mass > 0, mass.log() + top, copied)
        both = torch.logaddexp(token, copied)
        return [place.log_softmax(-1), stop.log_softmax(-1), both.log_softmax(-1)]

    @torch.no_grad()
    def log_probability(self, parent: ReadParent, spans: Sequence[Span], condition: EditCondition) -> Tensor:
        """Natural logarithm of the probability of one edit for each want of the condition (B = 1), (R,)."""
        rows = torch.from_numpy(actions_of(spans, parent.offset, self.editor.end_of_span).T)
        kinds, values, lowest = rows[:, None, None].expand(-1, 1, condition.target.shape[1], -1)
        ids = torch.from_numpy(parent.input_ids)[None]
        mask = torch.ones_like(ids, dtype=torch.bool)
        memory = self.editor.read(ids, mask)
        names = parent.program.names
        written = action_words(spans, names, self.vocabulary, self.editor.config.sketch_buckets)[:-1]
        own = torch.from_numpy(written)[None, None].expand(-1, condition.target.shape[1], -1)
        words = self.words(parent).of_actions(own)
        logits = self.editor.write(memory, mask, words, condition, kinds[:, :, :-1], values[:, :, :-1])
        return -self.editor.nll(logits, ids, kinds, values, lowest).sum(dim=-1)[0]


def program_sketch(program: FlatProgram, vocabulary: Vocabulary, buckets: int, size: int) -> Tensor:
    """s(p) (D,) of a flat program: see `word_sketch.sketch`."""
    return sketch([START, *flat_words(program, vocabulary)], buckets, size)


def flat_prompt(tokenizer: ProgramTokenizer, task: Task) -> list[int]:
    """The prompt of a task in flat form: subject, names, `<program>`."""
    words = wording(task)
    ids = tokenizer.encode_prompt(words.subject, words.signature)
    return flatten(ids, words.signature, tokenizer.vocabulary).tokens


def action_words(spans: Sequence[Span], names: Sequence[str], vocabulary: Vocabulary, buckets: int) -> np.ndarray:
    """The word that each action of `actions_of` writes, by its bucket, -1 for none: int64 (S,).

    `names`: what slots stand for. A name that is spelled is written by its `<end>`.
    """
    rows: list[int] = []
    for span in spans:
        spelled: list[str] | None = None
        rows += [-1, -1]
        for token in span.tokens:
            word: str | None = None
            if token == vocabulary.spell:
                spelled = []
            elif spelled is None:
                word = _word(token, names, vocabulary)
            elif token == vocabulary.end:
                word, spelled = f"name:{''.join(spelled)}", None
            else:
                spelled.append(vocabulary.payloads[token])
            rows.append(-1 if word is None else bucket_of(word, buckets))
        rows.append(-1)
    return np.array([*rows, -1], dtype=np.int64)


def token_words(names: Sequence[str], vocabulary: Vocabulary, buckets: int) -> np.ndarray:
    """The word of every token and of the end of a span, by its bucket: int64 (V + 1,)."""
    words = _plain_words(tuple(vocabulary.tokens), buckets).copy()
    for name, token in zip(names, vocabulary.slot_ids):
        words[token] = bucket_of(f"name:{name}", buckets)
    return words


@lru_cache(maxsize=4)
def _plain_words(tokens: tuple[str, ...], buckets: int) -> np.ndarray:
    return np.array([bucket_of(token, buckets) for token in (*tokens, "end of span")], dtype=np.int64)


def _word(token: int, names: Sequence[str], vocabulary: Vocabulary) -> str:
    number = int(vocabulary.payloads[token]) if vocabulary.kinds[token] == "slot" else len(names)
    return f"name:{names[number]}" if number < len(names) else vocabulary.tokens[token]


def actions_of(spans: Sequence[Span], offset: int, end_of_span: int) -> np.ndarray:
    """An edit as actions (S, 3): kind, value, the first position that is possible. `offset`: tokens of the prompt."""
    rows: list[tuple[int, int, int]] = []
    lowest = offset
    for span in spans:
        rows.append((PLACE, offset + span.start, lowest))
        rows.append((STOP_PLACE, offset + span.stop, offset + span.start))
        rows += [(TOKEN, token, 0) for token in (*span.tokens, end_of_span)]
        lowest = offset + span.stop + 1
    rows.append((PLACE, NOWHERE, lowest))
    return np.array(rows, dtype=np.int64)


def _rows_of(condition: EditCondition, rows: Sequence[int]) -> EditCondition:
    picked = (value[:, list(rows)] for name, value in vars(condition).items() if name != "parent")
    return EditCondition(condition.parent, *picked)


def _draw(log_probabilities: Tensor, draw: float, sampling: EditSampling) -> int:
    """One choice: the nucleus of `top_p` at the temperature, by inversion of `draw` in [0, 1)."""
    if sampling.temperature == 0:
        return int(log_probabilities.argmax())
    probabilities = (log_probabilities / sampling.temperature).softmax(dim=-1)
    ordered, places = probabilities.sort(descending=True, stable=True)
    cumulative = ordered.double().cumsum(dim=-1)
    inside = int((cumulative < sampling.top_p).sum()) + 1
    level = draw * float(cumulative[min(inside, len(ordered)) - 1])
    return int(places[min(int((cumulative <= level).sum()), inside - 1)])
