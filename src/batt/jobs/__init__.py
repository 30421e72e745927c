"""The jobs that join decks, tasks and engines: evaluating, scoring, tracing, exporting."""

from batt.jobs.evaluation import ENGINES, choose_engine, evaluate
from batt.jobs.export import export
from batt.jobs.plan import own_task, samples_of
from batt.jobs.results import Results
from batt.jobs.tracing import Trace, show_result, trace_sample

__all__ = [
    "ENGINES",
    "Results",
    "Trace",
    "choose_engine",
    "evaluate",
    "export",
    "own_task",
    "samples_of",
    "show_result",
    "trace_sample",
]
