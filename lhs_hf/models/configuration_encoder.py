"""The configuration of the program encoder, and how one that somebody else wrote is read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..opening.files import read_json

LATENT_SIZE = 128

# The least and the greatest value of each stored number.
_BOUNDS: dict[str, tuple[float, float]] = {
    "vocab_size": (1, 2**22),
    "hidden_size": (1, 2**14),
    "num_layers": (0, 256),
    "num_heads": (1, 2**10),
    "intermediate_size": (1, 2**16),
    "dropout": (0, 1),
    "max_seq_length": (1, 2**20),
    "latent_size": (1, 2**14),
    "ngram_buckets": (0, 2**24),
    "ngram_dropout": (0, 1),
    "num_probes": (1, 2**12),
    "num_features": (1, 2**8),
    "projection_size": (1, 2**10),
    "pad_token_id": (0, 2**22),
}
# The projection of the behaviour is drawn anew whenever a module is made.
_MOST_PROJECTED = 2**20


@dataclass(frozen=True)
class ProgramEncoderConfig:
    """What a `ProgramEncoderModule` is made of.

    Attributes:
        vocab_size: number of token ids; None takes it from the tokenizer, if that is a `ProgramTokenizer`.
        hidden_size, num_layers, num_heads, intermediate_size, dropout: of the transformer.
        max_seq_length: tokens that are read; the rest of a longer program is not seen.
        latent_size: d, the width of z.
        use_behaviour: False makes a text-only encoder, like that of the paper.
        ngram_buckets, ngram_dropout: of an `NgramBlock` beside the transformer; 0 buckets for none.
        num_probes, num_features, projection_size: of `BehaviourBlock`.
        pad_token_id: id for padding; None takes it from the tokenizer.
    """

    vocab_size: int | None = None
    hidden_size: int = 192
    num_layers: int = 3
    num_heads: int = 4
    intermediate_size: int = 768
    dropout: float = 0.1
    max_seq_length: int = 512
    latent_size: int = LATENT_SIZE
    use_behaviour: bool = True
    ngram_buckets: int = 0
    ngram_dropout: float = 0.5
    num_probes: int = 64
    num_features: int = 8
    projection_size: int = 48
    pad_token_id: int | None = None


def read_config(path: Path) -> dict[str, Any]:
    """The stored values of a `ProgramEncoderConfig`. Raises `CallError` for unknown ones and those out of bounds."""
    values: dict[str, Any] = read_json(path)
    for key, value in values.items():
        least, most = _BOUNDS.get(key, (None, None))
        if key == "use_behaviour":
            good = isinstance(value, bool)
        elif least is None:
            names = ", ".join(field.name for field in fields(ProgramEncoderConfig))
            raise CallError(f"{path} sets {key!r:.80}; expected some of {names}")
        else:
            kinds = (int, float) if key in ("dropout", "ngram_dropout") else (int,)
            good = type(value) in kinds and least <= value <= most
        if not good:
            expected = "true or false" if least is None else f"a number between {least} and {most}"
            raise CallError(f"{path}: {key} is {value!r:.40}; expected {expected}")
    if "vocab_size" not in values:
        raise CallError(f"{path} sets no vocab_size; expected the number of token ids")
    config = ProgramEncoderConfig(**values)
    probes, features, width = config.num_probes, config.num_features, config.projection_size
    if probes * features * width > _MOST_PROJECTED or width > probes * features:
        raise CallError(
            f"{path}: num_probes, num_features and projection_size are {probes}, {features} and {width}; expected "
            f"a projection to fewer dimensions, of at most {_MOST_PROJECTED} values"
        )
    return values
