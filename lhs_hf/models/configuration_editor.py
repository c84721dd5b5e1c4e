"""Configuration of the editor."""

from huggingface_hub.dataclasses import strict

from .configuration_lhs import LHSBaseConfig


@strict
class LHSEditorConfig(LHSBaseConfig):
    """The editor: p(edit | parent's program, target latent).

    Args:
        vocab_size: tokens of the program tokenizer it was trained with.
        latent_size: d, the width of z.
        sketch_size, sketch_buckets: D of the sketches of programs, and rows of their words' vectors.
        hidden_size, num_attention_heads: of the reader of the parent and of the writer of the edit.
        num_encoder_layers, encoder_intermediate_size: of the reader.
        num_decoder_layers, decoder_intermediate_size: of the writer.
        pointer_size: width in which positions of the parent are compared.
        num_condition_tokens, condition_size: tokens that say which change is wanted, and the layer that makes them.
        num_changes: buckets of the change of the score's quantile, besides "unknown".
        max_program_tokens: the longest parent, its prompt included.
        max_actions: the longest edit.
        dropout: in attention and feed-forward blocks.
    """

    model_type = "lhs_editor"
    bounds = {  # noqa: RUF012  (the base class says that it is no field)
        "vocab_size": (1, 2**16),
        "latent_size": (1, 2**14),
        "sketch_size": (8, 2**12),
        "sketch_buckets": (1, 2**20),
        "hidden_size": (1, 2**14),
        "num_attention_heads": (1, 2**10),
        "num_encoder_layers": (0, 256),
        "encoder_intermediate_size": (1, 2**16),
        "num_decoder_layers": (1, 256),
        "decoder_intermediate_size": (1, 2**16),
        "pointer_size": (1, 2**14),
        "num_condition_tokens": (1, 2**10),
        "condition_size": (1, 2**16),
        "num_changes": (1, 2**10),
        "max_program_tokens": (1, 2**14),
        "max_actions": (4, 2**14),
        "dropout": (0, 1),
    }

    vocab_size: int = 1373
    latent_size: int = 128
    sketch_size: int = 64
    sketch_buckets: int = 4096
    hidden_size: int = 192
    num_attention_heads: int = 4
    num_encoder_layers: int = 3
    encoder_intermediate_size: int = 768
    num_decoder_layers: int = 2
    decoder_intermediate_size: int = 256
    pointer_size: int = 64
    num_condition_tokens: int = 3
    condition_size: int = 192
    num_changes: int = 5
    max_program_tokens: int = 672
    max_actions: int = 96
    dropout: float | int = 0.0

    def validate_architecture(self):
        """The heads have to divide the width."""
        if self.hidden_size % self.num_attention_heads:
            raise ValueError(
                f"hidden_size ({self.hidden_size}) is not a multiple of num_attention_heads "
                f"({self.num_attention_heads})"
            )
