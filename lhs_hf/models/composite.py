"""One opener for a whole model: its name in, its parts out, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..constants import EDITOR_FOLDER, resolve_model
from ..errors import CallError
from ..hub import model_folder, split_revision
from ..opening.models import part_location
from .configuration_lhs import LHSConfig
from .decoder import Decoder, load_decoder
from .encoder import load_encoder
from .loading import one_at_a_time
from .modeling_editor import LHSEditor
from .modeling_flow import LHSFlow
from .modeling_lhs import LHSModel
from .modeling_mapper import LHSMapper
from .modeling_surrogate import LHSSurrogate
from .program_editor import ProgramEditor
from .surrogates import fresh_surrogate, load_surrogate, open_surrogate

if TYPE_CHECKING:
    from ..tasks.base import Task


def open_model(
    model: OpenedModel | LHSModel | str | Path,
    revision: str | None = None,
    *,
    device: str = "cpu",
    trust_remote_code: bool | None = None,
    **options: Any,
) -> OpenedModel:
    """A model whose parts are loaded when they are asked for.

    Args:
        model: "lhs-tiny", a folder, owner/name[@revision] of the Hub, or an `LHSModel` that was loaded from one of
            these. An opened model is returned as it is.
        revision: of a name without one.
        device: of encoder, decoder, flow and mapper; surrogates are small and stay on the processor.
        trust_remote_code: let encoder and decoder bring code of their own; None is what an `LHSModel` was loaded with,
            and no for a name.
        options: `dtype` of the mapper, and `cache_dir`, `token`, `local_files_only` of the Hub.

    Raises `CallError` for a name that no model can have. What can not be had is found when it is asked for.
    """
    if isinstance(model, OpenedModel):
        return model
    if isinstance(model, LHSModel):
        trusted = model.trust_remote_code if trust_remote_code is None else trust_remote_code
        hub = {**model.hub_arguments, **options}
        name = str(model.config._name_or_path)
        revision = hub.pop("revision", None)
        if revision == "main" or Path(name).is_dir():
            revision = None  # `pipeline()` says main where nothing is said, of folders too
        opened = OpenedModel(name, revision, device=device, trust_remote_code=trusted, **hub)
        opened.model = model.eval().to(device)  # type: ignore[arg-type]
        return opened
    name, revision = split_revision(resolve_model(str(model)), revision)
    return OpenedModel(name, revision, device=device, trust_remote_code=bool(trust_remote_code), **options)


class OpenedModel:
    """The parts of one model: encoder E, flow F, mapper phi, decoder G and the surrogates of its tasks.

    All come from one folder, or from one revision of a repository, which is looked up once. Each part is loaded when it
    is first asked for, and kept. Made by `open_model`.
    """

    def __init__(
        self,
        repository: str,
        revision: str | None,
        *,
        device: str,
        trust_remote_code: bool,
        dtype: Any = None,
        **hub: Any,
    ) -> None:
        self.repository, self.revision = repository, revision
        self.device, self.trust_remote_code = device, trust_remote_code
        self._dtype, self._hub = dtype, hub
        self._local = Path(repository).absolute() if repository and Path(repository).is_dir() else None
        self._parts: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """What opens this model again: a folder, or owner/name[@revision]."""
        return f"{self.repository}@{self.revision}" if self.revision else self.repository

    @cached_property
    def folder(self) -> Path:
        """Where the files of this model lie, fetched from the Hub if need be. Raises `CallError`."""
        # Flow and mapper that are loaded already say where they came from.
        model = vars(self).get("model")
        local = self._local if model is None else model.local_folder
        if local is not None:
            if not local.is_dir():
                raise CallError(f"{local} is gone; expected the folder that the model was loaded from")
            return Path(self.repository) if Path(self.repository).absolute() == local else local
        if not self.repository:
            raise CallError("this model was not loaded from a folder or a repository: it has no other parts beside it")
        commit = getattr(model.config, "_commit_hash", None) if model is not None else None
        return model_folder(self.repository, commit or self.revision, **self._hub)

    @cached_property
    def model(self) -> LHSModel:
        """Flow and mapper, for use (dropout off)."""
        dtype = {"dtype": self._dtype} if self._dtype is not None else {}
        with self._named():
            model: LHSModel = LHSModel.from_pretrained(self.folder, **dtype)
        model.trust_remote_code = self.trust_remote_code
        if self._local is None:
            # What a cached copy is called says nothing to a person.
            model.config._name_or_path = model.name_or_path = self.repository
            model.hub_arguments = {**self._hub, **({"revision": self.revision} if self.revision else {})}
        return model.eval().to(self.device)  # type: ignore[arg-type]

    @property
    def flow(self) -> LHSFlow:
        """The flow F."""
        return self.model.flow

    @property
    def mapper(self) -> LHSMapper:
        """The mapper phi."""
        return self.model.mapper

    @cached_property
    def config(self) -> Any:
        """The composite's `LHSConfig`, which names encoder and decoder. No weights are read for it."""
        if "model" in vars(self):
            return self.model.config
        with self._named():
            return LHSConfig.from_pretrained(self.folder)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Have errors call a model of the Hub by its name, not by where its copy is cached."""
        try:
            yield
        except CallError as problem:
            if self._local is not None:
                raise
            raise CallError(str(problem).replace(str(self.folder), self.repository)) from problem

    def encoder(self, name: str | None = None) -> Any:
        """The encoder, a `SentenceTransformer`: the model's own, or another by its name. Raises `CallError`."""
        return self._part("encoder", name, load_encoder)

    def decoder(self, name: str | None = None) -> Decoder:
        """The decoder and its tokenizer: the model's own, or another by its name. Raises `CallError`."""
        decoder: Decoder = self._part("decoder", name, load_decoder)
        return decoder

    def surrogate(self, task: Task, space: str = "prior", name: str | Path | None = None) -> LHSSurrogate | None:
        """The surrogate of a task in a space: the model's own, or another by its name.

        None for a task of a person's own that the model has none for. Raises `CallError` for one that can not be had
        or was made for another task, space or width.
        """
        size = self.config.flow_config.latent_size
        if name is not None:
            return open_surrogate(name, task, space, size)
        surrogate = load_surrogate(self.folder, task, space)
        if surrogate is not None and surrogate.config.latent_size != size:
            raise CallError(f"the surrogate reads {surrogate.config.latent_size} numbers, the flow writes {size}")
        return surrogate

    def editor(self, name: str | Path | None = None) -> ProgramEditor | None:
        """What writes edits of programs: the model's own editor, or that of another folder.

        None for a model that has none. Raises `CallError` for one that can not be had or reads other tokens.
        """
        folder = self.folder / EDITOR_FOLDER if name is None else Path(name)
        if name is None and not folder.is_dir():
            return None
        if "editor" not in self._parts or name is not None:
            editor = ProgramEditor(LHSEditor.from_pretrained(folder).float(), self.decoder()[1])
            if name is not None:
                return editor
            self._parts["editor"] = editor
        own: ProgramEditor = self._parts["editor"]
        return own

    def fresh_surrogate(self, task: Task, space: str = "prior", seed: int = 0) -> LHSSurrogate:
        """A surrogate with random weights, for a task that has none."""
        return fresh_surrogate(self.folder, task, space, self.config.flow_config.latent_size, seed)

    @one_at_a_time
    def _part(self, kind: str, name: str | None, load: Callable[..., Any]) -> Any:
        options = {"device": self.device, "trust_remote_code": self.trust_remote_code}
        if name is not None:
            return load(name, **options)
        if kind not in self._parts:
            place = part_location(self.folder, getattr(self.config, kind), getattr(self.config, f"{kind}_revision"))
            self._parts[kind] = load(*place, **options)
        return self._parts[kind]
