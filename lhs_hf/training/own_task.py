"""Only the surrogate: encoder, decoder, flow and mapper are shared by all tasks and stay as they are (section 3.4)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from .. import __version__
from ..corpus.dataset import CorpusRow, load_corpus
from ..errors import CallError, unknown
from ..models.composite import open_model
from ..models.encoding import are_readable, encode_programs
from ..search.settings import SPACES
from ..tasks.base import Task
from .surrogate_config import SurrogateTrainingConfig
from .surrogate_trainer import Scored, spearman, train_surrogate
from .work_folder import WorkFolder, corpus_digest, files_digest

FEWEST = 10


def weights_digest(*modules: torch.nn.Module) -> str:
    """SHA-256 over all parameters and buffers of some modules, name by name."""
    digest = hashlib.sha256()
    for module in modules:
        for name, tensor in sorted(module.state_dict().items()):
            digest.update(
                name.encode() + tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
            )
    return digest.hexdigest()


def _rows(task: Task, corpus: Path, encoder: Any) -> tuple[list[CorpusRow], list[int], list[int], int]:
    """The programs of a task that the encoder reads, the numbers of those for training and for validation.

    Last comes how many there are that it can not read.
    """
    everything = load_corpus(task.name, folder=corpus)
    readable = are_readable(encoder, [row.program for row in everything], task)
    rows = [row for row, reads in zip(everything, readable) if reads]
    train = [index for index, row in enumerate(rows) if row.split == "train"]
    valid = [index for index, row in enumerate(rows) if row.split == "validation"]
    unread = len(everything) - len(rows)
    if len(train) < FEWEST or not valid:
        beside = f" that the encoder can read, beside {unread} that it can not" if unread else ""
        raise CallError(
            f"{corpus} has {len(train)} training and {len(valid)} validation programs of {task.name}{beside}; about 30 "
            "and some for validation are needed"
        )
    if len({rows[index].score for index in train}) < 2:
        raise CallError(f"all training programs of {task.name} have one objective: there is nothing to rank")
    return rows, train, valid, unread


def _fingerprint(
    task: Task, corpus: Path, model_folder: Path, settings: SurrogateTrainingConfig, **names: str | None
) -> dict[str, Any]:
    """All that the surrogate depends on. The weights count: a folder that was trained again has the same name."""
    parts = (model_folder / "model.safetensors", model_folder / "encoder" / "model.safetensors")
    return {
        "kind": "surrogate",
        "task": task.name,
        "seed": settings.seed,
        **names,
        "weights": files_digest(path for path in parts if path.exists()),
        "corpus": corpus_digest(corpus, [task.name]),
        "task_file": task.digest,
        "settings": asdict(settings),
        "lhs_hf": __version__,
    }


def train_own_surrogate(
    task: Task,
    corpus: Path,
    output: Path,
    *,
    model: str = "lhs-tiny",
    space: str = "prior",
    seed: int = 0,
    settings: SurrogateTrainingConfig | None = None,
    encoder: str | None = None,
) -> dict[str, Any]:
    """Train a surrogate of `task` for a model that exists, from a corpus folder, and save it into `output`.

    `model` is "lhs-tiny", a folder, or owner/name[@revision] of the Hub; `encoder` names the encoder of a model that
    names one outside its folder.

    `output` then loads as `LHSSurrogate.from_pretrained(output)`, serves `search --surrogate` and can be pushed.
    Programs that the encoder can not read are left out. Raises `CallError` for fewer than ten others to train on, for
    equal scores and for an `output` that was begun with something else, `FileNotFoundError` for a folder without
    programs of the task, and `RuntimeError` should any other weight of the model have changed.
    """
    if space not in SPACES:
        raise unknown("space", space, SPACES)
    settings = settings or SurrogateTrainingConfig(space=space, seed=seed, steps=400)
    opened = open_model(model)
    composite, embedder = opened.model, opened.encoder(encoder)
    rows, train, valid, unread = _rows(task, corpus, embedder)
    folder = WorkFolder(output, _fingerprint(task, corpus, opened.folder, settings, model=model, encoder=encoder))
    before = weights_digest(composite, embedder)
    latents = encode_programs(
        embedder,
        [row.program for row in rows],
        task,
        behaviours=[row.behaviour for row in rows],
        normalize=opened.config.latent_normalized,
    )
    folder.begin()
    with torch.no_grad():
        points = opened.flow(latents).u if space == "prior" else latents
    scores = torch.tensor([row.score for row in rows], dtype=torch.float64)
    surrogate, result = train_surrogate(
        Scored(points[train], scores[train]),
        Scored(points[valid], scores[valid]),
        settings,
        output,
        task=task.name,
        progress=False,
    )
    surrogate.save_pretrained(output)
    if weights_digest(composite, embedder) != before:
        raise RuntimeError(f"weights of {model} have changed while the surrogate was trained")
    with torch.no_grad():
        correlation = spearman(surrogate(points[valid]).score, scores[valid])
    report = {
        "task": task.name,
        "task_digest": task.digest,
        "model": model,
        "space": space,
        "train": len(train),
        "validation": len(valid),
        "unreadable": unread,
        "spearman": correlation,
        "kept_step": result.best_step,
        "model_weights_sha256": before,
    }
    (output / "surrogate_report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report
