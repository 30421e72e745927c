"""Programs prepared for native code, and the evaluations to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from batt.bytecode.image import Encoded, Image, ImageBuilder
from batt.ir import Program
from batt.runtime.evaluations import Evaluations, Integers


@dataclass(frozen=True, slots=True)
class Job:
    """The programs of a run, their image, and the evaluations.

    `slice_of` has the slice of each program in the image, or -1; `refused` has the reason for each -1.
    """

    programs: Sequence[Program]
    image: Image
    slice_of: Integers
    refused: Mapping[int, str]
    evaluations: Evaluations

    @classmethod
    def of(cls, programs: Mapping[str, Program], encoded: Encoded) -> Job:
        """Return the job of encoded programs, without evaluations."""
        return cls(
            list(programs.values()),
            encoded.image,
            np.array([encoded.slice_of.get(name, -1) for name in programs], np.int64),
            {number: encoded.refused[name] for number, name in enumerate(programs) if name in encoded.refused},
            Evaluations((), len(programs)),
        )

    @classmethod
    def plain(cls, programs: Mapping[str, Program]) -> Job:
        """Return the job of programs for the reference tier alone, without evaluations."""
        return cls.of(programs, Encoded(ImageBuilder().image(), {}, {}))

    def on(self, evaluations: Evaluations) -> Job:
        """Return the same job with these evaluations."""
        return Job(self.programs, self.image, self.slice_of, self.refused, evaluations)
