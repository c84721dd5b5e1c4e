"""What the package's models share in being loaded: whence they came is kept, and what goes wrong is said clearly."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from transformers import PreTrainedModel

from ..hub import HUB_ARGUMENTS, clear_errors

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


class LoadableModel(PreTrainedModel):
    """Base of the package's models.

    `hub_arguments` holds the `cache_dir`, `revision`, `token` and `local_files_only` a model was loaded with: the parts
    that a composite only names come from the same place.
    """

    hub_arguments: dict[str, Any] = {}  # noqa: RUF012  (replaced, never changed)

    @classmethod
    @one_at_a_time
    def from_pretrained(cls, pretrained_model_name_or_path: str | os.PathLike, *args: Any, **kwargs: Any) -> Any:
        """Load from a folder or a Hub repository, as `PreTrainedModel.from_pretrained` does.

        Raises `CallError` for a repository, revision or file that is missing, refused, broken, of another kind or of a
        newer version.
        """
        hub = {name: kwargs[name] for name in HUB_ARGUMENTS if kwargs.get(name) is not None}
        # Of a repository that also holds pickles they are not even fetched.
        kwargs.setdefault("use_safetensors", True)
        name = os.fspath(pretrained_model_name_or_path)
        with clear_errors(f"load {name!r}", name, revision=hub.get("revision"), token=hub.get("token")):
            loaded = super().from_pretrained(pretrained_model_name_or_path, *args, **kwargs)
        # `output_loading_info=True` returns a pair.
        model = loaded[0] if isinstance(loaded, tuple) else loaded
        model.hub_arguments = hub
        return loaded
