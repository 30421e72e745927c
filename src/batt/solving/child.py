"""A process that solves tasks: it gets a searcher's settings once, then one task after the other."""

from __future__ import annotations

from dataclasses import dataclass

from batt.errors import BattError
from batt.runtime.child import pipes, receive, reply
from batt.solving.candidates import Layer
from batt.solving.library import FunctionLibrary
from batt.solving.search import Searcher


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a searcher is made of."""

    library: FunctionLibrary
    effort: int
    seconds: float | None
    layers: frozenset[Layer]

    def searcher(self) -> Searcher:
        """Return the searcher."""
        return Searcher(self.library, self.effort, self.seconds, self.layers)


def main(shared: int) -> None:
    """Answer each task with its solution, until the parent is gone."""
    requests, replies = pipes()
    searcher = receive(requests).searcher()
    while True:
        try:
            task = receive(requests)
        except EOFError:
            return
        try:
            reply(replies, searcher.solve(task))
        except BattError as error:
            reply(replies, error)
