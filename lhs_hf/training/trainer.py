"""One training loop for every part: `transformers.Trainer` with checkpoints, exact resumption and early stopping."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.utils.data import DataLoader
from transformers import PreTrainedModel, Trainer, TrainerCallback, TrainerControl, TrainingArguments
from transformers.trainer_callback import PrinterCallback

from ..errors import CallError
from ..trackers import PROJECT, reports_to
from .data import ExampleSource, make_loader
from .optimizer import MuonAdamW
from .precision import has_fast_bfloat16
from .processes import Processes, on_processors, through
from .training_config import TrainingConfig

LOG_FILE = "training_log.json"
SETTINGS_FILE = "training_settings.json"
CHECKPOINTS = "checkpoints"

LossFunction = Callable[[nn.Module, dict[str, Tensor]], Tensor]
EvaluateFunction = Callable[[nn.Module], dict[str, float]]


@dataclass(frozen=True)
class Objective:
    """What a training minimises and what its evaluations are judged by.

    Attributes:
        loss: (model, batch) -> scalar. Noise may come from torch's global generator, which checkpoints restore.
        evaluate: model in eval mode -> named values; must not draw from global generators.
        metric: name of the value that decides which evaluation is best.
        greater_is_better: whether the greatest or the least of them is.
        shared: several processes take some rows of each batch. The loss is a mean over rows then, or what it divides by
            is counted in all of them (`processes.shared_mean`). Otherwise each of them does all of it.
    """

    loss: LossFunction
    evaluate: EvaluateFunction
    metric: str = "loss"
    greater_is_better: bool = False
    shared: bool = False


@dataclass(frozen=True)
class TrainingResult:
    """How a run ended: its best value, the step of it, the last step, the step whose weights were kept, and the log."""

    best_metric: float
    best_step: int
    last_step: int
    kept_step: int
    history: list[dict[str, float]]


class _StopEarly(TrainerCallback):
    """Stops when the best evaluation is `patience` evaluations ago. Holds no state, so resuming needs none."""

    def __init__(self, patience: int, evaluate_every: int) -> None:
        self.steps = patience * evaluate_every

    def exhausted(self, state: Any) -> bool:
        return bool(state.best_global_step) and state.global_step - state.best_global_step >= self.steps

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self.exhausted(state):
            control.should_training_stop = True


class _StopNotFinite(TrainerCallback):
    """Ends a training whose weights are no numbers any more: no later step mends them."""

    EVERY = 50

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **kwargs: Any) -> None:
        if state.global_step % self.EVERY or model is None:
            return
        broken = [name for name, weights in model.named_parameters() if not bool(weights.isfinite().all())]
        if broken:
            raise RuntimeError(
                f"after step {state.global_step} {len(broken)} weights are not finite, {broken[0]!r} among them; they "
                f"were {self.EVERY} steps before, or at the start"
            )


class _PartTrainer(Trainer):
    """`Trainer` with a loss function, an evaluation function and one loader for the whole run."""

    loader: DataLoader
    objective: Objective
    bfloat16: bool
    matrix_learning_rate: float | None
    control: TrainerControl
    optimizer: Any

    def get_train_dataloader(self) -> DataLoader:
        return self.loader

    def compute_loss(self, model: nn.Module, inputs: dict[str, Tensor], *args: Any, **kwargs: Any) -> Tensor:
        device = next(model.parameters()).device.type
        with torch.autocast(device, torch.bfloat16, enabled=self.bfloat16):
            return through(model, self.objective.loss, inputs)

    def create_optimizer(self, model: nn.Module | None = None) -> torch.optim.Optimizer:
        if self.optimizer is None and self.matrix_learning_rate is not None:
            trained: Any = model or self.model
            self.optimizer = MuonAdamW(
                trained,
                matrix_learning_rate=self.matrix_learning_rate,
                learning_rate=self.args.learning_rate,
                weight_decay=self.args.weight_decay,
            )
        return super().create_optimizer(model)

    def evaluate(self, eval_dataset: Any = None, ignore_keys: Any = None, metric_key_prefix: str = "eval") -> Any:
        model: Any = self.model
        model.eval()
        with torch.no_grad():
            values = self.objective.evaluate(model)
        model.train()
        metrics = {f"{metric_key_prefix}_{name}": float(value) for name, value in values.items()}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: nn.Module | None = None) -> None:
        module: Any = model or self.model
        _load_weights(module, Path(resume_from_checkpoint))

    def _save(self, output_dir: str | None = None, state_dict: dict[str, Tensor] | None = None) -> None:
        model: Any = self.model
        if state_dict is None and not isinstance(model, PreTrainedModel):
            # safetensors refuses tensors that share memory, as tied embeddings do.
            tied = getattr(model, "_keys_to_ignore_on_save", None) or ()
            state_dict = {name: value for name, value in model.state_dict().items() if name not in tied}
        super()._save(output_dir, state_dict)


def fit(
    model: nn.Module,
    source: ExampleSource,
    collate: Callable[[list[Any]], dict[str, Tensor]],
    settings: TrainingConfig,
    output_dir: str | Path,
    objective: Objective,
    *,
    resume: bool = True,
    progress: bool = True,
) -> TrainingResult:
    """Train `model` in place and leave the weights that `settings.keep` names in it.

    Under `accelerate launch` all processes call it alike; `settings.batch_size` is that of all together.

    A run that was interrupted, however hard, continues from its last complete checkpoint and ends with the same
    weights, bit for bit, as one that was not (on the same machine and thread count). A finished run is loaded.

    Args:
        model: any module; its best weights are also in `output_dir/model.safetensors` afterwards.
        source, collate: training examples, and how a list of them becomes a batch of tensors.
        settings: see `TrainingConfig`.
        output_dir: for checkpoints while it runs, then weights, `training_settings.json` and `training_log.json`.
        resume: False starts afresh and removes what an earlier run left.

    Raises:
        CallError: `output_dir` holds a run with other settings; the processes can not share batches of this size.
        RuntimeError: no evaluation was finite, or weights are not.
    """
    folder = Path(output_dir)
    processes = Processes()
    sharing = processes.count if objective.shared else 1
    rows = min(settings.batch_size, len(source))
    if rows % sharing:
        raise CallError(f"{sharing} processes can not share batches of {rows}; expected a number that divides it")
    if processes.first:
        _prepare(folder, settings, resume)
    if processes.agree((folder / LOG_FILE).is_file()):
        _load_weights(model, folder)
        return TrainingResult(**json.loads((folder / LOG_FILE).read_text())["result"])

    torch.manual_seed(settings.seed)
    trainer = _PartTrainer(
        model=model,
        args=_arguments(settings, folder / CHECKPOINTS, objective, progress and processes.first, processes.count),
        train_dataset=[None] * len(source),
        eval_dataset=[None],
    )
    if sharing > 1:
        # Rows of two processes have noise of their own; the first one has the stream that one process has.
        torch.manual_seed(settings.seed + processes.rank)
    rows_of = processes.rows_of if objective.shared else None
    trainer.loader = make_loader(source, collate, settings.batch_size, settings.steps, settings.seed, rows_of)
    trainer.objective = objective
    trainer.matrix_learning_rate = settings.matrix_learning_rate
    trainer.bfloat16 = settings.precision == "bfloat16" and has_fast_bfloat16(trainer.args.device)
    # The logged numbers are kept in a file; the bar is what a person wants to see.
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(_StopNotFinite())
    stopper = None if settings.patience is None else _StopEarly(settings.patience, settings.evaluate_every)
    if stopper is not None:
        trainer.add_callback(stopper)
    with _without_cudnn_attention():
        state = _train(trainer, stopper, folder / CHECKPOINTS)
    processes.wait()
    if state.best_model_checkpoint is None:
        raise RuntimeError(
            f"no evaluation of {objective.metric!r} was finite in {state.global_step} steps; "
            f"history: {state.log_history}"
        )
    best_step = int(state.best_global_step or 0)
    kept_step = best_step if settings.keep == "best" else state.global_step
    _load_weights(model, folder / CHECKPOINTS / f"checkpoint-{kept_step}")
    result = TrainingResult(float(state.best_metric or 0.0), best_step, state.global_step, kept_step, state.log_history)
    processes.wait()
    if processes.first:
        _finish(model, folder, settings, result)
    processes.wait()
    model.eval()
    return result


def _prepare(folder: Path, settings: TrainingConfig, resume: bool) -> None:
    """Make the folder of a run that begins or goes on. Raises `CallError` for one with other settings."""
    if not resume:
        for leftover in (folder / CHECKPOINTS, folder / LOG_FILE, folder / SETTINGS_FILE):
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    _check_settings(folder / SETTINGS_FILE, settings)


@contextmanager
def _without_cudnn_attention() -> Iterator[None]:
    """Without cuDNN's attention, whose gradients under a mask are NaN for some lengths (torch 2.11, Hopper cards).

    It is what torch chooses there by default; one such batch ends a training.
    """
    enabled = torch.backends.cuda.cudnn_sdp_enabled()
    torch.backends.cuda.enable_cudnn_sdp(False)
    try:
        yield
    finally:
        torch.backends.cuda.enable_cudnn_sdp(enabled)


def _train(trainer: _PartTrainer, stopper: _StopEarly | None, checkpoints: Path) -> Any:
    """Train to the end, from the last complete checkpoint if there is one; the state of the trainer at the end."""
    checkpoint = last_complete_checkpoint(checkpoints)
    if checkpoint is None:
        trainer.train()
        return trainer.state
    state = type(trainer.state).load_from_json(str(checkpoint / "trainer_state.json"))
    # A run can be interrupted between its last checkpoint and its end: then only the best weights are left to load.
    if stopper is not None and stopper.exhausted(state):
        return state
    trainer.train(resume_from_checkpoint=str(checkpoint))
    return trainer.state


def last_complete_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint that was written to its end: `trainer_state.json` is the last file of one."""
    for path in sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]), reverse=True):
        try:
            json.loads((path / "trainer_state.json").read_text())
        except (OSError, ValueError):
            continue
        return path
    return None


