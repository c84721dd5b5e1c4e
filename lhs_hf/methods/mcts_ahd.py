"""MCTS-AHD (Zheng et al., 2025): a tree of programs, walked by UCT, that is also widened at its inner nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .language_method import Individual, LanguageMethod, Steps, Written, block
from .prompts import IDEA_AND_CODE, about
from .selection import drawn, survivors

REQUESTS: dict[str, str] = {
    "i1": "Invent a new heuristic for this problem.",
    "e1": "Here are {count} heuristics with their ideas and scores (higher is better).\n\n{shown}\n\nInvent one whose "
    "form is completely different from all of them.",
    "e2": "Here are {count} heuristics with their ideas and scores (higher is better).\n\n{shown}\n\nTake the form of "
    "the last one and the idea of the first, and write a heuristic that is better than both.",
    "m1": "Here is a heuristic with its idea.\n\n{shown}\n\nGive it mechanisms that it lacks, and write the result.",
    "m2": "Here is a heuristic with its idea.\n\n{shown}\n\nName for yourself its parameters, and write one with other "
    "settings of these.",
    "s1": "Here are {count} heuristics with their ideas and scores (higher is better), each made of the one before.\n\n"
    "{shown}\n\nCombine what makes the good ones good, and write the result.",
}
AT_A_LEAF = ("e2", "m1", "m1", "m2", "m2", "s1")
"""What is asked for at the end of a walk."""


@dataclass(frozen=True)
class MCTSSettings:
    """`exploration` is lambda_0, `widening` alpha, `elites` the size of the elite set, `first` the first nodes."""

    exploration: float = 0.1
    widening: float = 0.5
    depth: int = 10
    elites: int = 10
    first: int = 4
    attempts: int = 3


@dataclass(eq=False)
class Node:
    """A program in the tree. `value` is the best score below it, `visits` how many programs came in below."""

    individual: Individual | None = None
    parent: Node | None = None
    value: float = -math.inf
    visits: int = 1
    children: list[Node] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """Steps to the root."""
        return 0 if self.parent is None else 1 + self.parent.depth

    def path(self) -> list[Individual]:
        """The programs from here up to the root, this one first."""
        own = [self.individual] if self.individual is not None else []
        return own if self.parent is None else [*own, *self.parent.path()]


class MCTSAHD(LanguageMethod):
    """Walks from a virtual root by UCT; new nodes at the leaf it comes to, and on the way where it has been often."""

    name: ClassVar[str] = "mcts_ahd"
    settings_type: ClassVar[type] = MCTSSettings

    def search(self) -> Steps:
        """First nodes under the root, then walk after walk."""
        root = Node(visits=0)
        self._elites: list[Individual] = []
        while len(root.children) < self.settings.first:
            yield from self._expand(root, "e1" if root.children else "i1")
        while True:
            node = root
            while node.children and node.depth < self.settings.depth:
                child = self.choose(node)
                if self.widens(node):
                    yield from self._expand(node, "e1" if node is root else "e2")
                node = child
            for operator in AT_A_LEAF:
                yield from self._expand(node, operator)

    # -- the walk ------------------------------------------------------------------------------------------------------

    def choose(self, node: Node) -> Node:
        """The child of the highest UCT, the first of equal ones."""
        scores = [self.uct(child, node) for child in node.children]
        return node.children[scores.index(max(scores))]

    def uct(self, child: Node, node: Node) -> float:
        """The child's value between the bounds seen so far, and what exploring is worth; that fades with the budget."""
        low, high = self._bounds(node)
        value = (child.value - low) / (high - low) if high > low else 0.0
        left = 1 - self.model.budget.spent / max(1, self.model.budget.limit)
        return value + self.settings.exploration * left * math.sqrt(math.log(node.visits + 1) / child.visits)

    def widens(self, node: Node) -> bool:
        """Whether an inner node has room for one more child."""
        return math.floor(node.visits**self.settings.widening) > len(node.children)

    @staticmethod
    def _bounds(node: Node) -> tuple[float, float]:
        while node.parent is not None:
            node = node.parent
        values, waiting = [], list(node.children)
        while waiting:
            each = waiting.pop()
            waiting += each.children
            if each.individual is not None and each.individual.score is not None:
                values.append(each.individual.score)
        return (min(values), max(values)) if values else (0.0, 0.0)

    # -- new nodes -----------------------------------------------------------------------------------------------------

    def _expand(self, node: Node, operator: str) -> Steps:
        """One new child, in a few attempts; its text is described in a call of its own."""
        for _ in range(self.settings.attempts):
            shown = self._shown(node, operator)
            if shown is None:
                return
            text = f"{about(self.task)}\n\n{request(operator, shown)} {IDEA_AND_CODE}"
            written = self.program(self.reply(text, operator))
            if written is None:
                continue
            if any(written.source == each.source for each in shown):
                written = self.program(self.reply(text, operator)) or written
            written = Written(written.source, self._described(written))
            (child,) = yield from self.evaluate([written], operator, shown)
            if child.score is None or (operator == "e1" and self._has(node, child)):
                continue
            self._elites = survivors([*self._elites, child], self.settings.elites)
            self.insert(node, child)
            return

    def _shown(self, node: Node, operator: str) -> list[Individual] | None:
        """The programs of a request; None where there is nothing to ask by."""
        own = [node.individual] if node.individual is not None else []
        if operator == "i1":
            return []
        if operator == "e1":
            root = node
            while root.parent is not None:
                root = root.parent
            return [self._member(child) for child in root.children] or None
        if operator == "e2":
            others = [each for each in self._elites if each not in own]
            return [*drawn(others, 1, len(others), self.random), *own] if others and own else None
        if operator == "s1":
            unique = list({each.source: each for each in node.path()}.values())[::-1]
            return unique if len(unique) > 1 else None
        return own or None

    def _member(self, node: Node) -> Individual:
        """A random program of a subtree."""
        nodes = [node]
        for each in nodes:
            nodes += each.children
        individuals = [each.individual for each in nodes if each.individual is not None]
        return individuals[int(self.random.integers(len(individuals)))]

    def _described(self, written: Written) -> str:
        text = f"{about(self.task)}\n\n{block(written.source)}\n\nSay the idea of this in fewer than 3 sentences."
        return " ".join(self.reply(text, "describe").split())

    @staticmethod
    def _has(node: Node, child: Individual) -> bool:
        return any(each.individual is not None and each.individual.score == child.score for each in node.children)

    @staticmethod
    def insert(node: Node, child: Individual) -> Node:
        """A new child of a node: each ancestor has one visit more, and the best value below it."""
        assert child.score is not None
        new = Node(child, node, child.score)
        node.children.append(new)
        above: Node | None = node
        while above is not None:
            above.visits += 1
            above.value = max(each.value for each in above.children)
            above = above.parent
        return new


def request(operator: str, shown: Sequence[Individual]) -> str:
    """The text of an operator about some programs; scores are shown where programs are compared."""
    scored = operator in ("e1", "e2", "s1")
    parts = [
        f"Idea: {each.idea}\n" + (f"Score: {each.score:.6g}\n" if scored else "") + block(each.source) for each in shown
    ]
    values: dict[str, Any] = {"count": len(shown), "shown": "\n\n".join(parts)}
    return REQUESTS[operator].format(**values)
