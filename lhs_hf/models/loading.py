"""What the package's models share in being loaded: whence they came is kept, and what goes wrong is said clearly."""

from __future__ import annotations

import os
from typing import Any

from transformers import PreTrainedModel

from ..hub import HUB_ARGUMENTS, clear_errors


class LoadableModel(PreTrainedModel):
    """Base of the package's models.

    `hub_arguments` holds the `cache_dir`, `revision`, `token` and `local_files_only` a model was loaded with: the parts
    that a composite only names come from the same place.
    """

    hub_arguments: dict[str, Any] = {}  # noqa: RUF012  (replaced, never changed)

    @classmethod
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
