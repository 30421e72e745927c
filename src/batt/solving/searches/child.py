"""A process that solves tasks: it gets a searcher's settings once, then one task after the other.

A task comes with the layers that are used, if they are not those of the settings, and with its states as bytes, if they
were made ahead.
"""

from __future__ import annotations

import gc
import pickle
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batt.errors import BattError
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.solving.candidates import Layer
from batt.solving.states.packed_states import unpack_states
from batt.tasks import Task

if TYPE_CHECKING:
    from batt.solving.searches.search import SearchSettings

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
"""Variables that keep products of matrices to one thread: each process has a core, and waiting threads use others."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A task to search, with these layers, and with states that were made ahead."""

    task: Task
    layers: frozenset[Layer] | None = None
    states: bytes | None = None


def new_children(settings: SearchSettings, count: int) -> list[ChildProcess]:
    """Start processes that solve tasks with these settings. All begin to import before the first is waited for."""
    packed = pickle.dumps(settings, protocol=5)
    children = [ChildProcess(__name__, variables=ONE_THREAD) for _ in range(count)]
    for child in children:
        child.send(packed)
    return children


def new_child(settings: SearchSettings) -> ChildProcess:
    """Start a process that solves tasks with these settings."""
    return new_children(settings, 1)[0]


def main(shared: int) -> None:
    """Answer each task with its solution, until the parent is gone."""
    requests, replies = pipes()
    # The functions of the library are many objects, and stay to the end.
    gc.disable()
    settings: SearchSettings = pickle.loads(receive(requests))
    searcher = settings.searcher()
    searcher.warm_up()
    gc.freeze()
    gc.enable()
    while True:
        try:
            request: SearchRequest = receive(requests)
        except EOFError:
            return
        before_s = time.process_time()
        try:
            made = None if request.states is None else unpack_states(request.states)
            solution = searcher.solve(request.task, made, request.layers)
            reply(replies, replace(solution, cpu_s=time.process_time() - before_s))
        except BattError as error:
            reply(replies, error)
