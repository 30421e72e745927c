"""Processes of this machine that solve tasks. One that ends is replaced, and its task is tried again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from selectors import EVENT_READ, DefaultSelector
from typing import TypeAlias

from batt.errors import BattError
from batt.runtime.child import ChildProcess
from batt.solving.answers.solutions import TaskSolution
from batt.solving.searches.ahead import TASKS_AT_ONCE, StatesAhead
from batt.solving.searches.child import SearchRequest, new_child, new_children
from batt.solving.searches.search import SearchSettings
from batt.tasks import Task

Tell: TypeAlias = Callable[[str], None]

MOST_ENDS = 2
"""A task with which this many processes ended is given up."""


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """A task that ended the processes that solved it."""

    task: str


class WaitingSearches:
    """The searches that wait, by number. Those whose states are made ahead come first; `handed_out` counts them.

    States are made from the last search on, and searches begin with the first: nobody waits for anybody.
    """

    def __init__(self, requests: Sequence[SearchRequest]) -> None:
        self._requests = dict(enumerate(requests))
        self._made: dict[int, bytes] = {}
        self._asked: dict[str, int] = {}
        self.handed_out = 0

    def __len__(self) -> int:
        return len(self._requests)

    def take(self) -> tuple[int, SearchRequest]:
        """Take the next search, with its states if they are made."""
        asked = {*self._asked.values()}
        waiting = iter([*self._made, *[each for each in self._requests if each not in asked], *self._requests])
        number = next(waiting)
        self.handed_out += number in self._made
        return number, replace(self._requests.pop(number), states=self._made.pop(number, None))

    def put_back(self, number: int, request: SearchRequest) -> None:
        """Let a search wait again. It makes its states itself."""
        self._requests[number] = replace(request, states=None)

    def ask(self, count: int) -> list[Task]:
        """Return at most `count` tasks whose states are to be made next; none while enough are made."""
        if len(self._made) >= count:
            return []
        left = {request.task.id: number for number, request in self._requests.items()}
        chosen = [(name, left[name]) for name in reversed(left) if name not in self._asked][:count]
        self._asked |= dict(chosen)
        return [self._requests[number].task for _, number in chosen]

    def add(self, made: Mapping[str, bytes]) -> None:
        """Add states that are made; those of searches that have begun already are not needed."""
        numbers = {self._asked[name]: states for name, states in made.items()}
        self._made |= {number: states for number, states in numbers.items() if number in self._requests}

    def forget(self) -> None:
        """Wait for no states."""
        self._asked.clear()


class SearchWorkers:
    """Processes that solve tasks, each one at a time. A process that ends is replaced.

    With the engine `cuda`, one more process makes states of the tasks ahead. `tell` gets lines about it.
    """

    def __init__(self, settings: SearchSettings, count: int, tell: Tell | None = None) -> None:
        self.settings = settings
        self.tell = tell or (lambda line: None)
        self.ahead = StatesAhead() if settings.engine == "cuda" else None
        self._children = new_children(settings, count)
        if self.ahead is not None:
            self.ahead.begin(settings)
        self._evaluations = 0
        self._on_gpus = 0
        self._notes: list[str] = []

    def __enter__(self) -> SearchWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.close()
        if self.ahead is not None:
            self.ahead.close()

    def solve(self, tasks: Sequence[Task]) -> Iterator[TaskSolution | TaskFailure]:
        """Yield the solutions of tasks as they are found."""
        for _, answer in self.search([SearchRequest(task) for task in tasks]):
            yield answer

    def search(self, requests: Sequence[SearchRequest]) -> Iterator[tuple[int, TaskSolution | TaskFailure]]:
        """Give each process the next search when it has answered. Yield the answers with the number of the request."""
        waiting = WaitingSearches(requests)
        ends: Counter[int] = Counter()
        busy: dict[ChildProcess, tuple[int, SearchRequest]] = {}
        with DefaultSelector() as selector:
            while waiting or busy:
                self._ask_ahead(waiting, selector)
                for child in [each for each in self._children if each not in busy][: len(waiting)]:
                    busy[child] = waiting.take()
                    child.send(busy[child][1])
                    selector.register(_stream(child), EVENT_READ, child)
                for key, _ in selector.select():
                    child = key.data
                    selector.unregister(key.fileobj)
                    if child not in busy:
                        self._receive_ahead(waiting)
                        continue
                    number, request = busy.pop(child)
                    answer = self._answer(child)
                    if answer is not None:
                        yield number, answer
                        continue
                    ends[number] += 1
                    if ends[number] < MOST_ENDS:
                        waiting.put_back(number, request)
                    else:
                        yield number, TaskFailure(request.task.id)
        self._tell_part(len(requests), waiting.handed_out)

    def _ask_ahead(self, waiting: WaitingSearches, selector: DefaultSelector) -> None:
        """Ask for the states of the next tasks, if that process has nothing to do."""
        if self.ahead is None or _stream(self.ahead.child) in selector.get_map():
            return
        asked = waiting.ask(TASKS_AT_ONCE)
        if asked:
            self.ahead.ask(asked)
            selector.register(_stream(self.ahead.child), EVENT_READ, self.ahead.child)

    def _receive_ahead(self, waiting: WaitingSearches) -> None:
        """Take the states that were made, or go on without the process if it has ended."""
        assert self.ahead is not None, "it has answered"
        try:
            made = self.ahead.receive()
        except (EOFError, BattError) as error:
            why = str(error) or "it ended"
            self.tell(f"the process that uses the GPU cannot go on: {why}. Continuing on the CPU.")
            self.ahead.close()
            self.ahead = None
            waiting.forget()
            return
        waiting.add(made.states)
        self._evaluations += made.evaluations
        self._on_gpus += made.on_gpus
        for line in [each for each in made.notes if each not in self._notes]:
            self._notes.append(line)
            self.tell(line)

    def _tell_part(self, searches: int, handed_out: int) -> None:
        """Say what was done ahead."""
        if self.settings.engine == "cuda":
            self.tell(
                f"GPU: {self._on_gpus:,} of {self._evaluations:,} evaluations that were made ahead ran there; "
                f"{handed_out:,} of {searches:,} searches used them"
            )

    def _answer(self, child: ChildProcess) -> TaskSolution | None:
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
