"""`SimpleTask`: a task of one's own from four short methods; splits, practice and probe states come by themselves."""

from __future__ import annotations

import ast
import copy
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from ..programs import load_function
from ._shared import capture_call, draw_step, only_answer
from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, as_flag, as_index, percentiles
from .features import MOST_FEATURES, generic_features, priority_features
from .headers import main_function
from .whole import Whole, whole_decision, whole_state

SHORTEST_BOUND = 1024
"""Entries that a solution of a `SimpleTask` may have in any case, unless the task says otherwise."""

ANSWERS = ("choice", "scores", "priority")
"""What a program may answer: an alternative, a number for each of them, or a number for one at a time."""
SOLUTION = "solution"
"""What `SimpleTask.answers` may be beside `ANSWERS`: the program is no rule for single choices."""

_TIMES_LONGER = 4
_ATTEMPTS = 20
_FULL_SIZE_SEED = 9103
_FULL_SIZE_PLACES = (0.5, 0.9)
"""How far in a rollout the calls of full size are."""
# What reading the first entries of a rollout's calls may cost: enough for small instances.
_COUNTED_CALLS = 10_000


def make_splits(**sizes: Mapping[str, Any]) -> dict[str, Split]:
    """Splits from keyword arguments: `make_splits(search={"count": 16, "nodes": 30}, holdout={...})`.

    `count` is the number of instances, `seed` one of its own unless given, `calls` about how often a program is called
    for an instance (time limits scale with it); the rest are the parameters that `draw` receives. `test_large` becomes
    `test-large`.
    """
    splits = {}
    for number, (key, size) in enumerate(sizes.items()):
        name = key.replace("_", "-")
        parameters = dict(size)
        count = int(parameters.pop("count", 16))
        seed = int(parameters.pop("seed", {"search": 2024, "holdout": 2025}.get(name, 3000 + number)))
        splits[name] = Split(name, count, seed, count * int(parameters.pop("calls", 50)), parameters)
    return splits


