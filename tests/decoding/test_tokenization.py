"""The program tokenizer: text in, actions out, text back; prompts; saving and loading."""

from __future__ import annotations

import pytest
from program_samples import SIGNATURE, SUPPORTED, UNSUPPORTED

from lhs_hf.decoding.grammar import Signature, UnsupportedProgram, Vocabulary
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer, infer_signature
from lhs_hf.programs import canonical, canonical_tree


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> ProgramTokenizer:
    vocabulary = Vocabulary.build(
        [(source, SIGNATURE) for source in SUPPORTED.values()],
        min_count=2,
        task_names=["tsp_construct"],
        class_names=["routing"],
    )
    folder = tmp_path_factory.mktemp("tokenizer")
    classes = {"tsp_construct": "routing", "cvrp_construct": "routing", "knapsack_construct": "packing"}
    return ProgramTokenizer.from_vocabulary(vocabulary, folder, task_classes=classes)


@pytest.mark.parametrize("name", SUPPORTED)
def test_text_comes_back_without_a_signature(tokenizer: ProgramTokenizer, name: str) -> None:
    source = SUPPORTED[name]
    ids = tokenizer(source).input_ids
    assert ids[0] == tokenizer.bos_token_id
    assert ids[-1] == tokenizer.eos_token_id
    assert tokenizer.decode(ids) == canonical(source)
    assert tokenizer.decode(ids, skip_special_tokens=True) == canonical(source)


def test_the_two_parts_make_the_sequence(tokenizer: ProgramTokenizer) -> None:
    source = SUPPORTED["numpy"]
    prompt = tokenizer.encode_prompt("tsp_construct", SIGNATURE)
    program = tokenizer.encode_program(source, SIGNATURE)
    assert tokenizer(source, task="tsp_construct").input_ids == [tokenizer.bos_token_id, *prompt, *program]
    assert tokenizer.decode_program(program, SIGNATURE) == canonical(source)
    assert tokenizer.decode(program, signature=SIGNATURE) == canonical(source)


@pytest.mark.parametrize(
    ("subject", "token"),
    [
        ("tsp_construct", "<task:tsp_construct>"),
        ("cvrp_construct", "<class:routing>"),
        ("routing", "<class:routing>"),
        ("knapsack_construct", "<general>"),
        ("something else", "<general>"),
        (None, "<general>"),
    ],
)
def test_prompt_families_fall_back(tokenizer: ProgramTokenizer, subject: str | None, token: str) -> None:
    assert tokenizer.convert_ids_to_tokens(tokenizer.encode_prompt(subject, SIGNATURE))[0] == token


def test_a_signature_of_unheard_names_is_spelled(tokenizer: ProgramTokenizer) -> None:
    signature = Signature("frobnicate", ("quux", "matrix"))
    source = "def frobnicate(quux, matrix):\n    return frobnicate(matrix[quux], quux)\n"
    ids = tokenizer(source).input_ids
    assert tokenizer.decode(ids) == source
    tokens = tokenizer.convert_ids_to_tokens(ids)
    assert tokens.count("<spell>") == 2
    assert "Main" in tokens
    assert tokenizer.encode_prompt(None, signature) == ids[1 : tokens.index("<program>") + 1]


def test_text_that_looks_like_special_tokens_is_only_text(tokenizer: ProgramTokenizer) -> None:
    source = "def choose(current, options, matrix):\n    return '<pad> <eos> <program>é'\n"
    assert tokenizer.decode(tokenizer(source).input_ids) == source


def test_an_unfinished_sequence_gives_what_is_written(tokenizer: ProgramTokenizer) -> None:
    program = tokenizer.encode_program(SUPPORTED["loops"], SIGNATURE)
    text = tokenizer.decode_program(program[: len(program) // 2], SIGNATURE)
    assert text.startswith("def choose(current, options, matrix):")
    compile(text, "program", "exec")


def test_ids_without_a_signature_are_refused(tokenizer: ProgramTokenizer) -> None:
    with pytest.raises(ValueError, match="pass signature"):
        tokenizer.decode(tokenizer.encode_program(SUPPORTED["numpy"], SIGNATURE))


def test_unsupported_programs_and_pairs_are_refused(tokenizer: ProgramTokenizer) -> None:
    with pytest.raises(UnsupportedProgram, match="ClassDef"):
        tokenizer(UNSUPPORTED["class"][0])
    with pytest.raises(ValueError, match="no text pairs"):
        tokenizer(SUPPORTED["numpy"], SUPPORTED["loops"])


def test_batches_are_padded(tokenizer: ProgramTokenizer) -> None:
    sources = [SUPPORTED["numpy"], SUPPORTED["loops"]]
    batch = tokenizer(sources, padding=True, return_tensors="pt")
    assert batch.input_ids.shape == batch.attention_mask.shape
    assert tokenizer.batch_decode(batch.input_ids) == [canonical(source) for source in sources]


def test_a_saved_tokenizer_loads_the_same(tokenizer: ProgramTokenizer, tmp_path) -> None:
    tokenizer.save_pretrained(tmp_path)
    loaded = ProgramTokenizer.from_pretrained(tmp_path)
    assert loaded.get_vocab() == tokenizer.get_vocab()
    assert len(loaded) == loaded.vocab_size == len(tokenizer)
    assert loaded.task_classes == tokenizer.task_classes
    source = SUPPORTED["helper_and_constant"]
    assert loaded(source, task="tsp_construct").input_ids == tokenizer(source, task="tsp_construct").input_ids


def test_the_signature_is_read_off_a_program() -> None:
    assert infer_signature(canonical_tree(SUPPORTED["helper_and_constant"])) == SIGNATURE
    assert infer_signature(canonical_tree(SUPPORTED["default_argument"])) == SIGNATURE
