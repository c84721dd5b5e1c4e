"""Trains mapper, autoencoder, flow and surrogate, in as many processes as `accelerate launch` starts.

Called by test_processes.py, with the folder for what comes out: the history of each part, and its weights' sums.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
import training_runs
from transformers.utils import logging

from lhs_hf.training.processes import Processes

PARTS = ("mapper", "autoencoder", "flow", "surrogate")
CONFIGS = {"mapper": "MapperTrainingConfig", "autoencoder": "AutoencoderTrainingConfig"}


def without_dice(name: str) -> None:
    """Let nothing be drawn in a step of a part whose batches are shared: processes have dice of their own."""
    config = getattr(training_runs, CONFIGS[name])
    dice = {"noise": 0.0, "encoder_token_dropout": 0.0, "decoder_token_dropout": 0.0}

    def plain(**settings):
        chosen = config(**settings)
        return replace(chosen, **{key: value for key, value in dice.items() if hasattr(chosen, key)})

    setattr(training_runs, CONFIGS[name], plain)


def without_dropout() -> None:
    """The mapper and the encoder of the runs, without the dropout inside them."""
    mapper = training_runs._mapper_config()
    mapper.dropout = 0.0
    training_runs._mapper_config = lambda: mapper
    training_runs.ProgramEncoderModule = partial(training_runs.ProgramEncoderModule, dropout=0.0)


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    without_dropout()
    report = {}
    for name in PARTS:
        if name in CONFIGS:
            without_dice(name)
        model, result = training_runs.RUNS[name](folder / name)
        # What else there is about the whole training (its times, the work done) is each process's own.
        losses = [
            {key: value for key, value in entry.items() if key != "total_flos" and not key.startswith("train_")}
            for entry in result.history
        ]
        total = sum(float(value.double().abs().sum()) for value in model.state_dict().values())
        report[name] = {"history": losses, "weights": total, "kept": result.kept_step}
    processes = Processes()
    report["processes"] = processes.count
    (folder / f"report-{processes.rank}.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
