"""Where a program scores its candidates, and what it calls the candidate there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from .editing import Program
from .reading import assignment, called, is_name, number, returned, target_names, uses
from .registry import TaskInterface
from .vocabulary import VOCABULARIES
from .words import vocabulary

_SCORE_WORD = re.compile(
    r"^(scores?|costs?|priorit(y|ies)|merits?|ratings?|penalty|penalties|ratios?|rates?|gains?|regrets?|savings?|detours?"
    r"|benefits?|urgency|preference|density|densities|distances?|prices?|worth|expense)$"
)
_SELECTORS = ("np.argmin", "np.argmax", "np.argsort", ".argmin", ".argmax", ".argsort")


@dataclass(frozen=True)
class Score:
    """One expression that scores candidates.

    `words` maps `x` and the task's fields to the texts that stand for them at this place; empty where none is known.
    """

    node: cst.BaseExpression
    words: Mapping[str, str] = field(default_factory=dict)


def argument_names(program: Program, task: TaskInterface) -> dict[str, str]:
    """The task's arguments -> what the program calls them; {} if the program lacks the function."""
    main = program.main(task.function_name)
    if main is None or len(main.params.params) < len(task.arguments):
        return {}
    return {name: param.name.value for name, param in zip(task.arguments, main.params.params)}


def _score_names(program: Program) -> set[str]:
    found = set()
    for call in program.find(cst.Call):
        name = called(call)
        if name.startswith("np.") and name in _SELECTORS and call.args and isinstance(call.args[0].value, cst.Name):
            found.add(call.args[0].value.value)
        elif name in _SELECTORS and isinstance(call.func, cst.Attribute) and isinstance(call.func.value, cst.Name):
            found.add(call.func.value.value)
    for line in program.find(cst.SimpleStatementLine):
        pair = assignment(line)
        if pair is None:
            continue
        if _SCORE_WORD.match(pair[0]):
            found.add(pair[0])
        if isinstance(pair[1], cst.Name):  # best_score = score, under a comparison of the two
            guard = program.parents.get(program.parents[line])
            if isinstance(guard, cst.If) and uses(guard.test, pair[0]) and uses(guard.test, pair[1].value):
                found.add(pair[1].value)
    return found


def score_expressions(program: Program, task: TaskInterface) -> list[Score]:
    """The scoring expressions of a program, in source order."""
    names, own, words = _score_names(program), set(argument_names(program, task).values()), vocabulary(task)
    keys = {
        argument.value.value
        for argument in program.find(cst.Arg)
        if argument.keyword is not None and argument.keyword.value == "key" and isinstance(argument.value, cst.Name)
    }
    nodes: list[cst.BaseExpression] = []
    for node in program.nodes:
        if isinstance(node, cst.SimpleStatementLine):
            pair, value = assignment(node), returned(node)
            if pair is not None and pair[0] in names:
                nodes.append(pair[1])
            function = next((a for a in program.ancestors(node) if isinstance(a, cst.FunctionDef)), None)
            if value is not None and function is not None:
                main = function.name.value == task.function_name and words.scores
                if main or function.name.value in keys:
                    nodes.append(value)
        elif isinstance(node, cst.Lambda):
            parent = program.parents[node]
            if isinstance(parent, cst.Arg) and is_name(parent.keyword, "key"):
                nodes.append(node.body)
        elif isinstance(node, cst.Call) and called(node) in ("np.argmin", "np.argmax", "np.argsort") and node.args:
            nodes.append(node.args[0].value)
    scores = []
    for node in nodes:
        if isinstance(node, (cst.ListComp, cst.GeneratorExp)):
            node = node.elt
        if isinstance(node, cst.Tuple) and node.elements:
            node = node.elements[0].value
        constant = number(node) is not None or program.code(node).lstrip("-") in ('float("inf")', "np.inf", "None")
        # The vocabularies that were written know that what a program hands back as it got it is no score of theirs.
        argument = words.scores and task.name not in VOCABULARIES and program.code(node) in own
        plain = isinstance(node, (cst.Name, cst.List, cst.Dict, cst.SimpleString, cst.ListComp))
        if argument or (not constant and not plain):
            scores.append(Score(node, words_at(program, node, task)))
    return scores


def words_at(program: Program, node: cst.CSTNode, task: TaskInterface) -> dict[str, str]:
    """What stands for the candidate and its fields at a place: the innermost loop, comprehension or lambda variable."""
    arguments = argument_names(program, task)
    words = vocabulary(task)
    fields = words.fields
    child = node
    for ancestor in program.ancestors(node):
        target: cst.BaseExpression | None = None
        if isinstance(ancestor, cst.Lambda) and len(ancestor.params.params) == 1:
            target = ancestor.params.params[0].name
        elif isinstance(ancestor, (cst.ListComp, cst.GeneratorExp)) and child is ancestor.elt:
            target = _element(ancestor.for_in.target, ancestor.for_in.iter)
        elif isinstance(ancestor, cst.For) and child is ancestor.body:
            target = _element(ancestor.target, ancestor.iter)
        elif isinstance(ancestor, cst.FunctionDef) and ancestor.name.value != task.function_name:
            parameters = ancestor.params.params
            target = parameters[0].name if len(parameters) == 1 else None
            if target is None:
                return {}
        child = ancestor
        if target is None:
            continue
        if isinstance(target, cst.Name):
            return {"x": target.value, **words.parts(target.value)}
        bound = target_names(target)
        return dict(zip(fields, bound)) if len(bound) == len(fields) and "_" not in bound else {}
    # Vectorised: the array of candidates stands for each of them.
    for name in ("unvisited_nodes", "bins"):
        if name in arguments and uses(node, arguments[name]):
            return {"x": arguments[name]}
    return {}


def _element(target: cst.BaseExpression, iterable: cst.BaseExpression) -> cst.BaseExpression:
    if called(iterable) == "enumerate" and isinstance(target, cst.Tuple) and len(target.elements) == 2:
        return target.elements[1].value
    return target


def arguments_in_scope(program: Program, node: cst.CSTNode, task: TaskInterface) -> dict[str, str]:
    """The task's arguments that can be named at a place: all in the task's function, in a helper those it takes too."""
    arguments, function = argument_names(program, task), program.function_of(node)
    if function is None or function is program.main(task.function_name):
        return arguments
    taken = {param.name.value for param in function.params.params}
    return {name: own for name, own in arguments.items() if own in taken}


def natural_terms(program: Program, score: Score, task: TaskInterface) -> list[str]:
    """The task's terms that can be written at a score's place, in the program's own words."""
    words = {**arguments_in_scope(program, score.node, task), **score.words}
    found = []
    for template in vocabulary(task).terms:
        try:
            found.append(template.format(**words))
        except KeyError:  # a word that this place does not have
            continue
    return found
