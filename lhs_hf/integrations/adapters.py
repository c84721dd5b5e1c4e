"""A found latent as a PEFT prompt-tuning adapter: virtual tokens that plain `PeftModel.from_pretrained` loads.

PEFT puts virtual tokens before the text. The paper's prefix is I + h, the soft prompt *after* the token prompt I: no
text can come after h but the program itself. So the adapter of such a model holds the whole prefix, the embedded
prompt and the soft prompt, and generation starts from an empty text. Where the soft prompt comes first (h + I), the
adapter holds the K soft tokens alone and the text is the prompt I.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from ..constants import DEFAULT_MODEL, embedded_model
from ..decoding.decoder import signature_of
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..errors import CallError, unknown
from ..hub import split_revision
from ..models.composite import open_model
from ..opening.files import inside
from ..opening.folders import write_bytes
from ..opening.models import part_location
from ..search.components import Components, load_components
from ..search.database import Candidate
from ..search.result import best_candidate
from ..search.settings import SPACES
from ..search.stored import open_run, run_model, run_task
from ..tasks.base import Task

CARD_TEMPLATE = Path(__file__).parent / "adapter_card.md"
SIDECAR_NAME = "heuristic.json"
WEIGHTS_NAME = "adapter_model.safetensors"


@dataclass(frozen=True)
class ExportedAdapter:
    """What was written: the folder, the candidate's number, and what a program that loads it needs.

    `input_ids` is the text that generation starts from: empty if the soft prompt comes after the prompt, whose
    `num_prompt_tokens` embeddings are then among the `num_virtual_tokens`. The decoder lies in `subfolder` of the
    folder or repository `decoder`, at `revision`.
    """

    folder: str
    task: str
    candidate: int
    status: str
    objective: float | None
    decoder: str
    subfolder: str | None
    revision: str | None
    soft_prompt_position: str
    num_soft_tokens: int
    num_prompt_tokens: int
    num_virtual_tokens: int
    input_ids: list[int]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def export_adapter(
    run: str | Path,
    candidate: int | None = None,
    output: str | Path | None = None,
    *,
    task: Task | str | Path | None = None,
    model: str | None = None,
    decoder: str | None = None,
    on_model: Callable[[str, str], None] | None = None,
) -> ExportedAdapter:
    """Write the soft prompt of a candidate of a run as a PEFT adapter of the decoder (paper, section 2: p ~ G(I + h)).

    Unmasked greedy generation through PEFT then gives, token for token, what `generate_programs` gives for that latent
    with `grammar=False, temperature=0`.

    Args:
        run: folder of a run, finished or not. It may be anybody's: what is in it is read as data.
        candidate: its number in the run database; None takes the best one that was decoded.
        output: folder to write; None is `RUN/adapters/candidate-N`.
        task: of a run of a task of one's own, the task or its file; a file that only the run names is not loaded.
        model, decoder: what the run was made with, if those are folders. None loads what the run names if that is the
            model that ships or a repository of the Hub, and refuses a folder.
        on_model: called with "model" or "decoder" and its name before each is loaded.

    Raises `CallError` for a folder without a run, a candidate that does not exist or was not decoded, another task or
    content of its file, a model or decoder that can not be loaded, an output folder that holds something else, and
    where `peft` is missing.
    """
    if find_spec("peft") is None:
        raise CallError("exporting an adapter needs peft: pip install 'lhs-hf[adapters]'")
    run = Path(run)
    stored = open_run(run)
    chosen, point = _choose(run, stored.candidates, candidate)
    # The folder of the run is not the person's choice: no link in it leads elsewhere.
    folder = Path(output) if output is not None else inside(run, f"adapters/candidate-{chosen.id}")
    _check_output(folder)
    task = run_task(stored, task)
    space = str(stored.identity["space"])
    if space not in SPACES:
        raise unknown("space", space, SPACES)
    names = {part: run_model(stored, part, given) for part, given in (("model", model), ("decoder", decoder))}
    for part, each in names.items():
        if each is not None and on_model is not None:
            on_model(part, each)
    # The encoder has no part in decoding: a stand-in spares loading it.
    components = load_components(
        str(names["model"]), task, space, encoder=torch.nn.Identity(), decoder=names["decoder"]
    )
    _check_point(run, chosen, point, components.scale.shape[0])
    tokens = virtual_tokens(components, task, point)
    place = _decoder_place(names["decoder"], components)
    adapter = _described(folder, chosen, task, components, place, tokens)
    card = _card(adapter, task, isinstance(components.decoder.tokenizer, ProgramTokenizer))
    _write(folder, _prompt_config(adapter, components), tokens[0], adapter, card)
    return adapter


def _described(
    folder: Path,
    candidate: Candidate,
    task: Task,
    components: Components,
    place: tuple[str, str | None, str | None],
    tokens: tuple[Tensor, list[int]],
) -> ExportedAdapter:
    """What the adapter of a candidate is: `place` names its decoder, subfolder and revision, `tokens` its prompt."""
    name, subfolder, revision = place
    return ExportedAdapter(
        folder=str(folder),
        task=task.name,
        candidate=candidate.id,
        status=candidate.status,
        objective=candidate.objective,
        decoder=name,
        subfolder=subfolder,
        revision=revision,
        soft_prompt_position=components.decoder.soft_prompt_position,
        num_soft_tokens=components.decoder.mapper.config.num_soft_tokens,
        num_prompt_tokens=len(components.decoder.prompt_ids(task)),
        num_virtual_tokens=tokens[0].shape[0],
        input_ids=tokens[1],
    )


def _prompt_config(adapter: ExportedAdapter, components: Components) -> Any:
    """The adapter as PEFT describes it."""
    from peft import PromptTuningConfig

    network = components.decoder.model
    return PromptTuningConfig(
        task_type="CAUSAL_LM",
        base_model_name_or_path=adapter.decoder,
        revision=adapter.revision,
        num_virtual_tokens=adapter.num_virtual_tokens,
        token_dim=network.get_input_embeddings().weight.shape[1],
        num_transformer_submodules=1,
        num_attention_heads=network.config.num_attention_heads,
        num_layers=network.config.num_hidden_layers,
        inference_mode=True,
    )


def _check_point(run: Path, candidate: Candidate, point: Tensor, width: int) -> None:
    """Raise `CallError` for a point that this model can not have searched."""
    finite = bool(torch.isfinite(point).all())
    if point.numel() != width or not finite:
        raise CallError(
            f"candidate {candidate.id} of {run} was decoded from a point of size {point.numel()}"
            f"{'' if finite else ' that is not finite'}; expected {width} finite numbers"
        )


def _write(folder: Path, config: Any, embeddings: Tensor, made: ExportedAdapter, card: str) -> None:
    """The files of an adapter: what PEFT reads, what else a program needs, and the card."""
    record = {key: value for key, value in made.as_dict().items() if key != "folder"}
    with TemporaryDirectory(prefix="lhs-adapter-") as place:
        config.save_pretrained(place)
        save_file({"prompt_embeddings": embeddings}, Path(place, WEIGHTS_NAME), metadata={"format": "pt"})
        Path(place, SIDECAR_NAME).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        Path(place, "README.md").write_text(card, encoding="utf-8")
        _make_folder(folder)
        for path in sorted(Path(place).iterdir()):
            write_bytes(folder / path.name, path.read_bytes())


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallError(f"can not make the folder {folder}: {error.strerror}") from None


def virtual_tokens(components: Components, task: Task, point: Tensor) -> tuple[Tensor, list[int]]:
    """What PEFT has to put before which text, to decode a point (d,) of the searched space.

    Returns virtual tokens (V, e) in the decoder's dtype, on the processor, and the ids of the text: [I; h] and no text
    where the soft prompt comes after the prompt, h and I where it comes before it.
    """
    decoder = components.decoder
    prompt = decoder.prompt_ids(task)
    with torch.inference_mode():
        latent = components.to_latents(point[None])
        soft = decoder.mapper(latent.to(decoder.mapper.dtype))[0].to(decoder.model.dtype).cpu()
        if decoder.soft_prompt_position == "before":
            return soft.clone().contiguous(), prompt
        embed = decoder.model.get_input_embeddings()
        embedded = embed(torch.tensor(prompt, device=embed.weight.device)).to(decoder.model.dtype).cpu()
        return torch.cat([embedded, soft]).clone().contiguous(), []


def _choose(run: Path, candidates: Sequence[Candidate], number: int | None) -> tuple[Candidate, Tensor]:
    """A candidate and the point (d,) that it was decoded from."""
    points = {c.id: torch.from_numpy(c.after.copy()) for c in candidates if c.decoded and c.after is not None}
    decoded = [candidate for candidate in candidates if candidate.id in points]
    if not decoded:
        raise CallError(f"{run} holds no decoded candidate yet; go on with it: lhs-hf search --resume --output {run}")
    if number is None:
        best = best_candidate(decoded) or decoded[0]
        return best, points[best.id]
    for candidate in decoded:
        if candidate.id == number:
            return candidate, points[candidate.id]
    existing = ", ".join(_ranges([candidate.id for candidate in decoded]))
    if any(candidate.id == number for candidate in candidates):
        raise CallError(
            f"candidate {number} of {run} started the search and was not decoded from a latent; decoded are: {existing}"
        )
    raise CallError(f"{run} has no candidate {number}; decoded candidates are: {existing}")


def _ranges(numbers: list[int]) -> list[str]:
    """1, 2, 3, 7 as ["1-3", "7"]."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in spans]