class SimpleTask(Task):
    """A task whose program chooses, call after call, among listed alternatives.

    A class sets `name`, `sense`, `problem_class`, `description`, `template` and `splits` (see `make_splits`) and writes
    `draw` (an instance), `construct` (the step protocol), `objective`, and `alternatives`: the name of the argument
    that lists what may be answered, or a method. `construct` asks the program through `self.ask`, which checks its
    answer. Function name and arguments are read from the template; `title` follows from the name.

    `longest_solution` is the largest number of entries a solution can have; longer ones never reach `objective`. Unless
    it is set, it is 4 times what the reference program's solutions or the `calls` of the splits suggest, 1024 at least.

    With `answers = "scores"` the program returns one number for each alternative and the largest is chosen. With
    `answers = "priority"` it sees one alternative a call and returns its priority: `construct` chooses with
    `self.ask_each`, and there is no `alternatives`. With `answers = "solution"` it is called once and returns all of a
    solution, a list for instance, and there is no `alternatives` either.

    Unless `probe_states` is written too, probe states are calls recorded from rollouts of the reference program and of
    random choices on instances that `draw` makes with `probe_parameters` (by default those of `search`) and seeds of no
    split; their features are those of `probe_features`.
    """

    alternatives: Any = ""
    answers: str = "choice"
    title = ""
    time_limit_s = 20.0
    function_name = ""
    arguments: tuple[str, ...] = ()
    longest_solution: int | None = None
    probe_parameters: Mapping[str, Any] | None = None
    probe_feature_names: tuple[str, ...] = tuple(f"feature_{number}" for number in range(MOST_FEATURES))

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        template = vars(cls).get("template")
        if isinstance(template, str):
            with suppress(SyntaxError):  # check-task and the first load name it
                function = main_function(ast.parse(template))
                if function is not None:
                    if "function_name" not in vars(cls):
                        cls.function_name = function.name
                    if "arguments" not in vars(cls):
                        cls.arguments = tuple(argument.arg for argument in function.args.args)
        if not cls.title and isinstance(vars(cls).get("name"), str):
            cls.title = cls.name.replace("_", " ").capitalize()
        splits = vars(cls).get("splits")
        if cls.practice is None and isinstance(splits, Mapping) and isinstance(splits.get("search"), Split):
            search = splits["search"]
            calls = 2 * search.program_calls // max(1, search.count)
            cls.practice = Split("practice", 2, 7001, calls, search.parameters)

    # -- what an author writes ---------------------------------------------------------------------------------------

    @abstractmethod
    def draw(self, random: np.random.RandomState, **parameters: Any) -> Any:
        """One instance, from `random` alone. Its arrays may be handed to the program: rollouts run on a copy."""

    @abstractmethod
    def construct(self, program: Program, instance: Any) -> Sequence[int] | np.ndarray:
        """Build a solution by asking `self.ask(program, *arguments)`; return it as integers (`solution_dtype`)."""

    def probe_features(self, choices: Sequence[Any], arguments: Mapping[str, Any]) -> np.ndarray:
        """Raw features of every alternative of a call, shape (alternatives, 1 to 8): what programs may decide by.

        `arguments`: by name. By default the numbers of each alternative itself, and for ids what vectors and square
        matrices among the arguments say about it. Of priorities `choices` are the calls, one an alternative, and
        `arguments` has the values of each argument, one a call.
        """
        return priority_features(choices) if self.answers == "priority" else generic_features(choices, arguments)

    # -- what follows from it ----------------------------------------------------------------------------------------

    @property
    def tells_features(self) -> bool:
        """Whether the author wrote `probe_features`."""
        return type(self).probe_features is not SimpleTask.probe_features

    @property
    def reference(self) -> Program:
        """The template as a function, in this process."""
        return self.called(load_function(self.template, self.function_name, len(self.arguments)))

    def choices(self, *arguments: Any) -> list[Any]:
        """What may be answered to a call, in order."""
        if callable(self.alternatives):
            return list(self.alternatives(*arguments))
        if self.answers == "priority":
            raise ValueError('with answers = "priority" nothing lists alternatives: ask through self.ask_each')
        return list(arguments[self.arguments.index(self.alternatives)])

    def ask(self, program: Program, *arguments: Any) -> Any:
        """Call the program and return the alternative it chose. Raises `IllegalAnswer` if it chose none of them.

        With `answers = "solution"` what it answers is returned as it is.
        """
        if self.answers == SOLUTION:
            return program(*arguments)
        choices = self.choices(*arguments)
        return choices[self.position(choices, program(*arguments))]

    def ask_each(self, program: Program, calls: Sequence[Sequence[Any]]) -> int:
        """Call the program for each alternative, with these arguments: the place of the largest answer.

        The first on ties. Raises `IllegalAnswer` for an answer that is no number.
        """
        if isinstance(program, _Decider):
            return program.decide([tuple(call) for call in calls])
        return largest_priority([program(*call) for call in calls])

    def position(self, choices: Sequence[Any], answer: Any) -> int:
        """Where an answer stands among the alternatives. Raises `IllegalAnswer`."""
        if self.answers == "scores":
            return _largest(answer, len(choices))
        if choices and all(isinstance(choice, (bool, np.bool_)) for choice in choices):
            answer = as_flag(answer)
        elif all(isinstance(choice, (int, np.integer)) for choice in choices):
            numbers = answer.tolist() if isinstance(answer, np.ndarray) else answer
            if isinstance(numbers, (list, tuple)) and len(numbers) == len(choices):
                wanted = f"expected one of the {len(choices)} alternatives, got as many numbers"
                raise IllegalAnswer(f'{wanted}: answers = "scores" takes these')
            answer = as_index(answer)
        try:
            return next(place for place, choice in enumerate(choices) if _equal(choice, answer))
        except StopIteration:
            listed = f" in {self.alternatives}" if isinstance(self.alternatives, str) else ""
            first = f", such as {choices[0]!r:.80}" if choices else ""
            raise IllegalAnswer(f"{answer!r:.80} is none of the {len(choices)} alternatives{listed}{first}") from None

    def generate(self, split: Split) -> Iterable[Any]:
        """`draw` with the parameters of the split, again and again from one stream."""
        random = np.random.RandomState(split.seed)
        for _ in range(split.count):
            yield self.draw(random, **split.parameters)

    def rollout(self, program: Program, instance: Any) -> np.ndarray:
        """`construct` on a copy of the instance."""
        solution = np.asarray(self.construct(program, copy.deepcopy(instance)), dtype=self.solution_dtype)
        return solution.reshape(-1)

    def max_solution_length(self, instance: Any) -> int:
        """`longest_solution`, or what follows from the reference program and the splits."""
        return self._longest if self.longest_solution is None else self.longest_solution

    @cached_property
    def _longest(self) -> int:
        """From the first instance of each split, so that no evaluation waits for the reference program again."""
        expected = [0]
        for split in self.splits.values():
            expected.append(split.program_calls // max(1, split.count))
            with suppress(Exception):  # check-task and the evaluation of the reference program name it
                reference = self.reference
                expected.append(len(self.rollout(reference, next(iter(self.generate(split))))))
        return max(SHORTEST_BOUND, _TIMES_LONGER * max(expected))

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Early, middle and late calls of the reference program, of random choices and of mixtures, in turn.

        Raises `ValueError` if rollouts on small instances have too few calls with at least two alternatives.
        """
        reference = self.reference
        capture = self._capture
        parameters = self.splits["search"].parameters if self.probe_parameters is None else self.probe_parameters
        states: list[ProbeState] = []
        for attempt in range(_ATTEMPTS * count):
            if len(states) == count:
                return states
            instance = self.draw(np.random.RandomState(int(generator.integers(2**31))), **parameters)
            follow = float(generator.choice([0.0, 0.7, 1.0]))
            step = draw_step(generator, attempt, self._calls(reference, instance))
            with suppress(IllegalAnswer):
                state = capture(reference, instance, follow, step, generator)
                if state is not None:
                    states.append(state)
        if len(states) == count:
            return states
        raise ValueError(
            f"only {len(states)} of {count} probe states found: calls with two or more alternatives are rare"
        )

    @cached_property
    def full_size_states(self) -> tuple[ProbeState, ...]:
        """A call from the middle and a late one of a rollout of the reference on an instance as `search` has them.

        None where probe states are of such instances. A program that answers with all of a solution is called once.
        """
        parameters = self.splits["search"].parameters
        if self.probe_parameters is None or self.probe_parameters == parameters:
            return ()
        reference, capture = self.reference, self._capture
        instance = self.draw(np.random.RandomState(_FULL_SIZE_SEED), **parameters)
        calls, generator = self._calls(reference, instance), np.random.default_rng(_FULL_SIZE_SEED)
        states = [capture(reference, instance, 1.0, int(place * calls), generator) for place in _FULL_SIZE_PLACES]
        return tuple(state for state in states if state is not None)

    @property
    def _capture(self) -> Callable[..., ProbeState | None]:
        kinds = {"priority": self._captured_decision, SOLUTION: self._captured_solution}
        return kinds.get(self.answers, self._captured_call)

    def _captured_call(
        self, reference: Program, instance: Any, follow: float, step: int, generator: np.random.Generator
    ) -> ProbeState | None:
        def policy(*arguments: Any) -> Any:
            if generator.random() < follow:
                return reference(*arguments)
            choices = self.choices(*arguments)
            if self.answers == "scores":
                return generator.random(len(choices))
            return choices[int(generator.integers(len(choices)))]

        call = capture_call(self, instance, policy, step, lambda *arguments: len(self.choices(*arguments)) > 1)
        if call is None:
            return None
        choices = self.choices(*call)
        features = self._checked_features(choices, self._by_name(call))
        return ProbeState((call,), features, tuple(choices))

    def _captured_solution(
        self, reference: Program, instance: Any, follow: float, step: int, generator: np.random.Generator
    ) -> ProbeState | None:
        """Nothing but the reference answers with a solution."""
        call = capture_call(self, instance, reference, step, lambda *arguments: True)
        if call is None:
            return None
        return whole_state(call, reference(*copy.deepcopy(call)), len(self.probe_feature_names))

    def _captured_decision(
        self, reference: Program, instance: Any, follow: float, step: int, generator: np.random.Generator
    ) -> ProbeState | None:
        def policy(calls: Sequence[tuple[Any, ...]]) -> int:
            if generator.random() < follow:
                return self.ask_each(reference, calls)
            return int(generator.integers(len(calls)))

        decider = _Decider(policy)
        captured = capture_call(self, instance, decider.decide, step, lambda calls: len(calls) > 1, _Decider)
        if captured is None:
            return None
        (calls,) = captured
        return ProbeState(tuple(calls), self._checked_features(calls, self._by_name(zip(*calls))))

    def _calls(self, reference: Program, instance: Any) -> int:
        calls = 0

        def program(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            return reference(*arguments) if calls < _COUNTED_CALLS else None

        def decide(alternatives: Sequence[tuple[Any, ...]]) -> int:
            nonlocal calls
            calls += 1
            return largest_priority([reference(*each) for each in alternatives])

        with suppress(IllegalAnswer):
            self.rollout(_Decider(decide) if self.answers == "priority" else program, instance)
        return calls

    def _by_name(self, values: Iterable[Any]) -> dict[str, Any]:
        return dict(zip(self.own_arguments or self.arguments, values))

    def _checked_features(self, choices: Sequence[Any], arguments: Mapping[str, Any]) -> np.ndarray:
        features = np.asarray(self.probe_features(choices, arguments), dtype=np.float64)
        if features.ndim != 2 or len(features) != len(choices) or not 1 <= features.shape[1] <= MOST_FEATURES:
            raise ValueError(
                f"probe_features returned shape {features.shape}, expected ({len(choices)}, 1 to {MOST_FEATURES})"
            )
        return percentiles(np.nan_to_num(features))

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """Rows are the alternatives in order."""
        if self.answers == "priority":
            return largest_priority(answers)
        if isinstance(state.context, Whole):
            return whole_decision(state.context, answers)
        return self.position(state.context, only_answer(answers))


class _Decider:
    """What stands for a program where a whole decision is watched: all calls of one choice among alternatives."""

    def __init__(self, decide: Callable[[list[tuple[Any, ...]]], int]) -> None:
        self.decide = decide

    def __call__(self, *arguments: Any) -> Any:
        raise ValueError('with answers = "priority" a program is called through self.ask_each alone')


def _equal(choice: Any, answer: Any) -> bool:
    if isinstance(choice, tuple) and isinstance(answer, list):
        answer = tuple(answer)
    try:
        return bool(isinstance(choice, (bool, np.bool_)) == isinstance(answer, (bool, np.bool_)) and choice == answer)
    except ValueError:  # arrays compare entry by entry
        return False


def _largest(answer: Any, size: int) -> int:
    try:
        values = np.asarray(answer)
    except (TypeError, ValueError) as error:
        raise IllegalAnswer(f"scores are not an array of numbers: {error}") from None
    if values.dtype.kind not in "fiub" or values.size != size:
        raise IllegalAnswer(f"expected {size} scores, one an alternative, got {values.dtype} of shape {values.shape}")
    if np.isnan(values).any():
        raise IllegalAnswer("a score is not a number (NaN)")
    return int(values.argmax())


def largest_priority(answers: Sequence[Any]) -> int:
    """The place of the largest of some numbers, the first of equals. Raises `IllegalAnswer` for anything else."""
    for answer in answers:
        if np.ndim(answer) or not isinstance(answer, (int, float, np.bool_, np.integer, np.floating, np.ndarray)):
            raise IllegalAnswer(f"a priority is one number, got {type(answer).__name__}: {answer!r:.80}")
    try:
        values = np.asarray(answers, dtype=np.float64)
    except OverflowError:
        raise IllegalAnswer("a priority is too large for a float") from None
    if np.isnan(values).any():
        raise IllegalAnswer("a priority is not a number (NaN)")
    return int(values.argmax())


def check_ids(solution: np.ndarray, count: int, below: int) -> list[int]:
    """A solution of exactly `count` ids from 0 to `below` - 1, as Python ints. Raises `Infeasible`."""
    if solution.ndim != 1 or len(solution) != count:
        raise Infeasible(f"expected {count} entries, got {len(solution)}")
    entries = solution.tolist()
    for place, entry in enumerate(entries):
        if not 0 <= entry < below:
            raise Infeasible(f"entry {place} is {entry}, expected 0 to {below - 1}")
    return entries


def check_permutation(solution: np.ndarray, count: int) -> list[int]:
    """A solution that is a permutation of 0 to `count` - 1, as Python ints. Raises `Infeasible`."""
    entries = check_ids(solution, count, count)
    if len(set(entries)) != count:
        raise Infeasible("an entry is repeated")
    return entries
