"""Make a submission of results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from batt.files import write_text
from batt.jobs import Results
from batt.runtime.options import Options
from batt.submit.attempts import Attempts


def submission(results: Results, path: str | os.PathLike[str] | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return two attempts for every test input, in Kaggle's form; with `path`, write them to this file, too.

    They are chosen by the demonstrations alone: see `docs/submissions.md`. Outputs that are chosen are run again.
    """
    made = attempts_of(results)
    if path is not None:
        write_text(Path(path), made.text, is_durable=True)
    return {task.id: task.plain for task in made.tasks}


def attempts_of(results: Results) -> Attempts:
    """Return the attempts for all test inputs of a run."""
    options = Options(engine=results.engine or "auto", limits=results.limits)
    made = Attempts(results.deck.programs, results.evaluations, options)
    made.choose_all(results.records)
    return made
