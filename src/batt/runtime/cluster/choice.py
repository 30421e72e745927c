"""Read `--cluster`: the address of a Dask scheduler, or how many workers to start here. Does not import Dask."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec

from batt.errors import UsageError
from batt.runtime.cuda.selection import Numbers

INSTALL = "pip install '.[cluster]'"
NEEDED = ("distributed", "cryptography")
MOST_LOCAL = 256
_ADDRESS = re.compile(r"(?:[a-z]+://)?[^\s/:]+:\d+|(?:[a-z]+://)?\[[0-9a-fA-F:]+\]:\d+|.+\.json")


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """The workers of a run: those of the scheduler at `address`, or `processes` that are started here.

    `address` may also name a scheduler file, which ends in `.json`. `engine` is the one that workers use, `devices` are
    the GPUs of each, and `threads` is the number of threads of each, None if Dask says so.
    """

    address: str = ""
    processes: int = 0
    engine: str = "auto"
    devices: Numbers | None = None
    threads: int | None = None

    def __str__(self) -> str:
        return self.address or f"local:{self.processes}"


def read_cluster(text: str) -> ClusterChoice:
    """Return the cluster that a text names; raise UsageError if it names none, or Dask is not installed."""
    named, _, count = text.partition(":")
    if named == "local" and count.isdecimal():
        choice = ClusterChoice(processes=int(count))
        if not 1 <= choice.processes <= MOST_LOCAL:
            raise UsageError(f"--cluster local:N starts 1 to {MOST_LOCAL} workers, got {count}")
    elif _ADDRESS.fullmatch(text):
        choice = ClusterChoice(text)
    else:
        raise UsageError(
            f"--cluster takes the address of a Dask scheduler (tcp://host:8786), its scheduler file (NAME.json) "
            f"or local:N, got {text!r}"
        )
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        needed = " and ".join(missing)
        raise UsageError(f"--cluster needs {needed}; in batt's source folder, install the extra cluster: {INSTALL}")
    return choice
