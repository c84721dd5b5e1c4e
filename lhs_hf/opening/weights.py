"""The weights of a model that somebody else made: safetensors of a size that fits, whole and finite."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..constants import embedded_model
from ..errors import CallError
from .configs import checked_config
from .files import inside

MOST_FILES = 1_000
MOST_TENSORS = 200_000
HEADER_BYTES = 16 * 2**20
# What a model has besides its stored values: tied embeddings count twice, and tables of positions are computed.
SPARE_VALUES = 2**22

PICKLES = (".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth")
WEIGHTS = "model.safetensors"


def check_links(folder: Path) -> list[Path]:
    """The files directly in a folder. Raises `CallError` for a link that leaves it, and for too many of them."""
    # The model that ships is the package's own, however an installer laid out its files.
    own = folder.resolve().is_relative_to(embedded_model().resolve())
    found = []
    try:
        for path in folder.iterdir():
            found.append(path if own else inside(folder, path.name))
            if len(found) > MOST_FILES:
                raise CallError(f"{folder} holds more than {MOST_FILES} files; expected a model")
    except OSError as error:
        raise CallError(f"{folder} can not be read: {error}") from None
    return [path for path in sorted(found) if path.is_file()]


def check_weights(folder: Path, paths: list[Path] | None = None, name: str = "", *, whole: bool = True) -> int:
    """How many values the safetensors files in a folder hold. Raises `CallError` for broken ones, and for pickles.

    A folder without weights holds none. `name` is what messages call it; by default its path. Not `whole`: files that
    the index names may be missing.
    """
    paths = check_links(folder) if paths is None else paths
    weights = [path for path in paths if path.suffix == ".safetensors"]
    pickles = [path.name for path in paths if path.suffix in PICKLES and path.name != "training_args.bin"]
    if pickles and not weights:
        raise CallError(
            f"{name or folder} holds its weights as a pickle ({pickles[0]}), which may run code when it is loaded; "
            f"expected safetensors ({WEIGHTS})"
        )
    for path in paths:
        if whole and path.name.endswith(".safetensors.index.json"):
            _check_index(path, {each.name for each in weights})
    return sum(_stored_values(path, name or str(folder)) for path in weights)


def _check_index(path: Path, present: set[str]) -> None:
    shards = checked_config(path).get("weight_map")
    if not isinstance(shards, dict):
        raise CallError(f"{path} has no weight_map; expected the file of each tensor")
    for shard in shards.values():
        if not isinstance(shard, str) or shard not in present:
            raise CallError(f"{path} names the file {shard!r:.80}; expected a safetensors file beside it")


def _stored_values(path: Path, owner: str) -> int:
    from safetensors import SafetensorError, safe_open

    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
        if length > HEADER_BYTES:
            raise CallError(f"a safetensors file of {owner} is broken ({path.name}: a header of {length} bytes)")
        with safe_open(path, "pt") as stored:
            names = stored.keys()
            if len(names) > MOST_TENSORS:
                raise CallError(f"{path} holds {len(names)} tensors; expected at most {MOST_TENSORS}")
            return sum(math.prod(stored.get_slice(name).get_shape()) for name in names)
    except (SafetensorError, OSError) as error:
        raise CallError(
            f"a safetensors file of {owner} is broken ({path.name}: {str(error)[:200]}); expected a whole file: "
            "fetch or write it again"
        ) from error


def check_room(make: Callable[[], Any], stored: int, name: str) -> None:
    """Make a model without memory, and compare its size with the values that are stored for it.

    Args:
        make: builds the model from its configuration; called on the device `meta`.
        stored: values in its weights files, of `check_weights`.

    Raises `CallError` for one that is more than twice as large: what a file does not hold would be made up here.
    """
    import torch

    with torch.device("meta"):
        model = make()
    needed = sum(tensor.numel() for tensor in (*model.parameters(), *model.buffers()))
    if needed > 2 * stored + SPARE_VALUES:
        raise CallError(
            f"the configuration of {name} describes {needed} values, its weights hold {stored}; expected weights of "
            "the same model"
        )


def check_loaded(model: Any, name: str, info: Mapping[str, Any] | None = None) -> None:
    """Refuse a loaded model whose weights are not all there, or not finite.

    `info`: what `from_pretrained(..., output_loading_info=True)` returns besides. Raises `CallError`.
    """
    for problem in ("missing_keys", "mismatched_keys"):
        keys = sorted(str(key) for key in (info or {}).get(problem) or ())
        if keys:
            raise CallError(f"the weights of {name} do not fit its configuration: {problem[:-5]} {keys[0]:.200}")
    check_finite(model, name)


def check_finite(model: Any, name: str) -> None:
    """Refuse a model with a weight that is no finite number. Raises `CallError`."""
    import torch

    for key, tensor in model.state_dict().items():
        if tensor.is_floating_point() and tensor.numel() and not tensor.is_meta:
            low, high = torch.aminmax(tensor.detach())
            if not (torch.isfinite(low) and torch.isfinite(high)):
                raise CallError(f"the weights of {name} are not finite ({key}); expected numbers: fetch them again")
