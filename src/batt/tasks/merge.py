"""Merge sets of tasks into one. Tasks of one id become one task if they agree, else the later ones are renamed."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from batt.errors import DataError, UsageError
from batt.tasks.model import ID_LIMIT, Pair, Task, Tasks, counted

if TYPE_CHECKING:
    from batt.tasks.rows import Rows

SHOWN_IDS = 3


def merge_tasks(sets: Sequence[Tasks]) -> Tasks:
    """Merge `sets` into one set, in ascending order of id.

    Tasks of one id are one task if `join` finds that they agree. Else the task of the first set keeps the id, and the
    others are named `SET/ID`: adding a set never renames a task of the sets before it. The notes of the result say how
    many were joined and which were renamed.

    A set whose tasks are made on demand is not loaded: at most two of its tasks are in memory at a time.
    """
    if not sets:
        raise UsageError("expected at least one source of tasks")
    if len(sets) == 1:
        return sets[0]
    merging = Merging(sets)
    for number, name in enumerate(name for tasks in sets for name in tasks.ids):
        merging.add(number, name)
    names = merging.names()
    tasks: tuple[Task, ...] | Rows
    if any(not isinstance(each.tasks, tuple) for each in sets):
        # NumPy takes a while to import; sets that are in memory do not need it.
        from batt.tasks.rows import merged_rows

        tasks = merged_rows(merging, names)
    else:
        tasks = tuple([replace(merging.task(number), id=name) for name, number in names.items()])
    source = " + ".join([each.source for each in sets])
    name = "+".join([each.name for each in sets])
    return Tasks(tasks, source, name, (*[note for each in sets for note in each.notes], *merging.notes()))


def join(first: Task, other: Task) -> Task | None:
    """Return `first` with the test outputs that only `other` has; None if the two do not agree.

    They agree if they have the same train pairs and the same test pairs, each in any order, and no test output of
    one contradicts the other. An unknown output contradicts nothing.
    """
    if Counter(first.train) != Counter(other.train):
        return None
    test = _filled(first.test, other.test)
    if Counter(test) != Counter(_filled(other.test, first.test)):
        return None
    return first if test == first.test else Task(first.id, first.train, test)


def _filled(pairs: tuple[Pair, ...], others: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """Complete each pair without an output from one of `others` with the same input."""
    known = {pair.input: pair for pair in others if pair.output is not None}
    return tuple([known.get(pair.input, pair) if pair.output is None else pair for pair in pairs])


class Merging:
    """Decides which tasks of several sets are kept, joined or renamed. Tasks are numbered set after set."""

    def __init__(self, sets: Sequence[Tasks]) -> None:
        self.sets = sets
        self.starts = [0, *accumulate([len(each) for each in sets])]
        self.joined: dict[int, list[int]] = {}
        self._first: dict[str, int] = {}
        self._versions: dict[str, list[int]] = {}
        self._renamed: list[str] = []

    def add(self, number: int, name: str) -> None:
        """Add the next task: keep it, join it to another, or rename it."""
        if self._first.setdefault(name, number) == number:
            return
        versions = self._versions.setdefault(name, [self._first[name]])
        task = self._at(number)
        for version in versions:
            if join(self.task(version), task) is not None:
                self.joined.setdefault(version, []).append(number)
                return
        versions.append(number)

    def task(self, number: int) -> Task:
        """Return a task together with those joined to it."""
        made = self._at(number)
        for other in self.joined.get(number, ()):
            made = join(made, self._at(other)) or made
        return made

    def names(self) -> dict[str, int]:
        """Return the number of each kept task by its name in the result, in ascending order."""
        found = dict(self._first)
        for name, versions in self._versions.items():
            for number in versions[1:]:
                renamed = self._free_name(self.sets[self.set_of(number)].name, name, found)
                found[renamed] = number
                self._renamed.append(renamed)
        return dict(sorted(found.items()))

    def notes(self) -> list[str]:
        """Return notes about tasks that several sets have."""
        notes = []
        joined = sum(map(len, self.joined.values()))
        if joined:
            notes.append(f"{counted(joined, 'task')} appeared again with the same pairs: kept once")
        if self._renamed:
            shown = ", ".join(self._renamed[:SHOWN_IDS]) + ", …" * (len(self._renamed) > SHOWN_IDS)
            count = counted(len(self._renamed), "task")
            notes.append(f"{count} renamed, because another task has the same id and different pairs: {shown}")
        return notes

    def set_of(self, number: int) -> int:
        """Return the position of the set that a task is from."""
        return bisect_right(self.starts, number) - 1

    def _at(self, number: int) -> Task:
        at = self.set_of(number)
        return self.sets[at][number - self.starts[at]]

    def _free_name(self, prefix: str, name: str, taken: dict[str, int]) -> str:
        """Return `PREFIX/NAME`, or `PREFIX-2/NAME` and so on if that is taken."""
        found, count = f"{prefix}/{name}", 1
        while found in taken:
            count += 1
            found = f"{prefix}-{count}/{name}"
        if len(found) > ID_LIMIT:
            raise DataError(
                f"task {name}: sources have different tasks of this id, and the name {found[:ID_LIMIT]}… is longer "
                f"than {ID_LIMIT} characters; rename one of them"
            )
        return found
