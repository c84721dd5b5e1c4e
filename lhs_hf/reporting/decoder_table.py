"""The decoder's figures as a Markdown table, from the JSON of `scripts/benchmarks/measure_decoder.py`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .identity import model_digest


def percent(value: float) -> str:
    """A share as a percentage: 1 is shown as 100 only if it is 1."""
    return f"{100 * value:.1f} %" if value in (0.0, 1.0) or 0.0005 <= value < 0.9995 else f"{100 * value:.3f} %"


def megabytes(value: float) -> str:
    """Bytes as MiB."""
    return f"{value / 2**20:.1f} MiB"


@dataclass(frozen=True)
class Row:
    """One line: where the figure is, what it must reach (`gate`), and what is aimed at (`target`)."""

    label: str
    path: tuple[str, ...]
    gate: float | None = None
    target: float | None = None
    most: bool = False
    shown: Callable[[float], str] = percent


WHOLE: Callable[[float], str] = "{:.0f}".format
SECONDS = "seconds_per_program"
HUNDREDTHS: Callable[[float], str] = "{:.2f}".format

POINTS = {
    "held_out": "held-out latents",
    "midpoint_z": "midpoints of two in z",
    "midpoint_u": "midpoints of two in u",
    "step_1": "1 prior standard deviation away",
    "step_sqrt_d": "√d prior standard deviations away",
}
RUNS_GATES = {"held_out": 0.9, "midpoint_z": 0.85, "midpoint_u": 0.85, "step_1": 0.85}
RUNS_TARGETS = {"held_out": 0.6}

TOKENIZER = (
    Row("programs of the corpus that come back from their tokens", ("tokenizer", "corpus", "round_trip"), 1.0),
    Row("fresh variants that come back from their tokens", ("tokenizer", "variants", "round_trip"), 1.0),
    *(
        Row(f"actions of {label} that a mask refuses", ("tokenizer", key, "mask_violations"), 0, most=True, shown=WHOLE)
        for key, label in (("corpus", "the corpus"), ("variants", "fresh variants"))
    ),
)

DECODING = (
    Row("valid: held-out latents", ("valid", "guided", "valid"), 0.99),
    Row("valid: held-out latents, no guidance", ("valid", "free", "valid"), 0.99),
    *(Row(f"runs: {label}", ("runs", "guided", point, "ok"), RUNS_GATES.get(point)) for point, label in POINTS.items()),
    *(
        Row(f"runs: {label}, no guidance", ("runs", "free", point, "ok"), target=RUNS_TARGETS.get(point))
        for point, label in POINTS.items()
    ),
    Row("faithful: training latents", ("faithful", "train", "faithful"), target=0.6),
    Row("faithful: held-out latents", ("faithful", "held_out", "faithful"), target=0.3),
    Row("same program, to the letter: held-out latents", ("faithful", "held_out", "exact")),
    Row("equal decisions on probe states: held-out latents", ("faithful", "held_out", "agreement")),
    Row("nearest of 50 after encoding again: Euclidean in u", ("cycle", "euclidean_u"), target=0.6),
    Row("nearest of 50 after encoding again: cosine in z", ("cycle", "cosine_z"), target=0.6),
)


def _free(
    label: str, size: int, *path: str, target: float | None = None, shown: Callable[[float], str] = HUNDREDTHS
) -> Row:
    return Row(f"{label}, batch {size}", ("speed", "free", f"batch {size}", *path), target=target, shown=shown)


SPEED = (
    *(_free("tokens a second", size, "this", "tokens_per_s", shown=WHOLE) for size in (32, 64)),
    *(_free("times as fast as `generate` with the mask", size, "ratio_masked") for size in (32, 64)),
    *(_free("times as fast as `generate` without a mask", size, "ratio_plain", target=3) for size in (32, 64)),
    *(
        Row(
            f"seconds a guided program, batch {size}",
            ("speed", "guided", f"batch {size}", SECONDS),
            target=0.3,
            most=True,
            shown=HUNDREDTHS,
        )
        for size in (16, 32)
    ),
)
SIZE = (Row("size of the model folder", ("totals", "bytes"), 40 * 2**20, most=True, shown=megabytes),)

ROWS = (*TOKENIZER, *DECODING, *SPEED, *SIZE)

NOTE = """Temperature {temperature:g}, top-p {top_p:g}, one try; {latents} latents a task and row, ten tasks together;
held out: families of the {split} split. *Valid*: finished, parses, defines the task's function, names nothing
undefined. *Runs*: gets a score on `search`. *Faithful*: its source's objective on `search`, or at least 95 % of its
decisions on probe states. Guidance is on unless said otherwise. Intervals: 95 %, covering Wilson's and the bootstrap by
family. Per task: `results/decoder.json`, made by `scripts/benchmarks/measure_decoder.py`."""


def decoder_results(results: Path, model: Path) -> dict[str, Any] | None:
    """What was measured of a model's decoder; None if nothing was.

    Raises `ValueError` if the figures belong to another model.
    """
    if not results.is_file():
        return None
    content: dict[str, Any] = json.loads(results.read_text())
    measured, present = content["settings"]["model"], model_digest(model)
    if measured != present:
        raise ValueError(
            f"{results} is of model {measured}, but {model} is {present}: run scripts/benchmarks/measure_decoder.py"
        )
    return content


def decoder_section(results: Path, model: Path) -> str:
    """The table and what its words mean; empty if nothing was measured.

    Raises `ValueError` if the figures belong to another model.
    """
    content = decoder_results(results, model)
    return "" if content is None else decoder_text(content)


def decoder_text(content: dict[str, Any], rows: Sequence[Row] = ROWS) -> str:
    """The table of a measurement and what its words mean."""
    return decoder_table(content, rows) + "\n\n" + NOTE.format(**content["settings"])


def measured_rows(content: dict[str, Any], rows: Sequence[Row] = ROWS) -> list[tuple[Row, float, dict[str, Any]]]:
    """The rows that were measured, each with its pooled figure and the record it is from (empty for a mere number)."""
    found: list[tuple[Row, float, dict[str, Any]]] = []
    for row in rows:
        figure = _at(content["sections"], row.path)
        if isinstance(figure, dict):
            found.append((row, figure["share"] if "share" in figure else figure["mean"], figure))
        elif figure is not None:
            found.append((row, figure, {}))
    return found


def decoder_table(content: dict[str, Any], rows: Sequence[Row] = ROWS) -> str:
    """Those of `rows` that were measured. Limits stand where there are any."""
    measured = measured_rows(content, rows)
    limits = [name for name in ("gate", "target") if any(getattr(row, name) is not None for row, _, _ in measured)]
    header = ["figure", *limits, "measured", "95 % interval", "lowest task"]
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    for row, value, record in measured:
        interval = f"{row.shown(record['interval'][0])} to {row.shown(record['interval'][1])}" if record else "—"
        cells = [row.label, *(_limit(row, getattr(row, name)) for name in limits), row.shown(value), interval]
        cells.append(_lowest(content["sections"], row) if record else "—")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _limit(row: Row, value: float | None) -> str:
    if value is None:
        return "—"
    return f"{'≤' if row.most else '≥'} {row.shown(value)}"


def _lowest(sections: dict[str, Any], row: Row) -> str:
    """The smallest figure of a task, with the task's name."""
    section, *rest = row.path
    found = {task: _inside(entry, rest) for task, entry in sections[section]["tasks"].items()}
    values = {task: record.get("share", record.get("mean")) for task, record in found.items() if record is not None}
    task = min(values, key=lambda name: values[name])
    return f"{row.shown(values[task])} (`{task}`)"


def _at(sections: dict[str, Any], path: Sequence[str]) -> Any:
    """The pooled figure of a path, None if it was not measured."""
    return _inside(sections.get(path[0], {}).get("pooled"), path[1:])


def _inside(tree: Any, path: Sequence[str]) -> Any:
    for key in path:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree
