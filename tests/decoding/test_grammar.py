"""The program grammar: exact round trips, masks that only lead to legal programs, refusals that name the construct."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from program_samples import SIGNATURE, SUPPORTED, UNSUPPORTED, undefined_names

from lhs_hf.corpus.seeds_io import SEED_FOLDER, read_seeds
from lhs_hf.decoding.grammar import ProgramState, Signature, UnsupportedProgram, Vocabulary, decode, encode
from lhs_hf.programs import canonical, canonical_tree, check_signature
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
SMALL = Vocabulary.build([], min_count=1)
RICH = Vocabulary.build([(source, SIGNATURE) for source in SUPPORTED.values()], min_count=1)
VOCABULARIES = {"fixed tokens only": SMALL, "learnt tokens": RICH}
SEED_TASKS = sorted(path.stem for path in SEED_FOLDER.glob("*.py") if not path.stem.startswith("_"))


def sample(
    seed: int, limit: int | None, vocabulary: Vocabulary = RICH, signature: Signature = SIGNATURE
) -> ProgramState:
    """A program of random allowed actions, with a preference drawn for each action."""
    generator = np.random.default_rng(seed)
    weights = generator.random(len(vocabulary)) ** generator.integers(1, 8)
    weights[vocabulary.row("const", "name", "piece")] *= 0.2
    weights[vocabulary.end] *= 2
    state = ProgramState(signature, vocabulary, max_actions=limit)
    while not state.finished:
        chances = weights * state.allowed()
        state.advance(int(generator.choice(len(vocabulary), p=chances / chances.sum())))
    return state


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
@pytest.mark.parametrize("name", SUPPORTED)
def test_a_program_comes_back_exactly(name: str, vocabulary: Vocabulary) -> None:
    source = SUPPORTED[name]
    tree = canonical_tree(source)
    ids = encode(tree, SIGNATURE, vocabulary)
    assert ids[-1] == vocabulary.eos
    decoded = decode(ids, SIGNATURE, vocabulary)
    assert ast.unparse(decoded) + "\n" == canonical(source)
    assert ast.dump(decoded) == ast.dump(tree)


def test_learnt_tokens_make_programs_shorter() -> None:
    for source in (SUPPORTED["numpy"], SUPPORTED["rare_names"], SUPPORTED["imports_inside"]):
        tree = canonical_tree(source)
        assert len(encode(tree, SIGNATURE, RICH)) < 0.8 * len(encode(tree, SIGNATURE, SMALL))


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_a_program_outside_the_grammar_is_refused_with_its_construct(name: str) -> None:
    source, message = UNSUPPORTED[name]
    with pytest.raises(UnsupportedProgram, match=message):
        encode(canonical_tree(source), SIGNATURE, RICH)


@pytest.mark.parametrize("task_name", SEED_TASKS)
def test_seed_programs_come_back_exactly(task_name: str) -> None:
    task = get_task(task_name)
    signature = Signature(task.function_name, task.arguments)
    seeds = read_seeds(task_name)
    vocabulary = Vocabulary.build([(seed.source, signature) for seed in seeds])
    for seed in seeds:
        ids = encode(canonical_tree(seed.source), signature, vocabulary)
        assert ast.unparse(decode(ids, signature, vocabulary)) + "\n" == canonical(seed.source), seed.family


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), limit=st.sampled_from([4, 5, 6, 8, 12, 20, 40, 90, 250]))
def test_every_sampled_program_is_legal_and_comes_back(seed: int, limit: int) -> None:
    state = sample(seed, limit)
    assert len(state.actions) <= limit
    source = state.source()
    compile(source, "program", "exec")
    function = check_signature(ast.parse(source), "choose", 3)
    assert function.name == "choose"
    assert undefined_names(source) == set()
    tree = canonical_tree(source)
    assert ast.unparse(tree) + "\n" == source
    assert ast.unparse(decode(encode(tree, SIGNATURE, RICH), SIGNATURE, RICH)) + "\n" == source


@pytest.mark.parametrize("arguments", [(), ("only",), ("unheard_of_name", "b", "c", "d", "e", "f", "g")])
def test_any_signature_is_met(arguments: tuple[str, ...]) -> None:
    signature = Signature("peculiar_function", arguments)
    for seed in range(40):
        state = sample(seed, 40, SMALL, signature)
        check_signature(state.tree(), "peculiar_function", len(arguments))


def test_the_whole_of_an_encoded_program_is_allowed_step_by_step() -> None:
    ids = encode(canonical_tree(SUPPORTED["nested_function"]), SIGNATURE, RICH)
    state = ProgramState(SIGNATURE, RICH, max_actions=len(ids))
    for token in ids:
        assert not state.finished
        assert state.allowed()[token]
        assert state.least_remaining <= len(ids) - len(state.actions)
        state.advance(token)
    assert state.finished
    assert state.allowed().sum() == 1


def test_names_are_offered_where_they_are_assigned_and_nowhere_else() -> None:
    state = ProgramState(SIGNATURE, RICH)
    offered = []
    for token in encode(canonical_tree(SUPPORTED["branch_intersection"]), SIGNATURE, RICH):
        if state.allowed()[RICH.ids["Compare:Lt"]]:  # an expression may start here
            offered.append({name for name in "ab" if state.allowed()[RICH.ids[f"name:{name}"]]})
        state.advance(token)
    # the two tests, the value of each assignment, the error, the return
    assert offered[0] == set()
    assert offered[2] == {"a"}
    assert offered[-1] == {"a"}
    assert {"b"} not in offered


def test_an_action_that_is_not_allowed_is_refused() -> None:
    state = ProgramState(SIGNATURE, RICH)
    with pytest.raises(ValueError, match="'Return' is not allowed after 0 actions"):
        state.advance(RICH.ids["Return"])
    with pytest.raises(ValueError, match="not allowed"):
        state.advance(len(RICH))
    with pytest.raises(ValueError, match="stop before the program is complete"):
        decode([RICH.ids["Main"]], SIGNATURE, RICH)


def test_a_copy_goes_its_own_way() -> None:
    state = ProgramState(SIGNATURE, RICH, max_actions=50)
    for token in (RICH.ids["Main"], RICH.ids["Pass"]):
        state.advance(token)
    twin = state.copy()
    assert (twin.allowed() == state.allowed()).all()
    twin.advance(RICH.end)
    assert twin.complete
    assert not state.complete
    assert twin.source() == canonical(SUPPORTED["pass_only"])


def test_a_copy_can_go_back_to_an_earlier_statement() -> None:
    ids = encode(canonical_tree(SUPPORTED["exceptions"]), SIGNATURE, RICH)
    state = ProgramState(SIGNATURE, RICH, max_actions=200)
    for token in ids[:-1]:
        state.advance(token)
    boundary = state.statement_boundaries[0]
    earlier = state.copy(boundary)
    assert earlier.actions == ids[:boundary]
    assert earlier.statement_boundaries == [boundary]
    for token in ids[boundary:]:
        earlier.advance(token)
    assert earlier.source() == canonical(SUPPORTED["exceptions"])


@pytest.mark.parametrize("name", SUPPORTED)
def test_partial_programs_parse_at_every_statement(name: str) -> None:
    ids = encode(canonical_tree(SUPPORTED[name]), SIGNATURE, RICH)
    state = ProgramState(SIGNATURE, RICH)
    seen = []
    for token in ids:
        state.advance(token)
        boundaries = state.statement_boundaries
        if boundaries and boundaries[-1] == len(state.actions) and boundaries != seen:
            ast.parse(state.partial_source())
            seen = boundaries
    assert state.partial_source() == canonical(SUPPORTED[name])
    statements = [node for node in ast.walk(state.tree()) if isinstance(node, ast.stmt)]
    assert 0 < len(seen) <= len(statements)


def test_the_open_statement_is_left_out_of_a_partial_program() -> None:
    state = ProgramState(SIGNATURE, RICH)
    for token in encode(canonical_tree(SUPPORTED["loops"]), SIGNATURE, RICH):
        state.advance(token)
        if token == RICH.ids["Break"]:
            break
    assert state.partial_source().rstrip().endswith("break")
    state.advance(RICH.ids["If"])
    assert state.partial_source().rstrip().endswith("break")


def test_a_vocabulary_survives_its_file(tmp_path) -> None:
    path = tmp_path / "vocab.json"
    RICH.save(path)
    loaded = Vocabulary.load(path)
    assert loaded.tokens == RICH.tokens
    ids = encode(canonical_tree(SUPPORTED["loops"]), SIGNATURE, RICH)
    assert ids == encode(canonical_tree(SUPPORTED["loops"]), SIGNATURE, loaded)


def test_other_files_are_no_vocabulary(tmp_path) -> None:
    path = tmp_path / "vocab.json"
    path.write_text('{"a": 1}')
    with pytest.raises(ValueError, match="not a program vocabulary"):
        Vocabulary.load(path)
    with pytest.raises(ValueError, match="misses '<pad>'"):
        Vocabulary(["<eos>"])


def test_more_rare_names_than_slots_are_refused() -> None:
    lines = "".join(f"    peculiar_{index}_name = 1\n" for index in range(len(SMALL.slot_ids) + 1))
    source = f"def choose(current, options, matrix):\n{lines}    return 1\n"
    with pytest.raises(UnsupportedProgram, match="line"):
        encode(canonical_tree(source), SIGNATURE, SMALL)


def test_only_the_tuple_that_is_a_subscript_holds_slices() -> None:
    name, *arguments = SIGNATURE.arguments
    source = f"def {SIGNATURE.function_name}({', '.join([name, *arguments])}):\n    return {name}[(1, 2), 3]\n"
    state = ProgramState(SIGNATURE, SMALL)
    allowed = []
    for action in encode(canonical_tree(source), SIGNATURE, SMALL):
        allowed.append(bool(state.allowed()[SMALL.row("Slice")].any()))
        state.advance(action)
    # The subscript, its first and its second element; not what stands inside the first.
    assert sum(allowed) == 3
