"""Probe states of a task: how many, how varied, with which features, and from where."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import IllegalAnswer, ProbeState, Task
from ..equality import same
from ..simple import SimpleTask
from ..whole import Whole
from .findings import CAUGHT, Check, happened, shown
from .rollouts import SLOW_S

PROBES = 64
_MOST_FAILED_PROBES = 0.05


def probes(check: Check) -> None:
    """64 varied states with good features, from no benchmark split, that the reference program can decide."""
    task, started = check.task, time.monotonic()
    try:
        states, again = (
            check.limited(lambda: list(task.probe_states(np.random.default_rng(77_001), PROBES))) for _ in range(2)
        )
    except CAUGHT as error:
        name = "probe_features" if "probe_features" in str(error) else "probe_states"
        check.add(name, f"drawing probe states {happened(error)}", error, default="construct")
        return
    seconds = time.monotonic() - started
    if seconds > SLOW_S:
        check.add("probe_states", f"drawing probe states twice took {seconds:.0f} s")
    if len(states) != PROBES:
        check.add("probe_states", f"there are {len(states)} probe states, expected {PROBES}")
        return
    for number, state in enumerate(states):
        problem = _state_problem(check, state)
        if problem:
            check.add("probe_states", f"probe state {number}: {problem}")
            return
    if not all(same(a.calls, b.calls) for a, b in zip(states, again)):
        check.add("probe_states", "probe states are drawn differently each time: draw from the given generator only")
        return
    known = _rare_arrays(task)
    for number, state in enumerate(states):
        if any(key in known for key in _arrays(state.calls)):
            check.add("probe_states", f"probe state {number} is taken from a benchmark split: draw instances anew")
            return
    _columns(check, states[0])
    _decisions(check, states)


def _columns(check: Check, state: ProbeState) -> None:
    """Each column of the features has a name; a `SimpleTask` that names none is given some."""
    names, columns = check.task.probe_feature_names, np.asarray(state.features).shape[1]
    if len(names) != columns and names is not SimpleTask.probe_feature_names:
        check.add(
            "probe_feature_names",
            f"probe_feature_names has {len(names)} names, probe_features gives {columns} columns",
            default="probe_features",
        )


def _state_problem(check: Check, state: ProbeState) -> str:
    if not isinstance(state, ProbeState):
        return f"it is a {type(state).__name__}, expected a ProbeState"
    features = np.asarray(state.features)
    widest = len(check.task.probe_feature_names)
    if features.ndim != 2 or (not check.simple and features.shape[1] != widest) or not 1 <= features.shape[1] <= 8:
        return f"features have shape {features.shape}, expected (candidates, {widest}), at most 8 columns"
    if len(features) < 2 and not isinstance(state.context, Whole):
        return "there is nothing to decide: one candidate"
    if not np.isfinite(features).all() or features.min() < 0 or features.max() > 1:
        return "features are not in [0, 1]: pass them through percentiles"
    return ""


def _decisions(check: Check, states: list[ProbeState]) -> None:
    function, failed, problem = check.function(), 0, ""
    for state in states:
        try:
            answers = [check.limited(function, *arguments) for arguments in copy.deepcopy(state.calls)]
            decision = check.task.probe_decision(state, answers)
            if not 0 <= decision < len(state.features):
                raise IllegalAnswer(f"decision {decision} is no row of the features")
        except CAUGHT as error:
            failed, problem = failed + 1, shown(error)
    if failed > _MOST_FAILED_PROBES * len(states):
        check.add("probe_states", f"the reference program fails on {failed} of {len(states)} probe states: {problem}")


def _arrays(value: Any) -> Iterator[bytes]:
    """Keys of the number arrays and lists inside a value that are long and varied enough to be told apart."""
    if isinstance(value, (list, tuple)) and not all(isinstance(each, (int, float)) for each in value):
        for each in value:
            yield from _arrays(each)
        return
    if isinstance(value, dict) or hasattr(value, "__dict__"):
        for each in (value if isinstance(value, dict) else vars(value)).values():
            yield from _arrays(each)
        return
    if isinstance(value, (np.ndarray, list, tuple)):
        array = np.asarray(value)
        # Ids in order, as lists of what is left are, say nothing about where they come from.
        ordered = array.ndim == 1 and bool((np.diff(array) > 0).all()) if array.dtype.kind in "iuf" else True
        if array.size >= 8 and not ordered and len(np.unique(array)) >= 4:
            yield repr(array.shape).encode() + array.astype(np.float64).tobytes()


def _rare_arrays(task: Task) -> set[bytes]:
    """Keys of arrays in benchmark instances, those that every instance shares left out."""
    each = [set(_arrays(instance)) for name in task.splits for instance in task.instances(name)]
    shared = set.intersection(*each) if len(each) > 1 else set()
    return set().union(*each) - shared
