"""Flow, mapper and surrogates for a frozen encoder and a frozen decoder given by name, as the paper trains them.

    latents -> mapper, flow -> surrogates -> model folder

Every stage reads what earlier ones left in the work folder and does nothing if its own result is complete.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from ..constants import SURROGATE_FOLDERS
from ..corpus.dataset import DATA_FOLDER, CorpusRow, load_corpus
from ..decoding.prompts import FAMILIES, text_prompt_ids
from ..errors import CallError, unknown
from ..models.configuration_lhs import LHSConfig
from ..models.decoder import load_decoder
from ..models.encoder import load_encoder
from ..models.modeling_flow import LHSFlow
from ..models.modeling_lhs import LHSModel
from ..models.modeling_mapper import LHSMapper
from ..tasks import get_task, task_names
from .data import ListSource
from .flow import FlowSettings, train_flow
from .mapper import MapperExample, MapperSettings, train_mapper
from .surrogate import SurrogateSettings, train_surrogate

STAGES = ("latents", "mapper", "flow", "surrogates", "export")
PRESETS = ("pair", "smoke")


@dataclass(frozen=True)
class PairRecipe:
    """Which models, which tasks, and how the parts between them are trained.

    Attributes:
        encoder, decoder: folder or repository id, with an optional `_revision` each.
        tasks: whose corpus programs are used.
        max_tokens: longer replies are left out of mapper training.
        programs: most programs of a task and split, None for all.
    """

    encoder: str
    decoder: str
    tasks: tuple[str, ...]
    encoder_revision: str | None = None
    decoder_revision: str | None = None
    seed: int = 0
    max_tokens: int = 768
    programs: int | None = None
    # A few programs a step: the decoder's activations are what fills the memory.
    mapper: MapperSettings = field(
        default_factory=lambda: MapperSettings(steps=4000, batch_size=4, evaluate_every=400, precision="bfloat16")
    )
    flow: FlowSettings = field(default_factory=lambda: FlowSettings(noise=0.02))
    surrogate: SurrogateSettings = field(default_factory=SurrogateSettings)


def pair_recipe(
    encoder: str, decoder: str, preset: str = "pair", tasks: Sequence[str] | None = None, seed: int = 0
) -> PairRecipe:
    """The recipe called `preset` for an encoder and a decoder.

    "pair" has the settings of the paper; "smoke" runs every stage quickly on a few programs and makes nothing useful.
    Raises `CallError` for an unknown preset.
    """
    recipe = PairRecipe(_name(encoder), _name(decoder), tuple(tasks) if tasks else task_names(), seed=seed)
    if preset == "smoke":
        short: dict[str, Any] = {"steps": 4, "evaluate_every": 2}
        recipe = replace(
            recipe,
            programs=8,
            mapper=MapperSettings(batch_size=2, **short),
            flow=FlowSettings(**short),
            surrogate=SurrogateSettings(**short),
        )
    elif preset != "pair":
        raise unknown("training preset for a pair", preset, PRESETS)
    seeded = {name: replace(getattr(recipe, name), seed=seed) for name in ("mapper", "flow", "surrogate")}
    return replace(recipe, **seeded)


def _name(model: str) -> str:
    """A folder by its absolute path, since the trained model has to find it again; a repository id as it is."""
    return str(Path(model).resolve()) if Path(model).is_dir() else model


class PairTraining:
    """The stages of a recipe in a work folder, over a corpus folder (None for the one that ships).

    The encoder reads program texts only. `log` is called with one line about what happens.
    Raises `CallError` if the work folder belongs to another pair.
    """

    def __init__(
        self,
        recipe: PairRecipe,
        work: Path | str,
        corpus: Path | None = None,
        *,
        log: Callable[[str], None] = print,
        progress: bool = True,
    ) -> None:
        self.recipe = recipe
        self.work = Path(work)
        self.corpus = corpus
        self.log = log
        self.progress = progress
        self.work.mkdir(parents=True, exist_ok=True)
        self._check_identity()

    def _check_identity(self) -> None:
        """Latents of another encoder, or of other programs, must not be taken for those of this one."""
        names = ("encoder", "encoder_revision", "decoder", "decoder_revision", "tasks", "seed", "programs")
        ours = {name: getattr(self.recipe, name) for name in names} | {"corpus": str(self.corpus or "that ships")}
        ours = json.loads(json.dumps(ours))
        path = self.work / "pair.json"
        theirs = json.loads(path.read_text()) if path.exists() else ours
        for name, value in ours.items():
            if theirs.get(name) != value:
                raise CallError(f"{self.work} was made with {name}={theirs.get(name)!r}, not {value!r}")
        path.write_text(json.dumps(ours, indent=1) + "\n")

    def run(self, stages: Sequence[str] = STAGES) -> None:
        """Run stages in order."""
        for name in stages:
            self.log(f"stage {name}")
            getattr(self, f"stage_{name}")()

    @cached_property
    def rows(self) -> list[CorpusRow]:
        """The corpus rows that are used; at most `programs` of each task and split, spread over its families."""
        found: list[CorpusRow] = []
        for task in self.recipe.tasks:
            for split in ("train", "validation"):
                rows = load_corpus(task, split, self.corpus or DATA_FOLDER)
                count = min(self.recipe.programs or len(rows), len(rows))
                found += [rows[index * len(rows) // count] for index in range(count)]
        return found

    def _of(self, split: str, task: str | None = None) -> list[int]:
        return [i for i, row in enumerate(self.rows) if row.split == split and task in (None, row.task)]

    @cached_property
    def latents(self) -> Tensor:
        """z of every row, (rows, d) float32, unit vectors."""
        return load_file(self.work / "latents.safetensors")["z"]

    def stage_latents(self) -> None:
        """Encode every program."""
        path = self.work / "latents.safetensors"
        if path.exists():
            return
        device = "cuda" if torch.cuda.is_available() else "cpu"
        encoder = load_encoder(self.recipe.encoder, self.recipe.encoder_revision, device)
        latents = encoder.encode(
            [row.program for row in self.rows],
            convert_to_tensor=True,
            normalize_embeddings=True,
            show_progress_bar=self.progress,
        )
        temporary = path.with_suffix(".part")
        save_file({"z": latents.float().cpu().contiguous()}, temporary)
        temporary.replace(path)

    def _examples(self, split: str, tokenizer: Any) -> list[MapperExample]:
        """Programs as the replies that the decoder is asked for: one code block, then the end token."""
        prompts = {
            name: tuple(text_prompt_ids(tokenizer, get_task(name), family) for family in FAMILIES)
            for name in self.recipe.tasks
        }
        found = []
        for index in self._of(split):
            row = self.rows[index]
            reply = f"```python\n{row.program.strip()}\n```"
            ids = [*tokenizer(reply, add_special_tokens=False).input_ids, tokenizer.eos_token_id]
            if len(ids) <= self.recipe.max_tokens:
                found.append(MapperExample(self.latents[index], prompts[row.task], ids))
        if not found:
            raise CallError(
                f"no {split} program of {', '.join(self.recipe.tasks)} has <= {self.recipe.max_tokens} tokens"
            )
        return found

    def stage_mapper(self) -> None:
        """Train the mapper by teacher forcing, the decoder frozen (paper, section 3.2)."""
        if (self.work / "mapper" / "config.json").exists():
            return
        decoder, tokenizer = load_decoder(self.recipe.decoder, self.recipe.decoder_revision)
        source = ListSource(self._examples("train", tokenizer), lambda example: len(example.program_ids))
        mapper, result = train_mapper(
            source,
            self._examples("validation", tokenizer),
            decoder,
            self.recipe.mapper,
            self.work / "mapper",
            progress=self.progress,
        )
        mapper.cpu().save_pretrained(self.work / "mapper")
        self.log(f"mapper: validation loss {result.best_metric:.3f} nats a token at step {result.best_step}")

    def stage_flow(self) -> None:
        """Fit the flow to the latents of all training programs (paper, section 3.3)."""
        if (self.work / "flow" / "config.json").exists():
            return
        train, valid = self.latents[self._of("train")], self.latents[self._of("validation")]
        flow, result = train_flow(train, valid, self.recipe.flow, self.work / "flow", progress=self.progress)
        flow.cpu().save_pretrained(self.work / "flow")
        self.log(f"flow: {result.best_metric:.3f} validation bits a dimension at step {result.best_step}")

    def stage_surrogates(self) -> None:
        """Train the surrogates of every task, on u = F(z) and on z (paper, section 3.4)."""
        flow = LHSFlow.from_pretrained(self.work / "flow").eval()
        scores = torch.tensor([row.score for row in self.rows], dtype=torch.float64)
        for space, name in SURROGATE_FOLDERS.items():
            with torch.no_grad():
                points = flow(self.latents).u if space == "prior" else self.latents
            for task in self.recipe.tasks:
                folder = self.work / name / task
                if (folder / "config.json").exists():
                    continue
                train, valid = self._of("train", task), self._of("validation", task)
                settings = replace(self.recipe.surrogate, space=space)
                surrogate, result = train_surrogate(
                    points[train], scores[train], points[valid], scores[valid], settings, folder,
                    task=task, progress=False,
                )  # fmt: skip
                surrogate.cpu().save_pretrained(folder)
                self.log(f"surrogate {task} ({space}): selection {result.best_metric:.3f} at step {result.best_step}")

    def stage_export(self) -> None:
        """Assemble the model folder `export/`. It names encoder and decoder and does not hold them."""
        target = self.work / "export"
        shutil.rmtree(target, ignore_errors=True)
        flow = LHSFlow.from_pretrained(self.work / "flow")
        mapper = LHSMapper.from_pretrained(self.work / "mapper")
        recipe = self.recipe
        config = LHSConfig(
            flow_config=flow.config.to_dict(),
            mapper_config=mapper.config.to_dict(),
            encoder=recipe.encoder,
            encoder_revision=recipe.encoder_revision,
            decoder=recipe.decoder,
            decoder_revision=recipe.decoder_revision,
            latent_normalized=True,
            soft_prompt_position=recipe.mapper.soft_prompt_position,
        )
        model = LHSModel(config)
        model.flow.load_state_dict(flow.state_dict())
        model.mapper.load_state_dict(mapper.state_dict())
        model.save_pretrained(target)
        for name in SURROGATE_FOLDERS.values():
            for task in recipe.tasks:
                ignored = shutil.ignore_patterns("training_*")
                shutil.copytree(self.work / name / task, target / name / task, ignore=ignored)
        record = {"command": "lhs-hf train all --encoder --decoder", "recipe": asdict(recipe)}
        (target / "training.json").write_text(json.dumps(record, indent=1) + "\n")
