"""What is measured side by side. Owns the names of columns; knows nothing of how they are run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from batt.bench import rearc
from batt.errors import UsageError
from batt.runtime import check_workers, cuda
from batt.runtime.native import missing

NO_SHARE, SHARE, OUTPUTS, ALONE = "no-share", "share", "outputs", "alone"
FLAGS = {"cpu": {NO_SHARE, OUTPUTS}, "cuda": {SHARE, OUTPUTS, ALONE}}
"""What may stand after the number of threads."""
COLUMNS = "plain, reference, cpu[:THREADS][:no-share][:outputs], cuda[:THREADS][:share][:alone][:outputs]"
SLOW_UP_TO = 30_000
"""Evaluations up to which the columns in Python are measured where none are named."""


class Kind(Enum):
    """What runs the evaluations of a column."""

    PLAIN = "plain"
    REFERENCE = "reference"
    CPU = "cpu"
    CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class Column:
    """An engine and how it is used; the columns in Python have one process and nothing to share; GPUs share if told to.

    With `outputs` every output is fetched. GPUs that are `alone` leave the threads what they could not finish.
    """

    kind: Kind
    threads: int = 1
    share: bool = False
    outputs: bool = False
    alone: bool = False

    @property
    def name(self) -> str:
        """What options and tables call it: `plain`, `cpu:2`, `cpu:1:no-share`, `cuda:16:outputs`."""
        if self.in_python:
            return str(self.kind.value)
        unshared, shared = self.kind is Kind.CPU and not self.share, self.kind is Kind.CUDA and self.share
        flags = {NO_SHARE: unshared, SHARE: shared, OUTPUTS: self.outputs, ALONE: self.alone}
        return ":".join([self.kind.value, str(self.threads), *[flag for flag, is_set in flags.items() if is_set]])

    @property
    def in_python(self) -> bool:
        """Whether Python does the work, so that a pass may take minutes."""
        return self.kind in (Kind.PLAIN, Kind.REFERENCE)

    @property
    def is_exact(self) -> bool:
        """Whether its outcomes must equal those of the others; plain Python follows the hash order of its sets."""
        return self.kind is not Kind.PLAIN

    @property
    def times_each(self) -> bool:
        """Whether its time by evaluation is all of the work.

        Shared values are staged before evaluations, and on a GPU thousands of them share its time.
        """
        return not self.share and self.kind is not Kind.CUDA


def columns_named(names: str) -> tuple[Column, ...]:
    """The columns of a list such as `plain,cpu:1:no-share,cpu:1,cpu`; the first is what ratios refer to."""
    found = [_column(name.strip()) for name in names.split(",")]
    if len(set(found)) < len(found):
        raise UsageError(f"a column is given twice in {names!r}")
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
        found += [Column(Kind.CUDA, cores)] if cuda.missing() is None else []
    return tuple(found)


def _column(name: str) -> Column:
    word, *rest = name.split(":")
    if word in (Kind.PLAIN.value, Kind.REFERENCE.value) and not rest:
        return Column(Kind(word))
    threads = [each for each in rest[:1] if each.isdecimal()]
    flags = rest[len(threads) :]
    if word not in FLAGS or not set(flags) <= FLAGS[word] or len(set(flags)) < len(flags):
        raise UsageError(f"no column {name!r}; there are: {COLUMNS}")
    share = SHARE in flags or (word == Kind.CPU.value and NO_SHARE not in flags)
    count = check_workers(int(threads[0]) if threads else None)
    return Column(Kind(word), count, share, OUTPUTS in flags, ALONE in flags)


def _check_there(columns: list[Column]) -> None:
    if any(each.kind is Kind.PLAIN for each in columns):
        rearc.folder()
    for kind, why in ((Kind.CPU, missing), (Kind.CUDA, lambda: missing() or cuda.missing())):
        lacking = why() if any(each.kind is kind for each in columns) else None
        if lacking:
            raise UsageError(f"engine '{kind.value}' is not available: {lacking}")