def _arguments(
    settings: TrainingConfig, folder: Path, objective: Objective, progress: bool, processes: int
) -> TrainingArguments:
    every = min(settings.evaluate_every, settings.steps)
    return TrainingArguments(
        output_dir=str(folder),
        per_device_train_batch_size=settings.batch_size,
        max_steps=settings.steps,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        max_grad_norm=settings.max_gradient_norm,
        lr_scheduler_type=settings.schedule
        if settings.warmup == 0 or settings.schedule != "constant"
        else "constant_with_warmup",
        warmup_steps=round(settings.warmup * settings.steps),
        eval_strategy="steps",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        metric_for_best_model=objective.metric,
        greater_is_better=objective.greater_is_better,
        logging_steps=every,
        seed=settings.seed,
        report_to=reports_to(),
        run_name=folder.name,
        **_of_this_machine(),
        disable_tqdm=not progress,
        remove_unused_columns=False,
        use_cpu=processes > 1 and on_processors(),
    )


def _of_this_machine() -> dict[str, Any]:
    """What keeps Trackio from making a Space; versions of transformers differ in which of it there is."""
    wanted = {"project": PROJECT, "trackio_space_id": None, "trackio_static_space_id": False}
    return {each.name: wanted[each.name] for each in fields(TrainingArguments) if each.name in wanted}


