"""The dataset card: `README.md` with one configuration a task and one for all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from .dataset import SPLITS, corpus_tasks
from .stats import corpus_stats
from .zoo import ZOO, purpose

_FIGURES = {
    "scores.png": "Distribution of the scores of each task",
    "latents_by_score.png": "t-SNE of the latents of lhs-tiny, coloured by score",
    "latents_by_family.png": "t-SNE of the latents of lhs-tiny, coloured by family",
}
_ZOO = """
## The zoo

The configuration `zoo` holds {rows} programs of {families} families for {tasks} further small tasks
(`lhs-hf tasks --zoo`), made in the same way (`lhs-hf corpus build --zoo`) and in the same columns; `tokens` is null.
The {judging} tasks for judging were drawn by a seed before anything was trained on any of them: nothing is to be
trained on or chosen by them. By the {development} for development models and methods for unseen tasks are chosen. `all`
does not hold them, and no model that ships has seen any.

```python
rows = load_dataset("lhs_hf/corpus/data", "zoo", split="train")
```

| task | for | programs | families | behaviours | best | median | reference |
|---|---|---|---|---|---|---|---|
{table}
"""
_TEMPLATE = Path(__file__).with_name("dataset_card.md")


def _config(name: str, folder: str, splits: list[str], default: bool = False) -> str:
    lines = [f"- config_name: {name}"]
    if default:
        lines.append("  default: true")
    lines.append("  data_files:")
    for split in splits:
        lines += [f"  - split: {split}", f'    path: "{folder}/{split}-*.parquet"']
    return "\n".join(lines)


def write_card(folder: Path) -> None:
    """Write `README.md` for the Parquet files that `folder` holds, the zoo's among them; nothing without others."""
    if corpus_tasks(folder):
        (folder / "README.md").write_text(card_text(folder), encoding="utf-8")


def card_text(folder: Path) -> str:
    """The card of the Parquet files that `folder` holds. Raises `FileNotFoundError` if there are none."""
    stats = corpus_stats(folder=folder)
    names = corpus_tasks(folder)
    configs = [_config("all", "*", [split for split in SPLITS if stats["splits"][split]], default=True)]
    table, quantiles = [], []
    for name in names:
        entry = stats["tasks"][name]
        configs.append(_config(name, name, [split for split in SPLITS if entry["splits"][split]]))
        counts = " | ".join(str(entry["splits"][split]) for split in SPLITS)
        values = [entry["best_objective"], entry["median_objective"], entry["reference_objective"]]
        shown = " | ".join("" if value is None else f"{value:.6g}" for value in values)
        kinds = f"{entry['rows']} | {entry['families']} | {entry['distinct_behaviours']}"
        table.append(f"| {name} ({entry['sense']}) | {kinds} | {counts} | {shown} |")
        at = " | ".join(f"{value:.6g}" for value in entry["objective_quantiles"])
        quantiles.append(f"| {name} | {at} |")
    return _TEMPLATE.read_text(encoding="utf-8").format(
        size="n<1K" if stats["rows"] < 1000 else "1K<n<10K" if stats["rows"] < 10_000 else "10K<n<100K",
        configs="\n".join([*configs, *_zoo_config(folder)]),
        zoo=_zoo(folder),
        rows=f"{stats['rows']:,}",
        task_count=len(names),
        folder="lhs_hf/corpus/data",
        example=names[0],
        table="\n".join(table),
        quantiles="\n".join(quantiles),
        cost=_cost(folder),
        figures="".join(
            f"\n![{text}](figures/{name})\n" for name, text in _FIGURES.items() if (folder / "figures" / name).exists()
        ),
    )


def _zoo_config(folder: Path) -> list[str]:
    there = [split for split in SPLITS if any((folder / ZOO).glob(f"*/{split}-*.parquet"))]
    return [_config(ZOO, f"{ZOO}/*", there)] if there else []


def _zoo(folder: Path) -> str:
    """The section on the zoo's programs; empty without them."""
    if not corpus_tasks(folder / ZOO):
        return ""
    stats = corpus_stats(folder=folder / ZOO)
    purposes = {name: purpose(name) for name in stats["tasks"]}
    rows = []
    for name, entry in stats["tasks"].items():
        values = [entry["best_objective"], entry["median_objective"], entry["reference_objective"]]
        shown = " | ".join("" if value is None else f"{value:.6g}" for value in values)
        kinds = f"{entry['rows']} | {entry['families']} | {entry['distinct_behaviours']}"
        rows.append(f"| {name} ({entry['sense']}) | {purposes[name]} | {kinds} | {shown} |")
    counts = Counter(purposes.values())
    return _ZOO.format(
        rows=f"{stats['rows']:,}",
        families=f"{stats['families']:,}",
        tasks=len(rows),
        development=counts["development"],
        judging=counts["judging"],
        table="\n".join(rows),
    )


def _cost(folder: Path) -> str:
    """How long the programs took where they were measured; empty for a corpus without that record."""
    import pyarrow.parquet as parquet

    path = folder / "runtimes.parquet"
    if not path.is_file():
        return ""
    seconds = parquet.read_table(path, columns=["runtime_s"])["runtime_s"].to_pylist()
    return (
        f"Running each of the {len(seconds):,} programs once on its `search` instances took {sum(seconds) / 60:.0f} "
        f"minutes in all, {max(seconds):.1f} s for the slowest."
    )
