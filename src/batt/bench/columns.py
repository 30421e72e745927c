"""What is measured side by side. Owns the names of columns; knows nothing of how they are run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from batt.bench import rearc
from batt.errors import UsageError
from batt.runtime import check_workers
from batt.runtime.native import missing

SLOW_UP_TO = 30_000
"""Evaluations up to which the columns in Python are measured where none are named."""


class Kind(Enum):
    """What runs the evaluations of a column."""

    PLAIN = "plain"
    REFERENCE = "reference"
    CPU = "cpu"


@dataclass(frozen=True, slots=True)
class Column:
    """An engine and how it is used; the columns in Python have one process and nothing to share."""

    kind: Kind
    threads: int = 1
    share: bool = False

    @property
    def name(self) -> str:
        """What options and tables call it: `plain`, `cpu:2`, `cpu:1:no-share`."""
        if self.kind is not Kind.CPU:
            return str(self.kind.value)
        return f"cpu:{self.threads}" + ("" if self.share else ":no-share")

    @property
    def in_python(self) -> bool:
        """Whether Python does the work, so that a pass may take minutes."""
        return self.kind is not Kind.CPU

    @property
    def is_exact(self) -> bool:
        """Whether its outcomes must equal those of the others; plain Python follows the hash order of its sets."""
        return self.kind is not Kind.PLAIN

    @property
    def times_each(self) -> bool:
        """Whether its time by evaluation is all of the work: what is shared is worked out ahead of evaluations."""
        return not self.share


def columns_named(names: str) -> tuple[Column, ...]:
    """The columns of a list such as `plain,cpu:1:no-share,cpu:1,cpu`; the first is what ratios refer to."""
    found = [_column(name.strip()) for name in names.split(",")]
    if len(set(found)) < len(found):
        raise UsageError(f"a column stands twice in {names!r}")
    _check_there(found)
    return tuple(found)


def standard_columns(evaluations: int) -> tuple[Column, ...]:
    """What is measured where nothing is asked for: what is installed, and Python only where it ends in minutes."""
    cores = check_workers(None)
    found: list[Column] = []
    if evaluations <= SLOW_UP_TO or missing() is not None:
        found += [Column(Kind.PLAIN)] if rearc.is_installed() else []
        found.append(Column(Kind.REFERENCE))
    if missing() is None:
        found += [Column(Kind.CPU, 1, False), Column(Kind.CPU, 1, True)]
        found += [Column(Kind.CPU, cores, True)] if cores > 1 else []
    return tuple(found)


def _column(name: str) -> Column:
    word, *rest = name.split(":")
    if word in (Kind.PLAIN.value, Kind.REFERENCE.value) and not rest:
        return Column(Kind(word))
    share = rest[-1:] != ["no-share"]
    threads = rest if share else rest[:-1]
    if word != Kind.CPU.value or len(threads) > 1 or not all(each.isdecimal() for each in threads):
        raise UsageError(f"no column {name!r}; there are: plain, reference, cpu, cpu:THREADS, cpu:THREADS:no-share")
    return Column(Kind.CPU, check_workers(int(threads[0]) if threads else None), share)


def _check_there(columns: list[Column]) -> None:
    if any(each.kind is Kind.PLAIN for each in columns):
        rearc.folder()
    why = missing()
    if why and any(each.kind is Kind.CPU for each in columns):
        raise UsageError(f"engine 'cpu' is not available: {why}")
