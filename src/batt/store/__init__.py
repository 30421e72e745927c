"""Runs as files: `run.batt` holds all that a run found, while it runs and after.

A killed run goes on where it stopped, and a finished one is read without its deck and tasks at hand.
"""

from batt.store.folder import RUN, RunState, find_runs, state_of
from batt.store.merging import merge_runs
from batt.store.reading import open_run
from batt.store.session import Session

__all__ = ["RUN", "RunState", "Session", "find_runs", "merge_runs", "open_run", "state_of"]
