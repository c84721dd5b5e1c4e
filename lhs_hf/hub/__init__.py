"""The Hub: reading models through the cache, and publishing models, corpus and Space."""

from ..constants import is_repository_id
from .reading import (
    HUB_ARGUMENTS,
    MODEL_FILES,
    PART_FILES,
    check_repository_id,
    clear_errors,
    download,
    explain,
    local_model,
    model_folder,
    opened,
    split_revision,
)

__all__ = [
    "HUB_ARGUMENTS",
    "MODEL_FILES",
    "PART_FILES",
    "check_repository_id",
    "clear_errors",
    "download",
    "explain",
    "is_repository_id",
    "local_model",
    "model_folder",
    "opened",
    "split_revision",
]
