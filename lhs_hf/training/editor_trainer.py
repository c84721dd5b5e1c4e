"""Training of the editor: the likelihood of edits given their parents and their children's latents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from ..models.edit_residual import EditWords
from ..models.encoder import ProgramEncoderModule
from ..models.modeling_editor import EditCondition, LHSEditor
from .editor_config import EditorTrainingConfig
from .editor_data import EditExample, GroupedEdits, ProgramTables, TokenWords, collate
from .trainer import Objective, TrainingResult, fit

TARGETS = ("right", "random", "none")


def start_from_encoder(editor: LHSEditor, encoder: ProgramEncoderModule) -> None:
    """Give the reader the weights of a program encoder of its width: then it sees what makes the latents.

    Raises `ValueError` for an encoder of another shape.
    """
    config = editor.config
    shape = (encoder.token_embedding.weight.shape, len(encoder.attentions))
    if shape != ((config.vocab_size, config.hidden_size), config.num_encoder_layers):
        raise ValueError(f"the encoder has {shape}; expected the reader's tokens, width and layers")
    with torch.no_grad():
        editor.token_embedding.weight[: config.vocab_size] = encoder.token_embedding.weight
        known = min(len(encoder.position_embedding.weight), config.max_program_tokens)
        editor.position_embedding.weight[:known] = encoder.position_embedding.weight[:known]
        editor.position_embedding.weight[known:] = encoder.position_embedding.weight[-1]
    editor.attentions.load_state_dict(encoder.attentions.state_dict())
    editor.feed_forwards.load_state_dict(encoder.feed_forwards.state_dict())
    editor.norm.load_state_dict(encoder.norm.state_dict())


def edit_nll(
    editor: LHSEditor, batch: dict[str, Tensor], condition: EditCondition, memory: Tensor | None = None
) -> Tensor:
    """Negative log-likelihood of each action of the edits of a batch, (B, R, S) nats, zero on padding.

    `memory`: what `editor.read` says of the parents, if that is known.
    """
    # On processors the plain attention is the fastest one at these lengths.
    with sdpa_kernel(SDPBackend.MATH):
        if memory is None:
            memory = editor.read(batch["input_ids"], batch["mask"])
        kinds, values = batch["kinds"], batch["values"]
        words = EditWords(batch["input_ids"], batch["words"], batch["tokens"], batch["written"][:, :, :-1])
        logits = editor.write(memory, batch["mask"], words, condition, kinds[:, :, :-1], values[:, :, :-1])
    return editor.nll(logits, batch["input_ids"], kinds, values, batch["lowest"])


def conditions(batch: dict[str, Tensor], target: str = "right") -> EditCondition:
    """What an evaluation says of the child: its own latent and sketch, those of another program, or nothing."""
    wanted, difference = batch["target"], batch["difference"]
    if target == "random":
        wanted, difference = batch["stranger"], batch["strange"]
    rows = torch.zeros(wanted.shape[:2], device=wanted.device)
    told = rows.bool() if target == "none" else ~rows.bool()
    unknown = torch.zeros_like(batch["change"])
    return EditCondition(batch["parent"], wanted, told, rows, unknown, difference, told, told)


def drawn_conditions(editor: LHSEditor, batch: dict[str, Tensor], settings: EditorTrainingConfig) -> EditCondition:
    """What a training step says of the child; draws from torch's global generator."""
    parent, target = batch["parent"], batch["target"]
    known, told, noisy, share, drawn = torch.rand(5, *target.shape[:2], device=parent.device).unbind()
    noise = torch.where(noisy < settings.noisy_targets, share, torch.zeros_like(share))
    offset = (target - parent[:, None]) @ editor.latent_whitener
    length = offset.norm(dim=-1, keepdim=True) / target.shape[-1] ** 0.5
    moved = noise[..., None] * length * torch.randn_like(target)
    target = target + moved @ torch.linalg.inv(editor.latent_whitener)
    change = torch.where(told < settings.change_dropout, torch.zeros_like(batch["change"]), batch["change"])
    # A latent and a sketch are told or not apart from one another: a search may know only one of them.
    sketched = drawn >= settings.sketch_dropout
    rough, difference = _roughened(batch["difference"], settings)
    return EditCondition(
        parent, target, known >= settings.target_dropout, noise, change, difference, sketched, sketched & ~rough
    )


