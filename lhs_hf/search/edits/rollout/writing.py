"""The text of a program that plays on with a rule."""

from __future__ import annotations

import builtins
import keyword
import re
from dataclasses import dataclass

import libcst as cst

from ....corpus.augmentation.editing import indent, read
from ....tasks.base import Task
from ....tasks.roles import OPTION
from .costs import Part
from .task_model import TaskModel

PLAYED_ON = ", played on"
"""What is added to the family of a rule for that of the programs that play it."""

_OUTCOME = "outcome"

_WIDTH = re.compile(r"\) < (\d+):|\)\[:(\d+)\]|// (\d+)\)")
_DEPTH = re.compile(r"for _ in range\((\d+)\)")
_FUNCTIONS = {"rule": ("rule", "plain_rule"), "choice": ("choice", "rated_first"), "outcome": (_OUTCOME,)}
_VARIABLES = {
    "one": ("one", "from_one"),
    "other": ("other", "from_other"),
    "total": ("total", "sum_so_far"),
    "final": ("final", "at_the_end"),
    "left": ("left", "rest", "untried"),
    "tried": ("tried", "first_choices"),
    "rates": ("rates", "ratings"),
    "best": ("best", "chosen"),
    "value": ("value_of_best", "best_total"),
    "place": ("place", "at_place"),
}


@dataclass(frozen=True)
class Played:
    """A program that plays on, in its parts: the plain rule as a program of the task, and how it is played."""

    rule: str
    width: int
    depth: int


def plays_on(source: str) -> bool:
    """Whether a program plays on already."""
    return f"def {_OUTCOME}(" in source


def played(source: str, task: Task) -> Played | None:
    """The parts of a program that plays on; None for another, or one that was edited beyond recognition."""
    if not plays_on(source):
        return None
    program = read(source)
    functions = {each.name.value: each for each in program.functions()}
    rule = next((functions[name] for name in _FUNCTIONS["rule"] if name in functions), None)
    main, outcome = functions.get(task.function_name), functions.get(_OUTCOME)
    width = None if main is None else _WIDTH.search(program.code(main))
    depth = None if outcome is None else _DEPTH.search(program.code(outcome))
    if rule is None or width is None or depth is None:
        return None
    ours = {task.function_name, _OUTCOME, *_FUNCTIONS["choice"]}
    body = [each for each in program.module.body if not (isinstance(each, cst.FunctionDef) and each.name.value in ours)]
    plain = read(program.module.with_changes(body=body).code)
    names = [node for node in plain.find(cst.Name) if node.value == rule.name.value]
    text = plain.replace_names(names, {rule.name.value: task.function_name})
    return Played(text, int(next(filter(None, width.groups()))), int(depth[1]))


def written(source: str, task: Task, model: TaskModel, width: int, depth: int) -> str | None:
    """A program that plays the first `width` choices of another on for `depth` decisions and takes the best.

    None where the names are taken.
    """
    program = read(source)
    main = program.main(task.function_name)
    names = free_names(program.names, task)
    if main is None or main.name.value != task.function_name or names is None:
        return None
    own = [node for node in program.find(cst.Name) if node.value == task.function_name]
    arguments = ", ".join(task.arguments)
    parts = [program.replace_names(own, {task.function_name: names["rule"]}).rstrip() + "\n"]
    if getattr(task, "answers", None) == "scores":
        parts.append(_choice(model, names, arguments))
        parts.append(_outcome(model, names, "choice", arguments, depth))
        parts.append(f"{task.signature()}\n{indent(_best_rated(task, model, names, arguments, width))}")
    else:
        parts.append(_outcome(model, names, "rule", arguments, depth))
        parts.append(f"{task.signature()}\n{indent(_best_choice(task, model, names, arguments, width))}")
    text = "\n\n".join(parts)
    return f"import numpy as np\n\n\n{text}" if "np." in text and "np" not in program.imports else text


def free_names(taken: set[str], task: Task) -> dict[str, str] | None:
    """A name of each kind that neither the program's functions nor the arguments have; None if one is not to be had."""
    names: dict[str, str] = {}
    everyone = {*task.arguments, *dir(builtins), *keyword.kwlist}
    for key, options in (*_FUNCTIONS.items(), *_VARIABLES.items()):
        # Variables are our own functions' only: what the program calls its own does not matter.
        used = everyone | taken if key in _FUNCTIONS else everyone
        free = [option for option in options if option not in used]
        if not free:
            return None
        names[key] = free[0]
    return names


def _choice(model: TaskModel, names: dict[str, str], arguments: str) -> str:
    rates = names["rates"]
    return (
        f"def {names['choice']}({arguments}):\n"
        f'    """The alternative that the rule rates highest."""\n'
        f"    {rates} = list({names['rule']}({arguments}))\n"
        f"    return list({model.options})[{rates}.index(max({rates}))]\n"
    )


