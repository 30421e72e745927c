"""One GPU for the tests of several processes: those that look at its free memory have it for themselves."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GATE, CARD = "gpu-gate.lock", "gpu.lock"


@contextmanager
def gpu_for(folder: Path, alone: bool) -> Iterator[None]:
    """Wait until a test may use the GPU. The processes share `folder`.

    Who wants it `alone` waits behind the gate until the others have left it; those that come later wait for the gate.
    """
    with (folder / GATE).open("w") as gate, (folder / CARD).open("w") as card:
        fcntl.flock(gate, fcntl.LOCK_EX)
        fcntl.flock(card, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(gate, fcntl.LOCK_UN)
        yield
