"""Take outcomes from the cache before a run, and put new ones into it after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.table import STANDARD
from batt.bytecode.wire import HELPER, OP
from batt.cache import MOST_BYTES
from batt.cache.chunks import Targets
from batt.cache.columns import KeptColumn, KnownRow, PackedColumn, is_kept
from batt.cache.database import CacheFigures, Database, Unusable, cache_file
from batt.cache.keys import SampleKeys, program_keys
from batt.cache.version import outcome_version
from batt.ir import Program
from batt.runtime import Limits
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.outputs import PackedOutputs
from batt.runtime.records import join, take
from batt.runtime.tier import CACHE, Part

AT_ONCE = 1 << 22
"""The evaluations that are looked up at once, if some of them are known."""
PART = 1 << 17
"""The evaluations that are handed on at once."""
WRITE_EVALUATIONS, WRITE_BYTES = 1 << 21, 64 << 20
"""New outcomes are written at these numbers of outcomes and of bytes of their outputs."""


class ResultCache:
    """The cache of outcomes: a file of at most `most_bytes` in the user's cache folder, or at `path`.

    It is opened when it is first used. If it cannot be used, `failure` says why, and runs compute everything.
    """

    def __init__(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self.most_bytes = most_bytes
        self._database: Database | None = None
        self._version = b""
        self.failure = ""

    def __enter__(self) -> ResultCache:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. It is opened again when the cache is used."""
        database, self._database = self._database, None
        if database is not None:
            database.close()

    @property
    def database(self) -> Database:
        """Return the open file; raise Unusable if it cannot be opened."""
        if self._database is None:
            self._database = Database(cache_file() if self.path is None else self.path, self.most_bytes)
        return self._database

    @property
    def version(self) -> bytes:
        """Return the version of the code that decides outcomes."""
        if not self._version:
            self._version = outcome_version(self.database.version_of, self.database.remember_version)
        return self._version

    def figures(self) -> CacheFigures:
        """Return what the cache holds."""
        return self.database.figures(self.version)

    def prune(self, most_bytes: int | None = None) -> None:
        """Remove what no run of this version can use, and what was used least recently beyond `most_bytes`."""
        self.database.prune(self.version, most_bytes)

    def clear(self) -> None:
        """Remove everything."""
        self.database.clear()

    def reuses(
        self, programs: Sequence[Program], evaluations: Evaluations, limits: Limits, outputs: bool
    ) -> Iterator[Reuse]:
        """Yield the evaluations in one or more parts, each with what is known of it.

        Many evaluations come in several parts only if some of them are known, so that new ones run at once.
        """
        try:
            keys = program_keys(programs, limits, self.version)
            samples = SampleKeys.of(evaluations.samples)
            step = max(1, AT_ONCE // max(1, evaluations.solvers))
            whole = Reuse(self, keys, samples, evaluations, outputs)
            is_cut = len(samples) > step and evaluations.is_product and whole.is_any_known()
        except Unusable as error:
            self.failure = str(error)
            yield Reuse(self, [], SampleKeys(()), evaluations, outputs)
            return
        if not is_cut:
            yield whole
            return
        for start in range(0, len(samples), step):
            part = evaluations.on_samples(evaluations.samples[start : start + step], start)
            yield Reuse(self, keys, samples[start : start + step], part, outputs)


class Reuse:
    """Evaluations with what the cache knows of them. First take all of `found`, then run `left`, and `add` what ran."""

    def __init__(
        self,
        cache: ResultCache,
        keys: Sequence[bytes | None],
        samples: SampleKeys,
        evaluations: Evaluations,
        outputs: bool,
    ) -> None:
        self.evaluations = evaluations
        self.left: Evaluations | None = evaluations
        self._cache = cache
        self._keys = keys
        self._has_key = np.array([key is not None for key in keys], bool)
        self._samples = samples
        self._outputs = outputs
        # The samples of each chunk of the cache by their places here, or -1; None if none of them is here.
        self._places: dict[bytes, Integers | None] = {}
        self._targets: Targets | None = None
        self._new: list[New] = []

    def is_any_known(self) -> bool:
        """Tell whether the cache has a column of one of the programs on one of the samples."""
        return any(self._columns_of(key) for key in dict.fromkeys(self._keys) if key is not None)

    def found(self) -> Iterator[Part]:
        """Yield what is known, as parts; then `left` is the rest, or None if nothing is left."""
        if self._cache.failure:
            return
        is_found = np.zeros(self.evaluations.total, bool)
        waiting: list[tuple[Block, KeptColumn]] = []
        for block in _by_solver(self.evaluations):
            first = self._samples.first[block.samples]
            row = self._row(self._keys[int(block.solvers[0])])
            known = np.flatnonzero((first >= 0) & row.is_known[first]) if row is not None else ()
            if row is None or not len(known):
                continue
            is_found[block.numbers[known]] = True
            waiting.append((block[known], row.at(first[known])))
            if sum([len(each) for each, _ in waiting]) >= PART:
                yield self._part(waiting)
                waiting.clear()
        if waiting:
            yield self._part(waiting)
        if is_found.all():
            self.left = None
        elif is_found.any():
            self.left = self.evaluations.part(np.flatnonzero(~is_found))

    def add(self, part: Part) -> None:
        """Put new outcomes into the cache, sooner or later. The part is one of `left`, with its solvers and samples."""
        if self._cache.failure:
            return
        wires, numbered = None, [HELPER]
        if part.outputs is not None:
            wires = part.outputs.wires
            numbered += [] if part.outputs.functions.table is STANDARD else [OP]
        first = self._samples.first[part.block.samples]
        is_new = is_kept(part.records, wires, numbered) & (first >= 0) & self._has_key[part.block.solvers]
        kept = np.flatnonzero(is_new)
        if not len(kept):
            return
        wires = None if wires is None else [wires[place] for place in kept.tolist()]
        self._new.append(New(part.block.solvers[kept], first[kept], take(part.records, kept), part.steps[kept], wires))
        count, size = sum([len(each) for each in self._new]), sum([each.size for each in self._new])
        if count >= WRITE_EVALUATIONS or size >= WRITE_BYTES:
            self.write()

    def write(self) -> None:
        """Write the new outcomes to the file."""
        if not self._new or self._cache.failure:
            return
        new = New.joined(self._new)
        self._new.clear()
        try:
            if self._targets is None:
                whole = {chunk: each for chunk, each in self._places.items() if each is not None and each.min() >= 0}
                self._targets = Targets.of(self._samples, whole)
            columns = list(self._columns(new, self._targets))
            chunks = [self._targets.samples_of[chunk] for chunk in dict.fromkeys([chunk for _, chunk, _ in columns])]
            self._cache.database.write(self._cache.version, chunks, columns)
        except Unusable as error:
            self._cache.failure = str(error)

    def _columns(self, new: New, targets: Targets) -> Iterator[tuple[bytes, bytes, PackedColumn]]:
        """Yield the columns of new outcomes, each after its program and chunk, with what the cache has of them."""
        chunks, places = targets.chunk_of[new.samples], targets.place_of[new.samples]
        order = np.lexsort((places, chunks, new.solvers))
        keys = (new.solvers * len(targets.keys) + chunks)[order]
        # An evaluation may come twice: if an interrupt hit its part, or if two samples are alike.
        again = (np.diff(keys, prepend=-1) == 0) & (np.diff(places[order], prepend=-1) == 0)
        order, keys = order[~again], keys[~again]
        for group in np.split(order, np.flatnonzero(np.diff(keys)) + 1):
            program, chunk = self._keys[int(new.solvers[group[0]])], targets.keys[int(chunks[group[0]])]
            assert program is not None, "only outcomes with a key are kept"
            column = KeptColumn(places[group], *new.at(group))
            older = self._older(program, chunk, len(targets.samples_of[chunk]))
            yield program, chunk, (column if older is None else column.with_older(older)).packed()

    def _older(self, program: bytes, chunk: bytes, size: int) -> KeptColumn | None:
        """Return what the cache has of a program on a chunk."""
        database = self._cache.database
        number = {chunk: number for number, chunk in database.chunks_of(program)}.get(chunk)
        return None if number is None else database.column(number, program, chunk, size)

    def _columns_of(self, program: bytes) -> list[tuple[int, bytes, Integers]]:
        """Return the columns of a program on samples that are here: id, chunk, and the places of its samples."""
        found: list[tuple[int, bytes, Integers]] = []
        for number, chunk in self._cache.database.chunks_of(program):
            if chunk not in self._places:
                self._places[chunk] = self._place(chunk)
            places = self._places[chunk]
            if places is not None:
                found.append((number, chunk, places))
        return found

    def _place(self, chunk: bytes) -> Integers | None:
        """Return the places here of the samples of a chunk, or -1; None if none of them is here."""
        samples = self._cache.database.samples_of(chunk)
        places = np.array([self._samples.place_of.get(key, -1) for key in samples or ()], np.int64)
        return places if (places >= 0).any() else None

    def _row(self, program: bytes | None) -> KnownRow | None:
        """Return what is known of a program on all samples; None if nothing is."""
        row: KnownRow | None = None
        if program is None or self._cache.failure:
            return None
        try:
            for number, chunk, places in self._columns_of(program):
                column = self._cache.database.column(number, program, chunk, len(places))
                if column is not None:
                    row = row or KnownRow(len(self._samples), self._outputs)
                    row.put(places[column.places], column)
        except Unusable as error:
            self._cache.failure = str(error)
        return row

    def _part(self, waiting: list[tuple[Block, KeptColumn]]) -> Part:
        blocks, columns = [block for block, _ in waiting], [column for _, column in waiting]
        numbers, solvers, samples = [
            np.concatenate([getattr(block, name) for block in blocks]) for name in ("numbers", "solvers", "samples")
        ]
        outputs = None
        if self._outputs:
            wires = [wire for column in columns for wire in column.wires or ()]
            ends = np.cumsum([len(wire) for wire in wires], dtype=np.uint64)
            outputs = PackedOutputs.of(np.frombuffer(b"".join(wires), np.uint8), ends)
        records, steps = join([each.records for each in columns]), np.concatenate([each.steps for each in columns])
        return Part(CACHE, Block(numbers, solvers, samples), records, steps, outputs=outputs)


@dataclass(frozen=True, slots=True, eq=False)
class New:
    """Outcomes that are not in the cache yet, with the solver and the sample of each."""

    solvers: Integers
    samples: Integers
    records: npt.NDArray[Any]
    steps: Integers
    wires: list[bytes] | None

    def __len__(self) -> int:
        return len(self.solvers)

    @property
    def size(self) -> int:
        """Return the bytes of the outputs."""
        return sum(map(len, self.wires or ()))

    @classmethod
    def joined(cls, parts: Sequence[New]) -> New:
        """Return several as one."""
        solvers, samples, steps = [
            np.concatenate([getattr(each, name) for each in parts]) for name in ("solvers", "samples", "steps")
        ]
        wires = None if parts[0].wires is None else [wire for each in parts for wire in each.wires or ()]
        return cls(solvers, samples, join([each.records for each in parts]), steps, wires)

    def at(self, places: Integers) -> tuple[npt.NDArray[Any], Integers, list[bytes] | None]:
        """Return records, steps and outputs at these places."""
        wires = None if self.wires is None else [self.wires[place] for place in places.tolist()]
        return take(self.records, places), self.steps[places], wires


def _by_solver(evaluations: Evaluations) -> Iterator[Block]:
    """Yield the evaluations of each solver, if it has any."""
    if evaluations.is_product:
        samples = np.arange(len(evaluations.samples))
        for solver in range(evaluations.solvers) if len(samples) else ():
            yield Block(solver * len(samples) + samples, np.full(len(samples), solver), samples)
        return
    solvers, samples = evaluations.columns()
    order = np.argsort(solvers, kind="stable")
    for numbers in np.split(order, np.flatnonzero(np.diff(solvers[order])) + 1) if len(order) else ():
        yield Block(numbers, solvers[numbers], samples[numbers])
