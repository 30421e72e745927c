"""A process that solves tasks: it gets a searcher's settings once, then one task after the other."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from batt.errors import BattError
from batt.runtime.child import ChildProcess, pipes, receive, reply

if TYPE_CHECKING:
    from batt.solving.search import SearchSettings

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
"""Variables that keep products of matrices to one thread: each process has a core, and waiting threads use others."""


def new_child(settings: SearchSettings) -> ChildProcess:
    """Start a process that solves tasks with these settings."""
    child = ChildProcess(__name__, variables=ONE_THREAD)
    child.send(settings)
    return child


def main(shared: int) -> None:
    """Answer each task with its solution, until the parent is gone."""
    requests, replies = pipes()
    settings: SearchSettings = receive(requests)
    searcher = settings.searcher()
    searcher.warm_up()
    while True:
        try:
            task = receive(requests)
        except EOFError:
            return
        before_s = time.process_time()
        try:
            reply(replies, replace(searcher.solve(task), cpu_s=time.process_time() - before_s))
        except BattError as error:
            reply(replies, error)
