"""How encoder, mapper and decoder are trained together. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from .training_config import TrainingConfig


@dataclass(frozen=True, kw_only=True)
class AutoencoderTrainingConfig(TrainingConfig):
    """Joint pre-training.

    Attributes:
        noise: standard deviation of Gaussian noise on z, so that neighbours decode alike.
        latent_weight: of the mean square of z, which keeps its scale against the noise.
        behaviour_weight: of the mean squared error of the standardised behaviour block predicted from z.
        quantile_weight: of the cross entropy of the score quantile predicted from z, for examples that have a score.
        outline_weight: of the cross entropy of the program's tokens predicted from the soft prompt alone: soft token
            k of K has to name the tokens of the k-th part of the program, their order aside. So the soft prompt says
            what the program consists of, in the decoder's own embeddings, before the decoder has learned to read it.
        behaviour_exchange: probability that the encoder reads the text of a partner with the program's own behaviour,
            so that the decoder has to read behaviour from z; for examples that have partners.
        stranger_exchange: the same with the text of any program of the task: behaviour alone has to decide.
        behaviour_dropout: probability that the encoder does not see the behaviour.
        encoder_token_dropout: share of the tokens that the encoder does not see.
        decoder_token_dropout: largest share of its own tokens that the decoder does not see; each program draws its
            share below it. What a decoder can not read from its own text it has to read from z.
        family_weights: how often a prompt of each family is drawn.
        soft_prompt_position: "after" the prompt or "before" it.
    """

    learning_rate: float = 1e-3
    weight_decay: float = 1e-2
    batch_size: int = 24
    steps: int = 3000
    evaluate_every: int = 250
    patience: int | None = 4
    warmup: float = 0.03
    schedule: str = "cosine"
    noise: float = 0.1
    latent_weight: float = 1e-3
    behaviour_weight: float = 0.1
    quantile_weight: float = 0.0
    outline_weight: float = 0.0
    behaviour_exchange: float = 0.3
    stranger_exchange: float = 0.0
    behaviour_dropout: float = 0.05
    encoder_token_dropout: float = 0.0
    decoder_token_dropout: float = 0.0
    family_weights: tuple[float, float, float] = (0.6, 0.2, 0.2)
    soft_prompt_position: str = "after"
