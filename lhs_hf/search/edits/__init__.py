"""Edits of good programs: what a search proposes beside points of the latent space.

Every edit has one method, `propose(parent, pool, task, generator)`, and no state: all randomness comes from the
generator, so that a search that is resumed proposes what an undisturbed one would have. `Proposer` draws from an edit
until a proposal is valid and new, in its text and in what it decides; `Tuner` tunes the constants that matter.
"""

from __future__ import annotations

from ...tasks.base import Task
from .amount import Amount
from .behaviours import Behaviours, behaviour_key, live_literals
from .choices import ChooseBy, NewRule
from .constants import Tuned, Tuner, tune
from .exceptions import ExceptionTo
from .inner_rule import InnerRule
from .lanes import Lanes
from .literals import Literal, literals, replaced
from .loop_order import LoopOrder
from .numbers import SameValue, Sizes, SparseLiterals
from .parents import Edit, Parent, Proposal, draw_by_rank, draw_in_turn, draw_stranger
from .proposer import Accepted, Known, Proposer, refusal
from .rollout import ParallelRollout, Rollout
from .trees import Crossover, Restart, TreeEdit


def edits(
    behaviours: Behaviours | None = None, restarts: tuple[Parent, ...] = (), task: Task | None = None
) -> dict[str, Edit]:
    """Every edit by name.

    "literals", "same_value" and "sizes" change numbers, "lanes" makes rows of them longer, "transform" is one of the
    tree and "transforms" two or three, "crossover" joins two families, "choose_by" gives a rule to a program that has
    none, "restart" takes another family, "new_rule" writes a program anew, "amount" answers another number where its
    size counts, "exception" one of the few that there are where something says so, "rollout" plays what it chooses to
    the end, "parallel_rollout" plays two rules and follows the better, "inner_rule" changes what is rated in a loop of
    a program that returns a whole solution, "loop_order" the order in which its loops go through their entries.

    `behaviours` tells which numbers are live; None takes all for live. `restarts`: the programs to begin anew with;
    without them "restart" is left out. `task`: whose programs are edited; those of "new_rule" to "loop_order" are for
    tasks that they apply to.
    """
    chosen: list[Edit] = [
        SparseLiterals(behaviours),
        SameValue(behaviours),
        Sizes(),
        Lanes(),
        TreeEdit(),
        TreeEdit((2, 3), name="transforms"),
        Crossover(),
        ChooseBy(),
    ]
    if task is not None and NewRule.applies(task):
        chosen.append(NewRule())
    if task is not None and Amount.applies(task):
        chosen.append(Amount())
    if task is not None and ExceptionTo.applies(task):
        chosen.append(ExceptionTo())
    if task is not None and Rollout.applies(task):
        chosen.append(Rollout())
    if task is not None and ParallelRollout.applies(task):
        chosen.append(ParallelRollout())
    if task is not None and InnerRule.applies(task):
        chosen.append(InnerRule())
    if task is not None and LoopOrder.applies(task):
        chosen.append(LoopOrder())
    if restarts:
        chosen.append(Restart(restarts, TreeEdit()))
    return {edit.name: edit for edit in chosen}


__all__ = [
    "Accepted",
    "Amount",
    "Behaviours",
    "ChooseBy",
    "Crossover",
    "Edit",
    "ExceptionTo",
    "InnerRule",
    "Known",
    "Lanes",
    "Literal",
    "LoopOrder",
    "NewRule",
    "ParallelRollout",
    "Parent",
    "Proposal",
    "Proposer",
    "Restart",
    "Rollout",
    "SameValue",
    "Sizes",
    "SparseLiterals",
    "TreeEdit",
    "Tuned",
    "Tuner",
    "behaviour_key",
    "draw_by_rank",
    "draw_in_turn",
    "draw_stranger",
    "edits",
    "literals",
    "live_literals",
    "refusal",
    "replaced",
    "tune",
]
