"""The columns of a table of `batt bench`: an engine or plain Python, and how it is used."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from batt.bench import rearc
from batt.errors import UsageError
from batt.runtime import check_workers, cuda
from batt.runtime.native import missing

NO_SHARE, SHARE, OUTPUTS, ALONE = "no-share", "share", "outputs", "alone"
FLAGS = {"cpu": {NO_SHARE, OUTPUTS}, "cuda": {SHARE, OUTPUTS, ALONE}}
"""The words that may follow the number of threads."""
COLUMNS = "plain, reference, cpu[:THREADS][:no-share][:outputs], cuda[:THREADS][:share][:alone][:outputs]"
SLOW_UP_TO = 30_000
"""The most evaluations for which columns in Python are measured if no columns are named."""


class ColumnKind(Enum):
    """The engine of a column, or plain Python."""

    PLAIN = "plain"
    REFERENCE = "reference"
    CPU = "cpu"
    CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class BenchColumn:
    """An engine and how it is used. A column in Python has one process and shares nothing.

    With `outputs` every output is fetched. With `alone` the CPU runs only what GPUs defer.
    """

    kind: ColumnKind
    threads: int = 1
    share: bool = False
    outputs: bool = False
    alone: bool = False

    @property
    def name(self) -> str:
        """Return its name in options and tables: `plain`, `cpu:2`, `cpu:1:no-share`, `cuda:16:outputs`."""
        if self.in_python:
            return str(self.kind.value)
        is_cpu = self.kind is ColumnKind.CPU
        flags = {
            NO_SHARE: is_cpu and not self.share,
            SHARE: self.share and not is_cpu,
            OUTPUTS: self.outputs,
            ALONE: self.alone,
        }
        return ":".join([self.kind.value, str(self.threads), *[flag for flag, is_set in flags.items() if is_set]])

    @property
    def in_python(self) -> bool:
        """Tell whether Python does the work, so that a pass may take minutes."""
        return self.kind in (ColumnKind.PLAIN, ColumnKind.REFERENCE)

    @property
    def is_exact(self) -> bool:
        """Tell whether its outcomes must equal those of the others; plain Python's sets have another order."""
        return self.kind is not ColumnKind.PLAIN

    @property
    def times_each(self) -> bool:
        """Tell whether its time by evaluation is all of the work.

        Shared values are staged before evaluations, and on a GPU thousands of evaluations run at a time.
        """
        return not self.share and self.kind is not ColumnKind.CUDA


def columns_named(names: str) -> tuple[BenchColumn, ...]:
    """Return the columns of a list such as `plain,cpu:1:no-share,cpu:1,cpu`. Ratios refer to the first."""
    found = [_column(name.strip()) for name in names.split(",")]
    if len(set(found)) < len(found):
        raise UsageError(f"a column is given twice in {names!r}")
    kinds = {each.kind for each in found}
    if ColumnKind.PLAIN in kinds:
        rearc.folder()
    for kind, why in ((ColumnKind.CPU, missing), (ColumnKind.CUDA, lambda: missing() or cuda.missing())):
        lacking = why() if kind in kinds else None
        if lacking:
            raise UsageError(f"engine '{kind.value}' is not available: {lacking}")
    return tuple(found)


def standard_columns(evaluations: int) -> tuple[BenchColumn, ...]:
    """Return the columns to measure if none is named: what is installed, and Python only for few `evaluations`."""
    cores = check_workers(None)
    found: list[BenchColumn] = []
    if evaluations <= SLOW_UP_TO or missing() is not None:
        found += [BenchColumn(ColumnKind.PLAIN)] if rearc.is_installed() else []
        found.append(BenchColumn(ColumnKind.REFERENCE))
    if missing() is None:
        found += [BenchColumn(ColumnKind.CPU, 1, share) for share in (False, True)]
        found += [BenchColumn(ColumnKind.CPU, cores, True)] if cores > 1 else []
        found += [BenchColumn(ColumnKind.CUDA, cores)] if cuda.missing() is None else []
    return tuple(found)


def _column(name: str) -> BenchColumn:
    word, *rest = name.split(":")
    if word in (ColumnKind.PLAIN.value, ColumnKind.REFERENCE.value) and not rest:
        return BenchColumn(ColumnKind(word))
    threads = [each for each in rest[:1] if each.isdecimal()]
    flags = rest[len(threads) :]
    if word not in FLAGS or not set(flags) <= FLAGS[word] or len(set(flags)) < len(flags):
        raise UsageError(f"no column {name!r}; there are: {COLUMNS}")
    share = SHARE in flags or (word == ColumnKind.CPU.value and NO_SHARE not in flags)
    count = check_workers(int(threads[0]) if threads else None)
    return BenchColumn(ColumnKind(word), count, share, OUTPUTS in flags, ALONE in flags)
