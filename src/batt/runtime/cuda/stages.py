"""The values that a device stages for the evaluations of a sample, and the memory that they take."""

from __future__ import annotations

from dataclasses import dataclass

from batt.bytecode.abi import STAGE_ENTRY_BYTES
from batt.runtime.cuda.contract import Function
from batt.runtime.evaluations import Integers

SAMPLE_BYTES = 512 << 10
"""Memory for the values of a sample; what does not fit is left, with what reads it. Of re-arc's, 96 % take less."""


@dataclass(frozen=True, slots=True)
class Staging:
    """What a device needs to stage values: the function, how many entries there are, and the sizes of all samples."""

    function: Function
    entries: int
    sizes: Integers

    @property
    def sample_bytes(self) -> int:
        """What a launch holds for each sample: the entries, which end where the values may begin, and the values."""
        return -(-self.entries * STAGE_ENTRY_BYTES // 16) * 16 + SAMPLE_BYTES
