"""A program that is being written, action by action, and its way to and from a syntax tree.

A program is written as its linearised syntax tree, statements in order, each node before its children. The grammar is
a coroutine: it offers the legal actions, is told which one is taken, and builds the tree. Whatever a model samples
under its masks parses, defines the function with the right arity, and reads no name before it is assigned.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import numpy as np

from .spelling import NO_NAMES, READ_CALLS, READ_LEAVES, SAMPLED, Limits, Steps, UnsupportedProgram
from .statements import StatementGrammar
from .vocabulary import Signature, Vocabulary


class ProgramState:
    """A program that is being written, one action at a time.

    Args:
        signature: the function the program has to define.
        vocabulary: ids of the actions.
        max_actions: the most actions the program may take, `<eos>` included; as they run out, `allowed` leaves only
            actions that lead to the end. None for no limit.

    Raises `ValueError` for a limit below `SHORTEST`.
    """

    SHORTEST = 4

    def __init__(self, signature: Signature, vocabulary: Vocabulary, max_actions: int | None = None) -> None:
        if max_actions is not None and max_actions < self.SHORTEST:
            raise ValueError(f"max_actions has to be at least {self.SHORTEST}, got {max_actions}")
        self._start(signature, vocabulary, max_actions, None)

    def _start(
        self, signature: Signature, vocabulary: Vocabulary, max_actions: int | None, want: ast.Module | None
    ) -> None:
        self.signature = signature
        self.vocabulary = vocabulary
        self.max_actions = max_actions
        self.actions: list[int] = []
        self.finished = False
        self._mask: np.ndarray | None = None
        self._grammar = StatementGrammar(vocabulary, signature, Limits() if max_actions is None else SAMPLED)
        self._grammar.debt = self.SHORTEST
        self._costs = vocabulary.costs.copy()
        self._costs[vocabulary.ids["Main:args"]] = len(signature.arguments)
        self._steps: Steps[None] = self._grammar.module(want)
        self._position, self._wanted = next(self._steps)
        self._complete = False

    # -- masks

    def allowed(self) -> np.ndarray:
        """Mask of the next action, bool (vocabulary,). Shared: do not modify."""
        if self._mask is None:
            self._mask = self._allowed()
        return self._mask

    def _allowed(self) -> np.ndarray:
        vocabulary = self.vocabulary
        if self._complete:
            return vocabulary.row("<pad>" if self.finished else "<eos>")
        position = self._position
        mask = position.row
        if position.names:
            names = self._grammar.scope.reading_row()
            if position.names == READ_CALLS:
                names = names & vocabulary.call_row
            elif position.names == READ_LEAVES:
                names = names & vocabulary.leaf_row
            mask = mask | names
        if self.max_actions is not None:
            room = self.max_actions - len(self.actions) - 1 - self._grammar.debt + position.least - position.extra
            if room < vocabulary.max_cost:
                mask = self._affordable(mask, room)
        return mask

    def _affordable(self, mask: np.ndarray, room: int) -> np.ndarray:
        costs = self._costs if self._position.costs is None else self._position.costs
        kept = mask & (costs <= room)
        kept[self.vocabulary.end] = mask[self.vocabulary.end]
        if not kept.any():
            kept = mask & (costs == costs[mask].min())
        return kept

    # -- writing

    def advance(self, token: int) -> None:
        """Take an action. Raises `ValueError` if it is not allowed here."""
        if not 0 <= token < len(self.vocabulary) or not self.allowed()[token]:
            shown = self.vocabulary.tokens[token] if 0 <= token < len(self.vocabulary) else token
            raise ValueError(f"action {shown!r} is not allowed after {len(self.actions)} actions")
        self._mask = None
        self.actions.append(token)
        if self._complete:
            self.finished = True
            return
        grammar, position = self._grammar, self._position
        if token != self.vocabulary.end:
            costs = self._costs if position.costs is None else position.costs
            grammar.debt += int(costs[token]) + position.extra
        grammar.debt -= position.least
        grammar.count = len(self.actions)
        try:
            self._position, self._wanted = self._steps.send(token)
        except StopIteration:
            self._complete = True

    @property
    def complete(self) -> bool:
        """Whether the program is whole; only `<eos>` may follow."""
        return self._complete

    @property
    def least_remaining(self) -> int:
        """The least number of actions until `finished`."""
        return 0 if self.finished else self._grammar.debt

    @property
    def statement_boundaries(self) -> list[int]:
        """Numbers of actions after which a statement (simple or compound) was complete, ascending."""
        return list(self._grammar.boundaries)

    def copy(self, actions: int | None = None) -> ProgramState:
        """An independent state at the same point, or after the first `actions` actions only (they are replayed)."""
        twin = ProgramState(self.signature, self.vocabulary, self.max_actions)
        for token in self.actions[:actions]:
            twin.advance(token)
        return twin

    # -- reading off

    def tree(self) -> ast.Module:
        """The tree written so far; whole when `complete`."""
        return ast.fix_missing_locations(self._grammar.root)

    def source(self) -> str:
        """The program in canonical form. Raises `ValueError` before it is complete."""
        if not self._complete:
            raise ValueError(f"the program is not complete after {len(self.actions)} actions")
        return ast.unparse(self.tree()) + "\n"

    def partial_source(self, frontier: bool = False) -> str:
        """The program up to its last complete statement, with `pass` where an open block has none yet.

        `frontier`: write `...` where the next statement will stand, as stepping sessions expect it.
        """
        root = self._grammar.root
        # What is lacking is lent to the tree and taken back: a copy of it for every statement would cost more.
        lent: list[list[ast.stmt]] = []
        if frontier and not self._complete:
            lent.append(self._grammar.open_block)
            lent[0].append(ast.Expr(ast.Constant(...)))
        empty: list[list[ast.stmt]] = []
        for node in ast.walk(root):
            if isinstance(node, ast.Try) and not node.handlers and not node.finalbody:
                empty.append(node.finalbody)
            body = getattr(node, "body", None)
            if isinstance(body, list) and not body and node is not root:
                empty.append(body)
        for block in empty:
            block.append(ast.Pass())
        try:
            return ast.unparse(ast.fix_missing_locations(root)) + "\n"
        finally:
            for block in [*lent, *empty]:
                block.pop()


class _Encoding(ProgramState):
    """A state that knows the tree it has to write."""

    def __init__(self, signature: Signature, vocabulary: Vocabulary, want: ast.Module) -> None:
        self._start(signature, vocabulary, None, want)

    def write(self) -> list[int]:
        while not self._complete:
            assert self._wanted is not None
            if not self.allowed()[self._wanted]:
                raise self._refusal(self._wanted)
            self.advance(self._wanted)
        return [*self.actions, self.vocabulary.eos]

    def _refusal(self, token: int) -> UnsupportedProgram:
        grammar, vocabulary = self._grammar, self.vocabulary
        if vocabulary.kinds[token] in ("name", "slot"):
            name = grammar.names.text(token)
            if self._position.names != NO_NAMES:
                return grammar.unsupported(f"name {name!r} may be read before it is assigned")
            return grammar.unsupported(f"name {name!r} can not be bound here")
        return grammar.unsupported(f"{vocabulary.tokens[token]!r} is not supported here")


def encode(tree: ast.Module, signature: Signature, vocabulary: Vocabulary) -> list[int]:
    """The actions of a program in canonical form (`lhs_hf.programs.canonical_tree`), closed by `<eos>`.

    Raises `UnsupportedProgram`, naming line and construct, for what the grammar does not cover.
    """
    state = _Encoding(signature, vocabulary, tree)
    ids = state.write()
    if ast.dump(state.tree()) != ast.dump(tree):
        raise UnsupportedProgram("the program has a construct that its actions do not carry")
    return ids


def decode(ids: Sequence[int] | Iterable[int], signature: Signature, vocabulary: Vocabulary) -> ast.Module:
    """The tree that actions write; `<eos>` at the end may be missing. Raises `ValueError` for illegal actions."""
    state = ProgramState(signature, vocabulary)
    for token in ids:
        if state.finished:
            break
        state.advance(int(token))
    if not state.complete:
        raise ValueError(f"the actions stop before the program is complete ({len(state.actions)} actions)")
    return state.tree()
