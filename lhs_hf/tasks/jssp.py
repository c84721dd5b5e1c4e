"""Shop scheduling: dispatch one operation at a time (paper, appendix: JSSP)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._shared import capture_call, draw_step, only_answer, read_only, solution_entries
from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, percentiles

_TEMPLATE = '''\
def determine_next_operation(current_status, feasible_operations):
    """Shortest processing time first."""
    return min(feasible_operations, key=lambda operation: operation[2])
'''


@dataclass(frozen=True)
class JsspInstance:
    """`times`, int64 (jobs, machines): processing time of each job on each machine."""

    times: np.ndarray


class JsspConstruct(Task):
    """Solution: job, machine, job, machine, ... in the order of scheduling.

    The operations of a job have no order among themselves: one at a time, in any sequence (an open shop). Both clocks
    of an operation, the job's and the machine's, advance to its end.
    """

    name = "jssp_construct"
    title = "Shop scheduling, constructive"
    sense = "min"
    problem_class = "scheduling"
    function_name = "determine_next_operation"
    arguments = ("current_status", "feasible_operations")
    description = (
        "Return the operation to start next, one of the tuples (job, machine, processing_time) in "
        "feasible_operations, so that all jobs end as early as possible; current_status holds two lists, "
        '"machine_status" and "job_status", of the times at which each machine and each job is free.'
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 16 * 492, {"jobs": 50, "machines": 10}),
        "test": Split("test", 100, 2024, 100 * 492, {"jobs": 50, "machines": 10}),
        "holdout": Split("holdout", 100, 2025, 100 * 492, {"jobs": 50, "machines": 10}),
    }
    practice = Split("practice", 1, 7001, 492, {"jobs": 50, "machines": 10})
    time_limit_s = 20.0
    bounds: Mapping[str, float] = {"search": 3013.5625, "test": 3002.09, "holdout": 2992.01}
    bound_kind = "largest machine or job sum"
    probe_feature_names = (
        "processing_time",
        "job_listed_work",
        "machine_listed_work",
        "job_free_time",
        "machine_free_time",
        "job_waiting_time",
        "end_time",
        "list_position",
    )

    def generate(self, split: Split) -> Iterable[JsspInstance]:
        """Processing times 10..99, drawn job by job."""
        random = np.random.RandomState(split.seed)
        jobs, machines = split.parameters["jobs"], split.parameters["machines"]
        for _ in range(split.count):
            yield JsspInstance(read_only(np.array([random.randint(10, 100, machines) for _ in range(jobs)])))

    def rollout(self, program: Program, instance: JsspInstance) -> np.ndarray:
        """Calls until all operations are scheduled, except where none is listed: then the first waiting one runs.

        The status is one live object for the whole rollout; what a program does to it changes what it is offered, not
        what its schedule costs. Listed: waiting operations whose job is free no later than their machine.
        """
        waiting = _operations(instance)
        machine_free = [0] * instance.times.shape[1]
        job_free = [0] * instance.times.shape[0]
        status = {"machine_status": machine_free, "job_status": job_free}
        order: list[int] = []
        while waiting:
            listed = [operation for operation in waiting if job_free[operation[0]] <= machine_free[operation[1]]]
            position = _find(waiting, program(status, listed)) if listed else 0
            job, machine, time = waiting.pop(position)
            end = max(job_free[job], machine_free[machine]) + time
            job_free[job] = machine_free[machine] = end
            order += (job, machine)
        return np.array(order, dtype=np.int64)

    def objective(self, instance: JsspInstance, solution: np.ndarray) -> float:
        """Makespan: the latest job clock after scheduling in the given order."""
        entries = solution_entries(solution, self.max_solution_length(instance))
        jobs, machines = instance.times.shape
        if len(entries) != 2 * jobs * machines:
            raise Infeasible(f"solution has {len(entries)} entries, expected {2 * jobs * machines}")
        times = instance.times.tolist()
        job_free, machine_free = [0] * jobs, [0] * machines
        done = [[False] * machines for _ in range(jobs)]
        for job, machine in zip(entries[::2], entries[1::2]):
            if not (0 <= job < jobs and 0 <= machine < machines):
                raise Infeasible(f"unknown operation: job {job} on machine {machine}")
            if done[job][machine]:
                raise Infeasible(f"job {job} is scheduled twice on machine {machine}")
            done[job][machine] = True
            end = max(job_free[job], machine_free[machine]) + times[job][machine]
            job_free[job] = machine_free[machine] = end
        return float(max(job_free))

    def max_solution_length(self, instance: JsspInstance) -> int:
        """Two entries an operation."""
        return 2 * instance.times.size

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Partial schedules of 8 to 30 operations, made greedily, at random or by a mixture."""
        states: list[ProbeState] = []
        while len(states) < count:
            jobs, machines = int(generator.integers(4, 11)), int(generator.integers(2, 4))
            spread = generator.choice([20, 90])
            instance = JsspInstance(read_only(generator.integers(10, 10 + spread, (jobs, machines))))
            greedy = generator.choice([0.0, 0.7, 1.0])

            def policy(status: Any, listed: list[Any], greedy: float = greedy) -> Any:
                shortest = min(listed, key=lambda operation: operation[2])
                return shortest if generator.random() < greedy else listed[generator.integers(len(listed))]

            call = capture_call(
                self,
                instance,
                policy,
                draw_step(generator, len(states), jobs * machines),
                lambda status, listed: 4 <= len(listed) <= 30,
            )
            if call is not None:
                states.append(self._probe(call))
        return states

    @staticmethod
    def _probe(call: tuple[Any, ...]) -> ProbeState:
        status, listed = call
        job, machine, time = np.array(listed).T
        job_free = np.array(status["job_status"])[job]
        machine_free = np.array(status["machine_status"])[machine]
        columns = [
            time,
            np.bincount(job, weights=time)[job],
            np.bincount(machine, weights=time)[machine],
            job_free,
            machine_free,
            machine_free - job_free,
            machine_free + time,
            np.arange(len(listed)),
        ]
        return ProbeState((call,), percentiles(np.column_stack(columns)), tuple(listed))

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """Rows are the listed operations in the order of the call."""
        return _find(state.context, only_answer(answers))


def _operations(instance: JsspInstance) -> list[tuple[int, int, int]]:
    """All operations (job, machine, time), job by job, as Python ints."""
    return [(job, machine, time) for job, row in enumerate(instance.times.tolist()) for machine, time in enumerate(row)]


def _find(operations: Sequence[tuple[int, int, int]], answer: Any) -> int:
    """Position of the operation equal to an answer. Raises `IllegalAnswer`."""
    try:
        return operations.index(answer)
    except ValueError:  # also what comparing arrays raises
        raise IllegalAnswer(f"expected a waiting (job, machine, time) tuple, got {type(answer).__name__}") from None


TASK = JsspConstruct()
