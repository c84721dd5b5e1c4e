"""How a model was made, as Markdown, from the `training.json` that `lhs-hf train` leaves in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .run_report import markdown_table, number

Record = Mapping[str, Any]

SPACES = {"prior": "prior space u", "latent": "latent space z"}


def making_section(record: Record) -> str:
    """Command, commit, seed, machine, the seconds of each stage and what was kept of each part."""
    said = [f"`{record['command']}`"] if "command" in record else []
    said += [f"commit `{record['commit']}`"] if record.get("commit") else []
    said += [f"seed {record['seed']}"] if "seed" in record else []
    machine = record.get("machine", {})
    said += [str(machine["processor"])] if "processor" in machine else []
    said += [f"{machine['threads']} threads"] if "threads" in machine else []
    said += [f"torch {record['torch']}"] if "torch" in record else []
    parts = ["## How it was made", ", ".join(said) + "." if said else "The record names no command."]
    if record.get("stages"):
        parts.append(_stages(record["stages"]))
    known = {name: part for name, part in record.get("parts", {}).items() if part}
    if known:
        rows = [[name, f"{part['kept_step']} of {part['last_step']}", _figures(part)] for name, part in known.items()]
        parts.append(markdown_table(["part", "step kept", "on validation families"], rows))
    return "\n\n".join(parts)


def _stages(stages: Record) -> str:
    rows = [
        [
            name,
            f"{stage['seconds']:.0f}",
            str(stage.get("threads", "—")),
            f"`{stage['commit']}`" if stage.get("commit") else "—",
        ]
        for name, stage in stages.items()
    ]
    rows.append(["all", f"{sum(stage['seconds'] for stage in stages.values()):.0f}", "", ""])
    lines = [markdown_table(["stage", "seconds", "threads", "commit"], rows)]
    notes = [f"- {name}: {stage['interrupted']}" for name, stage in stages.items() if "interrupted" in stage]
    return "\n\n".join([*lines, *(["\n".join(notes)] if notes else [])])


def _figures(part: Record) -> str:
    shown = {name.removeprefix("eval_").replace("_", " "): part[name] for name in part if name.startswith("eval_")}
    return ", ".join(f"{name} {number(value, 4)}" for name, value in shown.items()) or "—"


def recorded_surrogates(record: Record) -> str:
    """Spearman's correlations that training recorded for each space, all programs / better half; empty without any."""
    spaces = {space: tasks for space, tasks in record.get("surrogates", {}).items() if any(tasks.values())}
    if not spaces:
        return ""
    names = list(dict.fromkeys(task for tasks in spaces.values() for task in tasks))
    rows = [[f"`{name}`", *(_pair(tasks.get(name)) for tasks in spaces.values())] for name in names]
    told = (
        "As training recorded them, on validation families, all programs / the better half of them. The step that is "
        "kept was chosen by them, so they are optimistic."
    )
    return told + "\n\n" + markdown_table(["task", *(SPACES.get(space, space) for space in spaces)], rows)


def _pair(found: Record | None) -> str:
    if not found:
        return "—"
    return " / ".join(f"{found[name]:.2f}" for name in ("eval_spearman", "eval_spearman_better_half"))
