"""Source transforms: what each does, that tier a keeps every decision, and the stream of variants."""

from __future__ import annotations

import ast
import itertools
import warnings
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from lhs_hf.corpus.augmentation import (
    CROSSOVERS,
    TRANSFORMS,
    augment,
    helpers_come_first,
    stream_variants,
    transform_names,
)
from lhs_hf.corpus.seeds_io import Seed, read_seeds
from lhs_hf.evaluation.behaviour import decide
from lhs_hf.evaluation.rollout import load
from lhs_hf.programs import canonical, check_signature, parse, program_hash
from lhs_hf.tasks import get_task

TSP = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"
HEADER = "import math\nimport numpy as np\n\n\n"


def tsp(body: str, header: str = HEADER) -> str:
    return header + TSP + "".join(f"    {line}\n" for line in body.strip("\n").splitlines())


def apply(name: str, source: str, seed: int = 0) -> str | None:
    table = {key: function for tier in TRANSFORMS.values() for key, function in tier.items()}
    return table[name](source, np.random.default_rng(seed), get_task("tsp_construct"))


SEARCH = tsp(
    """
best = unvisited_nodes[0]
best_cost = float("inf")
for node in unvisited_nodes:
    cost = distance_matrix[current_node][node]
    if cost < best_cost:
        best_cost = cost
        best = node
return best
"""
)
KEYED = tsp("return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node] + 0.5 * abs(node - 2))")
VECTOR = tsp(
    """
scores = 0.8 * distance_matrix[current_node, unvisited_nodes] - 0.2 * distance_matrix[destination_node, unvisited_nodes]
return unvisited_nodes[np.argmin(scores)]
"""
)

