"""Keys of programs and samples: digests of their content. Names, ids and files are no part of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from batt.errors import UsageError
from batt.ir import Program
from batt.own.loading import own_ops
from batt.runtime import Limits, Sample
from batt.runtime.batch import pack_samples
from batt.runtime.evaluations import Integers

KEY_BYTES = 16


def digest(*parts: bytes) -> bytes:
    """Return the key of parts. Each has a length of its own, so that no two lists have the same bytes."""
    made = blake2b(digest_size=KEY_BYTES)
    for part in parts:
        made.update(len(part).to_bytes(8, "little") + part)
    return made.digest()


def program_keys(programs: Sequence[Program], limits: Limits, version: bytes) -> list[bytes | None]:
    """Return the key of each program under these limits; None for one that uses a user's own ops.

    A program counts as it is written, with all its steps, because each step counts for the budget. The clock and the
    memory of a worker are not part of it: what they stop is not kept. Own ops are Python code, which may depend on
    anything.
    """
    head = [version, str(limits.steps).encode(), str(limits.max_items).encode()]
    any_own = _use_own(programs)
    return [
        None if any_own and _use_own([program]) else digest(*head, program.text.encode("utf-8", "surrogatepass"))
        for program in programs
    ]


def _use_own(programs: Iterable[Program]) -> bool:
    try:
        return bool(own_ops(programs))
    except UsageError:
        return True


@dataclass(frozen=True, eq=False)
class SampleKeys:
    """The key of each sample; None if native code does not support a value in it. Such samples are not cached."""

    keys: Sequence[bytes | None]

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> SampleKeys:
        """Return the keys of samples: of their demonstrations, input, expected output and parameters."""
        packed = pack_samples(samples)
        ends = [0, *packed.ends.tolist()]
        values = [digest(packed.data[start:end]) for start, end in pairwise(ends)]
        unknown = digest()
        names = ("demonstrations", "input", "expected", "assignment")
        places = zip(*[packed.rows[name].tolist() for name in names], strict=True)
        assigned = [[unknown if at < 0 else values[at] for at in row] for row in packed.assignments.tolist()]
        keys = [
            None
            if given < 0
            else digest(
                *(values[shown], values[given], unknown if wanted < 0 else values[wanted]),
                *(assigned[assignment] if assignment >= 0 else ()),
            )
            for shown, given, wanted, assignment in places
        ]
        return cls(keys)

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, chosen: slice) -> SampleKeys:
        return SampleKeys(self.keys[chosen])

    @cached_property
    def place_of(self) -> dict[bytes, int]:
        """Return the first sample of each key."""
        found: dict[bytes, int] = {}
        for place, key in enumerate(self.keys):
            if key is not None:
                found.setdefault(key, place)
        return found

    @cached_property
    def first(self) -> Integers:
        """Return for each sample the first one with the same key; -1 without a key."""
        return np.array([-1 if key is None else self.place_of[key] for key in self.keys], np.int64)
