"""Measured figures as `huggingface_hub.EvalResult`s, for the metadata of the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from huggingface_hub import EvalResult, EvalResultEntry

from lhs_hf.constants import CORPUS_REPOSITORY
from lhs_hf.reporting.decoder_table import Row, measured_rows
from lhs_hf.tasks import get_task

from .measured import Measured

DIGITS = 6
TEXT, VECTORS, SCORES = "text-generation", "feature-extraction", "tabular-regression"


def _rounded(value: float) -> float:
    """Six significant digits: what is behind them differs between machines."""
    return float(f"{value:.{DIGITS}g}")


def _on_corpus(kind: str, metric: str, name: str, value: float, split: str, config: str = "all") -> EvalResult:
    return EvalResult(
        task_type=kind,
        dataset_type="heuristic-programs",
        dataset_name="Heuristic programs (the corpus of lhs_hf)",
        dataset_config=config,
        dataset_split=split,
        metric_type=metric,
        metric_name=name,
        metric_value=_rounded(value),
    )


def results(measured: Measured) -> list[EvalResultEntry]:
    """What stands in `.eval_results` of the model: its searches and the ranks of its surrogates, task by task.

    Their ids are those of `benchmark`. They are no part of `model-index`, which would be four hundred lines of them.
    """
    entries = []
    for row in measured.searches["tasks"] if measured.searches else []:
        made = f"a search of budget {measured.searches['budget']}, seed 0, from the reference program"
        better = "lower is better" if row["sense"] == "min" else "higher is better"
        figures = {f"{row['task']}-valid": (row["success_rate"], f"share of programs that got a score; {made}")}
        for split, value in {"search": row["objective"], **row["test"]}.items():
            if value is not None:
                figures[f"{row['task']}-{split}"] = value, f"objective of what was found, {better}; {made}"
        entries += [(name, value, notes) for name, (value, notes) in figures.items()]
    for task, figures in measured.training["surrogates"]["prior"].items():
        notes = "Spearman's correlation of predicted and true scores, validation families, prior space"
        entries.append((f"{task}-ranking", figures["eval_spearman"], notes))
    return [EvalResultEntry(CORPUS_REPOSITORY, name, _rounded(value), notes=notes) for name, value, notes in entries]


def benchmark(tasks: Sequence[str]) -> dict[str, Any]:
    """`eval.yaml` of the corpus: what a model can be measured on with it."""
    entries = []
    for name in tasks:
        parts = {"valid": "train", **dict.fromkeys(get_task(name).splits, "train"), "ranking": "validation"}
        entries += [{"id": f"{name}-{part}", "config": name, "split": split} for part, split in parts.items()]
    return {
        "name": "Heuristic programs",
        "description": (
            "Searches for better heuristics of ten combinatorial problems: the objective of the program found on each "
            "split of a problem's instances, the share of valid programs, and how well a model ranks programs that it "
            "has not seen. lhs-hf search and lhs-hf evaluate measure them."
        ),
        "evaluation_framework": "lhs_hf",
        "tasks": entries,
    }


def training(measured: Measured, parts: Sequence[str], kind: str = TEXT) -> list[EvalResult]:
    """What training recorded of its parts, on validation families; of the flow also on test families."""
    recorded, flow = measured.training["parts"], measured.training["flow"]
    known = (
        ("autoencoder", recorded.get("autoencoder"), "eval_loss", "nll", "validation", "NLL a token, nats"),
        (
            "autoencoder",
            recorded.get("autoencoder"),
            "eval_exchange",
            "nll",
            "validation",
            "NLL a token, text of a parent with the child's behaviour, nats",
        ),
        ("mapper", recorded.get("mapper"), "eval_loss", "nll", "validation", "mean NLL a token, decoder frozen, nats"),
        ("flow", flow, "test_bits_per_dimension", "bits_per_dimension", "test", "flow, bits a dimension"),
        (
            "flow",
            flow,
            "test_gaussian_bits_per_dimension",
            "bits_per_dimension",
            "test",
            "full-covariance Gaussian, bits a dimension",
        ),
    )
    return [
        _on_corpus(kind, metric, name, found[key], split)
        for part, found, key, metric, split, name in known
        if part in parts and found and key in found
    ]


def decoder(measured: Measured, rows: Sequence[Row], kind: str = TEXT) -> list[EvalResult]:
    """Pooled figures of results/decoder.json; of the rows, those that were measured."""
    if measured.decoder is None:
        return []
    split = measured.decoder["settings"]["split"]
    return [
        _on_corpus(kind, row.path[0], row.label, value, split)
        for row, value, _ in measured_rows(measured.decoder, rows)
    ]


def surrogate(measured: Measured, task: str) -> list[EvalResult]:
    """Spearman's correlations of one task's surrogates, as training recorded them and as they were measured later."""
    found = []
    for space, tasks in measured.training["surrogates"].items():
        found += _correlations(tasks[task], "eval_spearman", "eval_spearman_better_half", space, "validation", task)
    latents = measured.latents or {}
    held_out = latents.get("surrogate", {}).get("tasks", {}).get(task)
    if held_out:
        split, space = latents["settings"]["split"], latents["settings"]["space"]
        found += _correlations(held_out["surrogate"], "spearman", "better_half", space, split, task)
    return found


def _correlations(
    found: Mapping[str, Any], whole: str, half: str, space: str, split: str, task: str
) -> list[EvalResult]:
    return [
        _on_corpus(SCORES, "spearmanr", f"Spearman, {space} space, {which}", found[key], split, task)
        for key, which in ((whole, "all programs"), (half, "better half"))
    ]


def ascent(measured: Measured) -> list[EvalResult]:
    """Share of programs that beat their parent after a step along the gradient, and without a step."""
    if measured.latents is None:
        return []
    split = measured.latents["settings"]["split"]
    found = []
    for entry in measured.latents.get("moves") or []:
        for move in ("gradient", "none"):
            beats = entry["all"]["moves"].get(move, {}).get("beats", {}).get("mean")
            if beats is not None:
                name = f"beats its parent: {move}, radius {entry['radius']:g}, best of {entry['screening']}"
                found.append(_on_corpus(TEXT, "beats_parent", name, beats, split))
    return found
