"""A process that has islands: the model once, an evaluator, and the run of each island, open until it is closed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import CallError
from ...evaluation import Evaluator
from ...evaluation.cache import EvaluationCache
from ...tasks import get_task
from ..run import Run, RunIdentity
from ..stored import DATABASE_NAME
from ..threads import few_threads
from .island import Island, settings_of
from .messages import Report, Request, Setup

if TYPE_CHECKING:
    from ...tasks.base import Task
    from ..components import Components

FOLDER = "islands"
"""Where the runs of the islands are in the folder of a search, each in a folder of its number from 1."""


class Host:
    """Some islands of a search in this process. A context manager.

    Args:
        setup: what they are.
        numbers: which of the islands, from 0.
        components: the model's parts, loaded already; they are shared, each island with a budget of its own. None loads
            what `setup` names, unless `load` is False: then the islands search with edits alone.
    """

    def __init__(
        self, setup: Setup, numbers: Iterable[int], components: Components | None = None, *, load: bool = True
    ) -> None:
        self._setup = setup
        self._numbers = tuple(numbers)
        self._given, self._load = components, load
        self._islands: dict[int, Island] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Host:
        """Open everything. Raises `CallError` for a task that is another one here, and for a run in other hands."""
        setup = self._setup
        task = get_task(setup.locator)
        if task.digest != setup.digest:
            raise CallError(f"{setup.locator} has another content here: {task.digest or 'none'}, not {setup.digest}")
        with ExitStack() as stack:
            components = self._components(task)
            stack.callback(self._tidy)
            cache = stack.enter_context(EvaluationCache()) if setup.cached else None
            evaluator = stack.enter_context(Evaluator(task, workers=setup.workers, cache=cache))
            stack.enter_context(few_threads(getattr(components and components.decoder, "model", None)))
            for number in self._numbers:
                run = stack.enter_context(self._run(task, number))
                own = _with_own_budget(components)
                self._islands[number] = Island(number, own, evaluator, run.database, setup.settings, setup.starts)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def run(self, request: Request) -> Report:
        """An epoch of one of the islands."""
        return self._islands[request.island].step(request)

    def _tidy(self) -> None:
        """Take away the folder of the runs if nothing was stored in any of them."""
        if self._setup.folder is not None:
            with suppress(OSError):
                (self._setup.folder / FOLDER).rmdir()

    def _components(self, task: Task) -> Components | None:
        if self._given is not None or not self._load:
            return self._given
        from ...models.decoder import load_decoder
        from ..components import load_components

        setup = self._setup
        decoder: Any = setup.decoder
        if setup.decoder is not None and setup.decoder_url is not None:
            decoder = load_decoder(setup.decoder, url=setup.decoder_url)
        return load_components(
            setup.model,
            task,
            setup.settings.space,
            encoder=setup.encoder,
            decoder=decoder,
            surrogate=setup.surrogate,
            device=setup.device,
        )

    def _run(self, task: Task, number: int) -> Run:
        setup = self._setup
        replaced = (setup.encoder, setup.decoder, setup.surrogate)
        identity = RunIdentity(task, settings_of(setup.settings, number), setup.model, setup.method, *replaced)
        if setup.folder is None:
            return Run.create(identity, None)
        folder = island_folder(setup.folder, number)
        return (Run.resume if (folder / DATABASE_NAME).exists() else Run.create)(identity, folder)


def _with_own_budget(components: Components | None) -> Components | None:
    """The same weights behind another decoder, which counts its own calls."""
    if components is None:
        return None
    own = copy(components)
    own.decoder = copy(components.decoder)
    return own


def island_folder(folder: Path, number: int) -> Path:
    """Where the run of an island is."""
    return folder / FOLDER / str(number + 1)
