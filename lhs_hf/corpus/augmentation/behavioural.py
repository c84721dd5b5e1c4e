"""Tier c: slight changes of the algorithm itself: ties, aggregation, selection, the terms of a score."""

from __future__ import annotations

import libcst as cst
import numpy as np

from .editing import Program, choose, pick, read
from .parametric import additive_terms, shorten
from .reading import assignment, called, is_name, name_set, names, number, plain_arguments, single_statement, walk
from .registry import TaskInterface, transform
from .scoring import argument_names, natural_terms, score_expressions
from .words import vocabulary

_AGGREGATIONS = ("mean", "median", "max", "min", "sum")
NUMPY = "import numpy as np"


def _weight(generator: np.random.Generator) -> str:
    return shorten(float(np.exp(generator.normal(-1.0, 0.8))))


@transform("c")
def break_ties(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Equal candidates are told apart by a second key: a natural term of the task."""
    program = read(source)
    sites = []
    for score in score_expressions(program, task):
        if isinstance(program.parents[score.node], cst.Lambda) and not isinstance(score.node, cst.Tuple):
            sites += [(score.node, term) for term in natural_terms(program, score, task)]
    chosen = pick(generator, [site for site in sites if site[1] != program.code(site[0])])
    if chosen is None:
        return None
    node, term = chosen
    sign = "-" if generator.random() < 0.5 else ""
    return program.replace(node, f"({program.code(node)}, {sign}{term})")


@transform("c")
def prefer_last_of_ties(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A search for the best keeps the last of equal candidates instead of the first."""
    program = read(source)
    other = {cst.LessThan: "<=", cst.GreaterThan: ">=", cst.LessThanEqual: "<", cst.GreaterThanEqual: ">"}

    def rewrite(node: cst.Comparison) -> str | None:
        if not _is_search(program, node):
            return None
        target = node.comparisons[0]
        sign = other.get(type(target.operator))
        return f"{program.term(node.left)} {sign} {program.term(target.comparator)}" if sign else None

    return choose(program, generator, program.find(cst.Comparison), rewrite)


def _is_search(program: Program, node: cst.Comparison) -> bool:
    """Whether a comparison guards `best_score = score` or the like."""
    guard = next((ancestor for ancestor in program.ancestors(node) if isinstance(ancestor, cst.If)), None)
    if guard is None or len(node.comparisons) != 1 or not isinstance(guard.body, cst.IndentedBlock):
        return False
    compared = name_set(node)
    return any((pair := assignment(line)) is not None and pair[0] in compared for line in guard.body.body)


@transform("c")
def perturb_ties(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A tiny, fixed, position-dependent amount is added before an argmin or argmax."""
    program = read(source)

    def rewrite(node: cst.Call) -> str | None:
        values = plain_arguments(node, 1)
        if called(node) not in ("np.argmin", "np.argmax") or values is None or not is_name(values[0]):
            return None
        name, step = program.code(values[0]), ("1e-06", "-1e-06", "0.001")[int(generator.integers(3))]
        return f"{called(node)}({name} + {step} * np.arange(len({name})))"

    return choose(program, generator, program.find(cst.Call), rewrite)


@transform("c")
def swap_aggregation(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Mean, median, largest and smallest stand for each other."""
    program = read(source)

    def rewrite(node: cst.Call) -> str | None:
        owner, dot, method = called(node).rpartition(".")
        if any(arg.keyword is not None and arg.keyword.value in ("key", "default") for arg in node.args):
            return None
        rest = program.code(node)[len(program.code(node.func)) :]
        if not dot:
            options = [name for name in ("min", "max", "sum") if name != method]
            if method not in ("min", "max", "sum") or plain_arguments(node, 1) is None:
                return None
            if "np" in program.imports and not isinstance(node.args[0].value, cst.GeneratorExp):
                options += ["np.mean", "np.median"]
            return f"{options[int(generator.integers(len(options)))]}{rest}"
        if method not in _AGGREGATIONS or owner not in ("np", ""):
            return None
        options = [name for name in _AGGREGATIONS if name != method and (owner or name != "median")]
        new = options[int(generator.integers(len(options)))]
        value = node.func.value if isinstance(node.func, cst.Attribute) else None
        return None if value is None else f"{program.code(value)}.{new}{rest}"

    return choose(program, generator, program.find(cst.Call), rewrite)


@transform("c")
def choose_among_top(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """The best candidate gives way to a reproducible draw among the best few."""
    program = read(source)
    top = int(generator.integers(2, 5))
    rng = f"np.random.default_rng({int(generator.integers(1, 100))} + len({{0}})).integers(min({top}, len({{0}})))"

    def rewrite(node: cst.Call) -> str | None:
        if not node.args or node.args[0].star or node.args[0].keyword or not is_name(node.args[0].value):
            return None
        name = program.code(node.args[0].value)
        if called(node) in ("np.argmin", "np.argmax") and len(node.args) == 1:
            order = f"np.argsort({'-' if called(node) == 'np.argmax' else ''}{name})"
            return f"{order}[{rng.format(name)}]"
        if called(node) in ("min", "max") and len(node.args) == 2 and is_name(node.args[1].keyword, "key"):
            reverse = ", reverse=True" if called(node) == "max" else ""
            key = program.code(node.args[1].value)
            return f"sorted({name}, key={key}{reverse})[{rng.format(name)}]"
        return None

    text = choose(program, generator, program.find(cst.Call), rewrite)
    return None if text is None else program.with_import(text, NUMPY)


@transform("c")
def softmin(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """An argmin or argmax becomes a reproducible draw with softmax probabilities."""
    program = read(source)
    temperature = ("0.02", "0.05", "0.1", "0.2")[int(generator.integers(4))]
    seed = int(generator.integers(1, 100))
    sites = []
    for call in program.find(cst.Call):
        place = program.statement_of(call)
        values = plain_arguments(call, 1)
        if called(call) not in ("np.argmin", "np.argmax") or not values or not is_name(values[0]) or place is None:
            continue
        if isinstance(single_statement(place[0].body[place[1]]), (cst.Assign, cst.Return)):
            sites.append((call, place))
    weights = program.fresh(generator, ("chances", "probabilities", "softmax_weights"))
    gaps = program.fresh(generator, ("shifted", "excess", "offsets"))
    chosen = pick(generator, sites)
    if chosen is None or weights is None or gaps is None:
        return None
    call, (block, start) = chosen
    name = program.code(call.args[0].value)
    worse = f"{name} - np.min({name})" if called(call) == "np.argmin" else f"np.max({name}) - {name}"
    draw = cst.parse_expression(f"np.random.default_rng({seed} + len({name})).choice(len({name}), p={weights})")
    statement = block.body[start].deep_replace(call, draw)
    lines = (
        f"{gaps} = {worse}\n"
        f"{weights} = np.exp(-{gaps} / ({temperature} * np.mean(np.abs({name})) + 1e-09))\n"
        f"{weights} = {weights} / np.sum({weights})\n"
    )
    return program.replace_statements(block, start, start + 1, lines + program.code(statement))


@transform("c")
def flip_term(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """One term of a score changes its sign."""
    program = read(source)

    def rewrite(node: cst.BinaryOperation) -> str | None:
        if isinstance(node.operator, (cst.Add, cst.Subtract)) and number(node.right) is None:
            sign = "-" if isinstance(node.operator, cst.Add) else "+"
            return f"{program.code(node.left)} {sign} {_factor(program, node.right)}"
        return None

    return choose(program, generator, _score_operations(program, task), rewrite)


@transform("c")
def drop_term(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """One term or factor of a score is left out."""
    program = read(source)

    def rewrite(node: cst.BinaryOperation) -> str | None:
        if isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)):
            both = isinstance(node.operator, (cst.Add, cst.Multiply)) and number(node.right) is None
            kept = node.right if both and generator.random() < 0.5 else node.left
            return None if number(kept) is not None else program.code(kept)
        return None

    return choose(program, generator, _score_operations(program, task), rewrite)


def _score_operations(program: Program, task: TaskInterface) -> list[cst.BinaryOperation]:
    """The arithmetic of scores, indices left out."""
    found: dict[cst.BinaryOperation, None] = {}
    for score in score_expressions(program, task):
        for node in walk(score.node):
            if isinstance(node, cst.BinaryOperation):
                between = program.ancestors(node)
                if not any(isinstance(ancestor, (cst.Subscript, cst.Slice)) for ancestor in between):
                    found[node] = None
    return list(found)


def _factor(program: Program, node: cst.BaseExpression) -> str:
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Multiply, cst.Divide, cst.Power)):
        return program.code(node)
    return program.operand(node)


@transform("c")
def add_term(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A natural term of the task joins a score with a small weight."""
    program = read(source)
    sites = [
        (score, term) for score in score_expressions(program, task) for term in natural_terms(program, score, task)
    ]
    present = {program.code(term) for score, _ in sites for term in additive_terms(score.node)}
    chosen = pick(generator, [site for site in sites if site[1] not in present])
    if chosen is None:
        return None
    score, term = chosen
    sign = "+" if generator.random() < 0.5 else "-"
    arithmetic = isinstance(score.node, cst.BinaryOperation)
    text = program.code(score.node) if arithmetic else program.operand(score.node)
    return program.replace(score.node, f"{text} {sign} {_weight(generator)} * {_grouped(term)}")


def _grouped(term: str) -> str:
    parsed = cst.parse_expression(term)
    return f"({term})" if isinstance(parsed, (cst.BinaryOperation, cst.Comparison)) and not parsed.lpar else term


@transform("c")
def swap_operator(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A difference of a score becomes a ratio and a ratio a difference; a product becomes a sum."""
    program = read(source)

    def rewrite(node: cst.BinaryOperation) -> str | None:
        left, right = _factor(program, node.left), program.operand(node.right)
        if number(node.left) is not None or number(node.right) is not None:
            return None
        if isinstance(node.operator, cst.Subtract):
            return f"{program.operand(node.left)} / ({program.code(node.right)} + 1e-06)"
        if isinstance(node.operator, cst.Divide):
            return f"{left} - {_weight(generator)} * {right}"
        if isinstance(node.operator, cst.Multiply):
            return f"{left} + {_weight(generator)} * {right}"
        return None

    return choose(program, generator, _score_operations(program, task), rewrite)


@transform("c")
def transform_term(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A term of a score goes through a monotone function: root, logarithm or square."""
    program = read(source)
    shapes = ("np.sqrt(np.abs({0}))", "np.log1p(np.abs({0}))", "np.square({0})", "np.tanh({0})")
    shape = shapes[int(generator.integers(len(shapes)))]
    sites = [term for score in score_expressions(program, task) for term in additive_terms(score.node)]
    sites = [term for term in sites if number(term) is None and not called(term).startswith("np.")]
    single = {score.node for score in score_expressions(program, task)}
    text = choose(
        program, generator, [s for s in sites if s not in single], lambda node: shape.format(program.code(node))
    )
    return None if text is None else program.with_import(text, NUMPY)


@transform("c")
def swap_extreme(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """The smallest becomes the largest: `min` and `max` with a key, `argmin` and `argmax`, `reverse` of a sort."""
    program = read(source)
    other = {"min": "max", "max": "min", "np.argmin": "np.argmax", "np.argmax": "np.argmin"}

    def rewrite(node: cst.Call) -> str | None:
        name = called(node)
        keyed = any(arg.keyword is not None and arg.keyword.value == "key" for arg in node.args)
        rest = program.code(node)[len(program.code(node.func)) :]
        if name in other and (keyed or name.startswith("np.")):
            return f"{other[name]}{rest}"
        if name == "sorted" and "reverse" not in rest and not isinstance(node.args[0].value, cst.GeneratorExp):
            return f"sorted({rest[1:-1]}, reverse=True)"
        return None

    return choose(program, generator, program.find(cst.Call), rewrite)


@transform("c")
def reverse_search(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """An explicit search from infinity looks for the opposite extreme."""
    program = read(source)
    signs = {cst.LessThan: ">", cst.GreaterThan: "<"}
    sites = []
    for node in program.find(cst.Comparison):
        if len(node.comparisons) != 1 or not _is_search(program, node):
            continue
        for line in program.find(cst.SimpleStatementLine):
            pair = assignment(line)
            if pair and pair[0] in name_set(node) and program.code(pair[1]).lstrip("-") in ('float("inf")', "np.inf"):
                sites.append((node, pair[1]))
    chosen = pick(generator, [site for site in sites if type(site[0].comparisons[0].operator) in signs])
    if chosen is None:
        return None
    node, start = chosen
    target, text = node.comparisons[0], program.code(start)
    flipped = f"{program.term(node.left)} {signs[type(target.operator)]} {program.term(target.comparator)}"
    return program.replace_many([(node, flipped), (start, text[1:] if text.startswith("-") else f"-{text}")])


@transform("c")
def exchange_argument(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """One use of an argument gives way to another argument of the same kind (current node and depot, ...)."""
    program = read(source)
    own = argument_names(program, task)
    main = program.main(task.function_name)
    if main is None or not own:
        return None
    partners: dict[str, list[str]] = {}
    for group in vocabulary(task).exchangeable:
        for name in group:
            partners[own[name]] = [own[other] for other in group if other != name]
    sites = [node for node in names(main.body) if node.value in partners and not _is_target(program, node)]
    return choose(program, generator, sites, lambda node: pick(generator, partners[node.value]))


def _is_target(program: Program, node: cst.CSTNode) -> bool:
    return any(isinstance(ancestor, cst.AssignTarget) for ancestor in program.ancestors(node))
