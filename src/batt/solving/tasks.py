"""Solve tasks: make the library, share the tasks among processes, and keep the solutions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import TypeAlias

from batt.errors import BattError, InternalError, UsageError
from batt.front import BUILT_IN, DeckSource, as_deck
from batt.runtime import check_workers
from batt.runtime.child import ChildProcess
from batt.solving.candidates import Layer
from batt.solving.child import ONE_THREAD
from batt.solving.library import build_library
from batt.solving.search import SearchSettings
from batt.solving.solutions import Solutions, TaskSolution
from batt.solving.work import effort_of
from batt.tasks import Task, TaskSource, load_tasks

MODULE = "batt.solving.child"
DEFAULT_SECONDS = 5.0

OnSolution: TypeAlias = Callable[[TaskSolution], None]


def solve(
    tasks: TaskSource,
    decks: Sequence[DeckSource] = (),
    *,
    seconds: float | None = None,
    effort: int | None = None,
    workers: int | None = None,
    layers: Collection[Layer] = (),
    done: Iterable[TaskSolution] = (),
    on_solution: OnSolution | None = None,
) -> Solutions:
    """Search programs that solve tasks, and return at most two answers for each test input.

    Programs are made of functions of the `decks`, by default the built-in one; a task's own solvers are left out.
    `effort` limits the work on a task and alone decides the answers. `seconds` of CPU time, by default 5, pick an
    effort instead, and the clock stops a task at three times that. `layers` are the parts of the search to use, by
    default all. Tasks with solutions in `done` are not searched again. `on_solution` gets every new solution.
    """
    if effort is not None and seconds is not None:
        raise UsageError("give either an effort or seconds")
    loaded, named = load_tasks(tasks), [as_deck(deck) for deck in decks or [BUILT_IN]]
    seconds = DEFAULT_SECONDS if effort is None and seconds is None else seconds
    units = effort_of(seconds) if effort is None and seconds is not None else effort
    if units is None or units < 1:
        raise UsageError("the effort must be at least 1")
    found = {each.task: each for each in done}
    left = [task for task in loaded if task.id not in found]
    if left:
        settings = SearchSettings(build_library(named), units, seconds, frozenset(layers or Layer))
        for solution in solve_all(settings, left, check_workers(workers)):
            found[solution.task] = solution
            if on_solution:
                on_solution(solution)
    return Solutions(loaded, found)


def solve_all(settings: SearchSettings, tasks: Sequence[Task], workers: int) -> Iterator[TaskSolution]:
    """Yield the solutions of tasks as they are found, by `workers` processes."""
    children = [ChildProcess(MODULE, variables=ONE_THREAD) for _ in range(min(workers, len(tasks)))]
    try:
        for child in children:
            child.send(settings)
        yield from _shared(children, tasks)
    finally:
        for child in children:
            child.close()


def _shared(children: Sequence[ChildProcess], tasks: Sequence[Task]) -> Iterator[TaskSolution]:
    """Give each child the next task when it has answered."""
    free: SimpleQueue[ChildProcess] = SimpleQueue()
    for child in children:
        free.put(child)

    def ask(task: Task) -> TaskSolution:
        child = free.get()
        try:
            child.send(task)
            answer = child.receive()
        except EOFError:
            raise InternalError(f"the process that solved task {task.id} ended") from None
        finally:
            free.put(child)
        if isinstance(answer, BattError):
            raise answer
        solution: TaskSolution = answer
        return solution

    with ThreadPoolExecutor(len(children)) as threads:
        waiting: set[Future[TaskSolution]] = {threads.submit(ask, task) for task in tasks}
        try:
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for each in ready:
                    yield each.result()
        finally:
            for each in waiting:
                each.cancel()
