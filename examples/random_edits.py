"""A search method of one's own: a random edit of the best program so far.

lhs-hf compare --methods random_edits.py,climb --tasks tsp_construct --seeds 2 --budget 50
"""

import numpy as np

from lhs_hf.methods import Result
from lhs_hf.search.edits import Known, Parent, Proposer, edits


class RandomEdits:
    """Draws any edit of the best program; `ask` gives one program at a time, `tell` takes what it is worth."""

    def __init__(self, tools):
        self.tools = tools
        self.edits = list(edits(tools.behaviours, tools.starts, tools.task).values())
        self.proposer = Proposer(tools.task, tools.behaviours)
        self.best, self.told, self.known = tools.starts[0], [], Known()
        for start in tools.starts:
            self.known.add(start.source, start.hash, self.proposer.key(start.source))

    def ask(self, count=1):
        # What is drawn follows from the seed and the number of the program: a run that is resumed draws the same.
        generator = np.random.default_rng([self.tools.seed, len(self.told)])
        for _ in range(100):
            edit = self.edits[generator.integers(len(self.edits))]
            self.drawn = self.proposer.draw(edit, self.best, [*self.tools.starts, self.best], generator, self.known)
            if self.drawn is not None:
                return [self.drawn.proposal]
        return []

    def tell(self, results):
        for result in results:
            self.told.append([result.proposal.source, result.score])
            self.known.add(result.proposal.source, self.drawn.hash, self.drawn.key)
            if result.score is not None and result.score > self.best.score:
                self.best = Parent.of(result.proposal.source, result.proposal.family, result.score)

    def state(self):
        return {"told": self.told}

    def restore(self, state):
        for source, score in state["told"]:
            (proposal,) = self.ask()
            assert proposal.source == source, "this state belongs to another run"
            self.tell([Result(proposal, score)])


method = RandomEdits
