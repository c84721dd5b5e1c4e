"""Runs every training part thrice: uninterrupted, killed in the middle, and resumed after that. Prints what came out.

Called by test_training.py as a process of its own. Each run is a fork, so that the imports are paid once; each starts
from random states of its own, so that equal results can not come from equal leftovers.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
from pathlib import Path

import numpy as np
import torch
from transformers import Qwen3ForCausalLM
from transformers.utils import logging

from lhs_hf.models.configuration_lhs import LHSFlowConfig, LHSMapperConfig
from lhs_hf.models.encoder import ProgramEncoderModule
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.training import trainer
from lhs_hf.training.autoencoder_config import AutoencoderTrainingConfig
from lhs_hf.training.autoencoder_model import LHSAutoencoder, tiny_decoder_config
from lhs_hf.training.autoencoder_trainer import AutoencoderExample, train_autoencoder
from lhs_hf.training.data import ListSource
from lhs_hf.training.flow_config import FlowTrainingConfig
from lhs_hf.training.flow_trainer import train_flow
from lhs_hf.training.mapper_config import MapperTrainingConfig
from lhs_hf.training.mapper_trainer import MapperExample, train_mapper
from lhs_hf.training.surrogate_config import SurrogateTrainingConfig
from lhs_hf.training.surrogate_trainer import Scored, train_surrogate

VOCABULARY = 30
COMMON = {"steps": 14, "evaluate_every": 4, "patience": None}
KILLED_AT = 10


def _decoder() -> Qwen3ForCausalLM:
    torch.manual_seed(7)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2}
    return Qwen3ForCausalLM(tiny_decoder_config(VOCABULARY, head_dim=8, intermediate_size=16, **sizes))


def _mapper_config() -> LHSMapperConfig:
    return LHSMapperConfig(latent_size=8, num_soft_tokens=2, token_size=8, hidden_size=8, output_size=16)


def _programs() -> list[list[int]]:
    generator = np.random.default_rng(5)
    return [generator.integers(3, VOCABULARY, generator.integers(4, 12)).tolist() for _ in range(30)]


def run_flow(folder: Path) -> tuple[torch.nn.Module, trainer.TrainingResult]:
    latents = torch.from_numpy(np.random.default_rng(0).normal(size=(90, 8)))
    settings = FlowTrainingConfig(batch_size=16, **COMMON)
    config = LHSFlowConfig(latent_size=8, hidden_size=8)
    return train_flow(latents[:70], latents[70:], settings, folder, config=config, progress=False)


def run_surrogate(folder: Path) -> tuple[torch.nn.Module, trainer.TrainingResult]:
    u = torch.from_numpy(np.random.default_rng(0).normal(size=(60, 8)))
    settings = SurrogateTrainingConfig(batch_size=16, noise=0.1, **COMMON)
    return train_surrogate(Scored(u[:40], u[:40, 0]), Scored(u[40:], u[40:, 0]), settings, folder, progress=False)


def run_mapper(folder: Path) -> tuple[torch.nn.Module, trainer.TrainingResult]:
    generator = np.random.default_rng(3)
    examples = [
        MapperExample(torch.from_numpy(generator.normal(size=8)), ([1, 2, 3], [1, 2], [1]), ids) for ids in _programs()
    ]
    settings = MapperTrainingConfig(batch_size=6, noise=0.1, **COMMON)
    source = ListSource(examples[:24], lambda example: len(example.program_ids))
    arguments = {"start": _mapper_config(), "progress": False}
    return train_mapper(source, examples[24:], _decoder(), settings, folder, **arguments)


def run_autoencoder(folder: Path) -> tuple[torch.nn.Module, trainer.TrainingResult]:
    generator = np.random.default_rng(3)
    programs = _programs()
    examples = [
        AutoencoderExample(
            ids,
            ([1, 2, 3], [1, 2], [1]),
            ids,
            generator.random((64, 8)) if generator.random() < 0.8 else None,
            (programs[i - 1],),
            i % 2,
            float(generator.random()) if generator.random() < 0.5 else None,
        )
        for i, ids in enumerate(programs)
    ]
    torch.manual_seed(11)
    sizes = {"hidden_size": 8, "num_layers": 1, "num_heads": 2, "intermediate_size": 8, "latent_size": 8}
    encoder = ProgramEncoderModule(None, vocab_size=VOCABULARY, **sizes)
    model = LHSAutoencoder(encoder, LHSMapper(_mapper_config()), _decoder(), num_tasks=2)
    settings = AutoencoderTrainingConfig(
        batch_size=6,
        behaviour_exchange=0.4,
        stranger_exchange=0.2,
        quantile_weight=0.3,
        outline_weight=0.3,
        matrix_learning_rate=1e-2,
        encoder_token_dropout=0.1,
        decoder_token_dropout=0.4,
        **COMMON,
    )
    source = ListSource(examples[:24], lambda example: len(example.program_ids))
    return model, train_autoencoder(model, source, examples[24:], settings, folder, progress=False)


RUNS = {"flow": run_flow, "surrogate": run_surrogate, "mapper": run_mapper, "autoencoder": run_autoencoder}


def digest(model: torch.nn.Module, result: trainer.TrainingResult) -> str:
    """A hash of every weight and buffer bit for bit, and of every loss: the best weights may be older than the kill."""
    whole = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        whole.update(name.encode() + value.contiguous().numpy().tobytes())
    losses = [
        sorted((name, value) for name, value in entry.items() if not name.startswith("train"))
        for entry in result.history
    ]
    return whole.hexdigest() + repr(losses)


def in_fork(name: str, folder: Path, kill_at: int | None = None) -> int:
    """Train in a child process, which writes its digest beside the folder, and return how it ended."""
    child = os.fork()
    if child == 0:
        random.seed(os.getpid())
        np.random.seed(os.getpid())
        torch.manual_seed(os.getpid())
        original = trainer._PartTrainer.compute_loss

        def compute_loss(self, *arguments, **options):
            if self.state.global_step == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self, *arguments, **options)

        trainer._PartTrainer.compute_loss = compute_loss
        try:
            folder.with_suffix(".digest").write_text(digest(*RUNS[name](folder)))
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    report = {}
    for name in RUNS:
        whole, broken = folder / f"{name}-whole", folder / f"{name}-broken"
        codes = [in_fork(name, whole), in_fork(name, broken, kill_at=KILLED_AT)]
        checkpoints = sorted(path.name for path in (broken / trainer.CHECKPOINTS).iterdir())
        # What a kill in the middle of writing a checkpoint leaves behind.
        (broken / trainer.CHECKPOINTS / "checkpoint-9").mkdir()
        codes += [in_fork(name, broken), in_fork(name, broken)]
        digests = [path.with_suffix(".digest").read_text() for path in (whole, broken)]
        report[name] = {"codes": codes, "checkpoints": checkpoints, "digests": digests}
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
