"""The memory of a process: how much the machine has, and a limit for this process. Linux only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SHARE = 0.8
"""The fraction of the machine's memory that all workers together may use."""

_CGROUPS = Path("/sys/fs/cgroup")
_IS_LINUX = sys.platform.startswith("linux")


def memory_of_worker(most_bytes: int, workers: int) -> int:
    """Return the bytes that each of `workers` processes may use: at most `most_bytes`, and a share of the machine."""
    return min(most_bytes, int(SHARE * machine_bytes() / workers))


def machine_bytes() -> int:
    """Return the bytes of memory that this process and its children may use: the machine's, or those of a container."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([total, *_cgroup_limits(Path("/proc/self/cgroup"), _CGROUPS)])


def _cgroup_limits(own: Path, root: Path) -> list[int]:
    """Return the memory limits of the control groups listed in the file `own`, those of their parents included."""
    found: list[int] = []
    with suppress(OSError):
        for line in own.read_text("utf-8").splitlines():
            _, controllers, group = line.split(":", 2)
            if controllers in ("", "memory"):
                top = root / controllers
                inner = top / group.lstrip("/")
                for folder in (inner, *inner.parents):
                    if folder.is_relative_to(top):
                        found += _limit(folder)
    return found


def _limit(folder: Path) -> list[int]:
    """Return the memory limit of one control group, of either version; an empty list where it has none."""
    for name in ("memory.max", "memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            return [int((folder / name).read_text("utf-8"))]
    return []


@contextmanager
def limited_memory(more_bytes: int) -> Iterator[None]:
    """Make allocations beyond `more_bytes` from now on raise MemoryError in this process.

    Only address space that is reserved within the context counts, so libraries that reserve much of it do no harm.
    Without /proc there is no limit.
    """
    if not _IS_LINUX:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    wanted = pages * os.sysconf("SC_PAGE_SIZE") + more_bytes
    known = [each for each in (wanted, soft, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
