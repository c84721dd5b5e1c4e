"""What the editor knows of held-out edits, what it writes, and whether its targets lead upwards.

    OMP_NUM_THREADS=1 python scripts/benchmarks/editor.py --editor FOLDER --work FOLDER

Parents and edits are of validation families. Three parts, each of which can be run alone (`--parts`):

- nll: nats of an edit with its child's latent, with that of another program of the task, and with none;
- children: how often the right child is among the five likeliest of those sampled towards its latent, or among the five
  whose latents are nearest to the target once they are encoded again; how many parse, and do what no parent does;
- ascent: paired, from one parent, towards points that the surrogate's gradient leads to and towards random ones at the
  same distance: how many children beat their parent on `search`, and how many of these are new in behaviour.
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

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.composite import OpenedModel, open_model
from lhs_hf.models.encoding import encode_programs
from lhs_hf.models.modeling_editor import EditCondition, LHSEditor
from lhs_hf.models.program_editor import EditSampling, ProgramEditor
from lhs_hf.search.ascent import random_directions
from lhs_hf.search.components import load_components
from lhs_hf.search.edits import Behaviours, Parent, refusal
from lhs_hf.search.edits.written import Editing, WrittenSettings
from lhs_hf.tasks import get_task, task_names
from lhs_hf.tasks.base import Task
from lhs_hf.training.editor_config import EditorTrainingConfig
from lhs_hf.training.editor_data import EditExample, EditPairs
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
        edits = list(EditPairs(self.programs, scores, model.decoder()[1], editor.config).edits())
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

    def decides_alike(self, edit: EditExample) -> bool:
        """Whether the two programs of an edit decide alike on all probes."""
        return bool((self.programs[edit.parent].decisions == self.programs[edit.child].decisions).all())


# -- the likelihood of edits


@torch.no_grad()
def measure_nll(held_out: HeldOut, editor: LHSEditor, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Nats of each edit with each kind of target."""
    rows = []
    nothing = editor.latent_mean.clone()
    settings = EditorTrainingConfig(batch_size=1, seed=options.seed)
    by_input = {edit.input_ids.tobytes(): edit for edit in held_out.edits}
    for batch in evaluation_batches(held_out.edits, held_out.latents, nothing, settings):
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


def wants(parent: Tensor, targets: Tensor, noise: float = 0.0) -> EditCondition:
    """One parent (d,), R targets (R, d)."""
    rows = (1, len(targets))
    known, unknown = torch.ones(rows, dtype=torch.bool), torch.zeros(rows, dtype=torch.long)
    return EditCondition(parent[None], targets[None], known, torch.full(rows, noise), unknown)


def measure_children(
    held_out: HeldOut, writer: ProgramEditor, model: OpenedModel, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """What is sampled towards the latent of the right child, for some of the edits."""
    task, rows = held_out.task, []
    noise = torch.Generator().manual_seed(options.seed)
    sampling = EditSampling(guidance=options.guidance, temperature=options.temperature)
    with Evaluator(task) as evaluator:
        behaviours = Behaviours(evaluator, practice=False)
        for edit in held_out.edits[: options.children]:
            parent, child = (held_out.programs[number].program for number in (edit.parent, edit.child))
            read = writer.parent(parent, task)
            target = held_out.latents[edit.child]
            condition = wants(held_out.latents[edit.parent], target.expand(options.samples, -1))
            written = writer.sample(read, condition, noise, sampling)
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
                    "top5_encoded": child in nearest(running, target, model, task, evaluator)[:5],
                }
            )
    return rows


def nearest(sources: Sequence[str], target: Tensor, model: OpenedModel, task: Task, evaluator: Evaluator) -> list[str]:
    """Programs by the distance of their own latents to the target."""
    if not sources:
        return []
    latents = encode_programs(model.encoder(), sources, task, evaluator)
    return [sources[place] for place in (latents - target).norm(dim=-1).argsort().tolist()]


# -- ascent