# (transform, body of the program, what the canonical result must hold)
SYNTACTIC = [
    ("flip_comparison", "if len(unvisited_nodes) < 3:\n    return 1\nreturn 2", "3 > len(unvisited_nodes)"),
    ("power_to_square", "x = current_node\nreturn (x + 1) ** 2", "np.square(x + 1)"),
    ("square_to_power", "x = current_node\nreturn np.square(x + 1)", "(x + 1) ** 2"),
    ("swap_absolute", "x = current_node\nreturn abs(x - 1)", "np.abs(x - 1)"),
    ("swap_absolute", "x = current_node\nreturn np.abs(x - 1)", "abs(x - 1)"),
    ("spell_infinity", "return float('inf')", ".inf"),
    ("commute", "x = current_node\nreturn (x - 1) * x", "x * (x - 1)"),
    ("matrix_index", "return distance_matrix[current_node][1]", "distance_matrix[current_node, 1]"),
    ("matrix_index", "return distance_matrix[current_node, 1]", "distance_matrix[current_node][1]"),
    ("emptiness", "if not len(unvisited_nodes):\n    return 0\nreturn 1", "len(unvisited_nodes) == 0"),
    ("chain_comparison", "x = current_node\nreturn 1 <= x and x < 5", "1 <= x < 5"),
    ("chain_comparison", "x = current_node\nreturn 1 <= x < 5", "1 <= x and x < 5"),
    ("method_to_function", "return distance_matrix.sum(axis=1)", "np.sum(distance_matrix, axis=1)"),
    ("function_to_method", "x = np.array([1, 2])\nreturn np.sum(x, axis=0)", "x.sum(axis=0)"),
    ("minimum_by_sorting", "return max(unvisited_nodes, key=abs)", "sorted(unvisited_nodes, key=abs, reverse=True)[0]"),
    ("minimum_by_sorting", "return sorted(unvisited_nodes, key=abs)[0]", "min(unvisited_nodes, key=abs)"),
    ("de_morgan", "x = current_node\nif x > 1 and x != 3:\n    return 1\nreturn 2", "not (not x > 1 or x == 3)"),
    ("inline_constant_slice", "return unvisited_nodes[-1]", "unvisited_nodes[len(unvisited_nodes) - 1]"),
    (
        "loop_to_comprehension",
        "xs = []\nfor n in unvisited_nodes:\n    if n > 2:\n        xs.append(n * 2)\nreturn xs",
        "xs = [n * 2 for n in unvisited_nodes if n > 2]",
    ),
    ("comprehension_to_loop", "xs = [n * 2 for n in unvisited_nodes if n > 2]\nreturn xs", "xs.append(n * 2)"),
    ("ternary_to_branch", "x = 1 if current_node else 2\nreturn x", "else:\n        x = 2"),
    ("branch_to_ternary", "if current_node:\n    return 1\nreturn 2", "return 1 if current_node else 2"),
    (
        "swap_branches",
        "if current_node == 1:\n    x = 1\nelse:\n    x = 2\nreturn x",
        "current_node != 1:\n        x = 2",
    ),
    ("swap_ternary", "return 1 if current_node < 3 else 2", "return 2 if not current_node < 3 else 1"),
    ("drop_else", "if current_node:\n    return 1\nelse:\n    return 2", "return 1\n    return 2"),
    ("nest_in_else", "if current_node:\n    return 1\nx = 2\nreturn x", "else:\n        x = 2\n        return x"),
    (
        "condition_to_continue",
        "t = 0\nfor n in unvisited_nodes:\n    if n > 3:\n        t += n\nreturn t",
        "if not n > 3:\n            continue\n        t += n",
    ),
    (
        "nest_condition",
        "if current_node and len(unvisited_nodes):\n    return 1\nreturn 2",
        "if current_node:\n        if len",
    ),
    ("augmented_assignment", "t = 0\nt = t + 3\nreturn t", "t += 3"),
    ("augmented_assignment", "t = 0\nt -= 1 + 2\nreturn t", "t = t - (1 + 2)"),
    ("extract_temporary", "return unvisited_nodes[0]", "= unvisited_nodes[0]\n    return"),
    ("inline_temporary", "x = current_node + 1\nreturn x * 2", "return (current_node + 1) * 2"),
    ("reorder_assignments", "x = 1\ny = 2\nreturn x - y", "y = 2\n    x = 1"),
    ("pack_assignments", "x = 1\ny = 2\nreturn x - y", "x, y = (1, 2)"),
    ("pack_assignments", "x, y = 1, 2\nreturn x - y", "x = 1\n    y = 2"),
    (
        "loop_over_indices",
        "for n in unvisited_nodes:\n    if n > 3:\n        return n\nreturn 0",
        "range(len(unvisited_nodes))",
    ),
    (
        "range_to_enumerate",
        "for i in range(len(unvisited_nodes)):\n    if unvisited_nodes[i] > 3:\n        return i\nreturn 0",
        "in enumerate(unvisited_nodes)",
    ),
    ("minimum_to_loop", "return min(unvisited_nodes, key=lambda n: n % 5)", "for n in unvisited_nodes:"),
    ("lambda_to_function", "return min(unvisited_nodes, key=lambda n: n % 5)", "return n % 5"),
    ("any_to_loop", "x = any(n > 3 for n in unvisited_nodes)\nreturn x", "x = True\n            break"),
]


@pytest.mark.parametrize(
    ("name", "body", "expected"), SYNTACTIC, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(SYNTACTIC)]
)
def test_syntactic_transform_writes(name: str, body: str, expected: str) -> None:
    result = apply(name, tsp(body))
    assert result is not None
    assert expected in canonical(result)


