"""vLLM itself, in this process: where it is installed. On a processor each engine takes a minute to start."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from scripted_model import WIDTH, save_random
from small_decoders import seeded

from lhs_hf.decoding.decoder import signature_of
from lhs_hf.decoding.generation import GeneratedProgram, Prompts, Sampling, generate_programs
from lhs_hf.models.decoder import Decoder, load_decoder
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.slow

pytest.importorskip("vllm", reason="vllm is not installed")


def adapter_of(decoder: Decoder, folder: Path) -> torch.nn.Module:
    """The decoder with a random adapter, which is stored in a folder."""
    peft = pytest.importorskip("peft", reason="peft is not installed")
    modules = ["q_proj", "v_proj", "o_proj", "down_proj"]
    torch.manual_seed(3)
    config = peft.LoraConfig(r=4, lora_alpha=16, target_modules=modules, init_lora_weights=False, task_type="CAUSAL_LM")
    adapted = peft.get_peft_model(decoder.model, config).eval()
    adapted.save_pretrained(folder)
    return adapted


def written(decoder: Decoder, temperature: float = 0.0, start: int = 0) -> list[GeneratedProgram]:
    soft = torch.randn(3, 4, WIDTH, generator=torch.Generator().manual_seed(2))
    return generate_programs(
        *decoder,
        Prompts([[5], [7, 8, 9, 10], [3, 4]], soft),
        [signature_of(get_task("tsp_construct"))] * 3,
        seeded(3, start),
        Sampling(temperature, 0.95, 24, grammar=False),
    )


@pytest.mark.parametrize("adapted", [False, True], ids=["alone", "with an adapter"])
def test_greedy_programs_are_those_of_transformers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], adapted: bool
) -> None:
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
    folder = save_random(tmp_path / "decoder")
    local = load_decoder(str(folder))
    name = f"vllm:{folder}"
    if adapted:
        before = [program.token_ids for program in written(local)]
        local = Decoder(adapter_of(local, tmp_path / "style"), local.tokenizer)
        name += f"+{tmp_path / 'style'}"
        assert [program.token_ids for program in written(local)] != before
    served = load_decoder(name)
    here, there = written(local), written(served)
    assert [program.token_ids for program in there] == [program.token_ids for program in here]
    assert [program.log_probability for program in there] == pytest.approx(
        [program.log_probability for program in here], abs=0.01
    )
    assert written(served, 1.0) == written(served, 1.0)
    assert written(served, 1.0) != written(served, 1.0, start=3)
    assert capfd.readouterr().out == ""
