"""What the package's models share in being loaded: whence they came is kept, and what goes wrong is said clearly."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from transformers import PreTrainedModel
from transformers.utils import logging

from ..hub import HUB_ARGUMENTS, model_folder, opened
from ..opening.weights import check_loaded, check_room, check_weights

# What is fetched of a repository to look at a model's weights.
_WEIGHTS = ("config.json", "model*.safetensors*")

Function = TypeVar("Function", bound=Callable[..., Any])

_LOADING = threading.RLock()


def one_at_a_time(function: Function) -> Function:
    """A function that loads models, under one lock for the process.

    While `transformers` loads a model it replaces `PreTrainedModel.tie_weights` for all of them; of two threads that
    load at once, one can leave it replaced, and every model made afterwards then has untied, random output weights.
    """

    @wraps(function)
    def locked(*args: Any, **kwargs: Any) -> Any:
        with _LOADING:
            return function(*args, **kwargs)

    return locked  # type: ignore[return-value]


@contextmanager
def no_bars() -> Iterator[None]:
    """Without the bars of `transformers` over the weights of a model; those of a download stay."""
    hook = getattr(logging, "set_tqdm_hook", None)  # not in every version
    if hook is None:
        yield
        return
    before = hook(lambda _, args, kwargs: logging.EmptyTqdm(*args, **kwargs))
    try:
        yield
    finally:
        hook(before)


class LoadableModel(PreTrainedModel):
    """Base of the package's models.

    `hub_arguments` holds the `cache_dir`, `revision`, `token` and `local_files_only` a model was loaded with: the parts
    that a composite only names come from the same place. `trust_remote_code` is what the caller said about them.
    `local_folder` is the folder it was loaded from, None if it came from the Hub by its name.
    """

    local_folder: Path | None = None
    hub_arguments: dict[str, Any] = {}  # noqa: RUF012  (replaced, never changed)
    trust_remote_code = False

    @classmethod
    @one_at_a_time
    def from_pretrained(cls, pretrained_model_name_or_path: str | os.PathLike, *args: Any, **kwargs: Any) -> Any:
        """Load from a folder or a Hub repository, as `PreTrainedModel.from_pretrained` does.

        Raises `CallError` for a repository, revision or file that is missing, refused, broken, of another kind or of a
        newer version, for sizes beyond bounds or unlike those of the weights, and for weights that are not finite.
        `trust_remote_code` says whether the encoder and decoder that the model names may bring code of their own: it is
        kept for them, the model itself has none.
        """
        hub = {name: kwargs[name] for name in HUB_ARGUMENTS if kwargs.get(name) is not None}
        trusted = kwargs.pop("trust_remote_code", None) is True
        # Of a repository that also holds pickles they are not even fetched.
        kwargs["use_safetensors"] = True
        name = os.fspath(pretrained_model_name_or_path)
        wants_info = kwargs.pop("output_loading_info", False)
        with opened(cls._part_name(), name, revision=hub.get("revision"), token=hub.get("token")):
            config = kwargs.get("config")
            if not isinstance(config, cls.config_class):
                config = cls.config_class.from_pretrained(name, subfolder=kwargs.get("subfolder") or "", **hub)
            folder = model_folder(name, files=_WEIGHTS, subfolder=kwargs.get("subfolder") or "", **hub)
            check_room(lambda: cls(config), check_weights(folder, name=name), name)
            with no_bars():
                model, info = super().from_pretrained(
                    name, *args, output_loading_info=True, trust_remote_code=False, **kwargs
                )
            check_loaded(model, name, info)
        model.hub_arguments = hub
        model.local_folder = Path(name).absolute() if Path(name).is_dir() else None
        model.trust_remote_code = trusted
        return (model, info) if wants_info else model

    @classmethod
    def _part_name(cls) -> str:
        return cls.config_class.model_type.removeprefix("lhs_").replace("lhs", "model")
