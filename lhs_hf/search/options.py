"""How a search is run, besides what it searches for: its parts, its folder, who is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..evaluation.cache import EvaluationCache
from ..models.composite import open_model
from ..models.decoder import load_decoder
from ..models.vllm_names import check_place
from ..tasks.base import Task
from ..trackers import NONE
from .comparison import SplitListener
from .components import Components, load_components
from .islands.actors import ActorIslands
from .islands.executors import ExecutorFactory, HereIslands, ProcessIslands
from .islands.messages import Setup
from .loop import Listener, StepListener
from .progress import ProgressListener
from .run import Run, RunIdentity, choose_output, part_identity
from .settings import SearchSettings
from .starts import portfolio_starts, stored_starts
from .watcher import StageListener


@dataclass(frozen=True)
class SearchOptions:
    """How a search is run, besides its task and settings.

    Args:
        model: name of a composite model, an `LHSModel` or an `OpenedModel`.
        encoder, decoder: names or objects that replace the model's own; the object of a decoder is a pair, with its
            tokenizer.
        decoder_url: the vLLM server of a decoder named vllm:ID. It is no part of what a run is: it may go on elsewhere.
        surrogate: name, folder or object that replaces the model's surrogate of this task.
        device: where the model's parts run; with `components` they are where they are.
        output: run folder; None chooses one under `runs/`. With `store=False` nothing is written.
        resume: go on with the run in `output`, with the settings it was made with; `budget` may be larger.
        listener, on_step, on_stage, on_split, on_progress, stop: see `Watcher`.
        progress: None shows a bar on terminals and in notebooks, and a last line on what was found; True always, False
            never (`SearchProgress`).
        report_to: a tracker of experiments: "trackio", "tensorboard" or "wandb" (`SearchTracker`); nothing is imported
            or sent for "none".
        components: what a search needs, loaded already; the names above then only say what it is.
        workers, cluster: how many programs run at the same time, and on which Ray cluster, as for `Evaluator`.
        executor: where the islands of a search are (`search.islands`); None takes actors of the cluster, or without one
            processes of this machine, as many as there are workers, or this one if the model's parts are objects.
        private_seed: of the private holdout (`search.private_holdout`), to check a program on one used before: a number
            of at most 128 bits, or its text. None draws one that nobody knows; `resume` uses the one of the run.
    """

    model: Any = "lhs-tiny"
    encoder: Any = None
    decoder: Any = None
    decoder_url: str | None = None
    surrogate: Any = None
    device: str = "cpu"
    method: str = "lhs"
    output: Path | str | None = None
    resume: bool = False
    listener: Listener | None = None
    components: Components | None = None
    workers: int | None = None
    cluster: str | None = None
    cache: EvaluationCache | None = None
    store: bool = True
    on_step: StepListener | None = None
    stop: Callable[[], bool] | None = None
    private_seed: int | str | None = None
    on_stage: StageListener | None = None
    on_split: SplitListener | None = None
    executor: ExecutorFactory | None = None
    on_progress: ProgressListener | None = None
    progress: bool | None = None
    report_to: str = NONE

    def identity(self, task: Task, settings: SearchSettings) -> RunIdentity:
        """What a run of this task is. Raises `CallError` for an unknown method."""
        check_place(self.decoder, self.decoder_url)
        model = self.model if isinstance(self.model, str) else open_model(self.model).name
        parts = (part_identity(part) for part in (self.encoder, self.decoder, self.surrogate))
        return RunIdentity(task, settings, model, self.method, *parts)

    def run(self, identity: RunIdentity) -> Run:
        """The run, not entered yet: a new one, or the one in its folder to go on with. Raises `CallError`."""
        if not self.store:
            return Run.create(identity, None)
        output = None if self.output is None else Path(self.output)
        folder = choose_output(identity.task, identity.settings, output, self.resume)
        return Run.resume(identity, folder) if self.resume else Run.create(identity, folder)

    def parts(self, task: Task, space: str) -> Components:
        """The components given, or the model's. Raises `CallError` for parts that can not be loaded."""
        if self.components is not None:
            return self.components
        decoder = self.decoder
        if self.decoder_url is not None:
            decoder = load_decoder(decoder, url=self.decoder_url)
        replaced = {"encoder": self.encoder, "decoder": decoder, "surrogate": self.surrogate}
        return load_components(self.model, task, space, device=self.device, **replaced)

    def islands(self, run: Run, workers: int) -> tuple[ExecutorFactory, Setup]:
        """Where the islands of a run are, and what they are. Raises `CallError` for starts that do not exist."""
        identity, settings = run.identity, run.identity.settings
        starts = stored_starts(run.database.candidates()) or portfolio_starts(identity.task, settings.init)
        named = self.components is None and all(
            part is None or isinstance(part, str) for part in (self.model, self.encoder, self.decoder, self.surrogate)
        )
        if self.cluster is not None and self.executor is None and not named:
            raise CallError("islands on a cluster load their model there: expected it and its parts by name")
        processes = min(workers, settings.islands) if named else 1
        setup = Setup(
            identity.task.locator,
            identity.task.digest,
            settings,
            tuple(starts),
            run.folder,
            identity.model,
            identity.method,
            identity.encoder,
            identity.decoder,
            identity.surrogate,
            self.device,
            max(1, workers // processes),
            self.cache is not None,
            self.decoder_url,
        )
        if self.executor is not None:
            return self.executor, setup
        if self.cluster is not None:
            address = self.cluster
            return lambda given: ActorIslands(given, address, processes), setup
        if processes > 1:
            return lambda given: ProcessIslands(given, processes), setup
        components = self.parts(identity.task, settings.space)
        return lambda given: HereIslands(given, components), setup
