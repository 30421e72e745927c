"""Runs as files: `run.batt` holds all that a run found, while it runs and after.

A killed run goes on where it stopped, and a finished one is read without its deck and tasks at hand.
"""

from typing import TYPE_CHECKING

from batt.importing import on_first_use

if TYPE_CHECKING:
    from batt.store.folder import RunState, find_runs, state_of
    from batt.store.merging import merge_runs
    from batt.store.reading import open_run
    from batt.store.session import Session

RUN = "run.batt"
"""The name of the file of a run in its folder."""

__all__ = ["RUN", "RunState", "Session", "find_runs", "merge_runs", "open_run", "state_of"]

__getattr__ = on_first_use(
    __name__,
    {
        **dict.fromkeys(("RunState", "find_runs", "state_of"), "batt.store.folder"),
        "merge_runs": "batt.store.merging",
        "open_run": "batt.store.reading",
        "Session": "batt.store.session",
    },
)
