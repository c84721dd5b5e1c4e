"""The trained parts a search needs, loaded from one model name and held together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ..constants import resolve_model
from ..corpus.dataset import load_corpus
from ..decoding.budget import Budget
from ..decoding.decoder import LatentDecoder
from ..decoding.program import GeneratedProgram
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..errors import CallError
from ..evaluation import Evaluator, Stepper
from ..evaluation.behaviour import Behaviour
from ..hub import model_folder, part_folder
from ..models import encoder as encoders
from ..models.configuration_lhs import LHSSurrogateConfig
from ..models.encoder import ProgramEncoderModule
from ..models.loading import one_at_a_time
from ..models.modeling_lhs import LHSModel
from ..models.modeling_surrogate import LHSSurrogate
from ..models.surrogate_fit import FIRST_FIT, REFIT, refit_surrogate
from ..opening.files import inside
from ..opening.models import check_loaded, check_part, check_room, opened, part_location
from ..tasks.base import Task
from .settings import SearchSettings

DROPOUT_SAMPLES = 16
SURROGATE_FOLDERS = {"prior": "surrogates", "latent": "surrogates-latent"}


@dataclass
class Components:
    """Encoder E, flow F, mapper phi, decoder G and surrogate f of one task in one space.

    `space` says where points live: "prior" (u = F(z)) or "latent" (z itself, the paper's No-Flow). `scale`: float32
    (d,), the standard deviation of each coordinate of that space over the training programs; ones in the prior space.
    `ensemble` holds further surrogates of the task in that space, whose disagreement is the uncertainty. `fitted` says
    whether the surrogate has learned anything: that of a task without one starts with random weights.
    """

    encoder: Any
    model: LHSModel
    decoder: LatentDecoder
    surrogate: LHSSurrogate
    space: str
    scale: Tensor
    ensemble: tuple[LHSSurrogate, ...] = ()
    fitted: bool = True
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
            points = self.model.flow(latents.to(self.model.device)).u.cpu()
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
        points = points.to(self.model.device)
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
        return self.decoder.decode(
            self.to_latents(points),
            task,
            generators,
            temperature=settings.temperature,
            top_p=settings.top_p,
            max_new_tokens=settings.max_new_tokens,
            guide=guide,
            on_finished=on_finished,
        )


def encode_programs(
    encoder: Any,
    sources: Sequence[str],
    task: Task,
    evaluator: Evaluator | None = None,
    behaviours: Sequence[np.ndarray | None] | None = None,
    *,
    normalize: bool = False,
) -> Tensor:
    """Latents z = E(p), float32 (N, d).

    An encoder that reads behaviour gets each program's decisions on the task's probe states: `behaviours` (64, 8) if
    they are known, else run in the evaluator's sandbox. A text encoder gets the texts.

    Args:
        normalize: project the vectors to the unit sphere, after their truncation (Matryoshka).
    """
    options = {"convert_to_tensor": True, "normalize_embeddings": normalize, "show_progress_bar": False}
    items: list[Any] = list(sources)
    if isinstance(encoder[0], ProgramEncoderModule):
        if behaviours is None and encoder[0].use_behaviour and evaluator is not None:
            probed = evaluator.probe_many(sources)
            behaviours = [None if found is None else found.features for found in probed]
        items = [
            {
                "program": source,
                "task": task.name,
                "signature": (task.function_name, task.arguments),
                "behaviour": behaviour,
            }
            for source, behaviour in zip(sources, behaviours or [None] * len(sources))
        ]
    with torch.no_grad():
        return encoder.encode(items, **options).float().cpu().clone()


def load_part(description: str, name: str, load: Any) -> Any:
    """Call a loader; turn the many errors of a missing or broken model into one line."""
    with opened(description, name):
        return load()


@one_at_a_time
def load_encoder(
    name: str, revision: str | None = None, device: str = "cpu", *, trust_remote_code: bool = False
) -> Any:
    """A `SentenceTransformer` whose vectors have 128 dimensions, by folder or owner/name[@revision].

    `trust_remote_code` lets it bring code of its own. Raises `CallError` for what can not be loaded.
    """
    name, revision = _split_revision(name, revision)
    return encoders.load_encoder(name, revision=revision, device=device, trust_remote_code=trust_remote_code)


@one_at_a_time
def load_decoder(
    name: str, revision: str | None = None, device: str = "cpu", *, trust_remote_code: bool = False
) -> tuple[Any, Any]:
    """A causal language model in its own dtype, and its tokenizer, by folder or owner/name[@revision].

    `trust_remote_code` lets it bring code of its own, which then runs unchecked. Raises `CallError` for what can not
    be loaded.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    name, revision = _split_revision(name, revision)
    with opened("decoder", name, revision=revision):
        if trust_remote_code:
            trusted = {"revision": revision, "trust_remote_code": True}
            tokenizer = AutoTokenizer.from_pretrained(name, **trusted)
            return AutoModelForCausalLM.from_pretrained(name, dtype="auto", **trusted).to(device), tokenizer
        folder = part_folder(name, revision, kind="decoder")
        stored = check_part(folder)
        if not (folder / "config.json").is_file() or not stored:
            missing = "weights (model.safetensors)" if (folder / "config.json").is_file() else "config.json"
            raise CallError(f"{name} has no {missing}; expected a causal language model")
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        check_room(lambda: AutoModelForCausalLM.from_config(config, trust_remote_code=False), stored, name)
        model, info = AutoModelForCausalLM.from_pretrained(
            folder, dtype="auto", use_safetensors=True, trust_remote_code=False, output_loading_info=True
        )
        check_loaded(model, name, info)
        _check_tokens(model, tokenizer, name)
        # What a cached copy is called says nothing to a person.
        model.config._name_or_path = model.name_or_path = name
        return model.to(device), tokenizer


def _split_revision(name: str, revision: str | None) -> tuple[str, str | None]:
    """Repository and revision of owner/name[@revision]; a folder stays what it is."""
    if Path(name).is_dir() or "@" not in name:
        return name, revision
    repository, _, written = name.partition("@")
    return repository, written or revision


def _check_tokens(model: Any, tokenizer: Any, name: str) -> None:
    """Refuse a decoder without an embedding for each token, or one of programs with others besides."""
    rows = model.get_input_embeddings().weight.shape[0]
    tokens = max(tokenizer.get_vocab().values(), default=-1) + 1
    if tokens > rows or (isinstance(tokenizer, ProgramTokenizer) and tokens < rows):
        raise CallError(f"the tokenizer of {name} has {tokens} tokens, its model embeds {rows}")


def load_surrogate(root: str, task: Task, space: str) -> LHSSurrogate | None:
    """The surrogate of a task in a space; None for a task of a person's own that the model has none for.

    Raises `CallError` for a built-in task without one, naming the tasks that have one.
    """
    folder = Path(root) / SURROGATE_FOLDERS[space]
    if not (folder / task.name).is_dir():
        if task.digest:
            return None
        existing = sorted(path.name for path in folder.glob("*") if path.is_dir())
        raise CallError(f"no surrogate for task {task.name!r} in {folder}; there are: {', '.join(existing) or 'none'}")
    found = LHSSurrogate.from_pretrained(inside(folder, task.name)).eval()
    for what, stored, expected in (("task", found.config.task, task.name), ("space", found.config.space, space)):
        if stored not in (expected, None):
            raise CallError(f"the surrogate {folder / task.name} was made for {what} {stored!r}, not {expected!r}")
    return found


def open_surrogate(folder: str | Path, task: Task, space: str, latent_size: int) -> LHSSurrogate:
    """A surrogate that a person names: a folder or a repository of the Hub, or a folder of them, one a task.

    Raises `CallError` unless it was trained for this task, this space and this width.
    """
    inside = Path(folder) / task.name
    name = str(inside if inside.is_dir() else folder)
    found = LHSSurrogate.from_pretrained(name).eval()
    for what, stored, expected in (
        ("task", found.config.task, task.name),
        ("space", found.config.space, space),
        ("latent size", found.config.latent_size, latent_size),
    ):
        if stored != expected:
            raise CallError(f"the surrogate {name} was made for {what} {stored!r}, not {expected!r}")
    return found


def fresh_surrogate(root: str, task: Task, space: str, latent_size: int, seed: int = 0) -> LHSSurrogate:
    """A surrogate with random weights, for a task that has none yet.

    In the latent space its inputs are divided by the spread that the model's other surrogates found.
    """
    spreads = [
        float(LHSSurrogate.from_pretrained(folder).config.input_scale)
        for folder in sorted((Path(root) / SURROGATE_FOLDERS[space]).glob("*"))
        if space == "latent" and folder.is_dir()
    ]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = LHSSurrogateConfig(
            latent_size=latent_size,
            task=task.name,
            space=space,
            input_scale=float(np.mean(spreads)) if spreads else 1.0,
        )
        return LHSSurrogate(config).eval()


@one_at_a_time
def load_components(
    model: LHSModel | str,
    task: Task,
    space: str = "prior",
    *,
    encoder: Any = None,
    decoder: Any = None,
    tokenizer: Any = None,
    surrogate: Any = None,
    device: str = "cpu",
    trust_remote_code: bool | None = None,
) -> Components:
    """Load what a search of `task` needs.

    Args:
        model: a composite, or its name: "lhs-tiny", a folder, or a repository of the Hub (owner/name, or
            owner/name@revision).
        encoder, decoder: ready objects or names that replace those the composite's config names.
        surrogate: an `LHSSurrogate`, a folder or a repository of the Hub; None takes the model's own for the task. A
            task of a person's own that has none gets one with random weights (`fitted` is then False).
        device: of encoder, decoder, flow and mapper; surrogates are small and stay on the processor.
        trust_remote_code: let encoder and decoder bring code of their own; None is what the composite was loaded with.

    Raises `CallError` for what can not be loaded.
    """
    composite = model
    if isinstance(composite, str):
        root = resolve_model(composite)
        name, _, revision = (root, "", "") if Path(root).is_dir() else root.partition("@")
        options = {"revision": revision} if revision else {}
        composite = LHSModel.from_pretrained(name, **options)
    # The other parts lie beside flow and mapper: in the same folder, or in the same revision of the repository.
    root = str(model_folder(str(composite.config._name_or_path), **composite.hub_arguments))
    config = composite.config
    composite = composite.eval().to(device)
    trusted = composite.trust_remote_code if trust_remote_code is None else trust_remote_code
    if encoder is None or isinstance(encoder, str):
        place = part_name(root, encoder, config.encoder, config.encoder_revision)
        encoder = load_encoder(*place, device=device, trust_remote_code=trusted)
    if decoder is None or isinstance(decoder, str):
        place = part_name(root, decoder, config.decoder, config.decoder_revision)
        decoder, tokenizer = load_decoder(*place, device=device, trust_remote_code=trusted)
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
    if surrogate is not None and not isinstance(surrogate, LHSSurrogate):
        surrogate = open_surrogate(surrogate, task, space, latent_size)
    surrogate = surrogate or load_surrogate(root, task, space)
    fitted = surrogate is not None
    surrogate = surrogate or fresh_surrogate(root, task, space, latent_size)
    if surrogate.config.latent_size != latent_size:
        raise CallError(f"the surrogate reads {surrogate.config.latent_size} numbers, the flow writes {latent_size}")
    latent_decoder = LatentDecoder(
        decoder, tokenizer, composite.mapper, soft_prompt_position=config.soft_prompt_position, budget=Budget(0)
    )
    spread = float(surrogate.config.input_scale) if space == "latent" else 1.0
    scale = torch.full((surrogate.config.latent_size,), spread)
    return Components(encoder, composite, latent_decoder, surrogate, space, scale, fitted=fitted)


def _embedding_size(encoder: Any) -> int | None:
    """The width of an encoder's vectors after their truncation; None for a stand-in that has none."""
    for name in ("get_embedding_dimension", "get_sentence_embedding_dimension"):
        if hasattr(encoder, name):
            size: int | None = getattr(encoder, name)()
            return size
    return None


def part_name(root: str, override: str | None, configured: str, revision: str | None) -> tuple[str, str | None]:
    """Name and revision of a part: what the caller asked for, else the config's, a folder of the model first.

    Raises `CallError` for a name in the config that leads out of the model's folder.
    """
    return (override, None) if override is not None else part_location(root, configured, revision)
