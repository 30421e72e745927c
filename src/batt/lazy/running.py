"""Run recorded nodes together: choose which of them a run computes, and find their values in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

from batt.ir import Program
from batt.jobs.programs import Programs, grouped
from batt.lazy.nodes import GivenNode, Inputs, Node, program_of
from batt.runtime import Limits
from batt.runtime.cuda.selection import Devices
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import read_options


class Pending(ABC):
    """A column for a run: its node, whether its values are known, and `keep`, which stores them."""

    __slots__ = ("__weakref__",)
    node: Node

    @property
    @abstractmethod
    def known(self) -> bool:
        """Whether its values are computed already, or no engine computes them."""

    @abstractmethod
    def keep(self, values: Sequence[Any]) -> None:
        """Store the computed values."""


class Batch:
    """Columns that run together: their engine, GPUs and limits, and which columns are still referenced.

    `runs` counts the runs of an engine, `notes` holds the notes about it.
    """

    def __init__(
        self,
        engine: str = "auto",
        limits: Limits | None = None,
        tell: Callable[[str], None] | None = None,
        devices: Devices = None,
    ) -> None:
        self.engine = engine
        self.devices = devices
        self.limits = limits or Limits()
        self.tell = tell
        self.runs = 0
        self.notes: list[str] = []
        self._live: WeakValueDictionary[int, Pending] = WeakValueDictionary()
        self._numbers = count()

    def add(self, column: Pending) -> None:
        """Add a column to the batch."""
        self._live[next(self._numbers)] = column

    def run(self, wanted: Pending) -> None:
        """Compute `wanted` and every other unknown column of the batch."""
        columns = {id(each): each for each in (wanted, *[each for _, each in sorted(self._live.items())])}
        unknown = [each for each in columns.values() if not each.known and each.node.length != 0]
        work = _Work()
        places = [work.add(column.node) for column in unknown]
        options = read_options(engine=self.engine, limits=self.limits, devices=self.devices)
        ran = Programs(work.programs, options, self._tell).run(work.evaluations())
        self.runs += 1
        starts = work.starts()
        for column, place in zip(unknown, places, strict=True):
            column.keep(ran.values[starts[place] : starts[place] + (column.node.length or 1)])

    def _tell(self, line: str) -> None:
        if line not in self.notes:
            self.notes.append(line)
            if self.tell:
                self.tell(line)


class _Work:
    """The programs of a run, grouped by inputs; equal programs on equal inputs are run once."""

    def __init__(self) -> None:
        self._groups: dict[tuple[int, ...], tuple[Inputs, int, dict[Program, int]]] = {}

    def add(self, node: Node) -> tuple[tuple[int, ...], int]:
        """Add the program of `node`. Return its group and its position there."""
        assert not isinstance(node, GivenNode)
        program, inputs = program_of(node)
        key = (node.length or 1, *inputs.numbers)
        _, _, programs = self._groups.setdefault(key, (inputs, node.length or 1, {}))
        return key, programs.setdefault(program, len(programs))

    @property
    def programs(self) -> list[Program]:
        """All programs, group by group."""
        return [program for _, _, programs in self._groups.values() for program in programs]

    def evaluations(self) -> Evaluations:
        """Return every program on the samples of its group."""
        return grouped([(len(programs), inputs.samples(length)) for inputs, length, programs in self._groups.values()])

    def starts(self) -> dict[tuple[tuple[int, ...], int], int]:
        """Return the number of the first evaluation of every program."""
        found: dict[tuple[tuple[int, ...], int], int] = {}
        at = 0
        for key, (_, length, programs) in self._groups.items():
            for place in range(len(programs)):
                found[key, place] = at
                at += length
        return found
