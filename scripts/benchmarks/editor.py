# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf[train]"]
# ///
"""What the editor knows of held-out edits, and what it writes.

    OMP_NUM_THREADS=1 python scripts/benchmarks/editor.py

Parents and edits are of validation families. Two parts, each of which can be run alone (`--parts`):

- nll: nats of an edit with its child's latent, with that of another program of the task, and with none;
- children: how often the right child is among the five likeliest of those sampled towards its latent, or among the five
  whose sketches are nearest to the target's; how many parse, run, and decide otherwise than the parent.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lhs_hf.constants import EDITOR_FOLDER
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.composite import OpenedModel, open_model
from lhs_hf.models.encoding import encode_programs
from lhs_hf.models.modeling_editor import EditCondition, LHSEditor
from lhs_hf.models.program_editor import EditSampling, ProgramEditor
from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.search.edits import Behaviours, refusal
from lhs_hf.tasks import get_task, task_names
from lhs_hf.tasks.base import Task
from lhs_hf.training.editor_config import EditorTrainingConfig
from lhs_hf.training.editor_data import EditExample, EditPairs, ProgramTables, TokenWords
from lhs_hf.training.editor_programs import EditedProgram, collect_programs, read_programs
from lhs_hf.training.editor_trainer import TARGETS, conditions, edit_nll, evaluation_batches

ROOT = Path(__file__).resolve().parents[2]


class HeldOut:
    """Programs that edits make of the validation families of a task, their latents and the edits between them."""

    def __init__(self, task: Task, model: OpenedModel, editor: LHSEditor, options: argparse.Namespace) -> None:
        path = options.work / f"{task.name}.parquet"
        number = task_names().index(task.name)
        collect_programs(task, load_corpus(task.name, "validation"), options.programs, 900 + number, path)
        self.task = task
        self.programs: list[EditedProgram] = read_programs(path)
        scores = np.array([row.score for row in load_corpus(task.name, "train")])
        pairs = EditPairs(self.programs, scores, model.decoder()[1], editor.config)
        edits = list(pairs.edits())
        order = np.random.default_rng(options.seed).permutation(len(edits))[: options.edits]
        self.edits: list[EditExample] = [edits[place] for place in order]
        needed = sorted({number for edit in self.edits for number in (edit.parent, edit.child)})
        self.latents = torch.zeros(len(self.programs), editor.config.latent_size)
        for start in range(0, len(needed), 32):
            part = needed[start : start + 32]
            self.latents[part] = encode_programs(
                model.encoder(),
                [self.programs[each].program for each in part],
                task,
                behaviours=[self.programs[each].behaviour for each in part],
            )

        self.tables = ProgramTables(self.latents, pairs.sketches(), editor.latent_mean.clone())

    def decides_alike(self, edit: EditExample) -> bool:
        """Whether the two programs of an edit decide alike on all probes."""
        return bool((self.programs[edit.parent].decisions == self.programs[edit.child].decisions).all())


# -- the likelihood of edits


@torch.no_grad()
def measure_nll(held_out: HeldOut, editor: LHSEditor, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Nats of each edit with each kind of target."""
    rows = []
    words = TokenWords.of(open_model(options.model).decoder()[1].vocabulary, editor.config.sketch_buckets)
    settings = EditorTrainingConfig(batch_size=1, seed=options.seed)
    by_input = {edit.input_ids.tobytes(): edit for edit in held_out.edits}
    for batch in evaluation_batches(held_out.edits, held_out.tables, words, settings):
        memory = editor.read(batch["input_ids"], batch["mask"])
        nats = {name: edit_nll(editor, batch, conditions(batch, name), memory).sum(-1)[0] for name in TARGETS}
        parent = by_input[batch["input_ids"][0].numpy().astype(np.int16).tobytes()].parent
        group = [edit for edit in held_out.edits if edit.parent == parent]
        for place, edit in enumerate(group):
            row: dict[str, Any] = {"task": edit.task, "kind": edit.kind, "actions": len(edit.actions)}
            row |= {"tokens": len(edit.input_ids), "alike": held_out.decides_alike(edit)}
            rows.append(row | {name: float(values[place]) for name, values in nats.items()})
    return rows


