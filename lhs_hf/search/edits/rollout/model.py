"""A model of a task, learned from rollouts: what a decision changes, what it costs, when it was the last."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....corpus.augmentation.vocabulary import Vocabulary
from ....corpus.augmentation.words import vocabulary
from ....tasks.base import Task
from ....tasks.listing import listing
from ....tasks.roles import OPTION
from ....tasks.simple import SimpleTask
from .costs import Cost, cost
from .episodes import Episode, Expressions, Step, episodes
from .forms import HOLDS
from .known import MODELS
from .task_model import TaskModel
from .updates import Dynamics, after, dynamics, pairs_of

_KEPT = "_rollout_model"
_FEWEST_PAIRS = 40
_MOST_EPISODES = 30


@dataclass(frozen=True)
class Study:
    """What was found out about a task.

    Attributes:
        dynamics: what a decision changes, and the arguments of which that is not known.
        cost: what a solution costs; None where no few terms tell.
        missing: of these arguments those that the alternatives or the cost follow from.
        model: what a program can play the task on with; None where something is missing.
    """

    dynamics: Dynamics
    cost: Cost | None
    missing: tuple[str, ...]
    model: TaskModel | None


def task_model(task: Task) -> TaskModel | None:
    """The model of a task; None for one whose alternatives are not listed, or whose changes or cost can not be told.

    Of a task of the paper it is the one that is written down (`known`), if there is one.
    """
    if task.of_paper:
        return MODELS.get(task.name)
    known = study(task)
    return None if known is None else known.model


def study(task: Task) -> Study | None:
    """What can be found out about a task, once; None for one whose alternatives are not listed or whose code fails.

    Learned on small instances of no split, from rollouts of the reference program and of random choices: no evaluation
    is spent.
    """
    if _KEPT not in vars(task):
        with np.errstate(all="ignore"):  # of all that is tried much overflows
            vars(task)[_KEPT] = _studied(task)
    known: Study | None = vars(task)[_KEPT]
    return known


def _studied(task: Task) -> Study | None:
    if not isinstance(task, SimpleTask) or task.answers == "priority" or OPTION in task.arguments:
        return None
    options = listing(task)
    if options is None:
        return None
    try:
        played, words = episodes(task), vocabulary(task)
    except Exception:  # a person's own code; check-task names what is wrong with it
        return None
    pairs = pairs_of(played)
    if len(pairs) < _FEWEST_PAIRS:
        return None
    expressions = Expressions()
    simple = _texts(task, words, [*words.amounts(simple=True), *(each.text for each in words.shared)])
    known = dynamics(task.arguments, pairs, simple, expressions)
    missing = _missing(known, [options])
    price = None if missing else cost(task, played, known, _texts(task, words, words.amounts()), expressions)
    if price is None:
        return Study(known, None, missing, None)
    missing = _missing(known, [part.text for part in price.parts])
    without = _without(played[0].steps[0].arguments.get(options))
    model = TaskModel(known, price, options, without, _last(task, played, known, expressions))
    return Study(known, price, missing, None if missing else model)


def _missing(known: Dynamics, texts: Sequence[str]) -> tuple[str, ...]:
    """The arguments that some expressions follow from and of which nobody knows how they change."""
    updates = {each.argument: each.text for each in known.updates}
    names = [name for text in texts for name in _names(text)]
    read, seen = list(texts), set[str]()
    while names:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            read.append(updates.get(name, name))
            names += _names(read[-1])
    # What is in a record is read as a whole text, `state["room"]`.
    return tuple(name for name in known.unknown if name in seen or any(name in text for text in read if "[" in name))


def _texts(task: Task, words: Vocabulary, templates: Sequence[str]) -> list[str]:
    """Templates over the names of the arguments, each once."""
    names = {**{name: name for name in task.arguments}, OPTION: OPTION, **words.parts(OPTION)}
    return list(dict.fromkeys(template.format(**names) for template in templates))


def _names(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}


def _without(listed: object) -> str:
    """How to take an alternative out of a list of them, in the type that they come in."""
    if isinstance(listed, np.ndarray):
        return "{left}[{left} != {tried}]"
    if isinstance(listed, Mapping):
        return "{{key: value for key, value in {left}.items() if key != {tried}}}"
    return "" if listed is None else "[each for each in {left} if each != {tried}]"


def _last(task: Task, played: Sequence[Episode], known: Dynamics, expressions: Expressions) -> str:
    """The condition that was true after most last decisions, and after no other."""
    first = played[0].steps[0]
    ends = [_state(each.steps[-1], known, expressions) for each in played if each.steps]
    left = [expressions.value(listing(task) or "", names) for names in ends]
    if np.mean([hasattr(each, "__len__") and len(each) < 2 for each in left]) >= HOLDS:
        return ""
    others = [_state(step, known, expressions) for each in played[:_MOST_EPISODES] for step in each.steps[:-1]]
    best, most = "", 0
    for condition in _conditions(known, first, expressions):
        count = sum(expressions.truth(condition, names) for names in ends)
        if count > most and not any(expressions.truth(condition, names) for names in others):
            best, most = condition, count
    return best


def _conditions(known: Dynamics, first: Step, expressions: Expressions) -> Iterator[str]:
    yield from (f"{OPTION} == -1", f"{OPTION} is None")
    lists = [name for name in known.names if hasattr(expressions.value(name, first.names), "__len__")]
    for name in known.names:
        if name not in lists:
            yield f"{OPTION} == {name}"
            yield f"{name} <= 0"
            yield from (f"{name} >= len({other})" for other in lists)
    yield from (f"len({one}) >= len({two})" for one in lists for two in lists if one != two)


def _state(step: Step, known: Dynamics, expressions: Expressions) -> dict[str, object]:
    return {**(after(step, known, expressions) or {}), OPTION: step.choice}
