"""Programs made ready for native code, and the evaluations to run of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from batt.bytecode.image import Encoded, Image, ImageBuilder
from batt.ir import Program
from batt.runtime.evaluations import Evaluations, Integers


@dataclass(frozen=True, slots=True)
class Job:
    """What a run consists of: the programs, their image, and the evaluations.

    `slice_of` gives each program's slice of the image, or -1 and then `refused` the reason.
    """

    programs: Sequence[Program]
    image: Image
    slice_of: Integers
    refused: Mapping[int, str]
    evaluations: Evaluations

    @classmethod
    def of(cls, programs: Mapping[str, Program], encoded: Encoded) -> Job:
        """The job of encoded programs, with no evaluations yet."""
        return cls(
            list(programs.values()),
            encoded.image,
            np.array([encoded.slice_of.get(name, -1) for name in programs], np.int64),
            {number: encoded.refused[name] for number, name in enumerate(programs) if name in encoded.refused},
            Evaluations((), len(programs)),
        )

    @classmethod
    def plain(cls, programs: Mapping[str, Program]) -> Job:
        """The job of programs that no native code runs."""
        return cls.of(programs, Encoded(ImageBuilder().image(), {}, {}))

    def on(self, evaluations: Evaluations) -> Job:
        """The same programs, to run these evaluations."""
        return replace(self, evaluations=evaluations)
