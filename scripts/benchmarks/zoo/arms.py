"""What is trained: which tasks, which names, whether a prompt says what arguments are, how large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lhs_hf.tasks import task_names
from lhs_hf.tasks.names import ZOO, ZOO_DEVELOPMENT, ZOO_LATER, ZOO_UNSEEN


@dataclass(frozen=True)
class Arm:
    """One decoder.

    Attributes:
        zoo: tasks of the zoo that it is trained on, beside the ten of the paper.
        placeholders: arguments are called and ordered at random in every program.
        types: the prompt says of each argument what it is.
        width: of encoder and decoder, as a share of those that ship.
        translated: a task that was not trained on is put into the words of the likest task of the paper.
    """

    zoo: int = 25
    placeholders: bool = True
    types: bool = True
    width: float = 1.0
    translated: bool = False

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it is trained on."""
        return (*task_names(), *training_zoo()[: self.zoo])

    @property
    def naming(self) -> str:
        """Arms of one naming are trained on the same texts."""
        return "placeholders" if self.placeholders else "names"


ARMS = {
    "all": Arm(),
    "no_types": Arm(types=False),
    "no_random_names": Arm(placeholders=False, types=False),
    "zoo_40": Arm(zoo=40),
    "zoo_20": Arm(zoo=20),
    "zoo_16": Arm(zoo=16),
    "zoo_10": Arm(zoo=10),
    "zoo_8": Arm(zoo=8),
    "no_zoo": Arm(zoo=0),
    "half": Arm(width=0.7),
    "twice": Arm(width=1.4),
    "names_of_ten": Arm(zoo=0, placeholders=False, types=False),
    "names_of_ten_translated": Arm(zoo=0, placeholders=False, types=False, translated=True),
}


def training_zoo(seed: int = 0) -> list[str]:
    """The zoo's tasks for training in random order, so that the first few are of all kinds; later ones behind."""
    first = sorted({name for kind in ZOO.values() for name in kind} - {*ZOO_DEVELOPMENT, *ZOO_UNSEEN, *ZOO_LATER})
    order = np.random.default_rng(seed).permutation(len(first))
    return [*(first[place] for place in order), *ZOO_LATER]
