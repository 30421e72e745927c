"""`batt solve`: search programs that solve tasks."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from batt.cli import options, signals
from batt.cli.command import add_command
from batt.cli.output import kept_errors, tell_note
from batt.cli.paging import add_page, check_page, served, stay
from batt.cli.solving_display import print_solutions, solving_progress
from batt.cli.targets import DEFAULT_TASKS, is_stream
from batt.errors import UsageError
from batt.front import BUILT_IN, Deck, load_deck
from batt.jobs.choice import ENGINES
from batt.page.solving import SearchMonitor, SearchSource
from batt.runtime import check_workers
from batt.runtime.cluster.choice import read_cluster
from batt.runtime.native import missing
from batt.solving import Solutions, TaskSolution, solve
from batt.solving.searches.storing import FILES, PROGRAMS, SolutionFolder, SolveRequest, decks_hash, search_version
from batt.solving.searches.tasks import DEFAULT_SECONDS, OnSolution, chosen_effort, search_engine
from batt.store.manifest import tasks_hash
from batt.tasks import BUILT_IN as TASK_SETS
from batt.tasks import Tasks, load_tasks, split_source

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
            "batt solve --resume solved/",
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
    parser.add_argument(
        "--engine", default="auto", metavar="NAME",
        help=f"engine that runs programs: {', '.join(ENGINES)} (default: auto); with cuda, GPUs run the functions of "
        "decks on many tasks together; no answer depends on it",
    )  # fmt: skip
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes (default: one per core)")
    parser.add_argument(
        "--submission", type=Path, metavar="FILE",
        help="write two attempts for every test input in Kaggle's form; the file is valid from the start",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep solutions, programs and the submission in DIR")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with the search in DIR")
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help="search on the workers of the Dask scheduler at ADDRESS (tcp://host:8786, or its scheduler file), or on N "
        "workers that local:N starts here",
    )  # fmt: skip
    add_page(parser)
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    parser.add_argument("--json", action="store_true", help="print the answers as JSON lines")
    parser.set_defaults(execute=execute, folder_files=FILES)


def execute(args: argparse.Namespace) -> int:
    """Solve the tasks, print what was found, and write the files."""
    check_options(args)
    with opened(args) as search:
        tell_slow(args)
        if not args.page:
            return end(search, search.run(args), args)
        monitor = SearchMonitor(search.tasks, search.submission.found)
        with served(args, SearchSource(monitor.look)) as server:
            solutions = search.run(args, monitor.add)
            monitor.end(solutions.interrupted)
            code = end(search, solutions, args)
            stay(server)
            return code


def end(search: OpenedSearch, solutions: Solutions, args: argparse.Namespace) -> int:
    """Write the files, print what was found, and return the exit code."""
    search.finish(solutions)
    with kept_errors() as unprinted:
        report(solutions, args, time.monotonic() - search.started_s)
    if solutions.interrupted:
        where = f"; go on with: batt solve --resume {search.folder.folder}" if search.folder else ""
        tell_note(f"{signals.word()}: {solutions.done:,} of {len(solutions):,} tasks done{where}")
    if unprinted:
        raise unprinted[0]
    return signals.exit_code() if solutions.interrupted else 0


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not go together, before anything is written."""
    asked = (args.out, args.sources, args.deck, args.time, args.effort, args.ids, args.count)
    if args.resume and any(each is not None and each != [] for each in asked):
        raise UsageError("--resume goes on with what the folder holds: leave out tasks, decks, effort and --out")
    if args.time is not None and args.effort is not None:
        raise UsageError("give either --time or --effort")
    if args.submission and is_stream(args.submission):
        raise UsageError("--submission names a file, which is replaced during the search; it cannot be a stream")
    check_workers(args.workers)
    check_page(args)
    search_engine(args.engine, args.cluster)
    if args.cluster is not None:
        read_cluster(args.cluster)
        if args.workers is not None:
            raise UsageError("--workers are processes of this machine, and --cluster has its own; leave one out")


def tell_slow(args: argparse.Namespace) -> None:
    """Say if the native library cannot be used: the answers are then the same, and come much later."""
    why = missing()
    if why and not args.quiet and args.engine != "reference":
        tell_note(f"this search runs on the reference engine, which is many times slower: {why}")