def _check_settings(path: Path, settings: TrainingConfig) -> None:
    ours = json.loads(json.dumps(asdict(settings)))
    if path.is_file():
        theirs = json.loads(path.read_text())
        changed = sorted(name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name))
        if changed:
            listed = ", ".join(f"{name} {theirs.get(name)!r} -> {ours.get(name)!r}" for name in changed)
            raise CallError(f"{path.parent} holds a run with other settings ({listed}); resume=False starts afresh")
        return
    _write(path, ours)


def _finish(model: nn.Module, folder: Path, settings: TrainingConfig, result: TrainingResult) -> None:
    kept = folder / CHECKPOINTS / f"checkpoint-{result.kept_step}"
    for name in ("model.safetensors", "config.json"):
        if (kept / name).is_file():
            shutil.copyfile(kept / name, folder / name)
    # Written last: its presence says that the run is finished and its weights are complete.
    _write(folder / LOG_FILE, {"settings": asdict(settings), "result": asdict(result)})
    shutil.rmtree(folder / CHECKPOINTS)


def _write(path: Path, value: Any) -> None:
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(value, indent=1) + "\n")
    os.replace(temporary, path)


def _load_weights(model: nn.Module, folder: Path) -> None:
    tied = set(getattr(model, "_keys_to_ignore_on_save", None) or ())
    missing, unexpected = model.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    if unexpected or set(missing) - tied:
        raise ValueError(f"{folder} holds weights of another model: missing {missing}, unexpected {unexpected}")
