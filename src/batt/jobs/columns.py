"""The columns of exported rows: what each holds, and its values, solver by solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.jobs.keeping import KeptRows
from batt.jobs.results import Results
from batt.jobs.samples import Keys
from batt.jobs.texts import output_texts
from batt.runtime import ERROR_KINDS, Equality, Split, Status
from batt.runtime.evaluations import Integers
from batt.runtime.records import take

NULL = "null"
"""The JSON text of no value."""


class ValueKind(Enum):
    """The kinds of columns."""

    NAME = "name"
    """One of a few texts."""
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    JSON = "JSON"
    """Any value, as JSON: in JSON lines the value itself, elsewhere its text."""


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column of exported rows. `added_by` names the option that adds it; `may_be_null` says when it has no value."""

    name: str
    kind: ValueKind
    doc: str
    may_be_null: str = ""
    added_by: str = ""


COLUMNS = (
    ExportColumn("solver", ValueKind.NAME, "the solver"),
    ExportColumn("task", ValueKind.NAME, "the id of the task"),
    ExportColumn("part", ValueKind.NAME, "the half of the task that the pair belongs to: `train` or `test`"),
    ExportColumn("index", ValueKind.INTEGER, "the position of the pair in that half, from 0"),
    ExportColumn("status", ValueKind.NAME, "how the evaluation ended: `ok`, `raised`, `over_budget` or `timed_out`"),
    ExportColumn("error", ValueKind.NAME, "the kind of error, such as `IndexError`", "the status is not `raised`"),
    ExportColumn(
        "equal", ValueKind.BOOLEAN, "whether the output is equal to the expected one", "the expected output is unknown"
    ),
    ExportColumn(
        "hash", ValueKind.TEXT, "16 hexadecimal digits; equal outputs have equal hashes", "the status is not `ok`"
    ),
    ExportColumn("engine", ValueKind.NAME, "the engine of the run", added_by="--with-engine"),
    ExportColumn(
        "output",
        ValueKind.JSON,
        "the value that the solver returned",
        "the status is not `ok`, or it is None",
        "--outputs",
    ),
    ExportColumn("scores", ValueKind.JSON, "`[score, detail]` of the output, by differ", added_by="--differs"),
    ExportColumn("run", ValueKind.NAME, "the id of the run", added_by="--out"),
)
"""All columns, in the order in which rows have them."""


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of few distinct values: row k has `values[codes[k]]`."""

    codes: npt.NDArray[Any]
    values: Sequence[Any]

    def __len__(self) -> int:
        return len(self.codes)


Values: TypeAlias = Coded | list[str] | list[str | None]
"""The values of a column in some rows. Those of the kind JSON are texts."""


@dataclass(frozen=True, slots=True)
class RowColumns:
    """The columns of the rows of an export, with the sources of their values.

    `more` adds columns of JSON texts, by the number of the evaluation. `run` is in every row unless it is empty.
    """

    results: Results
    outputs: bool = False
    with_engine: bool = False
    more: Mapping[str, Sequence[str]] | None = None
    run: str = ""

    def __post_init__(self) -> None:
        if self.outputs and self.results.outputs is None:
            raise UsageError("outputs were not kept; evaluate with outputs=True")

    @property
    def columns(self) -> tuple[ExportColumn, ...]:
        """Return the columns, in order."""
        known = {column.name: column for column in COLUMNS}
        always = [column for column in COLUMNS if not column.added_by]
        added = [name for name, is_there in (("engine", self.with_engine), ("output", self.outputs)) if is_there]
        more = [known.get(name, ExportColumn(name, ValueKind.JSON, "")) for name in self.more or ()]
        return (*always, *[known[name] for name in added], *more, *([known["run"]] if self.run else []))

    def blocks(self) -> Iterator[dict[str, Values]]:
        """Yield the rows of each solver, columns by name; sorted by solver, task, part and index."""
        kept = KeptRows(self.results)
        rank = _ranks(kept.keys)
        names = self.results.deck.names
        tables = _Tables(names, kept.keys)
        # Solver by solver: a list of all evaluations could be too large.
        for solver in sorted(range(len(names)), key=lambda position: names[position]):
            numbers, positions = kept.of_solver(solver)
            if len(numbers):
                order = np.argsort(rank[positions], kind="stable")
                numbers = numbers[order]
                found = tables.of_rows(solver, positions[order], take(self.results.records, numbers))
                yield found | self._added(numbers)

    def _added(self, numbers: Integers) -> dict[str, Values]:
        """Return the columns that options add."""
        found: dict[str, Values] = {}
        constant = np.zeros(len(numbers), np.int64)
        if self.with_engine:
            found["engine"] = Coded(constant, [self.results.engine])
        if self.outputs and self.results.outputs is not None:
            found["output"] = output_texts(*self.results.outputs.take(numbers))
        for name, texts in (self.more or {}).items():
            found[name] = [texts[number] for number in numbers.tolist()]
        if self.run:
            found["run"] = Coded(constant, [self.run])
        return found


class _Tables:
    """The values of coded columns, which all rows share."""

    def __init__(self, solvers: Sequence[str], keys: Keys) -> None:
        self.solvers = solvers
        self.keys = keys
        self.parts = [Split.TEST.value, Split.TRAIN.value]
        self.indices = range(int(keys.index_of.max(initial=0)) + 1)
        self.statuses: list[str | None] = [None] * (max(Status) + 1)
        for status in Status:
            self.statuses[status] = status.word
        self.errors = [kind or None for kind in ERROR_KINDS]
        self.equal: list[bool | None] = [None] * len(Equality)
        self.equal[Equality.NO], self.equal[Equality.YES] = False, True

    def of_rows(self, solver: int, positions: Integers, records: npt.NDArray[Any]) -> dict[str, Values]:
        """Return the columns of a solver's rows, on the samples at these positions."""
        keys = self.keys
        return {
            "solver": Coded(np.full(len(positions), solver), self.solvers),
            "task": Coded(keys.task_of[positions], keys.ids),
            "part": Coded(keys.is_train[positions].astype(np.int64), self.parts),
            "index": Coded(keys.index_of[positions], self.indices),
            "status": Coded(records["status"], self.statuses),
            "error": Coded(records["error"], self.errors),
            "equal": Coded(records["equal"], self.equal),
            "hash": _hashes(records),
        }


def _ranks(keys: Keys) -> Integers:
    """Return the position of each sample after sorting by task, part and index."""
    # The argsort of a permutation is its inverse: from positions in the order to ranks.
    name_rank = np.argsort(sorted(range(len(keys.ids)), key=lambda place: keys.ids[place]))
    return np.argsort(np.lexsort((keys.index_of, keys.is_train, name_rank[keys.task_of])))


def _hashes(records: npt.NDArray[Any]) -> list[str | None]:
    """Return the hashes of outputs in hexadecimal digits; None without an output."""
    digits = records["hash"].astype(">u8").tobytes().hex()
    is_ok = (records["status"] == Status.OK).tolist()
    return [digits[16 * at : 16 * at + 16] if there else None for at, there in enumerate(is_ok)]
