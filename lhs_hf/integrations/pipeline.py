"""`pipeline("latent-heuristic-search")`: a task name in, the best program found out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import torch
from transformers import Pipeline

from ..errors import CallError
from ..evaluation.cache import EvaluationCache
from ..models.composite import OpenedModel, open_model
from ..models.configuration_lhs import LHSConfig
from ..opening.models import check_tree
from ..reporting.result_html import result_html
from ..search.components import Components, load_components
from ..search.run import choose_output, resumed_settings
from ..search.search import run_search
from ..search.settings import SearchSettings
from ..tasks import get_task
from ..tasks.base import Task
from .registration import register_pipeline

_RUN_ARGUMENTS = (
    *("output", "resume", "listener", "on_step", "on_stage", "on_split", "on_progress", "stop", "workers"),
    *("private_seed", "cluster", "encoder", "decoder", "surrogate", "progress", "report_to"),
)
_PART_ARGUMENTS = ("encoder", "decoder", "surrogate")


class ShownResult(dict[str, Any]):
    """What the pipeline returns: a dictionary that a notebook shows as it shows a `SearchResult`."""

    def _repr_html_(self) -> str:
        return result_html(self)


class LatentHeuristicPipeline(Pipeline):
    """Latent Heuristic Search as a `transformers` pipeline.

    >>> from transformers import pipeline
    >>> import lhs_hf
    >>> search = pipeline("latent-heuristic-search")
    >>> best = search("tsp_construct", budget=100, seed=0)
    >>> best["program"], best["objective"], best["history"]

    `pipeline(..., trust_remote_code=True)` lets the encoder and the decoder that a model names bring code of their own,
    as in transformers; without it nothing of a model is executed.

    Call arguments: every field of `SearchSettings` (budget, seed, optimizer, space, init, preset, radius, ...), and
    `output` (a run folder to keep; None keeps nothing), `resume` (go on with it, with its settings; a larger `budget`
    is the new one), `listener` (called with every evaluated candidate), `on_step` (called with the points of a round
    before they are decoded), `on_stage` (told what is measured after the last round), `on_split` (told the objectives
    on each split once they are known), `on_progress` (told how far a round is), `stop` (asked before every round),
    `workers` and `cluster` (as for `Evaluator`), `private_seed` (of the private holdout, drawn anew unless given),
    `encoder`, `decoder` and `surrogate` (names or objects that replace the model's own; the object of a decoder is a
    pair, with its tokenizer), `progress` (None shows a bar on terminals and in notebooks, True always, False never),
    `report_to` (a tracker of experiments: trackio, tensorboard or wandb).
    What is given to `pipeline(...)` holds for every call that does not say otherwise. A task is a `Task`, a name or the
    path of a task file. Returns the fields of `SearchResult` as a dictionary; a list of tasks
    gives a list of them. Raises `CallError` for an unknown argument.
    """

    _load_processor = False
    _load_image_processor = False
    _load_feature_extractor = False
    _load_video_processor = False
    _load_tokenizer = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # `pipeline()` reads it for the model and passes it on to here as well.
        kwargs.pop("local_files_only", None)
        super().__init__(*args, **kwargs)
        kind = self.model.config.model_type
        if kind != LHSConfig.model_type:
            name = self.model.config._name_or_path
            raise CallError(f"{name} is a model of type {kind!r}; this pipeline expects {LHSConfig.model_type!r}")
        self.opened: OpenedModel = open_model(self.model, device=str(self.device))

    def _sanitize_parameters(self, **arguments: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        settings = {name: value for name, value in arguments.items() if name not in _RUN_ARGUMENTS}
        if settings:
            # Checked here, so that a wrong name fails before anything is loaded or searched.
            SearchSettings.from_preset(**settings)
        # One by one: those of a call are laid over those that the pipeline was made with.
        return {}, arguments, {}

    def __call__(self, tasks: str | Task | Sequence[str | Task], **arguments: Any) -> Any:
        """Search one task, or each of a sequence in turn; `output` then holds a folder for each."""
        if isinstance(tasks, (str, Task)):
            return super().__call__(tasks, **arguments)
        if not isinstance(tasks, Sequence):
            raise CallError(f"a task is a name, the path of a task file or a Task, got {tasks!r:.80}")
        chosen = [_task(task) for task in tasks]
        output = arguments.pop("output", self._forward_params.get("output"))
        names = [task.name for task in chosen]
        if output is not None and len(set(names)) < len(names):
            raise CallError(
                f"each task has a folder of its own in {output}, but one is there twice: {', '.join(names)}"
            )
        return [
            super(LatentHeuristicPipeline, self).__call__(
                task, **arguments, **({"output": Path(output) / task.name} if output is not None else {})
            )
            for task in chosen
        ]

    def preprocess(self, task: str | Task, **_: Any) -> dict[str, Any]:
        return {"task": _task(task)}

    def _ensure_tensor_on_device(self, inputs: Any, device: Any) -> Any:
        return inputs

    def _forward(self, inputs: dict[str, Any], **arguments: Any) -> Any:
        task = inputs["task"]
        run = {name: arguments.pop(name) for name in _RUN_ARGUMENTS if name in arguments}
        settings = SearchSettings.from_preset(**arguments)
        output, resume = run.pop("output", None), bool(run.get("resume"))
        output = Path(output) if output is not None else None
        if resume:
            output = choose_output(task, settings, output, resume)
            settings = resumed_settings(output, arguments)
        parts = {name: run.pop(name, None) for name in _PART_ARGUMENTS}
        components = load_components(self.opened, task, settings.space, **parts)
        with ExitStack() as stack:
            # The search needs gradients; a pipeline runs its forward pass without them.
            stack.enter_context(torch.inference_mode(False))
            stack.enter_context(torch.enable_grad())
            cache = stack.enter_context(EvaluationCache())
            return run_search(
                task,
                settings,
                model=self.opened.name,
                components=components,
                output=output,
                store=output is not None,
                cache=cache,
                **parts,
                **run,
            )

    def components(self, task: str, space: str = "prior") -> Components:
        """Encoder, flow, mapper, decoder and the surrogate of a task in a space ("prior" or "latent"), loaded once.

        Raises `CallError` for a task or space without a surrogate.
        """
        return load_components(self.opened, get_task(task), space)

    def postprocess(self, result: Any, **_: Any) -> dict[str, Any]:
        return ShownResult(result.as_dict())

    def save_pretrained(self, save_directory: str | Path, **arguments: Any) -> None:
        """Save the whole model folder: flow, mapper, encoder, decoder and surrogates."""
        import shutil

        target = Path(save_directory)
        source = self.opened.folder
        target.mkdir(parents=True, exist_ok=True)
        if source.is_dir() and source.resolve() != target.resolve():
            check_tree(source)
            shutil.copytree(source, target, dirs_exist_ok=True)
        self.model.save_pretrained(target, **arguments)


def _task(task: Any) -> Task:
    """A task by itself, its name or the path of its file. Raises `CallError` for anything else."""
    if isinstance(task, Task):
        return task
    if not isinstance(task, str):
        raise CallError(f"a task is a name, the path of a task file or a Task, got {task!r:.80}")
    return get_task(task)


register_pipeline(LatentHeuristicPipeline)
