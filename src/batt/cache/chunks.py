"""Chunks: the lists of samples for which columns are written.

If the samples of a chunk of the cache are all in a run, its columns go there, so that columns of later runs are as long
as those of earlier ones. The other samples of a run become new chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from batt.cache.keys import SampleKeys, digest
from batt.runtime.evaluations import Integers

CHUNK = 4096
"""The most samples of a new chunk."""


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """The chunk and the place in it where outcomes on each sample are written; -1 for a sample without a key.

    `keys` are those of the chunks, in the order in which `chunk_of` counts them, and `samples_of` has their samples.
    """

    keys: Sequence[bytes]
    samples_of: Mapping[bytes, Sequence[bytes]]
    chunk_of: Integers
    place_of: Integers

    @classmethod
    def of(cls, samples: SampleKeys, known: Mapping[bytes, Integers]) -> Targets:
        """Choose chunks for samples. `known` are chunks of the cache, with the places of their samples among these."""
        chunk_of, place_of = np.full((2, len(samples)), -1, np.int64)
        samples_of: dict[bytes, Sequence[bytes]] = {}

        def take(places: Integers) -> None:
            found = [key for place in places.tolist() if (key := samples.keys[place]) is not None]
            chunk_of[places], place_of[places] = len(samples_of), np.arange(len(places))
            samples_of[digest(b"".join(found))] = found

        for places in sorted(known.values(), key=len, reverse=True):
            if (chunk_of[places] < 0).all():
                take(places)
        rest = np.array([place for place in samples.place_of.values() if chunk_of[place] < 0], np.int64)
        for start in range(0, len(rest), CHUNK):
            take(rest[start : start + CHUNK])
        return cls(list(samples_of), samples_of, chunk_of, place_of)