@dataclass(slots=True)
class OpenedSearch:
    """A search that is about to begin or go on: its tasks and decks, and where it is kept."""

    tasks: Tasks
    decks: list[Deck]
    request: SolveRequest
    folder: SolutionFolder | None
    submission: SubmissionKeeper
    started_s: float = field(default_factory=time.monotonic)

    def run(self, args: argparse.Namespace, also: OnSolution | None = None) -> Solutions:
        """Solve the tasks that are left, and keep each solution as it is found; `also` gets it, too."""
        done = list(self.submission.found.values())
        with solving_progress(len(self.tasks), args.quiet or args.json, done) as show:

            def on_solution(solution: TaskSolution) -> None:
                if self.folder:
                    self.folder.add(solution)
                self.submission.add(solution)
                show(solution)
                if also:
                    also(solution)

            return solve(
                self.tasks, self.decks, seconds=self.request.seconds, effort=self.request.effort, engine=args.engine,
                workers=args.workers, cluster=args.cluster, done=done, on_solution=on_solution,
                tell=None if args.quiet else tell_note,
            )  # fmt: skip

    def finish(self, solutions: Solutions) -> None:
        """Write all files."""
        self.submission.write()
        if self.folder:
            self.folder.finish(solutions)


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[OpenedSearch]:
    """Yield the search that the options name. If it is stored, no other process can write to it meanwhile."""
    if args.resume:
        with SolutionFolder.resume(args.resume) as folder:
            request = folder.request
            tasks, decks = load_tasks(*request.tasks).select(request.ids), [load_deck(deck) for deck in request.decks]
            request.check(tasks, decks, args.resume)
            path = args.submission or (Path(request.submission) if request.submission else None)
            yield _opened(tasks, decks, request, folder, path)
        return
    tasks, decks, request = asked_for(args)
    if not args.out:
        yield _opened(tasks, decks, request, None, args.submission)
        return
    with SolutionFolder.begin(args.out, request) as folder:
        yield _opened(tasks, decks, request, folder, args.submission)


def _opened(
    tasks: Tasks, decks: list[Deck], request: SolveRequest, folder: SolutionFolder | None, submission: Path | None
) -> OpenedSearch:
    found = {each.task: each for each in (folder.found if folder else ())}
    return OpenedSearch(tasks, decks, request, folder, SubmissionKeeper(submission, tasks, found))


def asked_for(args: argparse.Namespace) -> tuple[Tasks, list[Deck], SolveRequest]:
    """Return the tasks and decks that the options name, and all that decides the answers."""
    sources, named = tuple(args.sources or [DEFAULT_TASKS]), tuple(args.deck or [BUILT_IN])
    chosen_effort(args.effort, args.time)
    loaded = load_tasks(*sources)
    for note in loaded.notes:
        tell_note(note)
    tasks = loaded.select(options.read_ids(args, loaded.ids), args.count)
    decks = [load_deck(each) for each in named]
    request = SolveRequest(
        tasks=tuple([_absolute(each) for each in sources]),
        ids=tasks.ids,
        decks=tuple([each if each == BUILT_IN else str(Path(each).absolute()) for each in named]),
        tasks_hash=tasks_hash(tasks),
        decks_hash=decks_hash(decks),
        effort=args.effort,
        seconds=DEFAULT_SECONDS if args.effort is None and args.time is None else args.time,
        submission=str(args.submission.absolute()) if args.submission else "",
        version=search_version(),
    )
    return tasks, decks, request


def _absolute(source: str) -> str:
    """Return a source of tasks that can be read again from another folder."""
    name, words = split_source(source)
    return "@".join([name if name in TASK_SETS else str(Path(name).absolute()), *words])


class SubmissionKeeper:
    """The file of a submission. It is valid before the first task is solved, and replaced while tasks are solved.

    If it cannot be replaced during the search, a note says so once, and the search goes on.
    """

    def __init__(self, path: Path | None, tasks: Tasks, found: dict[str, TaskSolution]) -> None:
        self.path = path
        self.tasks = tasks
        self.found = found
        self._next_s = 0.0
        self._has_failed = False
        self.write()

    def add(self, solution: TaskSolution) -> None:
        """Take a solution, and replace the file, if it is time."""
        self.found[solution.task] = solution
        if time.monotonic() < self._next_s:
            return
        try:
            self.write()
        except UsageError as error:
            if not self._has_failed:
                tell_note(f"{error}; the search goes on")
            self._has_failed = True

    def write(self) -> None:
        """Replace the file; raise UsageError if that is not possible."""
        if self.path is not None:
            self._next_s = time.monotonic() + WRITE_EVERY_S
            Solutions(self.tasks, self.found).save_submission(self.path)


def report(solutions: Solutions, args: argparse.Namespace, wall_s: float) -> None:
    """Print what was found."""
    if args.json:
        for solution in solutions:
            print(json.dumps(solution.as_json()))
    elif not args.quiet:
        print_solutions(solutions, wall_s)
        where = args.out or args.resume
        if where:
            tell_note(f"the programs are in {where / PROGRAMS}; to draw their steps: batt report {where} -o page.html")
        elif solutions.answered:
            tell_note("to keep the programs, add --out DIR; then batt report DIR -o page.html draws their steps")
