"""Search with states through batt's public names alone: harvested functions, colour templates and chains of two.

python benchmarks/experiment.py VERIFIERS [--tasks 3] [--chosen 30] [--check 100]
python benchmarks/experiment.py VERIFIERS --against CHECKOUT PROTOTYPE [--pairs 5]

The solvers of the built-in deck and of VERIFIERS are sliced at their grids. Slices that are equal on probe grids are
one function. For each task of a seeded sample, all functions and all templates, with all colours of the task, are
applied to the inputs; then all functions to the `--chosen` states with the shortest programs. A candidate is one
function on one state over all samples of the task: evaluated, hashed, looked up, and its values kept for the next
layer. `--check` states of each task are compared with their programs, each evaluated alone.

`--against` also runs the scripts of the folder PROTOTYPE on the checkout of e181c9d in CHECKOUT, which has an
environment in .venv: the same layers over all samples, and the values of all new states. The two take turns, and both
use the built-in deck of CHECKOUT. The table has the candidates a second of CPU time of each pair, without harvesting
and compiling.

Exit codes: 0 ok, 1 a state differs from its program, 2 bad input or a run failed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import batt

OK, DIFFERENT, BAD_INPUT = 0, 1, 2
TASKS = "arc1-training"
PROBES, PROBE_SEED = 60, 7
SEED = 11
MOST_COLOURS = 6
Integers = npt.NDArray[np.int64]


@dataclass(slots=True)
class Searched:
    """What a search came to: candidates, their distinct states, CPU seconds, and states compared with programs."""

    functions: int = 0
    templates: int = 0
    candidates: int = 0
    states: int = 0
    cpu_s: float = 0.0
    checked: int = 0
    differing: int = 0

    @property
    def per_s(self) -> float:
        """Return the candidates a second of CPU time."""
        return self.candidates / max(self.cpu_s, 1e-9)


def harvest(decks: Sequence[batt.Deck], engine: batt.OpenEngine) -> list[batt.Program]:
    """Return the grid-valued slices of all solvers, those that are equal on probe grids once, the shortest."""
    programs = [solver.program for deck in decks for solver in deck if solver.program.arity == 1]
    slices: dict[batt.Program, None] = {}
    for program in programs:
        for slot, kind in enumerate(batt.slot_kinds(program)):
            if kind.likely.name == "GRID" and slot >= program.arity:
                slices[batt.slice_program(program, slot)] = None
    shortest = sorted(slices, key=lambda program: len(program.steps))
    tasks = random.Random(PROBE_SEED).sample(list(batt.load_tasks(TASKS)), PROBES)
    pairs = [{"input": task.train[0].input, "output": task.train[0].input} for task in tasks]
    run = engine.run(shortest, batt.tasks_from_dict({"probes": {"train": pairs, "test": pairs[:1]}}))
    is_grid = (run.records["status"] == 0) & (run.records["height"] > 0)
    hashes = np.where(is_grid, run.hashes, 0).reshape(len(shortest), -1)
    found = {row.tobytes(): program for program, row in zip(shortest[::-1], hashes[::-1], strict=True) if row.any()}
    return list(found.values())[::-1]


def colour_templates(functions: Sequence[batt.Program], count: int) -> list[batt.Program]:
    """Return the functions with `count` colours as templates, each once."""
    made = [batt.make_template(each, [batt.ParameterKind.COLOUR]) for each in functions]
    return list(dict.fromkeys([each.program for each in made if len(each.parameters) == count]))


def pairs_of(callees: int, columns: Integers) -> tuple[Integers, list[Integers]]:
    """Return every callee with every row of columns: the number of the callee, and the columns."""
    called = np.repeat(np.arange(callees), len(columns))
    return called, [np.tile(column, callees) for column in columns.T]


class Search:
    """Functions and templates that are applied to tasks."""

    def __init__(self, decks: Sequence[batt.Deck], chosen: int, checked: int) -> None:
        self.engine = batt.open_engine(engine="cpu", workers=1, compiled=True)
        self.alone = batt.open_engine(engine="cpu", workers=1, compiled=False)
        self.functions = harvest(decks, self.engine)
        self.templates = {count: colour_templates(self.functions, count) for count in (1, 2)}
        self.chosen = chosen
        self.checked = checked
        self.figures = Searched(len(self.functions), sum(map(len, self.templates.values())))

    def solve(self, task: batt.Task, is_measured: bool = True) -> None:
        """Make the states of a task, in two layers."""
        states = self.engine.states(task)
        began_s, candidates = time.process_time(), self._first_layer(states, task)
        grids = states.of_kind(batt.StateKind.GRID)
        grids = grids[np.argsort(states.lengths(grids), kind="stable")][: self.chosen]
        called, columns = pairs_of(len(self.functions), grids[:, None])
        candidates += len(states.apply_each(self.functions, called, *columns))
        if is_measured:
            self.figures.cpu_s += time.process_time() - began_s
            self.figures.candidates += candidates
            self.figures.states += len(states)
            self._check(states)
        states.close()

    def _first_layer(self, states: batt.States, task: batt.Task) -> int:
        made = len(states.apply_each(self.functions, np.arange(len(self.functions)), states.I))
        shown = {colour for pair in task.train for grid in (pair.input, pair.output) for row in grid for colour in row}
        colours = [states.constant(colour) for colour in sorted(shown)]
        for count, templates in self.templates.items():
            chosen = colours if count == 1 else colours[:MOST_COLOURS]
            assignments = np.array(list(permutations(chosen, count)), np.int64).reshape(-1, count)
            called, columns = pairs_of(len(templates), assignments)
            if len(called):
                made += len(states.apply_each(templates, called, states.S, states.I, *columns))
        return made

    def _check(self, states: batt.States) -> None:
        """Evaluate the programs of some states alone, and compare the hashes of their values."""
        handles = np.random.default_rng(SEED).choice(len(states), min(self.checked, len(states)), replace=False)
        for handle in handles.tolist():
            if handle in (states.S, states.I):
                continue
            run = self.alone.run([states.program(handle)], states.samples)
            is_same = (run.records["status"] == 0).all() and (run.hashes == states.hashes(handle)[0]).all()
            self.figures.checked += 1
            self.figures.differing += not is_same
        self.alone.forget()


def sampled_tasks(count: int) -> list[batt.Task]:
    """Return a seeded sample of tasks, the first of which is only for compiling."""
    tasks = batt.load_tasks(TASKS)
    return [tasks[ident] for ident in random.Random(SEED).sample(list(tasks.ids), count + 1)]


def measure(args: argparse.Namespace) -> Searched:
    """Search all tasks of the sample."""
    decks = [Path(args.against[0], "src", "batt", "decks")] if args.against else []
    built_in = batt.load_deck(*decks)
    search = Search([built_in, batt.load_deck(args.verifiers, keep_going=True)], args.chosen, args.check)
    for number, task in enumerate(sampled_tasks(args.tasks)):
        search.solve(task, is_measured=number > 0)
    return search.figures


def measure_prototype(args: argparse.Namespace) -> Searched:
    """Run the prototype's scripts on the same tasks, in the environment of its checkout."""
    checkout, prototype = map(Path, args.against)
    script = Path(__file__).with_name("experiment_prototype.py")
    ids = ",".join(task.id for task in sampled_tasks(args.tasks))
    with tempfile.TemporaryDirectory() as folder:
        command = [
            checkout / ".venv" / "bin" / "python",
            script,
            prototype.resolve(),
            args.verifiers,
            str(args.chosen),
            ids,
        ]
        done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise batt.UsageError(f"the prototype failed with exit code {done.returncode}:\n{done.stderr.strip()[-2000:]}")
    return Searched(**json.loads(done.stdout.splitlines()[-1]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and compare."""
    parser = argparse.ArgumentParser(description="Search with states through public names alone.")
    parser.add_argument("verifiers", help="re-arc's verifiers as a deck")
    for name, default in (("tasks", 3), ("chosen", 30), ("check", 100), ("pairs", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--against", nargs=2, metavar=("CHECKOUT", "PROTOTYPE"))
    args = parser.parse_args(arguments)
    try:
        return alternate(args) if args.against else report([measure(args)])
    except (batt.BattError, OSError) as error:
        print(f"experiment: {error}", file=sys.stderr)
        return BAD_INPUT


def report(runs: Sequence[Searched]) -> int:
    """Print runs as JSON lines. Return whether all states were those of their programs."""
    for each in runs:
        print(json.dumps({**asdict(each), "per_s": round(each.per_s)}))
    return DIFFERENT if any(each.differing for each in runs) else OK


def alternate(args: argparse.Namespace) -> int:
    """Measure both in turn, and print the rates of each pair and the median of their ratios."""
    here: list[Searched] = []
    ratios: list[float] = []
    print("pair  prototype/s      here/s  ratio")
    for number in range(args.pairs):
        order: list[Any] = [measure_prototype, measure]
        found = {each: each(args) for each in (order if number % 2 == 0 else order[::-1])}
        old, new = found[measure_prototype], found[measure]
        here.append(new)
        ratios.append(new.per_s / old.per_s)
        print(f"{number + 1:4}  {old.per_s:11,.0f} {new.per_s:11,.0f}  {ratios[-1]:5.1f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.1f}; prototype {asdict(old)}")
    return report(here[-1:])


if __name__ == "__main__":
    sys.exit(main())
