"""Pairs, tasks and sets of tasks.

A set holds its tasks, or rows that make each task on demand. The drawing package is imported when a task is first
drawn, and NumPy with the first rows, so that reading tasks stays fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from batt.errors import DataError, UsageError
from batt.source import did_you_mean
from batt.types.kinds import Grid

if TYPE_CHECKING:
    from batt.draw import PanelRow, Scene
    from batt.draw.terminal import TerminalScene
    from batt.tasks.rows import Rows

ID_LIMIT = 255
DRAWN = 60
"""The most tasks that a notebook draws for a set, the first pair of each."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An input grid and its output; the output of a test may be unknown."""

    input: Grid
    output: Grid | None = None

    def __repr__(self) -> str:
        return f"<Pair {_size(self.input)} -> {_size(self.output)}>"

    def row(self, title: str = "") -> PanelRow:
        """Return the pair as a row of a scene; an unknown output is not drawn."""
        from batt.draw import Panel, PanelRow, pair_row

        if self.output is None:
            return PanelRow((Panel("input", self.input),), title)
        return pair_row(self.input, self.output, title)

    def _repr_html_(self) -> str:
        from batt.draw import Scene, html

        return html(Scene("", (self.row(),)))


@dataclass(frozen=True, slots=True)
class Task:
    """One ARC task: train pairs, all with outputs, and test pairs."""

    id: str
    train: tuple[Pair, ...]
    test: tuple[Pair, ...]

    def __post_init__(self) -> None:
        for number, pair in enumerate(self.train):
            if pair.output is None:
                raise DataError(f"task {self.id}: train pair {number}: missing 'output'")

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Return the train pairs, then the test pairs."""
        return self.train + self.test

    @property
    def demonstrations(self) -> tuple[tuple[Grid, Grid], ...]:
        """Return the train pairs as plain tuples: the `S` of a program."""
        return tuple((pair.input, pair.output) for pair in self.train if pair.output is not None)

    def __repr__(self) -> str:
        return f"<Task {self.id} | {len(self.train)} train | {len(self.test)} test>"

    def scene(self) -> Scene:
        """Return the task as a scene."""
        from batt.draw import Scene

        parts = (("train", self.train), ("test", self.test))
        rows = [pair.row(f"{part} {at}") for part, pairs in parts for at, pair in enumerate(pairs)]
        return Scene(f"task {self.id}", tuple(rows))

    def _repr_html_(self) -> str:
        from batt.draw import html

        return html(self.scene())

    def __rich__(self) -> TerminalScene:
        from batt.draw import terminal

        return terminal(self.scene())


@dataclass(frozen=True, slots=True)
class Tasks(Sequence[Task]):
    """Tasks in a fixed order, by position and by id, with their source.

    `source` identifies exactly what was read, `name` is short; `notes` are messages from loading, such as which tasks
    were omitted.
    """

    tasks: tuple[Task, ...] | Rows
    source: str
    name: str = field(default="tasks", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    _by_id: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id: dict[str, int] = {}
        ids = [task.id for task in self.tasks] if isinstance(self.tasks, tuple) else self.tasks.ids
        for position, name in enumerate(ids):
            if name in by_id:
                raise DataError(f"task {name}: appears twice")
            by_id[name] = position
        object.__setattr__(self, "_by_id", by_id)

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids, in the order of the tasks."""
        return tuple(self._by_id)

    def select(self, ids: Iterable[str] | None = None, count: int | None = None) -> Tasks:
        """Return the tasks `ids`, each once and in this order, and of those the first `count`."""
        if count is not None and count < 1:
            raise UsageError(f"the number of tasks must be at least 1, got {count}")
        if isinstance(ids, str):
            ids = (ids,)
        if ids is None:
            return self[:count]
        positions = [self._position(name) for name in dict.fromkeys(ids)][:count]
        rows = self.tasks
        chosen = tuple([rows[at] for at in positions]) if isinstance(rows, tuple) else rows.at(positions)
        return Tasks(chosen, self.source, self.name)

    def augmented(
        self, symmetries: bool | Iterable[str] = False, colours: int = 0, *, seed: int = 0, keep_zero: bool = True
    ) -> Tasks:
        """Return each task with its transforms: all or the named `symmetries`, and `colours` permutations of colours.

        Permutations are drawn by `seed` and by the id of each task, and keep colour 0 if `keep_zero` is set. With both,
        every symmetry comes with every permutation. The id names the transform (`007bbfb7.rot90`), and
        `batt.tasks.original` reads it, so that an answer can be converted back. The tasks are made on demand.
        """
        from batt.tasks.augment import augmentation
        from batt.tasks.rows import augment

        return augment(self, augmentation(symmetries, colours, seed, keep_zero))

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __contains__(self, wanted: object) -> bool:
        """Tell whether an id, or a task as a whole, is there."""
        if isinstance(wanted, Task):
            return wanted.id in self._by_id and self.tasks[self._by_id[wanted.id]] == wanted
        return isinstance(wanted, str) and wanted in self._by_id

    @overload
    def __getitem__(self, key: int | str) -> Task: ...
    @overload
    def __getitem__(self, key: slice) -> Tasks: ...
    def __getitem__(self, key: int | str | slice) -> Task | Tasks:
        if isinstance(key, slice):
            return Tasks(self.tasks[key], self.source, self.name)
        return self.tasks[self._position(key) if isinstance(key, str) else key]

    def _position(self, name: str) -> int:
        if name in self._by_id:
            return self._by_id[name]
        raise UsageError(f"unknown task {name[:ID_LIMIT]!a}{did_you_mean(name[:ID_LIMIT], self._by_id)}")

    def __repr__(self) -> str:
        if isinstance(self.tasks, tuple):
            pairs = sum(len(task.pairs) for task in self.tasks)
        else:
            pairs = int(self.tasks.pair_counts.sum())
        return f"<Tasks | {counted(len(self), 'task')} | {counted(pairs, 'pair')}>"

    def _repr_html_(self) -> str:
        from batt.draw.wall import WallTile, html_wall

        shown = list(self[:DRAWN])
        pairs = [((task.train or task.test)[0], task.id) for task in shown if task.pairs]
        tiles = [WallTile(name, [grid for grid in (pair.input, pair.output) if grid]) for pair, name in pairs]
        first = f"; the first {DRAWN}:" if len(self) > DRAWN else ""
        return f"<p>{repr(self)[1:-1]}{first}</p>{html_wall(tiles)}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the singular or plural."""
    return f"{number:,} {noun}" + "s" * (number != 1)


def _size(grid: Grid | None) -> str:
    return "?" if grid is None else f"{len(grid)}x{len(grid[0]) if grid else 0}"