def _check_output(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise CallError(f"{folder} is a file, expected a folder for the adapter")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / SIDECAR_NAME).is_file():
        raise CallError(f"{folder} holds something else than an adapter of a found candidate; pass another --output")


def _decoder_place(decoder: str | None, components: Components) -> tuple[str, str | None, str | None]:
    """What `AutoModelForCausalLM.from_pretrained` takes for the decoder of a run: a name, its subfolder and revision.

    `decoder` is the name of one that replaced the model's own.
    """
    if decoder is not None:
        name, revision = split_revision(decoder)
        return name, None, revision
    opened = open_model(components.model)
    config = opened.config
    if not (opened.folder / config.decoder).is_dir():
        name, revision = part_location(opened.folder, config.decoder, config.decoder_revision)
        return name, None, revision
    if opened.folder.resolve() == embedded_model().resolve():
        return DEFAULT_MODEL, config.decoder, None
    return opened.repository, config.decoder, opened.revision


def _card(made: ExportedAdapter, task: Task, writes_programs: bool) -> str:
    after = made.soft_prompt_position == "after"
    embedded = made.decoder == DEFAULT_MODEL and made.subfolder is not None
    where = {"subfolder": made.subfolder, "revision": made.revision}
    place = json.dumps(made.decoder) + "".join(f", {key}={json.dumps(where[key])}" for key in where if where[key])
    local = f'decoder = AutoModelForCausalLM.from_pretrained(embedded_model() / "{made.subfolder}", dtype="auto")'
    hub = f'decoder = AutoModelForCausalLM.from_pretrained({place}, dtype="auto")'
    text = "torch.zeros((1, 0), dtype=torch.int64)" if after else f"torch.tensor([{made.input_ids}])"
    signature = signature_of(task)
    values = {
        "task": made.task,
        "title": task.title,
        "candidate": made.candidate,
        "objective": f"status {made.status}" if made.objective is None else f"objective {made.objective!r}",
        "sense": "lower" if task.sense == "min" else "higher",
        "base_model": "" if Path(made.decoder).is_absolute() else f"base_model: {made.decoder}\n",
        "layout": _AFTER.substitute(asdict(made)) if after else _BEFORE.substitute(asdict(made)),
        "imports": "from lhs_hf.constants import embedded_model\n" if embedded else "",
        "decoder": local if embedded else hub,
        "input_ids": text,
        "reading": _programs(made, signature) if writes_programs else _TEXTS,
        "batches": _AFTER_BATCHES if after else _BEFORE_BATCHES,
    }
    return Template(CARD_TEMPLATE.read_text(encoding="utf-8")).substitute(values)


