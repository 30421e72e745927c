"""The messages between a run and the workers of its cluster: the deck and the samples once, then blocks and replies."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause
from batt.bytecode.image import Image
from batt.ir import Helper, Program
from batt.runtime.batch import PackedSamples
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.options import Options
from batt.runtime.outputs import Bytes
from batt.runtime.records import RECORD_TYPE
from batt.runtime.sample import Sample

LEVEL = 1
"""Of zlib."""
DONE, UNDONE = 254, 255
"""The states of evaluations in a reply that are no causes: finished, and left to the run itself."""
_COLUMNS = RECORD_TYPE.names or ()


class Malformed(ValueError):
    """A reply that does not belong to its block."""


@dataclass(frozen=True, slots=True)
class DeckOfRun:
    """The programs of a run as workers get them. `programs` may hold the user's own ops, which are executed there.

    The other fields are those of `Job` and `Image`. The table of ops is the language's own.
    """

    programs: Sequence[Program]
    words: bytes
    pool: bytes
    slices: tuple[str, ...]
    helpers: Mapping[int, Helper]
    slice_of: Integers
    refused: Mapping[int, str]
    options: Options

    @classmethod
    def of(cls, job: Job, options: Options) -> DeckOfRun:
        """Return the programs of a job."""
        image = job.image
        return cls(
            list(job.programs), image.words, image.pool, image.slices, dict(image.helpers), job.slice_of,
            dict(job.refused), options,
        )  # fmt: skip

    @property
    def job(self) -> Job:
        """Return the job, without evaluations."""
        image = Image(self.words, self.pool, self.slices, self.helpers)
        return Job(self.programs, image, self.slice_of, self.refused, Evaluations((), len(self.programs)))


@dataclass(frozen=True, eq=False)
class SamplesOfRun(Sequence[Sample]):
    """The samples of a run as workers get them, `packed` for native code if it is used. They are made when needed."""

    length: int
    pickled: bytes
    packed: PackedSamples | None

    @cached_property
    def _whole(self) -> tuple[Sample, ...]:
        found: tuple[Sample, ...] = pickle.loads(self.pickled)
        return found

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, key: int) -> Sample: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Sample, ...]: ...
    def __getitem__(self, key: int | slice) -> Sample | tuple[Sample, ...]:
        return self._whole[key]


@dataclass(frozen=True, slots=True)
class Load:
    """The deck and the samples of a run, by their digests, for every worker."""

    deck: str
    samples: str
    data: Mapping[str, bytes]

    @classmethod
    def of(cls, job: Job, options: Options, packed: PackedSamples | None) -> Load:
        """Pack the programs and the samples of a job, and the `options` of its workers."""
        samples = tuple(job.evaluations.samples)
        made = SamplesOfRun(len(samples), pickle.dumps(samples, protocol=5), packed)
        data = [packed_object(each) for each in (DeckOfRun.of(job, options), made)]
        digests = digest_of(data[0]), digest_of(data[1])
        return cls(*digests, dict(zip(digests, data, strict=True)))


def packed_object(value: DeckOfRun | SamplesOfRun) -> bytes:
    """Return a deck or samples as bytes."""
    return zlib.compress(pickle.dumps(value, protocol=5), LEVEL)


def unpacked_object(data: bytes) -> DeckOfRun | SamplesOfRun:
    """Return a deck or samples of bytes. This executes the user's own ops, if there are any."""
    found: DeckOfRun | SamplesOfRun = pickle.loads(zlib.decompress(data))
    return found


def digest_of(data: bytes) -> str:
    """Return the digest by which workers keep data."""
    return sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Order:
    """A block for a worker: the digests of its deck and samples, how to run it, and packed solvers and samples."""

    deck: str
    samples: str
    is_reference: bool
    threads: int
    count: int
    columns: bytes

    @classmethod
    def of(cls, load: Load, block: Block, is_reference: bool, threads: int) -> Order:
        """Pack a block."""
        # Neighbours have the same difference, so that a block is a few hundred bytes, whatever its size.
        columns = (block.solvers.astype(np.int32), block.samples.astype(np.int32))
        steps = b"".join([np.diff(each, prepend=np.int32(0)).tobytes() for each in columns])
        return cls(load.deck, load.samples, is_reference, threads, len(block), zlib.compress(steps, LEVEL))

    @property
    def pairs(self) -> tuple[Integers, Integers]:
        """Return the solvers and the samples."""
        steps = np.frombuffer(zlib.decompress(self.columns), np.int32).reshape(2, self.count)
        solvers, samples = np.cumsum(steps, axis=1, dtype=np.int64)
        return solvers, samples


@dataclass(frozen=True, slots=True)
class BlockReply:
    """The result of a block: the state of each evaluation, and of the finished ones records, steps and outputs.

    A state is DONE, UNDONE or the cause for which the evaluation is deferred. `sizes` is None if the run keeps no
    outputs. `is_reference` tells that the worker used the reference engine alone.
    """

    is_reference: bool
    wall_s: float
    states: npt.NDArray[np.uint8]
    records: npt.NDArray[Any]
    steps: Integers
    sizes: npt.NDArray[np.uint32] | None = None
    outputs: bytes = b""

    def packed(self) -> bytes:
        """Return the reply as bytes; columns compress better than records."""
        columns = [np.ascontiguousarray(self.records[name]).tobytes() for name in _COLUMNS]
        columns += [self.states.tobytes(), self.steps.tobytes()]
        if self.sizes is not None:
            columns += [self.sizes.tobytes(), self.outputs]
        return zlib.compress(pickle.dumps((self.is_reference, self.wall_s, columns), protocol=5), LEVEL)

    @classmethod
    def unpacked(cls, data: bytes, count: int) -> BlockReply:
        """Return the reply for a block of `count` evaluations; raise Malformed if it is none."""
        try:
            is_reference, wall_s, columns = pickle.loads(zlib.decompress(data))
            *fields, states, steps = columns[: len(_COLUMNS) + 2]
            found = np.frombuffer(states, np.uint8)
            records = np.empty(int((found == DONE).sum()), RECORD_TYPE)
            for name, column in zip(_COLUMNS, fields, strict=True):
                records[name] = np.frombuffer(column, RECORD_TYPE[name])
            more = columns[len(_COLUMNS) + 2 :]
            sizes = np.frombuffer(more[0], np.uint32) if more else None
            made = cls(is_reference, wall_s, found, records, np.frombuffer(steps, np.int64), sizes, *more[1:])
        except (zlib.error, pickle.UnpicklingError, ValueError, TypeError, EOFError) as error:
            raise Malformed(str(error)) from None
        if len(found) != count or len(made.steps) != len(records):
            raise Malformed(f"{len(found):,} evaluations instead of {count:,}")
        if sizes is not None and (len(sizes) != len(records) or int(sizes.sum()) != len(made.outputs)):
            raise Malformed("outputs that do not belong to the evaluations")
        return made

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Tell which evaluations are finished."""
        found: npt.NDArray[np.bool_] = self.states == DONE
        return found

    @property
    def packed_outputs(self) -> tuple[Bytes, npt.NDArray[np.uint64]] | None:
        """Return the bytes of all outputs and the ends of each; None if the run keeps none."""
        if self.sizes is None:
            return None
        return np.frombuffer(self.outputs, np.uint8), np.cumsum(self.sizes, dtype=np.uint64)

    def deferred(self, block: Block) -> dict[Cause, Block]:
        """Return those of the block's evaluations that the worker defers, by cause."""
        causes = [each for each in np.unique(self.states).tolist() if each not in (DONE, UNDONE)]
        return {Cause(each): block[self.states == each] for each in causes}
