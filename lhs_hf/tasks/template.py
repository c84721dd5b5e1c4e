"""The commented task file that a task of one's own begins with, for each kind of answer."""

from __future__ import annotations

from pathlib import Path

_TEMPLATE = Path(__file__).parent / "task_template.txt"

_STEPS = """\
        waiting = list(range(len(lengths)))
        now = 0
        order = []
        while waiting:
{ask}
            order.append(job)
            now += int(lengths[job])
        return order"""
_ASK = """\
            # Arguments are copies: a program that spoils them harms its own solution only.
            job = self.ask(program, np.array(waiting), now, lengths.copy(), weights.copy())
            waiting.remove(job)"""
_FEATURE_NAMES = """\
    # Names of the columns of `probe_features`, at most 8.
    probe_feature_names = ("length", "weight", "weight_per_length", "job_id")"""
_FEATURES = '''
    def probe_features(self, choices, arguments):
        """What a good program could look at, a row for each alternative. Leave this method out for a plain guess."""
        jobs = np.asarray(choices)
        lengths, weights = arguments["lengths"][jobs], arguments["weights"][jobs]
        return np.column_stack([lengths, weights, weights / lengths, jobs])'''

_A_CALL_A_STEP = {"__CALLS__": "25", "__LONG_CALLS__": "60"}

_PARTS = {
    "choice": {
        "__DESCRIPTION__": '''\
        "Return the id of the job to do next, one of `waiting_jobs` (ascending), so that the mean of finishing time "
        "times weight is as small as possible. `lengths` and `weights` are arrays by job id, `now` is the time."''',
        "__PROGRAM__": '''\
def select_next_job(waiting_jobs, now, lengths, weights):
    """The first job."""
    return waiting_jobs[0]''',
        "__ANSWERS__": '''\
    # The argument that lists the legal answers (or a method `alternatives(self, *arguments)` that returns them; it gets
    # what the program gets).
    alternatives = "waiting_jobs"''',
        "__FEATURE_NAMES__": _FEATURE_NAMES,
        "__CONSTRUCT__": _STEPS.format(ask=_ASK),
        "__FEATURES__": _FEATURES,
        **_A_CALL_A_STEP,
    },
    "scores": {
        "__DESCRIPTION__": '''\
        "Return a number for each of `waiting_jobs` (ascending), in their order: the job with the largest is done "
        "next. The mean of finishing time times weight is to be small. `lengths` and `weights` are arrays by job id, "
        "`now` is the time."''',
        "__PROGRAM__": '''\
def rate_jobs(waiting_jobs, now, lengths, weights):
    """All alike: the first job."""
    return [0.0 for job in waiting_jobs]''',
        "__ANSWERS__": '''\
    # The program returns a number for each alternative; `self.ask` returns the alternative with the largest, the first
    # of equals.
    answers = "scores"
    # The argument that lists them (or a method `alternatives(self, *arguments)` that returns them; it gets what the
    # program gets).
    alternatives = "waiting_jobs"''',
        "__FEATURE_NAMES__": _FEATURE_NAMES,
        "__CONSTRUCT__": _STEPS.format(ask=_ASK),
        "__FEATURES__": _FEATURES,
        **_A_CALL_A_STEP,
    },
    "priority": {
        "__DESCRIPTION__": '''\
        "Return the priority of one of the jobs that wait: the one with the largest number is done next. The mean of "
        "finishing time times weight is to be small. `length` and `weight` are those of the job, `now` is the time."''',
        "__PROGRAM__": '''\
def priority(length, weight, now):
    """All alike: the first job."""
    return 0.0''',
        "__ANSWERS__": '''\
    # The program sees one alternative a call and returns a number. Nothing lists them.
    answers = "priority"''',
        "__FEATURE_NAMES__": "",
        "__CONSTRUCT__": _STEPS.format(
            ask="""\
            # The arguments of a call for each alternative; the answer is the place of the largest number, the first of
            # equals.
            calls = [(int(lengths[job]), int(weights[job]), now) for job in waiting]
            job = waiting.pop(self.ask_each(program, calls))"""
        ),
        "__FEATURES__": "",
        "__CALLS__": "325",
        "__LONG_CALLS__": "1830",
    },
    "solution": {
        "__DESCRIPTION__": '''\
        "Return all jobs in the order in which they are done, so that the mean of finishing time times weight is as "
        "small as possible. `lengths` and `weights` are arrays by job id."''',
        "__PROGRAM__": '''\
def order_jobs(lengths, weights):
    """The next job is the first of those left. A search writes other rules where one is chosen."""
    order, left = [], list(range(len(lengths)))
    while left:
        job = min(left, key=lambda job: job)
        left.remove(job)
        order.append(job)
    return order''',
        "__ANSWERS__": '''\
    # The program is called once and returns all of a solution. Nothing lists alternatives.
    answers = "solution"''',
        "__FEATURE_NAMES__": "",
        "__CONSTRUCT__": """\
        # A flat list of integers, whatever it means to `objective`.
        return self.ask(program, lengths.copy(), weights.copy())""",
        "__FEATURES__": "",
        "__CALLS__": "1",
        "__LONG_CALLS__": "1",
    },
}

KINDS = tuple(_PARTS)
"""Kinds of answers that a task file can begin with (see `SimpleTask`)."""


def task_file_text(name: str, file: str, answers: str = "choice") -> str:
    """The text of a task file that runs as it is, for a task of this name (an identifier) in a file called `file`.

    `answers`: one of `KINDS`, what its program answers.
    """
    words = {
        **_PARTS[answers],
        "__TITLE__": name.replace("_", " ").capitalize(),
        "__FILE__": file,
        "__CLASS__": "".join(word.capitalize() for word in name.split("_")) or "Task",
        "__NAME__": name,
    }
    text = _TEMPLATE.read_text(encoding="utf-8")
    for mark, word in words.items():
        text = text.replace(f"{mark}\n" if not word else mark, word)
    return text