def _outcome(model: TaskModel, names: dict[str, str], chooses: str, arguments: str, depth: int) -> str:
    begin, steps, result = plays(model, names, f"{names[chooses]}({arguments})", depth)
    return (
        f"def {names['outcome']}({OPTION}, {arguments}):\n"
        f'    """What the rule comes to after a choice."""\n'
        f"    {begin}\n{indent(steps)}"
        f"    return {result}\n"
    )


def plays(model: TaskModel, names: dict[str, str], chosen: str, depth: int) -> tuple[str, str, str]:
    """What plays `OPTION` and `depth` decisions after it: statements before the loop, the loop, what it comes to.

    `chosen` is the expression of a decision.
    """
    total, final, left = names["total"], names["final"], names["left"]
    parts: dict[str, list[Part]] = {"step": [], "peak": [], "final": [], "after": []}
    for part in model.cost.parts:
        parts[part.when].append(part)
    body = f"if {OPTION} is None:\n    break\n" if model.stops else ""
    body += "".join(f"{total} += {_weighted(part)}\n" for part in parts["step"])
    body += "".join(f"{total} = max({total}, {part.text})\n" for part in parts["peak"])
    body += f"{final} = {' + '.join(map(_weighted, parts['final']))}\n" if parts["final"] else ""
    updates = model.dynamics.updates
    if updates:
        body += f"{', '.join(each.argument for each in updates)} = {', '.join(each.text for each in updates)}\n"
    body += f"{left} = list({model.options})\n"
    body += f"if {model.last} or not {left}:\n    break\n" if model.last else f"if not {left}:\n    break\n"
    forced = "" if model.stops or not model.listed else f"{left}[0] if len({left}) == 1 else "
    body += f"{OPTION} = {forced}{chosen}\n"
    begin = f"{total} = {final} = 0.0" if parts["final"] else f"{total} = 0.0"
    result = " + ".join([total, *([final] if parts["final"] else []), *map(_weighted, parts["after"])])
    if parts["peak"]:  # the only part; its sign may be any
        begin, result = f'{total} = float("-inf")', f"{parts['peak'][0].weight:g} * {total}"
    return begin, f"for _ in range({depth}):\n{indent(body)}", result


def _weighted(part: Part) -> str:
    return f"({part.text})" if part.weight == 1 else f"{part.weight:g} * ({part.text})"


def _best_rated(task: Task, model: TaskModel, names: dict[str, str], arguments: str, width: int) -> str:
    left, rates, place, tried = names["left"], names["rates"], names["place"], names["tried"]
    return (
        '"""The best number for the choice after which the rule ends best."""\n'
        f"{left} = list({model.options})\n"
        f"{rates} = list({names['rule']}({arguments}))\n"
        f"{tried} = sorted(range(len({left})), key=lambda {place}: -{rates}[{place}])[:{width}]\n"
        + _search(task, names, place, f"{left}[{place}]", arguments)
        + f"return [float({place} == {names['best']}) for {place} in range(len({left}))]\n"
    )


def _best_choice(task: Task, model: TaskModel, names: dict[str, str], arguments: str, width: int) -> str:
    left, tried, rule = names["left"], names["tried"], names["rule"]
    body = '"""The choice after which the rule ends best."""\n'
    if model.without:
        called = ", ".join(left if name == model.options else name for name in task.arguments)
        # Where a program may stop, it does so if it says it at once: a second choice may be to stop too early.
        least = 0 if model.stops else 1
        body += (
            f"{left}, {tried} = {model.options}, []\n"
            f"while len({left}) > {least} and len({tried}) < {width}:\n"
            f"    {tried}.append({rule}({called}))\n"
        )
        if model.stops:
            body += f"    if {tried}[-1] is None:\n        break\n"
        body += f"    {left} = {model.without.format(left=left, tried=f'{tried}[-1]')}\n"
        if model.stops:
            body += f"{tried} = [{OPTION} for {OPTION} in {tried} if {OPTION} is not None] or [None]\n"
        else:
            body += f"{tried} = {tried} or list({model.options})\n"
    else:
        body += (
            f"{left} = list({model.options})\n"
            f"{tried} = [{rule}({arguments}), *{left}[:: max(1, len({left}) // {width})]]\n"
        )
    return body + _search(task, names, OPTION, OPTION, arguments) + f"return {names['best']}\n"


def _search(task: Task, names: dict[str, str], each: str, choice: str, arguments: str) -> str:
    """Statements that find the best of those that are tried."""
    total, best, value, sign = names["total"], names["best"], names["value"], "<" if task.sense == "min" else ">"
    return (
        f"{best}, {value} = {names['tried']}[0], None\n"
        f"for {each} in {names['tried']}:\n"
        f"    {total} = {names['outcome']}({choice}, {arguments})\n"
        f"    if {value} is None or {total} {sign} {value}:\n"
        f"        {best}, {value} = {each}, {total}\n"
    )
