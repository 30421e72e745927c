"""Validate JSON values as tasks.

A task has at least one train pair; it may have no test pair, and a test pair may have no output. Unknown keys are
ignored. A list of pairs is a task as well: its last pair is the test, and all others are train pairs. Of a grid the
first problem is reported, of everything else all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from batt.errors import DataError
from batt.tasks.files import Repeating, shown
from batt.tasks.model import ID_LIMIT, Pair, Task, counted
from batt.types.kinds import Grid

SIDE_LIMIT = 30
COLOURS = 10
LISTS = (list, tuple)


class Problems:
    """Collects the problems of the data for one error; or for notes, with `keep_going`."""

    SHOWN = 20

    def __init__(self, keep_going: bool = False) -> None:
        self.keep_going = keep_going
        self.count = 0
        self.lines: list[str] = []

    def add(self, *parts: str) -> None:
        """Note a problem, from the file inward. After the first few, problems are only counted."""
        self.count += 1
        if self.count <= self.SHOWN:
            self.lines.append(": ".join(parts))

    def raise_any(self) -> None:
        """Raise one `DataError` with a line per problem, if there is any."""
        if self.count:
            raise DataError("\n".join(self.told()))

    def settle(self, kept: int, total: int) -> tuple[str, ...]:
        """Raise the problems; with `keep_going`, and if any tasks are kept, return them as notes."""
        if not (self.keep_going and kept):
            self.raise_any()
        if not self.count:
            return ()
        return (*self.told(), f"{total - kept:,} of {counted(total, 'task')} left out")

    def told(self) -> tuple[str, ...]:
        """Return a line for each of the first problems, and one for the number of the others."""
        more = self.count - len(self.lines)
        return (*self.lines, *([f"… and {more:,} more"] if more else []))


def is_task(value: Mapping[str, Any]) -> bool:
    """Tell whether an object is one task rather than tasks by id."""
    return "train" in value or "test" in value


def read_tasks(value: dict[str, Any], file: str, problems: Problems) -> tuple[Task, ...]:
    """Return the valid tasks of an object of tasks by id, in ascending order of id."""
    for name in repeated(value):
        problems.add(file, f"task {shown_id(name)}", "appears twice")
    if not value:
        problems.add(file, "no tasks")
    found = [read_task(name, task, file, problems) for name, task in value.items()]
    return tuple(sorted((task for task in found if task is not None), key=lambda task: task.id))


def read_task(name: str, value: object, file: str, problems: Problems) -> Task | None:
    """Return one task, or None if it has problems."""
    before = problems.count
    where = (file, f"task {shown_id(name)}")
    train: tuple[Pair, ...] = ()
    test: tuple[Pair, ...] = ()
    if not is_id(name):
        problems.add(*where, f"an id has 1 to {ID_LIMIT} printable characters")
    elif isinstance(value, LISTS):
        train, test = _read_list(value, where, problems)
    elif not isinstance(value, dict):
        problems.add(*where, f"expected an object or a list of pairs, got {shown(value)}")
    else:
        _report_repeats(value, where, problems)
        train = _read_pairs(value, "train", where, problems)
        test = _read_pairs(value, "test", where, problems)
    return Task(name, train, test) if problems.count == before else None


def read_grid(value: Any, where: tuple[str, ...], problems: Problems) -> Grid | None:
    """Return a grid, which may be a NumPy array, as a tuple of tuples, or None if it has a problem."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if is_grid(value):
        return tuple(map(tuple, value))
    problems.add(*where, _grid_fault(value))
    return None


def is_id(name: object) -> bool:
    """Tell whether a name is a valid id of a task: short and printable."""
    return isinstance(name, str) and 0 < len(name) <= ID_LIMIT and name.isprintable()


def shown_id(name: object) -> str:
    """Return an id unchanged, and any other value in a form that is safe to print."""
    if not isinstance(name, str):
        return shown(name)
    return name if is_id(name) else ascii(name[:ID_LIMIT])


def repeated(value: dict[str, Any]) -> tuple[str, ...]:
    """Return the keys that a JSON object has more than once."""
    return value.twice if isinstance(value, Repeating) else ()


