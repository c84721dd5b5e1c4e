"""The contract every task fulfils: instances, step protocol, feasibility, objective, probe states.

A task is split in two halves that never trust each other:

* `Task.rollout` runs beside the program (in a child process) and turns its decisions into a *solution*, a flat
  NumPy array of raw numbers;
* `Task.objective` runs in the parent, from the parent's own copy of the instance, and decides whether that solution
  is feasible and what it costs. Nothing a program does to the objects it was given can reach it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import count as numbers
from typing import Any, Literal

import numpy as np

from ..errors import CallError
from .equality import same
from .names import BUILT_IN
from .own_names import called_by_name, restored

PROBLEM_CLASSES = ("routing", "scheduling", "packing", "assignment", "covering")
"""What models know of a task that they were not trained on."""

Program = Callable[..., Any]
Sense = Literal["min", "max"]

_fresh_names = numbers(1)


class IllegalAnswer(Exception):
    """The program's answer breaks the step protocol; the evaluation ends as `infeasible`."""


class Infeasible(Exception):
    """A returned solution violates a constraint of the instance; the evaluation ends as `infeasible`."""


class NoFreshInstances(CallError):
    """A task can not draw instances beside those of its published splits; the message says why."""


@dataclass(frozen=True)
class Split:
    """A named, reproducible set of instances.

    `seed` seeds one legacy NumPy stream from which all `count` instances are drawn in order: one number for a split of
    a task, several (each of 32 bits) for a fresh one. `program_calls` is about how often a program is called over the
    whole split: time limits scale with it. `alias_of` names the split whose instances these are.
    """

    name: str
    count: int
    seed: int | tuple[int, ...]
    program_calls: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    alias_of: str | None = None


@dataclass(frozen=True, eq=False)
class FreshSplit(Split):
    """Instances of no published split, drawn by `Task.fresh_split`; `Evaluator.evaluate` takes it like a split's name.

    `seed` and `instances` stay in this process: processes that run programs receive instances, never how to draw them.
    The name is unique in this process and tells nothing. `task` is the `identity` of the task it belongs to.
    `time_limit_s` is what a program may take for all of them, None for what follows from `program_calls`. With
    `processor_time` it is time on a processor, where the system tells: on a busy machine a program is not slower. What
    takes more than `counted_from_s` of it is counted instead (`evaluation.sandbox.reckoning`), so that the verdict is
    the same each time; None for nothing.
    """

    seed: int | tuple[int, ...] = field(repr=False)
    instances: tuple[Any, ...] = field(default=(), repr=False)
    task: str = ""
    time_limit_s: float | None = None
    processor_time: bool = False
    counted_from_s: float | None = None


@dataclass(frozen=True)
class ProbeState:
    """One small decision situation, taken from no benchmark split, that shows what a program does.

    `calls` holds the argument tuples to call the program with (one tuple for most tasks). `features` has shape
    (candidates, features), float64 in [0, 1]: each candidate's percentile among the candidates of this state in the
    natural features of the task (distance, density, slack, ...).
    """

    calls: tuple[tuple[Any, ...], ...]
    features: np.ndarray
    context: Any = None


