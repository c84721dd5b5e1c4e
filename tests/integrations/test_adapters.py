"""A found latent as a PEFT adapter: plain PEFT writes what our decoder writes for it, token for token."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from peft import PeftModel
from safetensors import safe_open
from text_models import TASK, save_model, save_pair
from transformers import AutoModelForCausalLM

from lhs_hf.cli import main
from lhs_hf.constants import embedded_model
from lhs_hf.decoding.decoder import signature_of
from lhs_hf.decoding.generation import GeneratedProgram, GrammarLogitsProcessor, Prompts, Sampling, generate_programs
from lhs_hf.errors import CallError
from lhs_hf.integrations.adapters import export_adapter
from lhs_hf.search.components import Components, load_components
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

COUNT = 20
LENGTH = 160


def save_run(folder: Path, task: str, points: np.ndarray, model: str = "lhs-tiny", **identity: Any) -> Path:
    """A run folder with the reference and one candidate a point."""
    folder.mkdir(parents=True)
    settings = {**SearchSettings().as_dict(), "encoder": None, "decoder": None, "method": "lhs", **identity}
    with RunDatabase(folder / "run.sqlite") as database:
        database.set("identity", {**settings, "task": task, "model": model})
        database.add(Candidate(id=0, round=0, role="reference", program="", status="ok", score=9.0, objective=-9.0))
        for number, point in enumerate(points, start=1):
            fields = {"status": "ok", "score": float(number % 7), "objective": -float(number % 7)}
            database.add(Candidate(id=number, round=1, role="initial", program="", parent=0, after=point, **fields))
    return folder


def draws(count: int, width: int = 128) -> np.ndarray:
    return np.random.default_rng(5).standard_normal((count, width)).astype(np.float32)


def ours(components: Components, task: Any, points: np.ndarray, grammar: bool = False) -> list[GeneratedProgram]:
    """Greedy programs of all points in one batch."""
    decoder, count = components.decoder, len(points)
    with torch.inference_mode():
        soft = decoder.mapper(components.to_latents(torch.from_numpy(points))).to(decoder.model.dtype)
    return generate_programs(
        decoder.model,
        decoder.tokenizer,
        Prompts([decoder.prompt_ids(task)] * count, soft, decoder.soft_prompt_position),
        [signature_of(task)] * count,
        [torch.Generator() for _ in range(count)],
        Sampling(temperature=0, max_new_tokens=LENGTH, grammar=grammar),
    )


def theirs(decoder: Any, folder: Path | str, rows: int = 1, **options: Any) -> list[list[int]]:
    """What plain PEFT writes after the text that the adapter asks for."""
    record = json.loads((Path(folder) / "heuristic.json").read_text())
    model = PeftModel.from_pretrained(decoder, folder).eval()
    text = torch.tensor([record["input_ids"]] * rows, dtype=torch.int64)
    made = model.generate(input_ids=text, do_sample=False, max_new_tokens=LENGTH, **options)
    return made[:, text.shape[1] :].tolist()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_run(tmp_path_factory.mktemp("run") / "run", "tsp_construct", draws(COUNT))


@pytest.fixture(scope="module")
def components() -> Components:
    return load_components("lhs-tiny", get_task("tsp_construct"))


@pytest.fixture
def plain_decoder() -> Any:
    return AutoModelForCausalLM.from_pretrained(embedded_model() / "decoder").eval()


@pytest.mark.slow
def test_peft_writes_what_we_write_for_twenty_latents(
    run: Path, components: Components, plain_decoder: Any, tmp_path: Path
) -> None:
    expected = ours(components, get_task("tsp_construct"), draws(COUNT))
    assert len({tuple(program.token_ids) for program in expected}) >= COUNT // 4  # the latents steer
    for number, program in enumerate(expected, start=1):
        made = export_adapter(run, number, tmp_path / str(number))
        assert theirs(plain_decoder, made.folder) == [program.token_ids]


def test_samples_of_one_adapter_are_repeated_rows(run: Path, plain_decoder: Any, tmp_path: Path) -> None:
    made = export_adapter(run, 2, tmp_path / "adapter")
    [alone] = theirs(plain_decoder, made.folder)
    assert theirs(plain_decoder, made.folder, num_beams=1, num_return_sequences=1) == [alone]
    model = PeftModel.from_pretrained(plain_decoder, made.folder).eval()
    options = {"do_sample": True, "top_k": 1, "num_return_sequences": 3, "max_new_tokens": LENGTH}
    rows = model.generate(input_ids=torch.zeros((1, 0), dtype=torch.int64), **options)
    assert rows.tolist() == [alone] * 3


def test_the_grammar_mask_works_through_peft(
    run: Path, components: Components, plain_decoder: Any, tmp_path: Path
) -> None:
    task = get_task("tsp_construct")
    for number, program in enumerate(ours(components, task, draws(3), grammar=True), start=1):
        made = export_adapter(run, number, tmp_path / str(number))
        mask = GrammarLogitsProcessor(components.decoder.tokenizer, [signature_of(task)], 0, LENGTH)
        [tokens] = theirs(plain_decoder, made.folder, logits_processor=[mask])
        assert tokens == program.token_ids
        source = components.decoder.tokenizer.decode_program(tokens, signature_of(task))
        assert source == program.source
        ast.parse(source)


@pytest.mark.integration
@pytest.mark.parametrize("position", ["after", "before"])
def test_a_text_pair_in_bfloat16_and_both_positions(tmp_path: Path, position: str) -> None:
    save_pair(tmp_path)
    root = save_model(tmp_path)
    config = json.loads((root / "config.json").read_text())
    (root / "config.json").write_text(json.dumps({**config, "soft_prompt_position": position}))
    task = get_task(TASK)
    components = load_components(str(root), task)
    points = draws(4, components.scale.shape[0])
    folder = save_run(tmp_path / "run", TASK, points, model=str(root))
    decoder = AutoModelForCausalLM.from_pretrained(components.decoder.model.config._name_or_path, dtype="auto").eval()
    assert decoder.dtype == torch.bfloat16
    for number, program in enumerate(ours(components, task, points), start=1):
        made = export_adapter(folder, number, model=str(root))
        prompt = components.decoder.prompt_ids(task)
        assert made.num_virtual_tokens == made.num_soft_tokens + (len(prompt) if position == "after" else 0)
        assert made.input_ids == ([] if position == "after" else prompt)
        assert theirs(decoder, made.folder) == [program.token_ids]
        if position == "before":
            assert theirs(decoder, made.folder, rows=3) == [program.token_ids] * 3


def test_the_folder_holds_what_peft_reads_and_a_card(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export-adapter", str(run), "--candidate", "3", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    folder = Path(made["folder"])
    assert folder == run / "adapters" / "candidate-3"
    names = {"README.md", "adapter_config.json", "adapter_model.safetensors", "heuristic.json"}
    assert {path.name for path in folder.iterdir()} == names
    config = json.loads((folder / "adapter_config.json").read_text())
    assert (config["peft_type"], config["task_type"]) == ("PROMPT_TUNING", "CAUSAL_LM")
    assert (config["num_virtual_tokens"], config["token_dim"]) == (made["num_virtual_tokens"], 256)
    assert config["base_model_name_or_path"] == "lhs-hf/lhs-tiny"
    with safe_open(folder / "adapter_model.safetensors", "pt") as file:
        assert file.get_tensor("prompt_embeddings").shape == (made["num_virtual_tokens"], 256)
    assert main(["export-adapter", str(run), "--candidate", "3"]) == 0  # again, over itself
    assert "README.md" in capsys.readouterr().out


def test_the_code_of_the_card_runs(run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    made = export_adapter(run, 1)
    card = (Path(made.folder) / "README.md").read_text()
    assert f"The {made.num_virtual_tokens} virtual tokens" in card
    assert "$" not in card
    monkeypatch.chdir(made.folder)
    blocks = [part.split("```")[0] for part in card.split("```python\n")[1:]]
    assert len(blocks) == 2
    exec("\n".join(blocks).replace("path/of/this/folder", "."), {})
    assert "def select_next_node(" in capsys.readouterr().out


def test_without_a_number_it_takes_the_best_decoded_candidate(run: Path, tmp_path: Path) -> None:
    assert export_adapter(run, output=tmp_path / "best").candidate == 6


def test_wrong_calls_say_what_exists(run: Path, tmp_path: Path) -> None:
    with pytest.raises(CallError, match="no candidate 99; decoded candidates are: 1-20"):
        export_adapter(run, 99)
    with pytest.raises(CallError, match=r"candidate 0 of .* started the search .* decoded are: 1-20"):
        export_adapter(run, 0)
    with pytest.raises(CallError, match=r"holds no run: expected a file run\.sqlite"):
        export_adapter(tmp_path)
    with pytest.raises(CallError, match="no decoded candidate yet"):
        export_adapter(save_run(tmp_path / "empty", "tsp_construct", draws(0)))
    gone = save_run(tmp_path / "gone", "tsp_construct", draws(1), decoder=str(tmp_path / "no-decoder"))
    with pytest.raises(CallError, match=r"names the folder .*no-decoder' as its decoder; .* --decoder "):
        export_adapter(gone)
    with pytest.raises(CallError, match=r"can not load decoder .*no-decoder"):
        export_adapter(gone, decoder=str(tmp_path / "no-decoder"))
    moved = save_run(tmp_path / "moved", "tsp_construct", draws(1), model=str(tmp_path / "no-model"))
    with pytest.raises(CallError, match=r"names the folder .*no-model' as its model; .* --model "):
        export_adapter(moved)
    with pytest.raises(CallError, match=r"unknown model .*no-model"):
        export_adapter(moved, model=str(tmp_path / "no-model"))
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(CallError, match="holds something else"):
        export_adapter(run, 1, tmp_path)
    with pytest.raises(CallError, match="is a file"):
        export_adapter(run, 1, tmp_path / "notes.txt")
    assert main(["export-adapter", str(tmp_path / "nowhere")]) == 2


def test_without_peft_it_says_what_to_install(run: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setitem(sys.modules, "peft", None)
    assert main(["export-adapter", str(run)]) == 2
    assert "pip install 'lhs-hf[adapters]'" in capsys.readouterr().err


def test_unmasked_tokens_of_a_program_decoder_count_up_to_the_first_forbidden_one(components: Components) -> None:
    tokenizer, signature = components.decoder.tokenizer, signature_of(get_task("tsp_construct"))
    source = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n    return 1\n"
    ids = tokenizer.encode_program(source, signature)
    assert tokenizer.decode_legal(ids, signature) == (source, True)
    text, whole = tokenizer.decode_legal([*ids[:-1], tokenizer.bos_token_id, ids[-1]], signature)
    assert (text, whole) == (source, False)
    assert tokenizer.decode_legal([len(tokenizer) + 5], signature)[1] is False
    made = ours(components, get_task("tsp_construct"), draws(2))
    for program in made:
        assert program.finished == tokenizer.decode_legal(program.token_ids, signature)[1]
