"""Measure what making states of many tasks together takes, against each search making its own.

python benchmarks/states_ahead.py --engine cuda --sample 64 --together 8,16,32,64

Prints for each number of tasks together the wall and CPU time of a task, and how much ran on GPUs; then the CPU time of
the same states in a search, and its share of the search. Exits with 1 if states differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

import batt
from batt.bench.solving import split_tasks
from batt.solving.frame import TaskFrame
from batt.solving.library import FunctionLibrary, build_library
from batt.solving.searches.ahead import TogetherFunctions
from batt.solving.searches.search import Searcher
from batt.solving.states.packed_states import unpack_states
from batt.solving.states.states import MadeStates, StateMakers
from batt.solving.work import Work
from batt.tasks import Task

SPLIT = "arc1-training"


def measure_together(functions: TogetherFunctions, tasks: Sequence[Task], together: int) -> dict[str, MadeStates]:
    """Make the states of tasks, some together. Print the times, and return the states."""
    made: dict[str, MadeStates] = {}
    evaluations = on_gpus = 0
    wall_s, cpu_s = time.monotonic(), time.process_time()
    packed: dict[str, bytes] = {}
    for start in range(0, len(tasks), together):
        answer = functions.make(tasks[start : start + together])
        packed |= answer.states
        evaluations += answer.evaluations
        on_gpus += answer.on_gpus
    wall_s, cpu_s = time.monotonic() - wall_s, time.process_time() - cpu_s
    for name, states in packed.items():
        made[name] = unpack_states(states)
    each = f"{1000 * wall_s / len(tasks):.0f} ms wall, {1000 * cpu_s / len(tasks):.0f} ms CPU a task"
    print(f"{together} tasks together: {each}; {on_gpus:,} of {evaluations:,} evaluations on GPUs", flush=True)
    return made


def measure_alone(library: FunctionLibrary, tasks: Sequence[Task], effort: int) -> dict[str, MadeStates]:
    """Make the states of each task as its search does, and search. Print the times, and return the states."""
    makers, searcher = StateMakers(library), Searcher(library, effort, None)
    searcher.warm_up()
    makers.make(TaskFrame(tasks[0]), Work(effort))
    started_s = time.process_time()
    made = {task.id: makers.make(TaskFrame(task), Work(effort)) for task in tasks}
    states_s = time.process_time() - started_s
    started_s = time.process_time()
    for task in tasks:
        searcher.solve(task)
    search_s = time.process_time() - started_s
    print(f"each alone: {1000 * states_s / len(tasks):.0f} ms CPU a task, {states_s / search_s:.0%} of its search")
    return made


def are_equal(one: MadeStates, other: MadeStates) -> bool:
    """Tell whether states, their values, and the work that they cost are equal."""
    same = one.origins == other.origins and one.runs == other.runs
    grids = [(a, b) for pair in zip(one.values, other.values, strict=False) for a, b in zip(*pair, strict=True)]
    return same and all(np.array_equal(a, b) for a, b in grids)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, compare, and print."""
    parser = argparse.ArgumentParser(description="Measure what making states of many tasks together takes.")
    parser.add_argument("--engine", default="cuda")
    parser.add_argument("--sample", type=int, default=64)
    parser.add_argument("--together", default="8,32,64")
    parser.add_argument("--effort", type=int, default=200_000_000)
    args = parser.parse_args(argv)
    library = build_library([batt.load_deck()])
    tasks = list(split_tasks(SPLIT, args.sample))
    functions = TogetherFunctions(library, args.engine)
    # The first run compiles programs and kernels.
    functions.make(tasks)
    numbers = [int(word) for word in args.together.split(",")]
    found = [measure_together(functions, tasks, number) for number in numbers]
    alone = measure_alone(library, tasks, args.effort)
    differing = sum([not are_equal(made[name], alone[name]) for made in found for name in alone])
    print(f"{differing:,} of {len(found) * len(alone):,} sets of states differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
