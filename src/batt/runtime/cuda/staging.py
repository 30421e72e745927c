"""What a launch needs to stage values: a kernel, and memory for each sample."""

from __future__ import annotations

from dataclasses import dataclass

from batt.bytecode.abi import STAGE_ENTRY_BYTES
from batt.runtime.cuda.resources import Kernel
from batt.runtime.evaluations import Integers

SAMPLE_BYTES = 512 << 10
"""Memory for the staged values of a sample. Evaluations that read what does not fit are deferred.

Of re-arc's samples, 96 % take less.
"""


@dataclass(frozen=True, slots=True)
class Staging:
    """The data with which a device stages values: the kernel, the number of entries, and the sizes of all samples."""

    kernel: Kernel
    entries: int
    sizes: Integers

    @property
    def sample_bytes(self) -> int:
        """Return the bytes that a launch holds for each sample: its entries, aligned, and its values."""
        return -(-self.entries * STAGE_ENTRY_BYTES // 16) * 16 + SAMPLE_BYTES