_AFTER = Template(
    "The $num_virtual_tokens virtual tokens are the whole prefix of a program: the embeddings of the "
    "$num_prompt_tokens tokens of the task prompt, then the $num_soft_tokens soft tokens of the latent. The text to "
    "start from is **empty**."
)
_BEFORE = Template(
    "The $num_virtual_tokens virtual tokens are the soft tokens of the latent; the task prompt of $num_prompt_tokens "
    "tokens comes after them, as the text to start from."
)
_AFTER_BATCHES = (
    "Give one row: several samples of it come from `do_sample=True, num_return_sequences=N`. Text of your own would "
    "come after the soft tokens, where this decoder has only seen programs."
)
_BEFORE_BATCHES = (
    "Rows of one batch need the same length: PEFT puts the virtual tokens before the padding and leaves positions out, "
    "so left-padded rows are read wrongly. Several samples come from `do_sample=True, num_return_sequences=N`."
)
_TEXTS = "The decoder's tokenizer turns the tokens into text: `tokenizer.decode(tokens[0], skip_special_tokens=True)`."


def _programs(made: ExportedAdapter, signature: Any) -> str:
    return f"""The decoder writes syntax trees. Their tokenizer and grammar come with `lhs_hf`; under the grammar's
mask every output is a program, without it some are not:

```python
from transformers import AutoTokenizer
from lhs_hf.decoding.generation import GrammarLogitsProcessor
from lhs_hf.decoding.grammar import Signature

tokenizer = AutoTokenizer.from_pretrained(decoder.config._name_or_path)
signature = Signature({json.dumps(signature.function_name)}, {signature.arguments!r})
mask = GrammarLogitsProcessor(tokenizer, [signature], prompt_length={len(made.input_ids)}, max_new_tokens=512)
tokens = model.generate(input_ids=text, do_sample=False, max_new_tokens=512, logits_processor=[mask])
print(tokenizer.decode_program(tokens[0, {len(made.input_ids)}:].tolist(), signature))
```"""
