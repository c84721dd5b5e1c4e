"""`pipeline("latent-heuristic-search")`: a task name in, the best program found out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import Pipeline

from .errors import CallError
from .evaluation.cache import EvaluationCache
from .hub import model_folder
from .models.configuration_lhs import LHSConfig
from .opening.models import check_tree
from .registration import register_pipeline
from .search.components import Components, load_components
from .search.run import run_search
from .search.settings import SearchSettings
from .tasks import get_task
from .tasks.base import Task

_RUN_ARGUMENTS = (
    *("output", "resume", "listener", "on_step", "stop", "workers", "private_seed"),
    *("encoder", "decoder", "surrogate"),
)
_PART_ARGUMENTS = ("encoder", "decoder", "surrogate")


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
    `output` (a run folder to keep; None keeps nothing), `resume`, `listener` (called with every evaluated candidate),
    `on_step` (called with the points of a round before they are decoded), `stop` (asked before every round), `workers`,
    `private_seed` (of the private holdout, drawn anew unless given), `encoder`, `decoder` and `surrogate` (names or
    objects that replace the model's own). A task is a name or the path of a task file. Returns the fields of
    `SearchResult` as a dictionary; a list of tasks gives a list of them. Raises `CallError` for an unknown argument.
    """

    _load_processor = False
    _load_image_processor = False
    _load_feature_extractor = False
    _load_video_processor = False
    _load_tokenizer = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._loaded: dict[str, Any] = {}
        # `pipeline()` reads it for the model and passes it on to here as well.
        kwargs.pop("local_files_only", None)
        super().__init__(*args, **kwargs)
        kind = self.model.config.model_type
        if kind != LHSConfig.model_type:
            name = self.model.config._name_or_path
            raise CallError(f"{name} is a model of type {kind!r}; this pipeline expects {LHSConfig.model_type!r}")

    def _sanitize_parameters(self, **arguments: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        run = {name: arguments.pop(name) for name in _RUN_ARGUMENTS if name in arguments}
        preset = arguments.pop("preset", None)
        if preset is not None or arguments:
            # Checked here, so that a wrong name fails before anything is loaded or searched.
            SearchSettings.from_preset(preset or "default", **arguments)
        settings = {**({"preset": preset} if preset is not None else {}), **arguments}
        return {}, {"settings": settings, "run": run}, {}

    def __call__(self, tasks: str | list[str], **arguments: Any) -> Any:
        """Search one task, or each of a list in turn."""
        if isinstance(tasks, list) and not tasks:
            return []
        return super().__call__(tasks, **arguments)

    def preprocess(self, task: str, **_: Any) -> dict[str, Any]:
        return {"task": get_task(task)}

    def _ensure_tensor_on_device(self, inputs: Any, device: Any) -> Any:
        return inputs

    def _forward(
        self, inputs: dict[str, Any], settings: dict[str, Any] | None = None, run: dict[str, Any] | None = None
    ) -> Any:
        chosen = dict(settings or {})
        search_settings = SearchSettings.from_preset(chosen.pop("preset", "default"), **chosen)
        run = dict(run or {})
        output = run.pop("output", None)
        parts = {name: run.pop(name, None) for name in _PART_ARGUMENTS}
        # The search needs gradients; a pipeline runs its forward pass without them.
        with torch.inference_mode(False), torch.enable_grad():
            return run_search(
                inputs["task"],
                search_settings,
                model=self.model,
                components=self._components(inputs["task"], search_settings.space, parts),
                output=Path(output) if output is not None else None,
                store=output is not None or bool(run.get("resume")),
                cache=EvaluationCache(),
                **run,
            )

    def components(self, task: str, space: str = "prior") -> Components:
        """Encoder, flow, mapper, decoder and the surrogate of a task in a space ("prior" or "latent"), loaded once.

        Raises `CallError` for a task or space without a surrogate.
        """
        return self._components(get_task(task), space, {})

    def _components(self, task: Task, space: str, parts: dict[str, Any]) -> Components:
        """The parts of a search; encoder and decoder are loaded once and kept."""
        if any(part is not None for part in parts.values()):
            return load_components(self.model, task, space, device=str(self.device), **parts)
        components = load_components(self.model, task, space, device=str(self.device), **self._loaded)
        self._loaded = {
            "encoder": components.encoder,
            "decoder": components.decoder.model,
            "tokenizer": components.decoder.tokenizer,
        }
        return components

    def postprocess(self, result: Any, **_: Any) -> dict[str, Any]:
        return result.as_dict()

    def save_pretrained(self, save_directory: str | Path, **arguments: Any) -> None:
        """Save the whole model folder: flow, mapper, encoder, decoder and surrogates."""
        import shutil

        target = Path(save_directory)
        source = model_folder(str(self.model.config._name_or_path), **self.model.hub_arguments)
        target.mkdir(parents=True, exist_ok=True)
        if source.is_dir() and source.resolve() != target.resolve():
            check_tree(source)
            shutil.copytree(source, target, dirs_exist_ok=True)
        self.model.save_pretrained(target, **arguments)


register_pipeline(LatentHeuristicPipeline)
