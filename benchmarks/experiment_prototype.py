"""Run the prototype of the search on its own checkout, for `benchmarks/experiment.py`. Imports batt of e181c9d.

python experiment_prototype.py PROTOTYPE VERIFIERS CHOSEN IDS

The first task is not measured. Prints candidates, distinct states and CPU seconds as JSON.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from itertools import permutations
from pathlib import Path
from typing import Any

DECKS = Path("decks")
"""Where the prototype looks for decks, in the current folder."""
UNUSED = "from batt.dsl import *\n\n\ndef solve_67a3c6ac(I):\n    return vmirror(I)\n"


def prepared(prototype: str, verifiers: str) -> Any:
    """Harvest as the prototype does, and return its module of chains."""
    DECKS.mkdir()
    shutil.copy(verifiers, DECKS / "michaelhodel+re-arc-verifiers.py")
    (DECKS / "michaelhodel+arc-dsl-solvers.py").write_text(UNUSED, "utf-8")
    os.environ.update({"WORKERS": "1", "BATT_BARS": str(DECKS), "DS_CACHE": "cache"})
    sys.path.insert(0, prototype)
    sys.argv = ["harvest"]
    import harvest

    harvest.main()
    # With no tasks to solve, the module only prepares its functions and templates.
    sys.argv = ["e3_chains", "arc1-training", "0", "1", "0"]
    import e3_chains

    return e3_chains


class States:
    """States of a task as the prototype keeps them: found by hashes, with values that come back as text."""

    def __init__(self, chains: Any) -> None:
        self.chains = chains
        self.known: dict[bytes, tuple[int, list[Any]]] = {}

    def add(self, programs: Any, samples: list[Any], each: int) -> int:
        """Run programs on all samples, of which `each` belong together. Keep new states with their values."""
        records, _ = programs.run(samples)
        records = records.reshape(len(programs.progs), -1, each)
        ok = self.chains.good(records).all(2)
        new: dict[bytes, tuple[int, int]] = {}
        for program, group in zip(*ok.nonzero(), strict=True):
            key = records["hash"][program, group].tobytes()
            if key not in self.known:
                new.setdefault(key, (int(program), int(group)))
        if new:
            self._keep(programs, samples, each, new)
        return int(ok.size)

    def _keep(self, programs: Any, samples: list[Any], each: int, new: dict[bytes, tuple[int, int]]) -> None:
        np = self.chains.np
        solvers = np.repeat([program for program, _ in new.values()], each)
        places = np.concatenate([np.arange(group * each, (group + 1) * each) for _, group in new.values()])
        _, texts = programs.run(samples, solvers, places, outputs=True)
        for number, (key, (program, _)) in enumerate(new.items()):
            grids = [self.chains.grid(text) for text in texts[number * each : (number + 1) * each]]
            if None not in grids:
                self.known[key] = int(programs.steps[program]), grids


def solve(chains: Any, task: Any, chosen: int) -> tuple[int, int]:
    """Make the states of a task in two layers. Return the candidates and the states."""
    inputs = [pair.input for pair in task.pairs]
    colours = sorted({c for pair in task.train for grid in (pair.input, pair.output) for row in grid for c in row})
    nothing = ((inputs[0], task.train[0].output),)
    states, candidates = States(chains), 0

    def sample(shown: Any, grid: Any) -> Any:
        return chains.Sample(task.id, chains.Part.TRAIN, 0, shown, grid, None)

    for programs, count in ((chains.FIX, 0), (chains.T1, 1), (chains.T2, 2)):
        shown = [chains.colours_value(each) for each in permutations(colours if count == 1 else colours[:6], count)]
        samples = [sample(each if count else nothing, grid) for each in shown for grid in inputs]
        candidates += states.add(programs, samples, len(inputs)) if samples else 0
    nearest = sorted(states.known.values(), key=lambda state: state[0])[:chosen]
    candidates += states.add(chains.FIX, [sample(nothing, grid) for _, grids in nearest for grid in grids], len(inputs))
    return candidates, len(states.known)


def main() -> None:
    """Measure all tasks but the first."""
    prototype, verifiers, chosen, ids = sys.argv[1:]
    chains = prepared(prototype, verifiers)
    templates = len(chains.T1.progs) + len(chains.T2.progs)
    told = {"functions": len(chains.FIX.progs), "templates": templates, "candidates": 0, "states": 0, "cpu_s": 0.0}
    for number, ident in enumerate(ids.split(",")):
        began_s = time.process_time()
        candidates, states = solve(chains, chains.tasks[ident], int(chosen))
        if number:
            told["candidates"] += candidates
            told["states"] += states
            told["cpu_s"] += time.process_time() - began_s
    print(json.dumps(told))


if __name__ == "__main__":
    main()