class Task(ABC):
    """A combinatorial problem with a constructive step protocol.

    Class attributes a task sets: `name`, `title`, `sense` ("min" or "max"), `problem_class`, `function_name`,
    `arguments` (in positional order), `description` (what the function must do, in words), `template` (source of the
    reference program), `splits`, `time_limit_s` (one program on the `search` split), `probe_feature_names`, and
    optionally `bounds` (split name -> mean bound or optimum) with `bound_kind`, and `practice`.

    `practice` describes a few instances of no benchmark split: execution guidance runs a whole program on them to see
    that it comes to an end with legal answers. Nothing is scored there.

    `reads_source` says that a result may depend on the text of the program beside what it does, `checks_answers` that
    the task itself, and no code beside the program, says which answers are legal.

    `origin` (absolute path of the file) and `digest` (SHA-256 of its bytes) are set by what loads a task file, which
    also calls arguments otherwise that are called like something that edits write: `own_arguments` are their names in
    the file then (`own_names`).
    """

    name: str
    title: str
    sense: Sense
    problem_class: str
    function_name: str
    arguments: tuple[str, ...]
    description: str
    template: str
    splits: Mapping[str, Split]
    time_limit_s: float
    probe_feature_names: tuple[str, ...]
    bounds: Mapping[str, float] = {}
    practice: Split | None = None
    bound_kind: str = "bound"
    solution_dtype: str = "int64"
    online: bool = False
    reads_source: bool = False
    checks_answers: bool = True
    version: int = 1
    origin: str | None = None
    digest: str = ""
    own_arguments: tuple[str, ...] | None = None

    @property
    def locator(self) -> str:
        """What `get_task` finds this task by in another process: the absolute path of its file, else its name."""
        return self.origin or self.name

    @property
    def identity(self) -> str:
        """What results are remembered by: the name, and for a task of a person's own a digest of its file."""
        return f"{self.name}@{self.digest[:16]}" if self.digest else self.name

    @property
    def of_paper(self) -> bool:
        """Whether this is one of the ten tasks of the paper, which models know by name."""
        return not self.digest and self.name in BUILT_IN

    @property
    def values_matter(self) -> bool:
        """Whether a result depends on more of what programs answer than probe states can compare."""
        return False

    @property
    def tells_features(self) -> bool:
        """Whether the features of probe states were chosen for this task, and are not all numbers that there are."""
        return True

    @property
    def alpha(self) -> int:
        """The sign that turns an objective into a score (paper, section 2): s = alpha * y, higher is better."""
        return 1 if self.sense == "max" else -1

    @property
    def test_splits(self) -> tuple[str, ...]:
        """Names of the test splits, in declaration order; `holdout` is not among them."""
        return tuple(name for name in self.splits if name.startswith("test"))

    def signature(self) -> str:
        """The function header a program has to implement."""
        return f"def {self.function_name}({', '.join(self.arguments)}):"

    def headed(self, source: str) -> str:
        """A program with the header that the task's own code calls: what a model writes knows no defaults."""
        return source

    def restored(self, source: str) -> str:
        """A program that a search has found, with arguments called as in the task's own code."""
        own = self.own_arguments
        return source if own is None else restored(source, self.function_name, self.arguments, own)

    def called(self, program: Program) -> Program:
        """A program for the task's own code, which may call it with the names of its arguments."""
        own = self.own_arguments
        return program if own is None else called_by_name(program, self.arguments, own)

    def split(self, name: str | FreshSplit) -> Split:
        """The split called `name`; a fresh split is itself.

        Raises `KeyError` naming the existing ones, and `CallError` for a fresh split of another task.
        """
        if isinstance(name, FreshSplit):
            if name.task != self.identity:
                raise CallError(f"a fresh split of {name.task} holds no instances of {self.identity}")
            return name
        try:
            return self.splits[name]
        except KeyError:
            known = ", ".join(self.splits)
            raise KeyError(f"task {self.name} has no split {name!r}; it has: {known}") from None

    def time_limit(self, split: str | FreshSplit) -> float:
        """Seconds one program may take on a split: the search limit scaled by program calls, at least 60 elsewhere."""
        if split == "search":
            return self.time_limit_s
        chosen = self.split(split)
        if isinstance(chosen, FreshSplit) and chosen.time_limit_s is not None:
            return chosen.time_limit_s
        ratio = chosen.program_calls / self.split("search").program_calls
        return max(60.0, self.time_limit_s * ratio)

    def instances(self, split: str | FreshSplit) -> tuple[Any, ...]:
        """The instances of a split, generated once a process. Callers must not modify them."""
        chosen = self.split(split)
        if isinstance(chosen, FreshSplit):
            return chosen.instances
        return self._instances(chosen.alias_of or chosen.name)

    @cache  # noqa: B019  (tasks are process-wide singletons)
    def _instances(self, split: str) -> tuple[Any, ...]:
        return tuple(self.generate(self.splits[split]))

    @property
    def published_seeds(self) -> frozenset[int | tuple[int, ...]]:
        """Seeds that anybody can draw instances of this task from: those of its splits and of `practice`."""
        return frozenset(each.seed for each in (*self.splits.values(), self.practice) if each is not None)

    def fresh_split(self, seed: int, count: int | None = None) -> FreshSplit:
        """Fresh instances of the distribution of `search`, as many as it has unless told: one seed, one set.

        `seed`: any number from 0 that is no seed of a published split; with 128 random bits it can not be guessed from
        the instances. Whatever the seed, the stream is not one that a published split is drawn from.

        Raises `CallError` for a seed or a count that can not be, `NoFreshInstances` if the instances of this task do
        not depend on a seed.
        """
        search = self.split("search")
        count = search.count if count is None else count
        if seed < 0 or seed in self.published_seeds:
            raise CallError(f"fresh instances need a seed from 0 that no published split has, got {seed}")
        if count < 1:
            raise CallError(f"a fresh split needs at least one instance, got {count}")
        # The same name and parameters as `search`: what an author's `generate` makes of them, it makes here.
        like_search = replace(search, count=count, alias_of=None)
        try:
            instances = tuple(self._draw_fresh(like_search, np.random.SeedSequence(seed)))
        except Exception as error:  # `generate` may be a person's own code
            problem = f"{type(error).__name__}: {error}"
            raise NoFreshInstances(f"{self.name} draws no instances from a fresh seed: {problem}") from error
        if all(map(same, instances, self.instances("search"))):
            raise NoFreshInstances(f"the instances of {self.name} do not depend on a seed")
        if len(instances) != count:
            raise NoFreshInstances(f"asked for {count} fresh instances, {self.name} draws {len(instances)}")
        calls = max(1, count * search.program_calls // search.count)
        name = f"fresh-{next(_fresh_names)}"
        return FreshSplit(name, count, seed, calls, search.parameters, instances=instances, task=self.identity)

    def _draw_fresh(self, split: Split, seed: np.random.SeedSequence) -> Iterable[Any]:
        """The instances of a split, from another seed than its own."""
        return self.generate(replace(split, seed=_words(seed)))

    @cached_property
    def practice_instances(self) -> tuple[Any, ...]:
        """The instances of `practice`; none if the task has none."""
        return () if self.practice is None else tuple(self.generate(self.practice))

    @abstractmethod
    def generate(self, split: Split) -> Iterable[Any]:
        """Draw the instances of a split from `np.random.RandomState(split.seed)`, in order."""

    @abstractmethod
    def rollout(self, program: Program, instance: Any) -> np.ndarray:
        """Run the step protocol with `program` and return the solution, 1-D of dtype `solution_dtype`.

        Runs on copies of the instance's arrays, so that a program that edits its arguments harms only this rollout.
        Raises `IllegalAnswer` as soon as an answer can not be part of a solution; exceptions of the program pass.
        """

    @abstractmethod
    def objective(self, instance: Any, solution: np.ndarray) -> float:
        """The objective y of a solution, from the parent's own instance. Raises `Infeasible` with the reason.

        `solution` is untrusted: any length up to `max_solution_length`, any values of dtype `solution_dtype`. It is
        read-only. Whatever else this raises, or a value that is no finite number, is the failure of the candidate too.
        """

    def max_solution_length(self, instance: Any) -> int:
        """The largest number of entries a solution of `instance` can have; longer frames are refused unread.

        `objective` runs without a time limit: the closer this is, the less a hostile solution can make it do.
        """
        return 16384

    @cached_property
    def probes(self) -> tuple[ProbeState, ...]:
        """The task's fixed probe states: 64 of them, from a seed that no benchmark split uses."""
        return tuple(self.probe_states(np.random.default_rng(77_001), 64))

    @abstractmethod
    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Draw `count` varied probe states (small instances, early, middle and late decisions)."""

    @abstractmethod
    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The index of the candidate (row of `state.features`) that the answers choose. Raises `IllegalAnswer`."""

    def signs(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """How answers differ in kind from the reference's, as bits (`tasks.signs`); 0 if the task checks them."""
        return 0


class OnlineTask(Task):
    """A task whose future must stay unknown to the program.

    The parent reveals observations one by one and records the decisions. Only where the text of a program shows that
    it can see nothing but its arguments does the process it runs in hold the observations.
    """

    online = True

    @abstractmethod
    def public_view(self, instance: Any) -> Any:
        """What the child may know of an instance before it starts. Nothing about what is to come."""

    @abstractmethod
    def observations(self, instance: Any) -> Sequence[int]:
        """The integers the parent reveals, one at a time."""

    @abstractmethod
    def play(self, program: Program, view: Any) -> Generator[int, int, None]:
        """One game as a generator: started with `next`, then sent each observation, it yields the decision on it.

        What it yields first, before any observation, has no meaning. Raises `IllegalAnswer`.
        """

    def rollout(self, program: Program, instance: Any) -> np.ndarray:
        """The same protocol inside one process (tests, probes, benchmarks)."""
        game = self.play(program, self.public_view(instance))
        next(game)
        return np.asarray([game.send(observation) for observation in self.observations(instance)], self.solution_dtype)

    def _draw_fresh(self, split: Split, seed: np.random.SeedSequence) -> Iterable[Any]:
        """A stream for each game: a long past shows enough of a Mersenne Twister to tell how it goes on.

        The game at a place is what `generate` draws last for a split that ends there: it may count.
        """
        for place, own in enumerate(seed.spawn(split.count)):
            yield list(self.generate(replace(split, count=place + 1, seed=_words(own))))[place]


def _words(seed: np.random.SeedSequence) -> tuple[int, ...]:
    """A seed that `np.random.RandomState` takes: 128 bits in four words, of no stream that one number seeds."""
    return tuple(seed.generate_state(4).tolist())


def percentiles(values: np.ndarray) -> np.ndarray:
    """Percentile of each entry among all, in [0, 1], ties sharing their mean; a single candidate gets 0.5.

    `values`: shape (candidates,) or (candidates, features); ranked along the first axis. Returns float64.
    """
    array = np.asarray(values, dtype=np.float64)
    column = array[:, None] if array.ndim == 1 else array
    smaller = (column[None, :, :] < column[:, None, :]).sum(axis=1)
    equal = (column[None, :, :] == column[:, None, :]).sum(axis=1) - 1
    ranks = (smaller + 0.5 * equal) / max(1, len(column) - 1)
    result = np.full_like(ranks, 0.5) if len(column) == 1 else ranks
    return result[:, 0] if array.ndim == 1 else result


def as_flag(answer: Any) -> bool:
    """Yes or no: a bool, or 0 or 1. Raises `IllegalAnswer` for anything else."""
    if isinstance(answer, (bool, np.bool_)) or (isinstance(answer, (int, np.integer)) and answer in (0, 1)):
        return bool(answer)
    raise IllegalAnswer(f"expected True or False, got {type(answer).__name__}: {answer!r:.80}")


def as_index(answer: Any) -> int:
    """An id as the protocols accept it: whatever `operator.index` accepts, except bool. Raises `IllegalAnswer`."""
    import operator

    if isinstance(answer, (bool, np.bool_)):
        raise IllegalAnswer(f"a bool is not an id: {answer!r}")
    try:
        return operator.index(answer)
    except TypeError:
        raise IllegalAnswer(f"expected an integer id, got {type(answer).__name__}") from None
