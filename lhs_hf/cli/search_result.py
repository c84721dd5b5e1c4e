"""What a person sees of a search when it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..tasks.base import Task


def print_result(task: Task, result: Any) -> None:
    """Print the program, how it compares on every split, where the run lies, and last what was found in one line."""
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.table import Table

    from ..reporting.conclusion import conclusion
    from ..reporting.run_report import COMPARISON_HEADER, comparison_rows, verdict_lines
    from ..search.private_holdout import PrivateHoldout, sentence, warning
    from ..search.result import runtime_cell, training_sentence

    console = Console()
    if console.is_terminal:
        # Wrapped, a copy of it would be a syntax error: the terminal may break lines as it likes.
        program = Syntax(result.program.rstrip(), "python", background_color="default")
        console.print(program.highlight(program.code), soft_wrap=True, end="")
    else:
        print(result.program)
    private = PrivateHoldout.from_dict(result.private_holdout)
    alarm = warning(private)
    if alarm is not None:
        console.print(f"Warning: {alarm}.", style="bold red", highlight=False, markup=False)
    direction = "lower" if task.sense == "min" else "higher"
    title = f"{task.title}: objective ({direction} is better; the bound is the {task.bound_kind})"
    table = Table(title=title, title_justify="left")
    # With the times in it the table is too wide for a terminal of 80 columns.
    for index, name in enumerate(COMPARISON_HEADER[:-1]):
        table.add_column(name, justify="left" if index == 0 else "right", no_wrap=index == 0)
    for row in comparison_rows(task, result.as_dict()):
        table.add_row(*row[:-1])
    console.print(table)
    times = {split: runtime_cell(result.runtime, split) for split in task.splits if split in (result.runtime or {})}
    if times:
        shown = ", ".join(f"{cell} on {split}" for split, cell in times.items())
        console.print(f"time (× that of the reference): {shown}", highlight=False, markup=False)
    console.print(
        f"found {result.objective:.6g}, reference {result.reference_objective:.6g}, "
        f"best in corpus {'—' if result.best_in_corpus is None else format(result.best_in_corpus, '.6g')} (on search)"
    )
    for line in verdict_lines(result.as_dict()):
        console.print(line, highlight=False, markup=False)
    if private is not None:
        console.print(sentence(private), highlight=False, markup=False)
    known = training_sentence(result.training)
    if known is not None:
        console.print(known, highlight=False, markup=False)
    screened = f"{result.screened} screened out, " if result.screened else ""
    programs = f"{result.candidates} programs, " if result.candidates != result.decoder_calls else ""
    console.print(
        f"{programs}{result.decoder_calls} decoder calls, {screened}{result.valid} valid "
        f"({100 * result.success_rate:.0f} %{f', {result.closed} with another end' if result.closed else ''}), "
        f"{result.distinct_programs} distinct, {result.tokens} tokens, {result.runtime_s:.1f} s"
    )
    own = f" --task {task.origin}" if task.origin else ""
    console.print(f"run folder: {result.output}  (lhs-hf report {result.output}{own})", highlight=False, soft_wrap=True)
    console.print(conclusion(task, result.as_dict()), style="bold", highlight=False, markup=False, soft_wrap=True)
