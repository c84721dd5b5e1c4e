"""Choosing under noise: programs race on common fresh instances, and nothing is chosen by luck.

A program's objective on the few instances of `search` says within about 1 % how good it is; edits of a good program
gain less than that. Here everybody meets the same *training instances* (`TrainingInstances`, of no published split) in
the same order, so that comparisons are paired, and no program gets more of them than it takes to see that it can not
win (`Race`). The last few meet instances that decided nothing before (`finalists`). What is paid is counted in
*instance runs*, one program on one instance; the `Ledger` holds all of them, and a search that is resumed with it
decides as if it had not been interrupted.

    with Evaluator(task, workers=2) as evaluator:
        ledger = Ledger(rows_of_the_database, sink=append_to_the_database)
        trials = Trials(evaluator, TrainingInstances(evaluator.task, seed), ledger)
        last = finals_cost(4)
        race = Race(trials, budget=1600 - last)
        race.challenge_many(starts)                   # the first incumbent, and a pool to begin with
        while race.affordable():
            parents = [standing.source for standing in race.ranking()[:8]]
            for verdict in race.challenge_many(propose(parents)):   # verdicts in the order of the programs
                learn(verdict.program, verdict.outcome, verdict.gain, verdict.runs)
        best = finalists(trials, [each.source for each in race.ranking()[:4]], budget=1600)[0]
        print(best.objective, best.interval)          # on 200 instances that chose nothing before
"""

from .finals import Finalist, finalists, finals_cost
from .instances import Block, TrainingInstances
from .ledger import Entry, Ledger, StoredLedger
from .paired import Comparison, compare
from .race import OUTCOMES, Race, Standing, Verdict
from .trials import Contender, Trials

__all__ = [
    "OUTCOMES",
    "Block",
    "Comparison",
    "Contender",
    "Entry",
    "Finalist",
    "Ledger",
    "Race",
    "Standing",
    "StoredLedger",
    "TrainingInstances",
    "Trials",
    "Verdict",
    "compare",
    "finalists",
    "finals_cost",
]
