"""Evaluations as a file that native code without Python can run: images, samples, budgets. `replay.cpp` reads it."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import batt
from batt.bytecode.image import Image
from batt.check.batches import RandomBatch, by_budget
from batt.codegen.plan import StagePlan, plan
from batt.compiler import Encoded, compile_deck, encode_programs
from batt.front import Deck
from batt.jobs import samples_of
from batt.runtime import Limits, Sample
from batt.runtime.batch import pack_samples
from encoding import encode_deck
from rearc import whole_deck

ARENA_BYTES = 256 << 20
WORK = 20_000_000
LIMITS = Limits(steps=100_000, max_items=100_000)
FUZZED = 60
"""Programs of one seed."""


@dataclass(frozen=True, slots=True)
class Job:
    """Evaluations of one image and one budget: slice k on sample k."""

    image: Image
    samples: tuple[Sample, ...]
    limits: Limits
    slices: npt.NDArray[np.uint32]
    positions: npt.NDArray[np.uint32]

    def written(self) -> bytes:
        """The job as bytes."""
        batch = pack_samples(self.samples)
        kept = ~np.isin(self.positions, list(batch.refused))
        slices, positions = self.slices[kept], self.positions[kept]
        words, pool = self.image.words, self.image.pool
        sizes = len(words) // 4, len(pool), len(batch.data), len(batch.ends), len(batch.rows), len(slices)
        head = struct.pack("<6Q3qQ", *sizes, self.limits.steps, self.limits.max_items, WORK, ARENA_BYTES)
        arrays = (words, pool, batch.data, batch.ends.tobytes(), batch.rows.tobytes())
        return head + b"".join(map(_padded, (*arrays, slices.tobytes(), positions.tobytes())))


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def deck_jobs(name: str, count: int) -> Iterator[Job]:
    """A whole deck on that many samples of ARC-1: compiled with shared work, without, and as it stands."""
    deck, samples = whole_deck(name), samples_of(batt.load_tasks("arc1-training"))
    chosen = tuple([samples[at * len(samples) // count] for at in range(count)])
    pairs = [(solver, at) for at in range(count) for solver in range(len(deck))]
    for encoded in _encoded(deck):
        yield _job(encoded, deck, chosen, LIMITS, pairs)


def fuzzed_jobs(seeds: Sequence[int]) -> Iterator[Job]:
    """Random programs on random grids, with ample and with tight budgets."""
    for seed in seeds:
        bench = RandomBatch(seed, FUZZED).made()
        for pairs in by_budget(RandomBatch(seed, FUZZED).pairs((), FUZZED), bench.limits):
            for encoded in _encoded(bench.deck):
                yield _job(encoded, bench.deck, bench.samples, bench.limits[pairs[0][1]], pairs)


def _encoded(deck: Deck) -> Iterator[Encoded]:
    compiled = compile_deck(deck)
    yield encode_deck(compiled, plan(compiled.graph))
    yield encode_deck(compiled, StagePlan())
    yield encode_programs({solver.name: solver.program for solver in deck})


def _job(
    encoded: Encoded, deck: Deck, samples: tuple[Sample, ...], limits: Limits, pairs: Sequence[tuple[int, int]]
) -> Job:
    given = [
        (encoded.slice_of[deck.names[solver]], at) for solver, at in pairs if deck.names[solver] in encoded.slice_of
    ]
    slices, positions = np.array(given, np.uint32).reshape(-1, 2).T
    return Job(encoded.image, samples, limits, slices.copy(), positions.copy())


def write_recording(path: Path, jobs: Sequence[Job]) -> None:
    """Write jobs to a file, after the digest of the table of ops that they speak of."""
    head = struct.pack("<QQ", jobs[0].image.table.digest, len(jobs))
    path.write_bytes(head + b"".join([job.written() for job in jobs]))
