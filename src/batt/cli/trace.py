"""`batt trace`: draw the value of every step of a solver on one pair."""

from __future__ import annotations

import argparse
import re
from typing import Any

from batt.cli import options
from batt.cli.command import add_command
from batt.errors import UsageError
from batt.jobs import samples_of, trace_sample
from batt.runtime import Sample, Split
from batt.tasks import Task, Tasks

_PAIR = re.compile(r"(train|test)?(\d{1,6})")


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "trace",
        summary="run one solver on one pair, step by step",
        description="Run one solver on one pair of a task, and draw the value of every step.",
        examples=("batt trace solve_007bbfb7 007bbfb7", "batt trace solve_007bbfb7 007bbfb7 test0 -o steps.svg"),
    )
    parser.add_argument("solver", metavar="SOLVER", help="name of the solver")
    parser.add_argument("task", metavar="TASK", help="id of the task")
    parser.add_argument(
        "pair", metavar="PAIR", nargs="?", default="train0", help="pair of the task: train0, test0, … (default: train0)"
    )
    options.add_deck(parser, positional=False)
    options.add_tasks(parser)
    options.add_limits(parser)
    options.add_picture(parser)
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Trace the evaluation."""
    limits = options.read_limits(args)
    sample = find_pair(options.read_tasks(args)[args.task], args.pair)
    solver = options.read_deck(args)[args.solver]
    return options.deliver(trace_sample(solver, sample, limits).picture, args)


def find_pair(task: Task, pair: str) -> Sample:
    """Return the sample that `train0`, `test1` or `0` names; a bare number counts the demonstrations."""
    match = _PAIR.fullmatch(pair)
    if match:
        part, index = Split(match[1] or "train"), int(match[2])
        for sample in samples_of(Tasks((task,), "")):
            if sample.part is part and sample.index == index:
                return sample
    have = f"train0 … train{len(task.train) - 1}" + (f", test0 … test{len(task.test) - 1}" if task.test else "")
    raise UsageError(f"task {task.id} has no pair {pair!r}; it has {have}")
