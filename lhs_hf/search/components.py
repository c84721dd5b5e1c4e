"""The trained parts a search needs, loaded from one model name and held together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from .._moved import moved
from ..corpus.dataset import load_corpus
from ..decoding.budget import Budget
from ..decoding.decoder import LatentDecoder
from ..decoding.program import GeneratedProgram
from ..errors import CallError
from ..evaluation import Evaluator, Stepper
from ..evaluation.behaviour import Behaviour
from ..models.composite import OpenedModel, open_model
from ..models.encoding import encode_programs
from ..models.loading import one_at_a_time
from ..models.modeling_lhs import LHSModel
from ..models.modeling_surrogate import LHSSurrogate
from ..models.program_editor import ProgramEditor
from ..models.refit import FIRST_FIT, REFIT, refit_surrogate
from ..tasks.base import Task
from .settings import SearchSettings

DROPOUT_SAMPLES = 16


@dataclass
class Components:
    """Encoder E, flow F, mapper phi, decoder G and surrogate f of one task in one space.

    `space` says where points live: "prior" (u = F(z)) or "latent" (z itself, the paper's No-Flow). `scale`: float32
    (d,), the standard deviation of each coordinate of that space over the training programs; ones in the prior space.
    `ensemble` holds further surrogates of the task in that space, whose disagreement is the uncertainty. `fitted` says
    whether the surrogate has learned anything: that of a task without one starts with random weights. `open_editor`
    gives what writes edits of programs, None for a model that has none.
    """

    encoder: Any
    model: LHSModel
    decoder: LatentDecoder
    surrogate: LHSSurrogate
    space: str
    scale: Tensor
    ensemble: tuple[LHSSurrogate, ...] = ()
    fitted: bool = True
    open_editor: Callable[[], ProgramEditor | None] = lambda: None
    _corpus_points: dict[str, tuple[Tensor, np.ndarray] | None] = field(default_factory=dict, repr=False)

    def embed(self, source: str, task: Task, evaluator: Evaluator) -> Tensor:
        """The point of a program, float32 (d,): E(p), through the flow when the space is the prior."""
        return self.to_space(self.encode([source], task, evaluator))[0]

    def encode(
        self,
        sources: Sequence[str],
        task: Task,
        evaluator: Evaluator | None = None,
        behaviours: Sequence[np.ndarray | None] | None = None,
    ) -> Tensor:
        """Latents z = E(p) of this model, float32 (N, d), as `encode_programs` has it."""
        normalize = self.model.config.latent_normalized
        return encode_programs(self.encoder, sources, task, evaluator, behaviours, normalize=normalize)

    def embed_many(
        self, sources: Sequence[str], behaviours: Sequence[Behaviour | None], task: Task
    ) -> list[Tensor | None]:
        """The points of programs with known behaviour; None for one that does not run or can not be encoded."""
        points: list[Tensor | None] = [None] * len(sources)
        for row, (source, behaviour) in enumerate(zip(sources, behaviours)):
            if behaviour is not None:
                try:
                    latent = self.encode([source], task, behaviours=[behaviour.features])
                except ValueError:
                    continue
                points[row] = self.to_space(latent)[0]
        return points

    def score(self, points: Tensor) -> Tensor:
        """Predicted score of points (B, d) -> (B,). Differentiable in the points."""
        return self.surrogate(points).score

    def prior(self, task: Task) -> tuple[Tensor, Tensor]:
        """Mean and standard deviation (d,) of the points of training programs: 0 and 1 in the prior space.

        In the latent space they are those of the task's training programs. Raises `CallError` if it has none.
        """
        if self.space == "prior":
            return torch.zeros_like(self.scale), torch.ones_like(self.scale)
        known = self.corpus_points(task)
        if known is None:
            raise CallError(f"the corpus has no programs of {task.name} to take the latents' distribution from")
        return known[0].mean(dim=0), known[0].std(dim=0)

    def corpus_points(self, task: Task) -> tuple[Tensor, np.ndarray] | None:
        """Points (N, d) and scores float64 (N,) of the task's training programs; None without a corpus of it."""
        if task.name not in self._corpus_points:
            try:
                rows = load_corpus(task.name, "train")
            except FileNotFoundError:
                rows = []
            found = None
            if rows:
                behaviours = [row.behaviour for row in rows]
                latents = self.encode([row.program for row in rows], task, behaviours=behaviours)
                found = self.to_space(latents), np.array([row.score for row in rows])
            self._corpus_points[task.name] = found
        return self._corpus_points[task.name]

    def refit(self, points: Tensor, scores: np.ndarray, task: Task, seed: int) -> Components:
        """These components with surrogates fine-tuned on programs that a search found, and on the training programs.

        Args:
            points: (N, d) encodings of the programs found; `scores`: float64 (N,), on the `search` split.

        The corpus keeps the surrogate from forgetting what the search has not seen; without one it learns from the
        search alone.
        """
        known = self.corpus_points(task)
        if known is not None:
            points, scores = torch.cat([known[0], points]), np.concatenate([known[1], scores])
        members = (self.surrogate, *self.ensemble)
        targets = torch.from_numpy(scores)
        fit = REFIT if self.fitted else FIRST_FIT
        first, *others = [refit_surrogate(member, points, targets, seed + n, fit) for n, member in enumerate(members)]
        learned = self.fitted or len(np.unique(scores)) > 1
        return replace(self, surrogate=first, ensemble=tuple(others), fitted=learned)

    def to_space(self, latents: Tensor) -> Tensor:
        """Latents z (N, d) as points of the searched space, float32 on the processor."""
        if self.space == "latent":
            return latents
        with torch.inference_mode():
            points = self.model.flow(latents.to(self.model.device, self.model.flow.dtype)).u.float().cpu()
        return points.clone()

    def deviation(self, points: Tensor, seed: int) -> Tensor:
        """Standard deviation of the predicted score at points (B, d) -> (B,), differentiable in the points.

        Over the ensemble if there is one, each member's score counted from its score at the origin (rankings have no
        common zero); else over `DROPOUT_SAMPLES` networks of Monte Carlo dropout with masks from `seed`.
        """
        if self.ensemble:
            members = (self.surrogate, *self.ensemble)
            origin = torch.zeros_like(points[:1])
            scores = torch.stack([member(points).score - member(origin).score for member in members])
        else:
            scores = self.surrogate.sampled_scores(points, DROPOUT_SAMPLES, seed)
        # The small constant keeps the gradient finite where all agree.
        return (scores.var(dim=0, unbiased=False) + 1e-12).sqrt()

    def to_latents(self, points: Tensor) -> Tensor:
        """Points (N, d) of the searched space as latents z, on the model's device: z = F^-1(u) in the prior space."""
        points = points.to(self.model.device, self.model.flow.dtype)
        with torch.no_grad():
            latents = points if self.space == "latent" else self.model.flow.inverse(points)
            # Ascent leaves the sphere that the mapper of a normalised encoder was trained on.
            return functional.normalize(latents, dim=-1) if self.model.config.latent_normalized else latents

    def decode(
        self,
        points: Tensor,
        task: Task,
        generators: Sequence[torch.Generator],
        settings: SearchSettings,
        guide: Stepper | None = None,
        on_finished: Callable[[int, GeneratedProgram], None] | None = None,
    ) -> list[GeneratedProgram]:
        """Programs sampled at points (B, d): z = F^-1(u), h = phi(z), p ~ G(I + h).

        `guide` runs their statements, `on_finished` is called with each row's program when it is written.
        """
        if not task.of_paper:
            self.decoder.choose_wording(task, self.to_latents(self.to_space(self.encode([task.template], task))))
        decoded = self.decoder.decode(
            self.to_latents(points),
            task,
            generators,
            temperature=settings.temperature,
            top_p=settings.top_p,
            max_new_tokens=settings.max_new_tokens,
            guide=guide,
            on_finished=on_finished,
        )
        return [replace(each, source=task.headed(each.source)) for each in decoded]


@one_at_a_time
def load_components(
    model: OpenedModel | LHSModel | str,
    task: Task,
    space: str = "prior",
    *,
    encoder: Any = None,
    decoder: Any = None,
    surrogate: Any = None,
    device: str = "cpu",
    trust_remote_code: bool | None = None,
) -> Components:
    """Load what a search of `task` needs.

    Args:
        model: an opened model, a composite, or its name: "lhs-tiny", a folder, or a repository of the Hub (owner/name,
            or owner/name@revision).
        encoder, decoder: names, a ready encoder, or a decoder with its tokenizer, which replace those of the model.
        surrogate: an `LHSSurrogate`, a folder or a repository of the Hub; None takes the model's own for the task. A
            task of a person's own that has none gets one with random weights (`fitted` is then False).
        device, trust_remote_code: as `open_model` has them; they do not change a model that is opened.

    Raises `CallError` for what can not be loaded.
    """
    opened = open_model(model, device=device, trust_remote_code=trust_remote_code)
    config, composite = opened.config, opened.model
    if encoder is None or isinstance(encoder, str):
        encoder = opened.encoder(encoder)
    decoder, tokenizer = opened.decoder(decoder) if decoder is None or isinstance(decoder, str) else decoder
    width = decoder.get_input_embeddings().weight.shape[1]
    if width != config.mapper_config.output_size:
        raise CallError(
            f"the mapper writes soft prompts of width {config.mapper_config.output_size}, the decoder reads {width}; "
            "a decoder needs a mapper trained for it (lhs-hf train mapper)"
        )
    latent_size = config.flow_config.latent_size
    size = _embedding_size(encoder)
    if size is not None and size != latent_size:
        raise CallError(f"the encoder writes latents of {size} numbers, the flow reads {latent_size}")
    if not isinstance(surrogate, LHSSurrogate):
        surrogate = opened.surrogate(task, space, surrogate)
    fitted = surrogate is not None
    surrogate = surrogate or opened.fresh_surrogate(task, space)
    if surrogate.config.latent_size != latent_size:
        raise CallError(f"the surrogate reads {surrogate.config.latent_size} numbers, the flow writes {latent_size}")
    latent_decoder = LatentDecoder(
        decoder, tokenizer, composite.mapper, soft_prompt_position=config.soft_prompt_position, budget=Budget(0)
    )
    spread = float(surrogate.config.input_scale) if space == "latent" else 1.0
    scale = torch.full((surrogate.config.latent_size,), spread)
    return Components(
        encoder, composite, latent_decoder, surrogate, space, scale, fitted=fitted, open_editor=opened.editor
    )


def _embedding_size(encoder: Any) -> int | None:
    """The width of an encoder's vectors after their truncation; None for a stand-in that has none."""
    for name in ("get_embedding_dimension", "get_sentence_embedding_dimension"):
        if hasattr(encoder, name):
            size: int | None = getattr(encoder, name)()
            return size
    return None


__getattr__ = moved(
    __name__,
    {
        "SURROGATE_FOLDERS": "lhs_hf.constants",
        "load_encoder": "lhs_hf.models.encoder",
        "load_decoder": "lhs_hf.models.decoder",
        **dict.fromkeys(("fresh_surrogate", "load_surrogate", "open_surrogate"), "lhs_hf.models.surrogates"),
    },
)
