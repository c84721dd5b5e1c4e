"""Flow, mapper and surrogates for a frozen encoder and a frozen decoder given by name, as the paper trains them."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from ..corpus.dataset import CorpusRow, load_corpus
from ..decoding.prompts import FAMILIES, text_prompt_ids
from ..errors import CallError
from ..models.decoder import load_decoder
from ..models.encoder import load_encoder
from ..tasks import get_task
from .mapper_trainer import MapperExample
from .pair_recipe import PairRecipe
from .stages import MapperData, StagedTraining

STAGES = ("latents", "mapper", "flow", "surrogates", "export")


class PairTraining(StagedTraining):
    """The stages of a recipe for a pair. The encoder reads program texts only."""

    recipe: PairRecipe
    stages = STAGES

    @cached_property
    def rows(self) -> list[CorpusRow]:
        """The corpus rows that are used; at most `programs` of each task and split, spread over its families."""
        found: list[CorpusRow] = []
        for task in self.recipe.tasks:
            for split in ("train", "validation"):
                rows = load_corpus(task, split, self.corpus)
                count = min(self.recipe.programs or len(rows), len(rows))
                found += [rows[index * len(rows) // count] for index in range(count)]
        return found

    def encode(self) -> dict[str, Tensor]:
        """Unit vectors."""
        device = "cuda" if torch.cuda.is_available() else "cpu"
        encoder = load_encoder(self.recipe.encoder, self.recipe.encoder_revision, device)
        latents = encoder.encode(
            [row.program for row in self.rows],
            convert_to_tensor=True,
            normalize_embeddings=True,
            show_progress_bar=self.progress,
        )
        return {"z": latents.float().cpu().contiguous()}

    def _examples(self, split: str, tokenizer: Any) -> list[MapperExample]:
        """Programs as the replies that the decoder is asked for: one code block, then the end token."""
        prompts = {
            name: tuple(text_prompt_ids(tokenizer, get_task(name), family) for family in FAMILIES)
            for name in self.recipe.tasks
        }
        found = []
        for index in self.of_split(split):
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

    def mapper_data(self) -> MapperData:
        """Replies of the decoder that is named; a new mapper."""
        decoder, tokenizer = load_decoder(self.recipe.decoder, self.recipe.decoder_revision)
        return MapperData(self._examples("train", tokenizer), self._examples("validation", tokenizer), decoder)

    def model_values(self) -> dict[str, Any]:
        """The model names encoder and decoder and does not hold them."""
        recipe = self.recipe
        return {
            "encoder": recipe.encoder,
            "encoder_revision": recipe.encoder_revision,
            "decoder": recipe.decoder,
            "decoder_revision": recipe.decoder_revision,
            "latent_normalized": True,
            "soft_prompt_position": recipe.mapper.soft_prompt_position,
        }

    def record(self) -> dict[str, Any]:
        """The recipe."""
        return {"command": "lhs-hf train all --encoder --decoder", "recipe": asdict(self.recipe)}