def summary_nll(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Mean nats of an edit, and the share of them that the latent explains."""
    if not rows:
        return {}
    means = {name: float(np.mean([row[name] for row in rows])) for name in TARGETS}
    explained = {f"explained_of_{name}": 1 - means["right"] / means[name] for name in TARGETS[1:]}
    return {"edits": len(rows), "actions": float(np.mean([row["actions"] for row in rows])), **means, **explained}


# -- children towards a known latent


def wants(held_out: HeldOut, edit: EditExample, count: int) -> EditCondition:
    """The child of an edit, as often as told: its latent, and all of the difference of the two sketches."""
    rows = (1, count)
    known, unknown = torch.ones(rows, dtype=torch.bool), torch.zeros(rows, dtype=torch.long)
    latents, sketches = held_out.tables.latents, held_out.tables.sketches
    difference = (sketches[edit.child] - sketches[edit.parent]).expand(*rows, -1)
    target = latents[edit.child].expand(*rows, -1)
    return EditCondition(
        latents[edit.parent][None], target, known, torch.zeros(rows), unknown, difference, known, known
    )


def measure_children(held_out: HeldOut, writer: ProgramEditor, options: argparse.Namespace) -> list[dict[str, Any]]:
    """What is sampled towards the latent of the right child, for some of the edits."""
    task, rows = held_out.task, []
    noise = torch.Generator().manual_seed(options.seed)
    sampling = EditSampling(guidance=options.guidance, temperature=options.temperature)
    with Evaluator(task) as evaluator:
        behaviours = Behaviours(evaluator, practice=False)
        for edit in held_out.edits[: options.children]:
            parent, child = (held_out.programs[number].program for number in (edit.parent, edit.child))
            read = writer.parent(parent, task)
            written = writer.sample(read, wants(held_out, edit, options.samples), noise, sampling)
            passed = [each for each in written if refusal(each.source, task, set()) is None and each.source != parent]
            distinct = {each.source: each for each in passed}
            likeliest = sorted(distinct, key=lambda source: -distinct[source].log_probability)
            key = behaviours.key(parent)
            running = [source for source in likeliest if behaviours.key(source) is not None]
            rows.append(
                {
                    "task": task.name,
                    "kind": edit.kind,
                    "sampled": options.samples,
                    "parse": len(written),
                    "pass": len(passed),
                    "distinct": len(distinct),
                    "run": len(running),
                    "differ": sum(behaviours.key(source) != key for source in running),
                    "top5_likely": child in likeliest[:5],
                    "top1_likely": child in likeliest[:1],
                    "sampled_right": child in distinct,
                    "top5_encoded": child in nearest(running, held_out.tables.sketches[edit.child], writer, task)[:5],
                }
            )
    return rows


def nearest(sources: Sequence[str], target: Tensor, writer: ProgramEditor, task: Task) -> list[str]:
    """Programs by the distance of their own sketches to the target."""
    distances = [float((writer.sketch(source, task) - target).norm()) for source in sources]
    return [sources[place] for place in np.argsort(distances, kind="stable").tolist()]


def summary(rows: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """All figures."""
    result: dict[str, Any] = {}
    if nll := rows.get("nll"):
        trained = [row for row in nll if row["actions"] <= 24 and row["tokens"] <= 256]
        kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in trained:
            kinds[row["kind"]].append(row)
            kinds["decide alike" if row["alike"] else "decide differently"].append(row)
            kinds[row["task"]].append(row)
        result["nll"] = {"all": summary_nll(nll), "up to 24 actions, 256 tokens": summary_nll(trained)}
        result["nll"] |= {kind: summary_nll(group) for kind, group in sorted(kinds.items())}
    if children := rows.get("children"):
        names = [name for name in children[0] if name not in ("task", "kind")]
        result["children"] = {name: float(np.mean([row[name] for row in children])) for name in names}
    return result


def main() -> None:
    """Measure, print the figures, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--editor", type=Path, help="folder of the editor; default: that of the model")
    parser.add_argument("--work", type=Path, default=Path("runs/editor"), help="where held-out programs are kept")
    parser.add_argument("--parts", nargs="+", choices=("nll", "children"), default=("nll", "children"))
    parser.add_argument("--tasks", nargs="+", default=task_names())
    parser.add_argument("--programs", type=int, default=150, help="edited programs a task")
    parser.add_argument("--edits", type=int, default=60, help="edits a task whose likelihood is measured")
    parser.add_argument("--children", type=int, default=8, help="edits a task that are sampled")
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--guidance", type=float, default=1.0)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "editor.json")
    options = parser.parse_args()
    model = open_model(options.model)
    writer = model.editor(options.editor)
    if writer is None:
        raise SystemExit(f"{options.model} has no editor; expected one, or --editor FOLDER")
    editor = writer.editor.eval()
    rows: dict[str, list[dict[str, Any]]] = {part: [] for part in options.parts}
    for name in options.tasks:
        task = get_task(name)
        held_out = HeldOut(task, model, editor, options)
        if "nll" in rows:
            rows["nll"] += measure_nll(held_out, editor, options)
        if "children" in rows:
            rows["children"] += measure_children(held_out, writer, options)
        print(name, json.dumps(summary(rows)), flush=True)
    figures = summary(rows)
    print(json.dumps(figures, indent=1))
    options.weights = weights_fingerprint(options.editor or model.folder / EDITOR_FOLDER)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"settings": vars(options), **figures, "rows": rows}, default=str) + "\n")


if __name__ == "__main__":
    main()