def test_explicit_search_becomes_min() -> None:
    result = apply("loop_to_minimum", SEARCH)
    assert result is not None
    assert "best = min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])" in canonical(result)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("loop_to_comprehension", "xs = []\nfor n in unvisited_nodes:\n    xs.append(n)\nreturn n"),
        ("comprehension_to_loop", "n = 3\nxs = [n for n in unvisited_nodes]\nreturn n"),
        ("augmented_assignment", "t = distance_matrix\nt = t + 1\nreturn t"),
        ("inline_temporary", "x = current_node + 1\nreturn [x for n in unvisited_nodes]"),
        ("inline_temporary", "x = unvisited_nodes.pop()\nreturn len(unvisited_nodes) + x"),
        ("reorder_assignments", "x = 1\ny = x\nreturn y"),
        ("loop_over_indices", "for n in unvisited_nodes:\n    unvisited_nodes[0] = 3\nreturn 0"),
        ("matrix_index", "rows = [1, 2]\nreturn distance_matrix[rows, 1]"),
        ("commute", "return list(unvisited_nodes) + list(unvisited_nodes)"),
        ("swap_absolute", "x = np.exp(2j * current_node)\nreturn abs(x)"),
        ("drop_else", "if current_node:\n    x = 1\nelse:\n    x = 2\nreturn x"),
    ],
)
def test_transform_declines_what_would_change_the_program(name: str, body: str) -> None:
    assert all(apply(name, tsp(body), seed) is None for seed in range(5))


def test_renaming_is_natural_and_keeps_signature_arity() -> None:
    results = [apply("rename_variables", SEARCH, seed) for seed in range(20)]
    assert any("dist_mat" in result for result in results if result)
    for result in results:
        assert result is not None
        check_signature(parse(result), "select_next_node", 4)


@pytest.mark.parametrize(
    ("name", "source", "gone"),
    [
        ("scale_floats", VECTOR, "0.8 *"),
        ("rebalance_weights", VECTOR, "0.2 *"),
        ("shift_integers", tsp("if len(unvisited_nodes) > 7:\n    return 1\nreturn 2"), "> 7"),
        ("scale_factor", tsp("return 2 * current_node"), "2 * c"),
        ("change_top_k", tsp("return max(unvisited_nodes[:4])"), "[:4]"),
        ("change_exponent", tsp("cost = current_node ** 2\nreturn cost"), "** 2"),
        ("weight_term", tsp("cost = current_node + destination_node\nreturn cost"), "+ destination_node"),
        ("temper_ratio", tsp("cost = current_node / destination_node\nreturn cost"), "node / destination_node\n"),
        ("replace_seed", tsp("rng = np.random.default_rng(3)\nreturn unvisited_nodes[rng.integers(2)]"), "rng(3)"),
    ],
)
def test_parametric_transform_changes_a_number_only(name: str, source: str, gone: str) -> None:
    changed = [result for seed in range(4) if (result := apply(name, source, seed)) is not None]
    assert changed
    assert gone in canonical(source)
    assert any(gone not in canonical(result) for result in changed)


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("break_ties", KEYED, "(distance_matrix[current_node][node] + 0.5 * abs(node - 2), "),
        ("prefer_last_of_ties", SEARCH, "cost <= best_cost"),
        ("perturb_ties", VECTOR, "* np.arange(len(scores))"),
        ("swap_aggregation", tsp("return np.mean(distance_matrix)"), "(distance_matrix)"),
        ("choose_among_top", VECTOR, "np.random.default_rng("),
        ("choose_among_top", KEYED, "sorted(unvisited_nodes, key="),
        ("softmin", VECTOR, ".choice(len(scores), p="),
        ("flip_term", VECTOR, "+ 0.2 * distance_matrix"),
        ("drop_term", KEYED, "key=lambda node: "),
        ("add_term", KEYED, "0.5 * abs(node - 2) "),
        ("swap_operator", VECTOR, "+ 1e-06)"),
        ("transform_term", VECTOR, "np."),
        ("swap_extreme", VECTOR, "np.argmax(scores)"),
        ("reverse_search", SEARCH, "best_cost = -float('inf')"),
        ("exchange_argument", SEARCH, "distance_matrix[destination_node][node]"),
    ],
)
def test_behavioural_transform_writes(name: str, source: str, expected: str) -> None:
    results = [result for seed in range(6) if (result := apply(name, source, seed)) is not None]
    assert results
    assert any(expected in canonical(result) and canonical(result) != canonical(source) for result in results)