def _roughened(difference: Tensor, settings: EditorTrainingConfig) -> tuple[Tensor, Tensor]:
    """Which edits are told a direction only, (B, R) bool, and what they are told: what a search can say of a child.

    Such a difference is off by up to twice its length in a random direction, and of another length.
    """
    drawn, share, scale = torch.rand(3, *difference.shape[:2], device=difference.device).unbind()
    rough = drawn < settings.rough_targets
    noise = torch.randn_like(difference) * difference.norm(dim=-1, keepdim=True) / difference.shape[-1] ** 0.5
    off = (difference + 2.0 * share[..., None] * noise) * (0.5 + scale)[..., None]
    return rough, torch.where(rough[..., None], off, difference)


def train_editor(
    editor: LHSEditor,
    train: Sequence[EditExample],
    valid: Sequence[EditExample],
    tables: dict[str, ProgramTables],
    words: TokenWords,
    settings: EditorTrainingConfig | None = None,
    output_dir: str | Path = "editor",
    *,
    progress: bool = True,
) -> TrainingResult:
    """Train `editor` in place; the weights with the fewest nats an edit of `valid` are kept.

    Args:
        train, valid: edits of training families and of others.
        tables: "train" and "valid": the programs that the edits number.
        words: of the tokens.

    The history of the result holds `eval_right`, `eval_random` and `eval_none`, nats an edit with the child's latent,
    with that of another program of the task, and with none.
    """
    settings = settings or EditorTrainingConfig()
    batches = evaluation_batches(valid, tables["valid"], words, settings)

    def loss(model: torch.nn.Module, batch: dict[str, Tensor]) -> Tensor:
        assert isinstance(model, LHSEditor)
        nll = edit_nll(model, batch, drawn_conditions(model, batch, settings))
        return nll.sum() / (batch["kinds"] >= 0).sum()

    def evaluate(model: torch.nn.Module) -> dict[str, float]:
        assert isinstance(model, LHSEditor)
        totals = dict.fromkeys(TARGETS, 0.0)
        for batch in batches:
            memory = model.read(batch["input_ids"], batch["mask"])
            for target in TARGETS:
                nll = edit_nll(model, batch, conditions(batch, target), memory)
                totals[target] += float(nll.sum()) / len(valid)
        return {"loss": totals["right"], **totals}

    return fit(
        editor,
        GroupedEdits(train, settings.edits),
        lambda groups: collate(groups, tables["train"], words),
        settings,
        output_dir,
        Objective(loss, evaluate),
        progress=progress,
    )


def evaluation_batches(
    valid: Sequence[EditExample], tables: ProgramTables, words: TokenWords, settings: EditorTrainingConfig
) -> list[dict[str, Tensor]]:
    """All edits, with "stranger" (B, R, d) and "strange" (B, R, D): as if each were towards another one's child.

    The latent is that of another edit's child, the difference of sketches that of the same other edit.
    """
    generator = np.random.default_rng(settings.seed)
    by_task: dict[str, list[EditExample]] = {}
    for example in valid:
        by_task.setdefault(example.task, []).append(example)
    groups = sorted(GroupedEdits(valid, len(valid)).groups, key=lambda group: len(group[0].input_ids))
    batches = []
    for start in range(0, len(groups), settings.batch_size):
        chosen = groups[start : start + settings.batch_size]
        batch = collate(chosen, tables, words)
        strangers, strange = batch["target"].clone(), batch["difference"].clone()
        for row, group in enumerate(chosen):
            for place, example in enumerate(group):
                others = [other for other in by_task[example.task] if other.child != example.child]
                if others:
                    other = others[int(generator.integers(len(others)))]
                    strangers[row, place] = tables.latents[other.child]
                    strange[row, place] = tables.sketches[other.child] - tables.sketches[other.parent]
        batches.append({**batch, "stranger": strangers, "strange": strange})
    return batches
