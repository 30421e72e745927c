"""The jobs that join decks, tasks and engines: evaluating, scoring, tracing, exporting."""

from typing import TYPE_CHECKING

from batt.importing import on_first_use
from batt.jobs.asynchronous import AsyncEvaluation, ResultBlock, evaluate_async
from batt.jobs.choice import ENGINES, choose_engine
from batt.jobs.evaluation import evaluate
from batt.jobs.export import Format, export, format_of, run_id
from batt.jobs.matching import own_task, task_names
from batt.jobs.programs import Programs, Ran
from batt.jobs.results import Results
from batt.jobs.samples import samples_of
from batt.jobs.taps import Tap, Taps, taps
from batt.jobs.values import Failed, as_value, read_output

if TYPE_CHECKING:
    from batt.jobs.tracing import Trace, show_result, trace_sample

__all__ = [
    "ENGINES",
    "AsyncEvaluation",
    "Failed",
    "Format",
    "Programs",
    "Ran",
    "ResultBlock",
    "Results",
    "Tap",
    "Taps",
    "Trace",
    "as_value",
    "choose_engine",
    "evaluate",
    "evaluate_async",
    "export",
    "format_of",
    "own_task",
    "read_output",
    "run_id",
    "samples_of",
    "show_result",
    "taps",
    "task_names",
    "trace_sample",
]

# Tracing draws, and the drawing package takes a while to import.
__getattr__ = on_first_use(__name__, dict.fromkeys(("Trace", "show_result", "trace_sample"), "batt.jobs.tracing"))
