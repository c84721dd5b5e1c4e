"""The task prompt I of the paper, in its three families, for text models."""

from __future__ import annotations

from typing import Any

from ..tasks.base import Task

FAMILIES = ("task", "class", "general")

_CLASS_TEXT = {
    "routing": "a routing heuristic that builds its routes stop by stop",
    "scheduling": "a scheduling heuristic that dispatches one operation at a time",
    "packing": "a packing heuristic that decides item by item",
    "assignment": "an assignment heuristic that fixes one decision at a time",
    "covering": "a covering heuristic that picks one element of the solution at a time",
}


def _interface(task: Task) -> str:
    return (
        f"The function must be named `{task.function_name}` and start with\n\n{task.signature()}\n\n"
        "Import what it uses. Answer with one Python code block and nothing else."
    )


def prompt_text(task: Task, family: str = "task") -> str:
    """The prompt of a family: the task itself, its problem class, or code in general (paper, appendix A).

    Raises `ValueError` for another family.
    """
    if family == "task":
        request = f"Based on the above context, write a Python function for {task.title}. {task.description}"
    elif family == "class":
        kind = _CLASS_TEXT.get(task.problem_class, f"a constructive heuristic for {task.problem_class} problems")
        request = f"Based on the above context, write a Python function that implements {kind}."
    elif family == "general":
        request = "Based on the above context, write a Python function."
    else:
        raise ValueError(f"unknown prompt family {family!r}; the families are: {', '.join(FAMILIES)}")
    return f"{request}\n{_interface(task)}"


def text_prompt_ids(tokenizer: Any, task: Task, family: str = "task") -> list[int]:
    """Token ids of the prompt of a family, through the tokenizer's chat template if it has one."""
    text = prompt_text(task, family)
    if getattr(tokenizer, "chat_template", None) is None:
        return tokenizer(text + "\n").input_ids
    messages = [{"role": "user", "content": text}]
    chat = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    return tokenizer(chat, add_special_tokens=False).input_ids
