"""A `transformers` tokenizer whose tokens are the actions of the program grammar: text in, syntax tree actions out."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizer

from ..programs import canonical_tree, find_function
from .grammar import ProgramState, Signature, UnsupportedProgram, Vocabulary, encode

VOCAB_FILES_NAMES = {"vocab_file": "vocab.json"}


class ProgramTokenizer(PreTrainedTokenizer):
    """Programs as linearised syntax trees.

    A tokenized program is self-contained: `<bos>`, a prompt (task, problem class or `<general>`, then the function's
    name and arguments), `<program>`, the actions, `<eos>`; `decode` gives the program back in canonical form.
    `encode_prompt` and `encode_program` give the two parts apart, for models that put soft prompts between them.

    Args:
        vocab_file: JSON file of a `Vocabulary`.
        task_classes: problem class of each task, used for tasks that have no token of their own.
    """

    vocab_files_names = VOCAB_FILES_NAMES
    model_input_names = ["input_ids", "attention_mask"]  # noqa: RUF012  (the base class declares a plain list)

    def __init__(
        self,
        vocab_file: str | Path,
        task_classes: Mapping[str, str] | None = None,
        bos_token: str = "<bos>",
        eos_token: str = "<eos>",
        pad_token: str = "<pad>",
        unk_token: str = "<unk>",
        **kwargs: Any,
    ) -> None:
        self.vocab_file = str(vocab_file)
        self.vocabulary = Vocabulary.load(vocab_file)
        if not all(isinstance(text, str) for pair in dict(task_classes or {}).items() for text in pair):
            raise ValueError(f"task_classes is {task_classes!r:.80}; expected the class of each task")
        self.task_classes = dict(task_classes or {})
        super().__init__(
            task_classes=self.task_classes,
            bos_token=bos_token,
            eos_token=eos_token,
            pad_token=pad_token,
            unk_token=unk_token,
            **kwargs,
        )

    @classmethod
    def from_vocabulary(cls, vocabulary: Vocabulary, folder: str | Path, **kwargs: Any) -> ProgramTokenizer:
        """A tokenizer for a vocabulary, whose file is written into `folder`."""
        path = Path(folder) / VOCAB_FILES_NAMES["vocab_file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        vocabulary.save(path)
        return cls(path, **kwargs)

    # -- the two parts of a sequence

    def encode_prompt(self, subject: str | None, signature: Signature) -> list[int]:
        """The prompt I: a task name, a problem class or None for the general family, then the signature.

        A name without a token falls back to the task's class, then to the general prompt. Raises `UnsupportedProgram`
        for a signature that is not made of ASCII identifiers.
        """
        ids = [self._subject_id(subject)]
        for name in (signature.function_name, *signature.arguments):
            ids += self._name_ids(name)
        return [*ids, self.vocabulary.ids["<program>"]]

    def _subject_id(self, subject: str | None) -> int:
        ids = self.vocabulary.ids
        names = (f"<task:{subject}>", f"<class:{subject}>", f"<class:{self.task_classes.get(subject or '')}>")
        return next((ids[name] for name in names if name in ids), ids["<general>"])

    def _name_ids(self, name: str) -> list[int]:
        vocabulary = self.vocabulary
        token = vocabulary.ids.get("name:" + name)
        if token is not None:
            return [token]
        if not (name.isascii() and name.isidentifier()):
            raise UnsupportedProgram(f"{name!r} is not an ASCII identifier")
        return [vocabulary.spell, *vocabulary.spelling(name), vocabulary.end]

    def encode_program(self, source: str | ast.Module, signature: Signature) -> list[int]:
        """The actions of a program, `<eos>` last. A tree has to be canonical already.

        Raises `ProgramError` for text that does not parse and `UnsupportedProgram` for constructs outside the grammar.
        """
        tree = canonical_tree(source) if isinstance(source, str) else source
        return encode(tree, signature, self.vocabulary)

    def decode_program(self, ids: Sequence[int], signature: Signature) -> str:
        """The canonical text that actions write; of an unfinished program, what is written so far.

        Raises `ValueError` for actions that the grammar does not allow.
        """
        state = self.program_state(signature)
        for token in ids:
            if state.finished:
                break
            state.advance(int(token))
        return state.source() if state.complete else state.partial_source()

    def decode_legal(self, ids: Sequence[int], signature: Signature) -> tuple[str, bool]:
        """What actions write up to the first one that the grammar does not allow, and whether it is a whole program."""
        state = self.program_state(signature)
        for token in ids:
            # Embeddings may be padded beyond the vocabulary.
            if state.finished or token >= len(state.allowed()) or not state.allowed()[token]:
                break
            state.advance(int(token))
        return (state.source() if state.complete else state.partial_source()), state.finished

    def program_state(self, signature: Signature, max_actions: int | None = None) -> ProgramState:
        """A fresh grammar state, for masks."""
        return ProgramState(signature, self.vocabulary, max_actions)

    # -- the interface of `transformers`

    @property
    def vocab_size(self) -> int:
        return len(self.vocabulary)

    def get_vocab(self) -> dict[str, int]:
        return dict(self.vocabulary.ids)

    def tokenize(
        self, text: str, task: str | None = None, signature: Signature | None = None, **kwargs: Any
    ) -> list[str]:
        """Prompt and actions of a program, without `<bos>` and `<eos>`.

        `task` names the task or problem class for the prompt; the signature is read off the program by default.
        """
        tree = canonical_tree(text)
        if signature is None:
            signature = infer_signature(tree)
        ids = [*self.encode_prompt(task, signature), *self.encode_program(tree, signature)[:-1]]
        return [self.vocabulary.tokens[index] for index in ids]

    def build_inputs_with_special_tokens(
        self, token_ids_0: list[int], token_ids_1: list[int] | None = None
    ) -> list[int]:
        if token_ids_1 is not None:
            raise ValueError("a program tokenizer takes one program at a time, no text pairs")
        return [self.vocabulary.ids["<bos>"], *token_ids_0, self.vocabulary.eos]

    def get_special_tokens_mask(
        self, token_ids_0: list[int], token_ids_1: list[int] | None = None, already_has_special_tokens: bool = False
    ) -> list[int]:
        if already_has_special_tokens:
            special = {self.bos_token_id, self.eos_token_id, self.pad_token_id, self.unk_token_id}
            return [int(token in special) for token in token_ids_0]
        return [1, *[0] * len(token_ids_0), 1]

    def _convert_token_to_id(self, token: str) -> int:
        return self.vocabulary.ids.get(token, self.vocabulary.ids["<unk>"])

    def _convert_id_to_token(self, index: int) -> str:
        return self.vocabulary.tokens[index]

    def _decode(self, token_ids: int | list[int], signature: Signature | None = None, **kwargs: Any) -> str:
        """The program of a token sequence. Without a prompt in it, `signature` says what the program defines."""
        vocabulary = self.vocabulary
        skipped = {vocabulary.ids[token] for token in ("<pad>", "<bos>")}
        ids = [int(token) for token in ([token_ids] if isinstance(token_ids, int) else token_ids)]
        ids = [token for token in ids if token not in skipped]
        if vocabulary.ids["<program>"] in ids:
            start = ids.index(vocabulary.ids["<program>"])
            signature = self._decode_signature(ids[1:start])
            ids = ids[start + 1 :]
        elif signature is None:
            raise ValueError("these ids hold no prompt: pass signature=Signature(function_name, arguments)")
        return self.decode_program(ids, signature)

    def _decode_signature(self, ids: Sequence[int]) -> Signature:
        vocabulary = self.vocabulary
        names: list[str] = []
        spelled: list[str] | None = None
        for token in ids:
            if token == vocabulary.spell:
                spelled = []
            elif spelled is None:
                names.append(vocabulary.payloads[token])
            elif token == vocabulary.end:
                names.append("".join(spelled))
                spelled = None
            else:
                spelled.append(vocabulary.payloads[token])
        if not names:
            raise ValueError("the prompt names no function")
        return Signature(names[0], tuple(names[1:]))

    def save_vocabulary(self, save_directory: str, filename_prefix: str | None = None) -> tuple[str, ...]:
        name = (f"{filename_prefix}-" if filename_prefix else "") + VOCAB_FILES_NAMES["vocab_file"]
        path = Path(save_directory) / name
        if path.resolve() != Path(self.vocab_file).resolve():
            self.vocabulary.save(path)
        return (str(path),)


def infer_signature(tree: ast.Module) -> Signature:
    """The signature of the function that ends a program: its name and the arguments it can not do without.

    Raises `ProgramError` if the program defines no function.
    """
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    function = functions[-1] if functions else find_function(tree, "a function")
    positional = [*function.args.posonlyargs, *function.args.args]
    required = positional[: len(positional) - len(function.args.defaults)]
    return Signature(function.name, tuple(argument.arg for argument in required))
