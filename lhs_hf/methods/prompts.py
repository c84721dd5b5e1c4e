"""What language models are told of a task, whatever the method."""

from __future__ import annotations

from ..tasks.base import Task

CODE = "Answer with one Python code block and nothing else."
IDEA_AND_CODE = (
    "First say the main idea of your function in one sentence, inside one pair of braces { }. "
    "Then give the function in one Python code block. Say nothing else."
)


def about(task: Task) -> str:
    """The problem, and the function that is wanted."""
    return (
        f"{task.title}. {task.description}\n\n"
        "The heuristic is a Python function that is called for every decision. "
        f"It must be named `{task.function_name}` and take exactly these arguments:\n\n{task.signature()}\n\n"
        "Import what it uses."
    )
