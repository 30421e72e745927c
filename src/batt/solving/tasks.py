"""Solve tasks: make the library, share the tasks among processes, and keep the solutions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector
from typing import TypeAlias

from batt.errors import BattError, UsageError
from batt.front import BUILT_IN, DeckSource, as_deck
from batt.runtime import check_workers
from batt.runtime.child import ChildProcess
from batt.solving.candidates import Layer
from batt.solving.child import new_child
from batt.solving.library import build_library
from batt.solving.search import SearchSettings
from batt.solving.solutions import Solutions, TaskSolution
from batt.solving.work import effort_of
from batt.tasks import Task, TaskSource, load_tasks

DEFAULT_SECONDS = 5.0
MOST_ENDS = 2
"""A task with which this many processes ended is given up."""

OnSolution: TypeAlias = Callable[[TaskSolution], None]


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """A task that ended the processes that solved it."""

    task: str


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
    default all. Tasks with solutions in `done` are not searched again. `on_solution` gets every new solution. An
    interrupt ends the search; what was found until then is returned.
    """
    units, seconds = chosen_effort(effort, seconds)
    loaded, named = load_tasks(tasks), [as_deck(deck) for deck in decks or [BUILT_IN]]
    count = check_workers(workers)
    found = {each.task: each for each in done}
    left = [task for task in loaded if task.id not in found]
    failed: list[str] = []
    interrupted = False
    try:
        if left:
            settings = SearchSettings(build_library(named), units, seconds, frozenset(layers or Layer))
            with closing(solve_all(settings, left, count)) as solved:
                for solution in solved:
                    if isinstance(solution, TaskFailure):
                        failed.append(solution.task)
                        continue
                    found[solution.task] = solution
                    if on_solution:
                        on_solution(solution)
    except KeyboardInterrupt:
        interrupted = True
    return Solutions(loaded, found, failed, interrupted)


def chosen_effort(effort: int | None, seconds: float | None) -> tuple[int, float | None]:
    """Return the units of work for a task, and the seconds that the clock knows; raise UsageError if both are given."""
    if effort is not None and seconds is not None:
        raise UsageError("give either an effort or seconds")
    seconds = DEFAULT_SECONDS if effort is None and seconds is None else seconds
    if seconds is not None and not 0 < seconds < float("inf"):
        raise UsageError(f"the time must be above 0 seconds, got {seconds:g}")
    units = effort if seconds is None else effort_of(seconds)
    if units is None or units < 1:
        raise UsageError(f"the effort must be at least 1, got {units}")
    return units, seconds


def solve_all(
    settings: SearchSettings, tasks: Sequence[Task], workers: int
) -> Generator[TaskSolution | TaskFailure, None, None]:
    """Yield the solutions of tasks as they are found, by `workers` processes."""
    with SearchWorkers(settings, min(workers, len(tasks))) as shared:
        yield from shared.solve(tasks)


class SearchWorkers:
    """Processes that solve tasks, each one at a time. A process that ends is replaced."""

    def __init__(self, settings: SearchSettings, count: int) -> None:
        self.settings = settings
        self._children = [new_child(settings) for _ in range(count)]

    def __enter__(self) -> SearchWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.close()

    def solve(self, tasks: Sequence[Task]) -> Iterator[TaskSolution | TaskFailure]:
        """Give each process the next task when it has answered. Yield the answers."""
        waiting = deque(tasks)
        ends: dict[str, int] = {}
        busy: dict[ChildProcess, Task] = {}
        with DefaultSelector() as selector:
            while waiting or busy:
                for child in [each for each in self._children if each not in busy][: len(waiting)]:
                    busy[child] = waiting.popleft()
                    child.send(busy[child])
                    selector.register(_stream(child), EVENT_READ, child)
                for key, _ in selector.select():
                    child = key.data
                    selector.unregister(key.fileobj)
                    task = busy.pop(child)
                    answer = self._answer(child, task)
                    if answer is not None:
                        yield answer
                        continue
                    ends[task.id] = ends.get(task.id, 0) + 1
                    if ends[task.id] < MOST_ENDS:
                        waiting.append(task)
                    else:
                        yield TaskFailure(task.id)

    def _answer(self, child: ChildProcess, task: Task) -> TaskSolution | None:
        """Return what a process answers; None if it has ended, and start another."""
        try:
            answer = child.receive()
        except EOFError:
            child.close()
            self._children[self._children.index(child)] = new_child(self.settings)
            return None
        if isinstance(answer, BattError):
            raise answer
        solution: TaskSolution = answer
        return solution


def _stream(child: ChildProcess) -> int:
    assert child.process.stdout
    return child.process.stdout.fileno()
