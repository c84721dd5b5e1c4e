"""Tasks in the format of LLM4AD: a template program, a description and an object with `evaluate_program`."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Sequence, ValuesView
from functools import cached_property
from typing import Any

import numpy as np

from ._shared import only_answer
from .answered import Asked, asked_of
from .base import IllegalAnswer, Infeasible, ProbeState, Program, Sense, Split, Task, percentiles
from .equality import alike
from .features import generic_features
from .headers import Header
from .indices import Labels, Places, Rated, labels_of, places_of, rated_of, ratings
from .pairs import Pairs, pairs_of
from .roles import is_number
from .signs import ReferenceAnswers
from .simple import largest_priority
from .sorting import answer_keys, compared, is_key, largest_key
from .whole import SOLUTIONS, Whole, is_order, less_will_do, whole_decision, whole_state

_MOST_RECORDED = 4096
_KNOWN = (Asked, Places, Rated, Labels, Pairs)
"""What says of a call what its answer is chosen among."""


class LLM4ADTask(Task):
    """A task whose whole evaluation, score included, runs beside the program, in its fenced process.

    A task file holds `TASK = LLM4ADTask("my_task", MyEvaluation(), problem_class="packing")`. The evaluation has
    `template_program`, `task_description`, optionally `timeout_seconds`, and `evaluate_program(program_str, callable)`
    that returns a number, higher is better, or None for a failure.

    The parent checks only that the score is a finite number: unlike the objectives of other tasks it is computed where
    a program could tamper with it. There is one split, `search`. Probe states are calls recorded while the template is
    evaluated, here in this process.

    Raises `ValueError` for a template without a function, or one that takes any number of arguments.
    """

    sense: Sense = "max"
    solution_dtype = "float64"
    reads_source = True
    checks_answers = False
    probe_feature_names = tuple(f"feature_{number}" for number in range(8))
    _passes = _judges = False

    def __init__(self, name: str, evaluation: Any, *, problem_class: str = "general", title: str | None = None) -> None:
        self._header = Header(str(evaluation.template_program))
        self.evaluation = evaluation
        self.name, self.title = name, title or name.replace("_", " ").capitalize()
        self.problem_class = problem_class
        self.template = self._header.template
        self.function_name = self._header.name
        self.arguments = self._header.arguments
        if self._header.own_arguments != self.arguments:
            self.own_arguments = self._header.own_arguments
        self.description = str(evaluation.task_description)
        self.time_limit_s = float(getattr(evaluation, "timeout_seconds", None) or 30.0)
        self.splits = {"search": Split("search", 1, 0, 1)}

    @property
    def reference(self) -> Program:
        """The template as a function, in this process."""
        return self._header.reference

    def signature(self) -> str:
        """The function header a program has to implement, with the template's defaults."""
        return self._header.text()

    def headed(self, source: str) -> str:
        """A program with the template's defaults in its header."""
        return self._header.with_defaults(source)

    @property
    def answers(self) -> str:
        """ "scores" if the template rates the entries of a list, "choice" if it answers one, "priority" if it answers
        one number; "" if it does none of these, but answers with a whole solution."""
        return self._asked[0]

    @property
    def alternatives(self) -> str | Callable[..., list[Any]]:
        """The argument whose entries these are, mostly; of a template that answers with places, what lists them."""
        answers, name = self._asked
        return name if name or not answers or answers == "priority" else self.choices

    @property
    def listed(self) -> str | None:
        """How a program writes the list that it chooses from, where that is none of its arguments; None for these."""
        known = self.probes[0].context
        if isinstance(known, Pairs):
            return known.listed(self.arguments)
        if isinstance(known, (Places, Rated)):
            return f"range(len({known.asked.text(self.arguments)}))"
        return known.text(self.arguments) if isinstance(known, Asked) and known.within is not None else None

    @property
    def indexed(self) -> tuple[str, ...]:
        """Of alternatives that are pairs the lists that the two are places in, "" for no place; of others nothing."""
        known = self.probes[0].context
        return known.indexed(self.arguments) if isinstance(known, Pairs) else ()

    def answered(self, chosen: str) -> str:
        """How a program writes its answer; `chosen` is the text of an alternative: of records `chosen["id"]`, say."""
        known = self.probes[0].context
        if isinstance(known, Pairs):
            return known.written(self.arguments, chosen)
        return f"{chosen}{known.answered.text}" if isinstance(known, Asked) and known.answered else chosen

    def choices(self, *arguments: Any) -> list[Any]:
        """What may be chosen in a call, in order."""
        known = self.probes[0].context
        if isinstance(known, _KNOWN):
            return known.entries(arguments)
        return entries_of(arguments[self.arguments.index(self._asked[1])])

    @property
    def passes(self) -> bool:
        """Whether the template answers None at times, where there is nothing to choose among."""
        return bool(self.probes) and self._passes

    @property
    def judges(self) -> bool:
        """Whether programs answer yes or no."""
        return bool(self.probes) and self._judges

    @cached_property
    def _asked(self) -> tuple[str, str]:
        try:
            if self.probes[0].context is None:
                return "priority", ""
            if isinstance(self.probes[0].context, Whole):
                return "", ""
            known = self.probes[0].context
            if isinstance(known, (Places, Labels, Pairs)):
                return "choice", ""
            if isinstance(known, Rated):
                return "scores", ""
            if isinstance(known, Asked):
                return "choice", self.arguments[known.argument] if known.within is None else ""
            places = Counter(
                next(place for place, value in enumerate(state.calls[0]) if value is state.context)
                for state in self.probes
            )
            place = places.most_common(1)[0][0]
            state = next(each for each in self.probes if each.calls[0][place] is each.context)
            rated = _rates(state.context, self.reference(*copy.deepcopy(state.calls[0])))
        except Exception:  # a person's own code; check-task names what is wrong with it
            return "", ""
        return "scores" if rated else "choice", self.arguments[place]

    @property
    def tells_features(self) -> bool:
        """Nobody wrote any."""
        return False

    @cached_property
    def values_matter(self) -> bool:
        """Whether the score depends on the numbers that programs answer with, and not on their order alone."""
        if self.answers not in ("priority", "scores"):
            return False
        try:
            own = self._evaluated(self.reference)
            # A score that changes by chance says nothing.
            steady = np.array_equal(own, self._evaluated(self.reference))
        except Exception:  # a person's own code; its evaluation names what is wrong with it
            return False
        try:
            return steady and not np.array_equal(own, self._outcome(2.0, 0.5))
        except Exception:  # it takes no other numbers
            return True

    def _evaluated(self, program: Program) -> np.ndarray:
        return self.rollout(program, "search")

    def _outcome(self, scale: float, shift: float) -> np.ndarray:
        """The score of the template with other numbers in its answers."""
        reference = self.reference

        def other(*arguments: Any) -> Any:
            answer = reference(*arguments)
            scaled = scale * np.asarray(answer, dtype=np.float64) + shift
            return scaled if isinstance(answer, np.ndarray) else scaled.tolist()

        return self._evaluated(other)

    def generate(self, split: Split) -> Iterable[str]:
        """One instance: what it consists of is the evaluation's own affair."""
        return [split.name]

    def rollout(self, program: Program, instance: str) -> np.ndarray:
        """The score, float64 (1,). Raises `IllegalAnswer` for None, NaN and infinities."""
        source = getattr(program, "__program_source__", self.template)
        own = self.restored(source)
        score = copy.deepcopy(self.evaluation).evaluate_program(own, self._header.called(program))
        if score is None or not math.isfinite(score):
            raise IllegalAnswer(f"evaluate_program returned {score!r}")
        return np.array([score], dtype=np.float64)

    def objective(self, instance: str, solution: np.ndarray) -> float:
        """The score. Raises `Infeasible` unless it is one finite number."""
        if solution.shape != (1,) or not np.isfinite(solution).all():
            raise Infeasible("expected one finite score")
        return float(solution[0])

    def max_solution_length(self, instance: str) -> int:
        """One number."""
        return 1

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Calls of the template. Candidates are the entries of the argument that its answers come from or rate.

        Of a template that answers one number whatever it is given, a state is some successive calls, whose numbers are
        compared; of one that builds a whole solution, a call. Raises `ValueError` if it is of no such kind.
        """
        reference = self.reference
        calls: list[tuple[tuple[Any, ...], Any]] = []

        def program(*arguments: Any) -> Any:
            kept = copy.deepcopy(tuple(map(_listed, arguments))) if len(calls) < _MOST_RECORDED else None
            answer = reference(*arguments)
            if kept is not None:
                calls.append((kept, copy.deepcopy(readable(answer))))
            return answer

        self.rollout(program, "search")
        return self._states(calls, generator, count, "calls of the template")

    def _states(
        self, calls: list[tuple[tuple[Any, ...], Any]], generator: np.random.Generator, count: int, what: str
    ) -> Sequence[ProbeState]:
        self._passes = any(answer is None for _, answer in calls)
        calls = [(call, answer) for call, answer in calls if answer is not None] or calls
        self._judges = all(isinstance(answer, (bool, np.bool_)) for _, answer in calls)
        drawn = [calls[place] for place in generator.permutation(len(calls))]
        states = [state for call, answer in drawn if (state := chosen_among(self, call, answer)) is not None]
        known = self._known(calls, states)
        several = [] if known is None else [(call, known.entries(call)) for call, _ in drawn]
        several = [(call, entries) for call, entries in several if len(entries) > 1]
        if several:
            states = [_state(self, call, entries, known) for call, entries in several]
            return [states[number % len(states)] for number in range(count)]
        # A number that happens to be an entry of some list chooses nothing: few calls look like that. Whole numbers may
        # stand for something else now and then, others never do.
        least = len(calls) if all(isinstance(answer, float) for _, answer in calls) else (len(calls) + 1) // 2
        if (not states and answer_keys(calls, self.reference, self._evaluated)) or (
            all(is_number(answer) for _, answer in calls)
            and (len(states) < least or self._any_number_will_do(calls, len(states)))
        ):
            states = compared(self, [call for call, _ in calls])
            states = [states[place] for place in generator.permutation(len(states))]
        if self._builds(calls, states):
            width, places = len(self.probe_feature_names), generator.permutation(len(calls))
            states = [whole_state(call, answer, width) for call, answer in (calls[place] for place in places)]
        if not states:
            raise ValueError(
                f"none of {len(calls)} {what} chooses among or rates the entries of a list, and their answers are no "
                "numbers that could be compared between calls: nothing tells two programs apart"
            )
        return [states[number % len(states)] for number in range(count)]

    def _any_number_will_do(self, calls: Sequence[tuple[tuple[Any, ...], Any]], entries: int) -> bool:
        """Whether numbers may be any others: entries of a list, but not in all calls, or always the same one."""
        try:
            if entries == len(calls) and len({answer for _, answer in calls}) > 1:
                return False
            self._outcome(2.0, 0.5)
        except Exception:  # whatever a person's own code raises
            return False
        return True

    def _known(
        self, calls: Sequence[tuple[tuple[Any, ...], Any]], states: Sequence[ProbeState]
    ) -> Asked | Places | Rated | Labels | Pairs | None:
        """What the answers of all calls are chosen among, where some call (of `states`) does not show it by itself."""
        rated = rated_of(calls)
        if rated is not None and not (states and self._builds(calls, states)):
            return rated
        if len(states) == len(calls):
            return None
        known: Asked | Places | Labels | Pairs | None = asked_of(calls)
        known = known or places_of(calls, self.reference, self._evaluated)
        known = known or pairs_of(calls, self._evaluated)
        return known or (None if states else labels_of(calls))

    def _builds(self, calls: Sequence[tuple[tuple[Any, ...], Any]], states: Sequence[ProbeState]) -> bool:
        """Whether the template answers with whole solutions.

        One whole number for each entry of an argument, a colour or a place, may rate it, too: then other numbers in the
        same order are as good, and in reverse they are not.
        """
        if not states or not calls:
            return bool(calls) and all(isinstance(answer, SOLUTIONS) for _, answer in calls)
        if not all(_may_be_whole(answer) and chosen_among(self, call, answer) for call, answer in calls):
            return False
        try:
            own, larger = self._evaluated(self.reference), self._outcome(2.0, 0.5)
            if not np.array_equal(own, larger):
                return not less_will_do(calls, self.reference, self._evaluated)
            equal = all(len(set(np.asarray(answer).tolist())) == 1 for _, answer in calls)
            return not equal and np.array_equal(own, self._outcome(-1.0, 0.0))
        except Exception:  # it takes no such numbers
            return not less_will_do(calls, self.reference, self._evaluated)

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The entry that is answered, or the largest of numbers for all entries, or for all calls; 0 for a solution."""
        if state.context is None:
            return largest_key(answers) if all(map(is_key, answers)) else largest_priority(answers)
        if isinstance(state.context, Whole):
            return whole_decision(state.context, answers)
        if isinstance(state.context, _KNOWN):
            decision = state.context.position(state.calls[0], only_answer(answers))
        else:
            decision = _decision(state.context, only_answer(answers))
        if decision is None:
            raise IllegalAnswer("the answer is no entry of the list and no numbers for its entries")
        return decision

    def signs(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """What only the evaluation can allow, as bits (`tasks.signs`)."""
        return self._reference_answers.signs(state, answers)

    @cached_property
    def _reference_answers(self) -> ReferenceAnswers:
        return ReferenceAnswers(self.reference, self.probes)


def chosen_among(task: Task, call: tuple[Any, ...], answer: Any) -> ProbeState | None:
    """A call as a probe state, with the first argument whose entry the answer is, or whose entries it rates."""
    # The keys of a dictionary may be what a list names, too, which says more of them.
    for kinds in ((list, tuple, np.ndarray), (dict, set, frozenset)):
        for value in call:
            if isinstance(value, kinds) and len(value) >= 2 and _decision(value, answer) is not None:
                return _state(task, call, entries_of(value), value)
    return None


def entries_of(value: Any) -> list[Any]:
    """The entries of a list, tuple or array, the keys of a dictionary, in order; those of a set in that of their size.

    The order of a set of texts is another one in every process.
    """
    return (
        sorted(value, key=lambda entry: (str(type(entry)), entry))
        if isinstance(value, (set, frozenset))
        else list(value)
    )


def _state(task: Task, call: tuple[Any, ...], entries: list[Any], context: Any) -> ProbeState:
    """A call in which one of some entries is chosen."""
    ranked = percentiles(np.nan_to_num(generic_features(entries, dict(zip(task.arguments, call)))))
    missing = len(task.probe_feature_names) - ranked.shape[1]
    return ProbeState((call,), np.pad(ranked, ((0, 0), (0, missing))), context)


def _decision(entries: Any, answer: Any) -> int | None:
    if isinstance(entries, (list, tuple, np.ndarray)) and _rates(entries, answer):
        return int(np.asarray(answer).argmax())
    try:
        ordered = entries_of(entries)
    except TypeError:  # a set of things that have no order
        return None
    for place, entry in enumerate(ordered):
        if answer is not None and alike(entry, answer):
            return place
    return None


def _may_be_whole(answer: Any) -> bool:
    """Whether ratings may be a solution: a list of whole numbers, or an array of them that has each in some order."""
    if isinstance(answer, np.ndarray):
        return is_order(answer)
    return isinstance(answer, list) and all(isinstance(each, (int, np.integer)) for each in answer)


def _rates(entries: Any, answer: Any) -> bool:
    return ratings(answer, len(entries)) is not None


def _listed(argument: Any) -> Any:
    """An argument that can be copied: of a dictionary's keys, values or items the list."""
    return list(argument) if isinstance(argument, (KeysView, ValuesView, ItemsView)) else argument


def readable(answer: Any) -> Any:
    """An answer that can be read more than once. Raises `ValueError` for a generator."""
    if isinstance(answer, Iterator):
        raise ValueError(
            f"the template answers with a {type(answer).__name__}, which can be read only once; expected a list: "
            "let it return list(...)"
        )
    return answer
