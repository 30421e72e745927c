"""Columns, with one value for each sample, and the batches that compute them when a value is first read.

Reading a column runs the engine once, for it and for every other unknown column of its batch that is still referenced.
Values are kept. The order of reading changes no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, overload
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.ir import Literal, Program
from batt.jobs.choice import choose_engine
from batt.jobs.programs import Programs, failing_op, grouped
from batt.jobs.values import Failed, as_value
from batt.lazy.by_op import values_by_op
from batt.lazy.nodes import (
    DEMONSTRATIONS,
    AfterNode,
    Argument,
    CallNode,
    GivenNode,
    Node,
    length_of,
    needed,
    program_of,
)
from batt.ops import OPS
from batt.runtime import Limits, Sample
from batt.runtime.cuda.selection import Devices
from batt.runtime.options import read_options

S_OF_A_CALL = 360e-9
"""Seconds of a thread of the CPU for a call of an op, about."""


class _ProgramGroup:
    """The programs of a run on the same samples, each once, with their places; `start` is the first evaluation."""

    def __init__(self, samples: tuple[Sample, ...]) -> None:
        self.samples = samples
        self.places: dict[Program, int] = {}
        self.start = 0

    def values(self, program: Program, values: Sequence[Any]) -> Sequence[Any]:
        """Return the values of `program` among the `values` of the whole run."""
        start = self.start + self.places[program] * len(self.samples)
        return values[start : start + len(self.samples)]


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
        self._live: WeakValueDictionary[int, Column] = WeakValueDictionary()
        self._numbers = count()

    def add(self, column: Column) -> None:
        """Add a column to the batch."""
        self._live[next(self._numbers)] = column

    def run(self, wanted: Column) -> None:
        """Compute `wanted` and every other unknown column of the batch."""
        columns = {id(each): each for each in (wanted, *[each for _, each in sorted(self._live.items())])}
        unknown = [each for each in columns.values() if not each.known and each.length != 0]
        self.runs += 1
        if (values := self._by_op(unknown)) is not None:
            for column, found in zip(unknown, values, strict=True):
                column.keep(found)
            return
        groups: dict[tuple[int, ...], _ProgramGroup] = {}
        planned: list[tuple[_ProgramGroup, Program]] = []
        for column in unknown:
            assert not isinstance(column.node, GivenNode)
            program, inputs = program_of(column.node)
            key = (column.length or 1, *inputs.numbers)
            if key not in groups:
                groups[key] = _ProgramGroup(inputs.samples(column.length or 1))
            groups[key].places.setdefault(program, len(groups[key].places))
            planned.append((groups[key], program))
        start = 0
        for group in groups.values():
            group.start = start
            start += len(group.places) * len(group.samples)
        options = read_options(engine=self.engine, limits=self.limits, devices=self.devices)
        programs = Programs([program for group in groups.values() for program in group.places], options, self._tell)
        ran = programs.run(grouped([(len(group.places), group.samples) for group in groups.values()]))
        for column, (group, program) in zip(unknown, planned, strict=True):
            column.keep(group.values(program, ran.values))

    def _by_op(self, unknown: Sequence[Column]) -> list[list[Any]] | None:
        """Return the values of columns, computed op by op; None if that is not possible."""
        nodes = [each.node for each in unknown if not isinstance(each.node, GivenNode)]
        work_s = S_OF_A_CALL * sum([(node.length or 1) * len(needed(node)[1]) for node in nodes])
        options = read_options(engine=self.engine, limits=self.limits, devices=self.devices)
        chosen = choose_engine(options.engine, options.devices, work_s, options.workers)
        if chosen.engine == "reference" or chosen.note:
            return None
        return values_by_op(nodes, replace(options, engine=chosen.engine), self._tell)

    def _tell(self, line: str) -> None:
        if line not in self.notes:
            self.notes.append(line)
            if self.tell:
                self.tell(line)


class Column:
    """A value, or a Failed, for each sample of a batch; computed when a value is first read.

    `==` and `!=` return columns too; both are False where a side failed. A column is true if all its values are true; a
    Failed is not. A column made of constants alone has no length.
    """

    __slots__ = ("__weakref__", "_batch", "_values", "node")
    __hash__ = object.__hash__

    def __init__(self, values: Iterable[Any] | Node, name: str = "", batch: Batch | None = None) -> None:
        self._batch = batch or Batch()
        self.node: Node = (
            values
            if isinstance(values, GivenNode | CallNode | AfterNode)
            else GivenNode([as_value(value) for value in values], name)
        )
        self._values: Sequence[Any] | None = self.node.values if isinstance(self.node, GivenNode) else None
        self._batch.add(self)

    @property
    def batch(self) -> Batch:
        """Return the batch that runs the column."""
        return self._batch

    @property
    def known(self) -> bool:
        """Tell whether its values are computed."""
        return self._values is not None

    @property
    def length(self) -> int | None:
        """Return the number of samples; None if the column is made of constants alone."""
        return self.node.length

    @property
    def values(self) -> list[Any]:
        """Return all values; a single one if the column is made of constants alone."""
        return list(self._looked_at())

    @property
    def failed(self) -> list[int]:
        """Return the indices of the samples without a value."""
        return [at for at, value in enumerate(self.values) if isinstance(value, Failed)]

    def at(self, index: int) -> Any:
        """Return the value for the sample `index`; constants have one value for all."""
        return self._looked_at()[0 if self.length is None else index]

    def why(self, index: int) -> Failed | None:
        """Return the Failed of sample `index` with the op that failed, found by a second run step by step, or None."""
        if not isinstance(self.at(index), Failed) or isinstance(self.node, GivenNode):
            return None
        program, inputs = program_of(self.node)
        sample = inputs.samples(self.length or 1)[index if self.length else 0]
        return failing_op(program, sample, self._batch.limits)

    def __len__(self) -> int:
        if self.length is None:
            raise UsageError("this column is made of constants alone: it has no length")
        return self.length

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.at(index) if isinstance(index, int) else self.values[index]

    def __iter__(self) -> Iterator[Any]:
        len(self)
        return iter(self.values)

    def __bool__(self) -> bool:
        return all(bool(value) and not isinstance(value, Failed) for value in self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        made = np.empty(len(self), object)
        made[:] = self.values
        return made if dtype is None else made.astype(dtype)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return _Compared(self, other, equal=True)

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return _Compared(self, other, equal=False)

    def __repr__(self) -> str:
        length = "constants" if self.length is None else f"{self.length:,} samples"
        return f"<Column | {length} | {'known' if self.known else 'not computed'}>"

    def _looked_at(self) -> Sequence[Any]:
        if self._values is None:
            self._values = [] if self.length == 0 else self._look()
        return self._values

    def _look(self) -> Sequence[Any]:
        self._batch.run(self)
        assert self._values is not None
        return self._values

    def keep(self, values: Sequence[Any]) -> None:
        """Store the computed values."""
        self._values = values


class Each(Column):
    """The results of a Python function for each sample. No engine runs it, so no word of a batch takes it."""

    __slots__ = ("_args", "_function")

    def __init__(self, function: Callable[..., Any], args: Sequence[Any]) -> None:
        self._function = function
        self._args = args
        found = [arg for arg in args if isinstance(arg, Column)]
        nodes = tuple([each.node for each in found])
        super().__init__(AfterNode(Literal(None), nodes, length_of(nodes)), batch=batch_of(found))

    @property
    def known(self) -> bool:
        """Return true: an engine has nothing to compute."""
        return True

    def _look(self) -> Sequence[Any]:
        samples = range(1 if self.length is None else self.length)
        return [self._function(*[_at(each, at) for each in self._args]) for at in samples]


def _at(given: Any, at: int) -> Any:
    return given.at(at) if isinstance(given, Column) else given


class _Compared(Each):
    """True where two columns are equal, or differ. As an argument of a word: the op `equality`, or its negation."""

    __slots__ = ()

    def __init__(self, left: Column, right: object, *, equal: bool) -> None:
        if not isinstance(right, Column):
            right = Column(right, batch=left.batch) if isinstance(right, list) else as_value(right)
        super().__init__(partial(_are_equal, equal), (left, right))
        equality = call(OPS["equality"], (left, right))
        self.node = equality.node if equal else call(OPS["flip"], (equality,)).node


def _are_equal(equal: bool, left: Any, right: Any) -> bool:
    return not isinstance(left, Failed) and not isinstance(right, Failed) and bool(left == right) is equal


def columns(
    Ss: Sequence[Any],
    Is: Sequence[Any],
    Cs: Sequence[Any] | None = None,
    *,
    engine: str = "auto",
    limits: Limits | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Column, Column, Column]:
    """Return the demonstrations, inputs and candidates of many samples as the columns of one batch.

    >>> from batt.lazy import batch_vmirror
    >>> Ss, Is, Cs = columns([()], [((1, 2), (3, 4))])
    >>> batch_vmirror(Is)[0]
    ((2, 1), (4, 3))
    """
    batch = Batch(engine, limits, tell)
    given = Column(Ss, DEMONSTRATIONS, batch), Column(Is, "I", batch)
    candidates = Column([None] * len(given[1]) if Cs is None else Cs, "C", batch)
    length_of([each.node for each in (*given, candidates)])
    return (*given, candidates)


def argument(given: Any, batch: Batch) -> Argument:
    """Convert an argument of a word: a column, a list with a value per sample, or a constant that may hold columns."""
    if isinstance(given, Each) and not isinstance(given, _Compared):
        raise UsageError("a column made by batch_each is made in Python, and no word of a batch takes it; use it last")
    if isinstance(given, Column):
        return given.node
    if isinstance(given, list):
        return Column(given, batch=batch).node
    if isinstance(given, tuple) and _holds_column(given):
        parts = tuple([argument(each, batch) for each in given])
        return CallNode(None, parts, length_of(parts))
    return Literal(as_value(given))


def call(callee: Any, args: Sequence[Any]) -> Column:
    """Record a call of `callee`, in the batch of the first column among its operands."""
    batch = batch_of([callee, *args])
    function, *made = [argument(each, batch) for each in (callee, *args)]
    return Column(CallNode(function, tuple(made), length_of([function, *made])), batch=batch)


def _holds_column(value: tuple[Any, ...]) -> bool:
    return any(isinstance(each, Column) or (isinstance(each, tuple) and _holds_column(each)) for each in value)


def batch_of(args: Iterable[Any]) -> Batch:
    """Return the batch of the first column in `args`, or a new one."""
    for arg in args:
        if isinstance(arg, Column):
            return arg.batch
        if isinstance(arg, tuple) and _holds_column(arg):
            return batch_of(arg)
    return Batch()
