"""Sentences of the cards that depend on what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lhs_hf.constants import EDITOR_FOLDER
from lhs_hf.reporting.run_report import markdown_table

from .measured import Measured
from .tables import duration, left, parts_table, stage_seconds


def model_section(measured: Measured) -> str:
    """What docs/models.md says of the model: size, cost, training data, parts."""
    machine = measured.training["machine"]
    return (
        f"It ships inside the package (`lhs_hf/pretrained/{measured.name}`) and was trained in "
        f"{duration(stage_seconds(measured.training))} on {machine['threads']} threads of one {machine['processor']} "
        f"machine. {corpus_sentences(measured)}\n\n{parts_table(measured)}"
    )


def corpus_sentences(measured: Measured, tasks: Sequence[str] = ()) -> str:
    """What a model was trained on: sizes where it is the corpus that ships, else that it is not."""
    names = tasks or measured.tasks
    recipe, commit = measured.training["recipe"], measured.training.get("commit")
    variants = recipe["variants"]
    parts = "encoder, decoder, mapper and flow" if recipe.get("latent_variants") else "encoder and decoder"
    streamed = f"up to {variants:,} further variants a task, made of training families"
    if not measured.same_corpus:
        when = f" (that of commit `{commit}`)" if commit else ""
        return (
            f"`{measured.name}` was trained on another state of the corpus than the one that ships with the package"
            f"{when}, {parts} also on {streamed}. What is a validation or test family today may have been a training "
            "family then: figures recorded by the training are on the splits of then, later ones on those of today."
        )
    programs = sum(measured.programs[name, "train"] for name in names)
    families = sum(measured.families[name, "train"] for name in names)
    whole = sum(count for (task, _), count in measured.programs.items() if task in names)
    of_task = f" for `{names[0]}`" if len(names) == 1 else ""
    return (
        f"`{measured.name}` was trained on the training split of the corpus that ships with the package{of_task}: "
        f"{programs:,} of {whole:,} programs, of {families:,} families; {parts} also on {streamed}."
    )


def count_range(counts: Sequence[int]) -> str:
    """The least and the greatest of some counts."""
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"


def sources_table(measured: Measured, files: Sequence[str]) -> str:
    """Which command made which measured file: the training's record, and those named of what exists."""
    training, name = measured.training, measured.name
    at = f" at commit `{training['commit']}`" if training.get("commit") else ""
    rows = [
        [
            "training, validation families",
            f"`{training['command']} --seed {training['seed']}`{at}",
            f"`lhs_hf/pretrained/{name}/training.json`",
        ]
    ]
    if measured.searches and "searches" in files:
        rows.append(["searches", "`python scripts/benchmarks/readme_results.py`", "`results/ten_tasks.json`"])
    if measured.decoder and "decoder" in files:
        settings = measured.decoder["settings"]
        options = f"--split {settings['split']} --latents {settings['latents']} --seed {settings['seed']}"
        rows.append(["decoder", f"`python scripts/benchmarks/measure_decoder.py {options}`", "`results/decoder.json`"])
    if measured.latents and "latents" in files:
        settings = measured.latents["settings"]
        radii = " ".join(f"{radius:g}" for radius in settings["radius"])
        options = f"--split {settings['split']} --space {settings['space']} --radius {radii}"
        options += f" --parents {settings['parents']} --seed {settings['seed']}"
        rows.append(["ascent", f"`python scripts/benchmarks/measure_latents.py {options}`", "`results/latents.json`"])
    if measured.editor and "editor" in files:
        training = measured.config(EDITOR_FOLDER, "training.json")
        train = f"`{training['command']} --seed {training['seed']}` at commit `{training['commit']}`"
        rows.append(["editor", f"{train}, `python scripts/benchmarks/editor.py`", "`results/editor.json`"])
    if measured.ascents and "ascents" in files:
        split = measured.ascents["settings"]["split"]
        command = f"`python scripts/benchmarks/true_ascent.py --split {split}`"
        rows.append(["ways to a better program", command, "`results/true_ascent.json`"])
    if measured.text_only and "text_only" in files:
        made = measured.text_only["training"]
        train = f"`lhs-hf train all --preset text-only --steps {made['steps']} --variants {made['variants']}`"
        rows.append(
            ["the text alone", f"{train}, `python scripts/benchmarks/measure_text_only.py`", "`results/text_only.json`"]
        )
    if measured.amortisation and "amortisation" in files:
        commands = f"{_leave_out(measured.amortisation)}, `python scripts/benchmarks/measure_amortisation.py`"
        rows.append(["tasks that were left out", commands, "`results/amortisation.json`"])
    if measured.without_best and "without_best" in files:
        commands = f"{_leave_out(measured.without_best)}, `python scripts/benchmarks/measure_without_best.py`"
        rows.append(["best programs left out", commands, "`results/without_best.json`"])
    return left(markdown_table(["figures", "made by", "kept in"], rows), 2)


def _leave_out(content: dict[str, Any]) -> str:
    made = content["left_out"]
    tasks = f"--without {' '.join(made['without'])} " if made["without"] else ""
    options = f"{tasks}--best {made['best_share']:g} --steps {made['steps']}"
    return f"`python scripts/benchmarks/leave_out.py {options} --variants {made['variants']}`"