def measure_ascent(
    task: Task, writer: ProgramEditor, model: OpenedModel, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Paired: the first new child towards climbed points, and towards random ones just as far."""
    rows = []
    components = load_components(model, task)
    settings = WrittenSettings(targets=8, sampling=EditSampling(guidance=options.guidance))
    generator = np.random.default_rng(options.seed)
    parents = [row for row in load_corpus(task.name, "validation") if row.tier != "a"]
    with Evaluator(task) as evaluator:
        editing, behaviours = Editing(writer, components, evaluator, settings), Behaviours(evaluator, practice=False)
        for place in generator.permutation(len(parents))[: options.parents]:
            row = parents[int(place)]
            parent, point = Parent.of(row.program, row.family, row.score), editing.point(row.program, task)
            try:
                read = writer.parent(row.program, task)
            except ValueError:  # the editor can not read it
                continue
            if point is None:
                continue
            seed = int(generator.integers(2**62))
            noise = torch.Generator().manual_seed(seed)
            climbed = editing.targets(point, noise)
            away = (climbed - point).norm(dim=-1, keepdim=True)
            arms = {"target": climbed, "random": point + away * random_directions(tuple(climbed.shape), noise)}
            result: dict[str, Any] = {"task": task.name, "parent": row.score}
            for arm, targets in arms.items():
                writing = torch.Generator().manual_seed(seed)
                written = editing.children(read, point, targets, writing)
                child = next((each.source for each in written if _is_new(each.source, parent, task, behaviours)), None)
                score = None if child is None else evaluator.evaluate(child).score
                result[arm] = score
            rows.append(result)
    return rows


def _is_new(source: str, parent: Parent, task: Task, behaviours: Behaviours) -> bool:
    if refusal(source, task, {parent.hash}) is not None:
        return False
    key = behaviours.key(source)
    return key is not None and key != behaviours.key(parent.source)


def summary_ascent(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Shares of parents with a child, and with one that beats them."""
    shares: dict[str, Any] = {"parents": len(rows)}
    for arm in ("target", "random"):
        scored = [row for row in rows if row[arm] is not None]
        shares[arm] = {"children": len(scored), "better": sum(row[arm] > row["parent"] + 1e-12 for row in scored)}
    both = [row for row in rows if row["target"] is not None and row["random"] is not None]
    shares["pairs"] = len(both)
    shares["target_above_random"] = sum(row["target"] > row["random"] for row in both)
    shares["random_above_target"] = sum(row["random"] > row["target"] for row in both)
    return shares


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
    if ascent := rows.get("ascent"):
        result["ascent"] = {"all": summary_ascent(ascent)}
        for task in sorted({row["task"] for row in ascent}):
            result["ascent"][task] = summary_ascent([row for row in ascent if row["task"] == task])
    return result


def main() -> None:
    """Measure, print the figures, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--editor", type=Path, required=True, help="folder of the editor")
    parser.add_argument("--work", type=Path, required=True, help="where held-out programs are kept")
    parser.add_argument("--parts", nargs="+", choices=("nll", "children", "ascent"), default=("nll", "children"))
    parser.add_argument("--tasks", nargs="+", default=task_names())
    parser.add_argument("--programs", type=int, default=150, help="edited programs a task")
    parser.add_argument("--edits", type=int, default=60, help="edits a task whose likelihood is measured")
    parser.add_argument("--children", type=int, default=8, help="edits a task that are sampled")
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--parents", type=int, default=20, help="ascents a task")
    parser.add_argument("--guidance", type=float, default=1.0)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "editor.json")
    options = parser.parse_args()
    model = open_model(options.model)
    editor = LHSEditor.from_pretrained(options.editor).float().eval()
    writer = ProgramEditor(editor, model.decoder()[1])
    rows: dict[str, list[dict[str, Any]]] = {part: [] for part in options.parts}
    for name in options.tasks:
        task = get_task(name)
        if {"nll", "children"} & set(options.parts):
            held_out = HeldOut(task, model, editor, options)
        if "nll" in rows:
            rows["nll"] += measure_nll(held_out, editor, options)
        if "children" in rows:
            rows["children"] += measure_children(held_out, writer, model, options)
        if "ascent" in rows:
            rows["ascent"] += measure_ascent(task, writer, model, options)
        print(name, json.dumps(summary(rows)), flush=True)
    figures = summary(rows)
    print(json.dumps(figures, indent=1))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"settings": vars(options), **figures, "rows": rows}, default=str) + "\n")


if __name__ == "__main__":
    main()