def test_terms_in_a_helper_name_only_what_it_takes() -> None:
    helper = "def nearest(nodes, row):\n    return min(nodes, key=lambda node: row[node])\n\n\n"
    source = tsp("return nearest(unvisited_nodes, distance_matrix[current_node])", helper)
    assert all(apply(name, source, seed) is None for name in ("add_term", "break_ties") for seed in range(5))
    taking = source.replace("row", "distance_matrix").replace(
        "(unvisited_nodes, distance_matrix[", "(unvisited_nodes, ["
    )
    assert apply("add_term", taking) is not None


def test_every_transform_and_crossover_is_documented_and_counted() -> None:
    names = transform_names()
    assert len(names["a"]) >= 12
    assert len(names["b"]) >= 5
    assert len(names["c"]) + len(names["crossover"]) >= 8
    for table in (*TRANSFORMS.values(), CROSSOVERS):
        assert all(function.__doc__ for function in table.values())


@pytest.mark.parametrize("name", ["switch_by_phase", "arbitrate", "graft_score"])
def test_crossover_is_self_contained_and_runs(name: str) -> None:
    task = get_task("tsp_construct")
    helper = "def rate(node):\n    return node % 3\n\n\n"
    one = tsp("return min(unvisited_nodes, key=rate)", helper)
    two = tsp("return max(unvisited_nodes, key=lambda node: rate(node) * distance_matrix[current_node][node])", helper)
    if name == "graft_score":
        one, two = KEYED, tsp("return max(unvisited_nodes, key=lambda city: distance_matrix[city, destination_node])")
    result = CROSSOVERS[name](one, two, np.random.default_rng(1), task)
    assert result is not None
    assert (decide(task, load(task, result)) >= 0).all()


def test_blend_adds_the_scores_of_both_parents() -> None:
    task = get_task("online_bin_packing")
    one = "def priority(item, bins):\n    return item - bins\n"
    two = "def priority(item, bins):\n    return [0.0 for room in bins]\n"
    result = CROSSOVERS["blend"](one, two, np.random.default_rng(1), task)
    assert result is not None
    assert np.array_equal(decide(task, load(task, result)), decide(task, load(task, one)))


def test_crossover_declines_programs_whose_imports_disagree() -> None:
    one = "import numpy as np\n\n" + TSP + "    return np.min(unvisited_nodes)\n"
    two = "import math as np\n\n" + TSP + "    return unvisited_nodes[int(np.floor(0.5))]\n"
    task = get_task("tsp_construct")
    assert CROSSOVERS["switch_by_phase"](one, two, np.random.default_rng(0), task) is None


SAMPLE = [(name, seed) for name in ("tsp_construct", "knapsack_construct") for seed in read_seeds(name)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SAMPLE), st.integers(0, 10_000))
def test_tier_a_keeps_every_probe_decision(entry: tuple[str, Seed], number: int) -> None:
    task = get_task(entry[0])
    variant = augment(entry[1].source, task, "a", np.random.default_rng(number))
    if variant is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            before, after = decide(task, load(task, entry[1].source)), decide(task, load(task, variant.source))
        assert np.array_equal(before, after), variant.transforms


# Small instances of four tasks: what the generator of each takes.
SMALL = {
    "tsp_construct": {"cities": 9},
    "cvrp_construct": {"customers": 8},
    "knapsack_construct": {"items": 12},
    "online_bin_packing": {"n_items": 25},
}


EVERYTHING = (
    TSP
    + """    near = []
    for city in unvisited_nodes:
        if distance_matrix[current_node][city] > 0.2:
            near.append(city)
    first = unvisited_nodes[0]
    gap = distance_matrix[current_node][first]
    if 0.0 <= gap and gap < 0.4:
        return first
    crowded = any(place > 3 for place in unvisited_nodes)
    if crowded or not near:
        return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])
    else:
        for i in range(len(unvisited_nodes)):
            if unvisited_nodes[i] > 3:
                return unvisited_nodes[i]
    return near[0]
"""
)


