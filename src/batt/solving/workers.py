"""Processes of this machine that solve tasks. One that ends is replaced, and its task is tried again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector

from batt.errors import BattError
from batt.runtime.child import ChildProcess
from batt.solving.child import new_child
from batt.solving.search import SearchSettings
from batt.solving.solutions import TaskSolution
from batt.tasks import Task

MOST_ENDS = 2
"""A task with which this many processes ended is given up."""


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """A task that ended the processes that solved it."""

    task: str


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