def _report_repeats(value: dict[str, Any], where: tuple[str, ...], problems: Problems) -> None:
    for key in repeated(value):
        problems.add(*where, f"key {shown(key)} appears twice")


def _read_pairs(task: dict[str, Any], part: str, where: tuple[str, ...], problems: Problems) -> tuple[Pair, ...]:
    """Return the valid pairs of one part of a task."""
    value = task.get(part)
    if part not in task:
        problems.add(*where, f"missing '{part}'")
    elif not isinstance(value, LISTS):
        problems.add(*where, f"'{part}' expects a list of pairs, got {shown(value)}")
    elif part == "train" and not value:
        problems.add(*where, "no train pairs")
    else:
        found = [_read_pair(pair, part, (*where, f"{part} pair {at}"), problems) for at, pair in enumerate(value)]
        return tuple(pair for pair in found if pair is not None)
    return ()


def _read_list(
    value: Sequence[object], where: tuple[str, ...], problems: Problems
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the valid train and test pairs of a task that is a list of pairs. A single pair is a train pair."""
    if not value:
        problems.add(*where, "no pairs")
    last = max(1, len(value) - 1)
    parts = ["train" if at < last else "test" for at in range(len(value))]
    found = [
        _read_pair(pair, part, (*where, f"pair {at}"), problems)
        for at, (pair, part) in enumerate(zip(value, parts, strict=True))
    ]
    train, test = [tuple([pair for pair in each if pair is not None]) for each in (found[:last], found[last:])]
    return train, test


def _read_pair(value: object, part: str, where: tuple[str, ...], problems: Problems) -> Pair | None:
    if not isinstance(value, dict):
        problems.add(*where, f"expected an object, got {shown(value)}")
        return None
    before = problems.count
    _report_repeats(value, where, problems)
    start = end = None
    if "input" in value:
        start = read_grid(value["input"], (*where, "input"), problems)
    else:
        problems.add(*where, "missing 'input'")
    if "output" in value and not (part == "test" and value["output"] is None):
        end = read_grid(value["output"], (*where, "output"), problems)
    elif part == "train":
        problems.add(*where, "missing 'output'")
    return Pair(start, end) if start is not None and problems.count == before else None


def is_grid(rows: Any) -> bool:
    """Tell whether rows are a grid. `_grid_fault` is slower and says why not."""
    if type(rows) not in LISTS or not 0 < len(rows) <= SIDE_LIMIT or not {*map(type, rows)}.issubset(LISTS):
        return False
    width = len(rows[0])
    if not 0 < width <= SIDE_LIMIT or {*map(len, rows)} != {width}:
        return False
    values = [*chain.from_iterable(rows)]
    return {*map(type, values)} == {int} and min(values) >= 0 and max(values) < COLOURS


def _grid_fault(rows: Any) -> str:
    """Return the first problem of a value that is not a grid."""
    if type(rows) not in LISTS:
        return f"expected a list of rows, got {shown(rows)}"
    if not rows:
        return "no rows"
    if len(rows) > SIDE_LIMIT:
        return f"{len(rows):,} rows, at most {SIDE_LIMIT}"
    return next(fault for at, row in enumerate(rows, 1) if (fault := _row_fault(at, row, rows[0])))


def _row_fault(at: int, row: Any, first: Any) -> str | None:
    """Return the first problem of a row, whose width must be that of the first row."""
    if type(row) not in LISTS:
        return f"row {at}: expected a list, got {shown(row)}"
    if not row:
        return f"row {at} is empty"
    if len(row) != len(first):
        return f"row {at} has {counted(len(row), 'value')}, row 1 has {len(first):,}"
    if len(row) > SIDE_LIMIT:
        return f"row {at} has {len(row):,} values, at most {SIDE_LIMIT}"
    for column, value in enumerate(row, 1):
        if type(value) is not int or not 0 <= value < COLOURS:
            return f"row {at}, value {column}: expected an int from 0 to {COLOURS - 1}, got {shown(value)}"
    return None