@lru_cache
def suitable(transform: str) -> tuple[tuple[str, Seed], ...]:
    """Up to three seeds that a transform of tier a applies to."""
    found = []
    for name in SMALL:
        extra = [Seed(name, "everything", EVERYTHING)] if name == "tsp_construct" else []
        for seed in (*read_seeds(name), *extra):
            if TRANSFORMS["a"][transform](seed.source, np.random.default_rng(0), get_task(name)) is not None:
                found.append((name, seed))
                break
    return tuple(found)


def small_objective(name: str, source: str, number: int) -> float:
    task = get_task(name)
    split = task.split("search")
    parameters = {**split.parameters, **SMALL[name]}
    [instance] = task.generate(replace(split, count=1, seed=number, parameters=parameters))
    return task.objective(instance, task.rollout(load(task, source), instance))


@pytest.mark.parametrize("transform", sorted(TRANSFORMS["a"]))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(data=st.data())
def test_each_transform_of_tier_a_keeps_the_objective_on_random_small_instances(transform: str, data) -> None:
    seeds = suitable(transform)
    assert seeds, f"no seed shows what {transform} does"
    name, seed = data.draw(st.sampled_from(seeds))
    generator = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    variant = TRANSFORMS["a"][transform](seed.source, generator, get_task(name))
    assume(variant is not None)
    instance = data.draw(st.integers(0, 10_000))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert small_objective(name, variant, instance) == small_objective(name, seed.source, instance)


def test_augment_is_deterministic_and_names_what_it_did() -> None:
    first, again = (augment(VECTOR, "tsp_construct", "c", np.random.default_rng(5)) for _ in range(2))
    assert first is not None
    assert first == again
    assert first.parents == (program_hash(VECTOR),)
    assert first.transforms
    crossed = augment(VECTOR, "tsp_construct", "c", np.random.default_rng(5), partner=KEYED)
    assert crossed is not None
    assert crossed.parents == (program_hash(VECTOR), program_hash(KEYED))
    with pytest.raises(ValueError, match="unknown tier 'd'"):
        augment(VECTOR, "tsp_construct", "d", np.random.default_rng(0))  # type: ignore[arg-type]


def test_augment_returns_none_when_nothing_applies() -> None:
    assert augment(TSP + "    return 1\n", "tsp_construct", "b", np.random.default_rng(0)) is None


def test_stream_yields_fresh_valid_variants_of_the_given_families() -> None:
    seeds = [Seed("tsp_construct", "search", SEARCH), Seed("tsp_construct", "vector", VECTOR)]
    variants = list(itertools.islice(stream_variants(seeds, np.random.default_rng(0)), 60))
    assert {variant.tier for variant in variants} == {"a", "b", "c"}
    assert {variant.family for variant in variants} == {"search", "vector"}
    assert len({canonical(variant.source) for variant in variants}) > 40
    for variant in variants:
        check_signature(ast.parse(variant.source), "select_next_node", 4)
        assert variant.parents[0] == program_hash(variant.parent_source)
    refused = stream_variants(seeds, np.random.default_rng(0), accept=lambda variant: variant.tier == "b")
    assert all(variant.tier == "b" for variant in itertools.islice(refused, 5))
    with pytest.raises(ValueError, match="at least one seed"):
        next(stream_variants([], np.random.default_rng(0)))


HELPER = "def f(x):\n    return x\n\n"
USER = "def g(x):\n    return f(x) + g(x - 1)\n\n"


@pytest.mark.parametrize(("source", "expected"), [(HELPER + USER, True), (USER + HELPER, False), (USER, True)])
def test_helpers_come_first(source, expected) -> None:
    assert helpers_come_first(source) is expected


def test_the_stream_keeps_helpers_above_their_users() -> None:
    main = "def select_next_node(a, b, c, d):\n    return c[int(np.argmin(g(a)))]\n"
    seeds = [Seed("tsp_construct", "helpers", "import numpy as np\n\n" + HELPER + USER + main)]
    variants = list(itertools.islice(stream_variants(seeds, np.random.default_rng(0), tiers="a"), 80))
    assert all(helpers_come_first(variant.source) for variant in variants)
