"""The Hub: reading models through the cache, and publishing models, corpus and Space."""

from .reading import (
    HUB_ARGUMENTS,
    MODEL_FILES,
    PART_FILES,
    check_repository_id,
    clear_errors,
    download,
    explain,
    is_repository_id,
    local_model,
    model_folder,
    part_folder,
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
    "part_folder",
]
