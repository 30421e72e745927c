"""States of many tasks, made together on GPUs before their searches begin.

A process runs the functions of the library on the samples of some tasks at a time. Of a first run only hashes are
kept; a second one gives the values of the states that are chosen by them. Searches get the same states that they would
make themselves, and count the same work for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from batt.errors import BattError
from batt.runtime import Sample
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.evaluations import Integers
from batt.solving.frame import TaskFrame
from batt.solving.library import FunctionLibrary
from batt.solving.running import GridBatch, PreparedFunctions
from batt.solving.searches.search import SearchSettings
from batt.solving.states.packed_states import pack_states
from batt.solving.states.states import StateChoice, StateMakers, StateOrigin
from batt.tasks import Task

TASKS_AT_ONCE = 32
"""The tasks whose states are made together."""


@dataclass(frozen=True, slots=True)
class MadeAhead:
    """The answer of the process: the states of tasks as bytes, by id, and lines that say what a GPU could not do.

    Of the `evaluations`, GPUs finished `on_gpus`.
    """

    states: dict[str, bytes]
    notes: tuple[str, ...]
    evaluations: int
    on_gpus: int


class StatesAhead:
    """The parent's side of the process that makes states. It gets its settings first."""

    def __init__(self) -> None:
        self.child = ChildProcess(__name__)

    def begin(self, settings: SearchSettings) -> None:
        """Send the settings."""
        self.child.send(settings)

    def ask(self, tasks: Sequence[Task]) -> None:
        """Ask for the states of tasks; one answer comes for them."""
        self.child.send(tuple(tasks))

    def receive(self) -> MadeAhead:
        """Return the answer; raise EOFError if the process has ended."""
        answer: MadeAhead | BattError = self.child.receive()
        if isinstance(answer, BattError):
            raise answer
        return answer

    def close(self) -> None:
        """End the process."""
        self.child.close()


def main(shared: int) -> None:
    """Answer tasks with their states, until the parent is gone."""
    requests, replies = pipes()
    settings: SearchSettings = receive(requests)
    functions = TogetherFunctions(settings.library, settings.engine)
    while True:
        try:
            tasks: tuple[Task, ...] = receive(requests)
        except EOFError:
            return
        try:
            reply(replies, functions.make(tasks))
        except BattError as error:
            reply(replies, error)


class TogetherFunctions:
    """The functions of all makers of a library, prepared as one: a GPU is opened once for each run."""

    def __init__(self, library: FunctionLibrary, engine: str) -> None:
        self.makers = StateMakers(library).makers
        programs = [program for maker in self.makers for program in maker.prepared.programs]
        self.prepared = PreparedFunctions(programs, engine=engine)
        self.starts = list(accumulate([len(maker.functions) for maker in self.makers], initial=0))

    def make(self, tasks: Sequence[Task]) -> MadeAhead:
        """Make the states of tasks together."""
        run = TogetherRun(self, [TaskFrame(task) for task in tasks])
        made, others = run.choose(), run.read()
        notes = tuple(dict.fromkeys([*made.notes, *others.notes]))
        packed = dict(zip([task.id for task in tasks], run.packed(others), strict=True))
        return MadeAhead(packed, notes, made.records.size, made.on_gpus)


class TogetherRun:
    """Makes the states of some tasks: chooses by hashes which functions make them, then reads their values."""

    def __init__(self, functions: TogetherFunctions, frames: Sequence[TaskFrame]) -> None:
        self.functions = functions
        self.frames = frames
        self.samples: list[Sample] = []
        # Where the samples of a task begin and end, by maker.
        self.places: list[list[tuple[int, int]]] = []
        for maker in functions.makers:
            self.places.append([])
            for frame in frames:
                start = len(self.samples)
                self.samples += maker.samples(frame)
                self.places[-1].append((start, len(self.samples)))
        self.origins: list[list[StateOrigin]] = []
        self.runs: list[list[tuple[int, int]]] = [[] for _ in frames]

    def choose(self) -> GridBatch:
        """Run all functions, and choose the shortest that makes each state."""
        solvers, samples = [], []
        for number, maker in enumerate(self.functions.makers):
            start, end = self.places[number][0][0], self.places[number][-1][1]
            count = len(maker.functions)
            solvers.append(np.repeat(np.arange(count) + self.functions.starts[number], end - start))
            samples.append(np.tile(np.arange(start, end), count))
        made = self._run(np.concatenate(solvers), np.concatenate(samples))
        choices = [StateChoice(frame) for frame in self.frames]
        done = 0
        for number, maker in enumerate(self.functions.makers):
            start, end = self.places[number][0][0], self.places[number][-1][1]
            shape = len(maker.functions), end - start
            mine = slice(done, done + shape[0] * shape[1])
            done = mine.stop
            records, steps = made.records[mine].reshape(shape), made.each_steps[mine].reshape(shape)
            is_grid = made.is_grid[mine].reshape(shape)
            for task, choice in enumerate(choices):
                first, last = self.places[number][task]
                if first < last:
                    columns = slice(first - start, last - start)
                    self.runs[task].append((records[:, columns].size, int(steps[:, columns].sum())))
                    choice.add(number, maker, records[:, columns], is_grid[:, columns])
        self.origins = [choice.origins() for choice in choices]
        return made

    def read(self) -> GridBatch:
        """Run the chosen functions again, task by task, and keep their values."""
        solvers: list[int] = []
        samples: list[int] = []
        for task, frame in enumerate(self.frames):
            for each in self.origins[task]:
                first = self.places[each.maker][task][0] + each.first
                solvers += [self.functions.starts[each.maker] + each.number] * frame.size
                samples += range(first, first + frame.size)
        return self._run(np.array(solvers, np.int64), np.array(samples, np.int64), outputs=True)

    def packed(self, made: GridBatch) -> Iterator[bytes]:
        """Yield the states of each task, packed."""
        wires = made.wires(np.arange(made.records.size))
        start = 0
        for frame, origins, runs in zip(self.frames, self.origins, self.runs, strict=True):
            end = start + len(origins) * frame.size
            yield pack_states(origins, wires[start:end], runs)
            start = end

    def _run(self, solvers: Integers, samples: Integers, outputs: bool = False) -> GridBatch:
        return self.functions.prepared.run_pairs(solvers, self.samples, outputs, samples)
