"""Which model a measured figure belongs to."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..constants import EDITOR_FOLDER


def weights_fingerprint(root: Path) -> str:
    """SHA-256 over all weights of a model folder but its editor's, and their places in it, 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.safetensors")):
        if path.relative_to(root).parts[0] == EDITOR_FOLDER:
            continue
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def model_digest(root: Path) -> str:
    """SHA-256 over weights and vocabularies of what decodes (no surrogates), first 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted([*root.rglob("*.safetensors"), *root.rglob("vocab.json")]):
        if not path.relative_to(root).parts[0].startswith(("surrogates", EDITOR_FOLDER)):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
