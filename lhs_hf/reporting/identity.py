"""Which model a measured figure belongs to."""

from __future__ import annotations

import hashlib
from pathlib import Path


def weights_fingerprint(root: Path) -> str:
    """SHA-256 over all weights of a model folder and their places in it, 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.safetensors")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def model_digest(root: Path) -> str:
    """SHA-256 over weights and vocabularies of what decodes (no surrogates), first 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted([*root.rglob("*.safetensors"), *root.rglob("vocab.json")]):
        if not path.relative_to(root).parts[0].startswith("surrogates"):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
