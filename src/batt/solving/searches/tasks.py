"""Solve tasks: make the library, share the tasks among processes, and keep the solutions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import closing
from typing import TypeAlias

from batt.errors import UsageError
from batt.front import BUILT_IN, DeckSource, as_deck
from batt.jobs.choice import choose_engine
from batt.runtime import check_workers
from batt.runtime.cluster.choice import read_cluster
from batt.solving.answers.solutions import Solutions, TaskSolution
from batt.solving.candidates import Layer
from batt.solving.library import build_library
from batt.solving.searches.cluster import ClusterSearch, connected
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.workers import SearchWorkers, TaskFailure, Tell
from batt.solving.work import effort_of
from batt.tasks import Task, TaskSource, load_tasks

DEFAULT_SECONDS = 5.0

OnSolution: TypeAlias = Callable[[TaskSolution], None]


def solve(
    tasks: TaskSource,
    decks: Sequence[DeckSource] = (),
    *,
    seconds: float | None = None,
    effort: int | None = None,
    engine: str = "auto",
    workers: int | None = None,
    cluster: str | None = None,
    layers: Collection[Layer] = (),
    done: Iterable[TaskSolution] = (),
    on_solution: OnSolution | None = None,
    tell: Tell | None = None,
) -> Solutions:
    """Search programs that solve tasks, and return at most two answers for each test input.

    Programs are made of functions of the `decks`, by default the built-in one; a task's own solvers are left out.
    `effort` limits the work on a task and alone decides the answers. `seconds` of CPU time, by default 5, pick an
    effort instead, and the clock stops a task at three times that. The `engine` runs the programs; with `cuda`, GPUs
    run the functions of the decks on many tasks together. `workers` are processes of this machine; `cluster` names a
    Dask cluster instead. `tell` gets lines about both. `layers` are the parts of the search to use, by default all.
    Tasks with solutions in `done` are not searched again. `on_solution` gets every new solution. An interrupt ends the
    search; what was found until then is returned.
    """
    units, seconds = chosen_effort(effort, seconds)
    loaded, named = load_tasks(tasks), [as_deck(deck) for deck in decks or [BUILT_IN]]
    count = check_workers(workers)
    chosen = search_engine(engine, cluster)
    if cluster is not None:
        read_cluster(cluster)
    found = {each.task: each for each in done}
    left = [task for task in loaded if task.id not in found]
    failed: list[str] = []
    interrupted = False
    try:
        if left:
            settings = SearchSettings(build_library(named), units, seconds, frozenset(layers or Layer), chosen)
            with closing(solve_all(settings, left, count, cluster, tell)) as solved:
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


def search_engine(engine: str, cluster: str | None = None) -> str:
    """Return the engine of a search. Raise UsageError if the named one is not available; `auto` takes the CPU's."""
    if engine == "cuda" and cluster is not None:
        raise UsageError("workers of a cluster search on their CPUs; leave out the engine 'cuda' or the cluster")
    return choose_engine(engine).engine


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
    settings: SearchSettings, tasks: Sequence[Task], workers: int, cluster: str | None = None, tell: Tell | None = None
) -> Generator[TaskSolution | TaskFailure, None, None]:
    """Yield the solutions of tasks as they are found, by `workers` processes or by the workers of a cluster."""
    if cluster is not None:
        with connected(read_cluster(cluster)) as client:
            yield from ClusterSearch(client, settings, tell).solve(tasks)
        return
    with SearchWorkers(settings, min(workers, len(tasks)), tell) as shared:
        yield from shared.solve(tasks)
