"""`batt solve`: search programs that solve tasks."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from batt.cli import options
from batt.cli.command import add_command
from batt.cli.output import print_rows, tell_note
from batt.cli.targets import DEFAULT_TASKS
from batt.errors import UsageError
from batt.front import BUILT_IN
from batt.solving import Solutions, TaskSolution, solve
from batt.solving.storing import PROGRAMS, SolutionFolder, SolveRequest
from batt.solving.tasks import DEFAULT_SECONDS
from batt.tasks import Tasks, load_tasks

WRITE_EVERY_S = 1.0
"""The submission is replaced at most this often during a search."""


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "solve",
        summary="search programs that solve tasks",
        description="Search programs that solve tasks, by the demonstrations alone. Each answer is a program that "
        "`batt run` reproduces. Solvers of a task itself are left out.",
        examples=(
            "batt solve arc1-training -c 20 --time 3",
            "batt solve arc-agi_test_challenges.json --submission submission.json --out solved/",
        ),
    )
    parser.add_argument(
        "sources", nargs="*", metavar="TASKS", help=f"the tasks, as with --tasks of batt run (default: {DEFAULT_TASKS})"
    )
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="solve only the first N tasks")
    options.add_ids(parser, "solve only these tasks")
    parser.add_argument(
        "--deck", action="append", metavar="PATH",
        help="a deck whose functions are the parts of programs; may be repeated (default: the built-in deck)",
    )  # fmt: skip
    parser.add_argument(
        "--time", type=float, metavar="SECONDS",
        help=f"CPU seconds for each task, about; picks the effort (default: {DEFAULT_SECONDS:g})",
    )  # fmt: skip
    parser.add_argument("--effort", type=int, metavar="N", help="units of work for each task; decides the answers")
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes (default: one per core)")
    parser.add_argument(
        "--submission", type=Path, metavar="FILE",
        help="write two attempts for every test input in Kaggle's form; the file is valid from the start",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep solutions, programs and the submission in DIR")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with the search in DIR")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    parser.add_argument("--json", action="store_true", help="print the answers as JSON lines")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Solve the tasks, print a table, and write the files."""
    folder, request = opened(args)
    tasks = request_tasks(request)
    found = {each.task: each for each in (folder.found if folder else ())}
    submission = _Submission(args.submission, tasks, found)

    def on_solution(solution: TaskSolution) -> None:
        found[solution.task] = solution
        if folder:
            folder.add(solution)
        submission.update()

    solutions = solve(
        tasks, request.decks, seconds=request.seconds, effort=request.effort, workers=args.workers,
        done=list(found.values()), on_solution=on_solution,
    )  # fmt: skip
    submission.write()
    if folder:
        folder.finish(solutions)
    report(solutions, args)
    return 0


def opened(args: argparse.Namespace) -> tuple[SolutionFolder | None, SolveRequest]:
    """Return the folder that the options name, if any, and what is asked for."""
    if args.resume:
        if args.out or args.sources or args.deck or args.time or args.effort or args.ids or args.count:
            raise UsageError("--resume goes on with what the folder holds: leave out tasks, decks, effort and --out")
        folder = SolutionFolder.resume(args.resume)
        return folder, folder.request
    if args.time is not None and args.effort is not None:
        raise UsageError("give either --time or --effort")
    sources = tuple(args.sources or [DEFAULT_TASKS])
    tasks = load_tasks(*sources)
    ids = tasks.select(options.read_ids(args, tasks.ids), args.count).ids
    seconds = DEFAULT_SECONDS if args.time is None and args.effort is None else args.time
    request = SolveRequest(sources, ids, tuple(args.deck or [BUILT_IN]), args.effort, seconds)
    return (SolutionFolder.begin(args.out, request) if args.out else None), request


def request_tasks(request: SolveRequest) -> Tasks:
    """Return the tasks of a request."""
    return load_tasks(*request.tasks).select(request.ids)


class _Submission:
    """The file of a submission. It is valid before the first task is solved, and replaced while tasks are solved."""

    def __init__(self, path: Path | None, tasks: Tasks, found: dict[str, TaskSolution]) -> None:
        self.path = path
        self.tasks = tasks
        self.found = found
        self._next_s = 0.0
        self.write()

    def update(self) -> None:
        """Replace the file, if it is time."""
        if time.monotonic() >= self._next_s:
            self.write()

    def write(self) -> None:
        """Replace the file."""
        if self.path is not None:
            Solutions(self.tasks, self.found).save_submission(self.path)
            self._next_s = time.monotonic() + WRITE_EVERY_S


def report(solutions: Solutions, args: argparse.Namespace) -> None:
    """Print what was found."""
    if args.json:
        for solution in solutions:
            print(json.dumps(solution.as_json()))
    elif not args.quiet:
        print_rows(solutions_table(solutions))
        print_rows(*[Text(line) for line in lines_about(solutions)])
        where = args.out or args.resume
        if where:
            tell_note(f"the programs are in {where / PROGRAMS}")


def solutions_table(solutions: Solutions) -> Table:
    """Return a row for each task with an answer: how sure it is, its layer, and whether it is right, if known."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("task", "answer", "sure", "steps", "found as"):
        table.add_column(heading)
    for task, solution in zip(solutions.tasks, solutions, strict=True):
        if not any(solution.answers):
            continue
        best = next(answers for answers in solution.answers if answers)[0]
        is_known = all(pair.output is not None for pair in task.test)
        said = ("right" if solution.is_right(task) else "wrong") if is_known else "?"
        steps = best.source.count(" = ")
        table.add_row(Text(task.id), said, f"{best.sure:.0%}", f"{steps:,}", Text(best.layer.value))
    return table


def lines_about(solutions: Solutions) -> list[str]:
    """Return the totals as lines."""
    answered = sum([all(solution.answers) and bool(solution.answers) for solution in solutions])
    lines = [f"{len(solutions):,} tasks, {answered:,} with an answer for every test input"]
    known = [
        (task, solution)
        for task, solution in zip(solutions.tasks, solutions, strict=True)
        if task.test and all(pair.output is not None for pair in task.test)
    ]
    if known:
        lines.append(f"{sum([solution.is_right(task) for task, solution in known]):,} of {len(known):,} right")
    dropped, stopped = sum([each.dropped for each in solutions]), sum([each.was_stopped for each in solutions])
    if dropped:
        lines.append(f"{dropped:,} programs did not give their answer again and were dropped")
    if stopped:
        lines.append(f"{stopped:,} tasks were stopped by the clock")
    return lines
