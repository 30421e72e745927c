"""Check answers: the text of a program is read back and run by the ordinary engine, and must give its answer."""

from __future__ import annotations

from batt.errors import DeckError, InternalError
from batt.front import Deck
from batt.ir.writing import source_text
from batt.jobs.programs import Programs
from batt.jobs.samples import samples_of
from batt.runtime import Limits, Options
from batt.solving.answers.naming import distinct_helpers
from batt.solving.candidates import SearchCandidate
from batt.solving.expressions import compose
from batt.solving.running import SearchEngine
from batt.tasks import Task, Tasks
from batt.types.kinds import Grid

RUN_LIMITS = Limits()


def written(candidate: SearchCandidate, task: str) -> str | None:
    """Return the program of a candidate as a text that reads back, or None if no text expresses it."""
    try:
        return source_text(distinct_helpers(compose(candidate.expression)), f"solve_{task}")
    except InternalError:
        return None


def outputs_of(source: str, task: Task, leave_out: bool = False) -> list[Grid] | None:
    """Return what a solver gives for the pairs of a task, as `batt run` does; None if it cannot be read.

    With `leave_out`, as `batt run --leave-out` does.
    """
    try:
        deck = Deck.from_sources({f"solve_{task.id}": source})
    except DeckError:
        return None
    options = Options(engine=SearchEngine.name(), limits=RUN_LIMITS, workers=1)
    samples = samples_of(Tasks((task,), ""), leave_out)
    return Programs([deck[0].program], options).on(samples).values


def is_reproduced(source: str, candidate: SearchCandidate, task: Task) -> bool:
    """Tell whether a solver gives the demonstrations and the outputs of its candidate.

    One that reads S may instead give them as it was found: on a demonstration, S holds the others.
    """
    return any(
        _gives(outputs_of(source, task, leave_out), candidate, task)
        for leave_out in ((False, True) if "(S, I, C)" in source else (False,))
    )


def _gives(made: list[Grid] | None, candidate: SearchCandidate, task: Task) -> bool:
    if made is None:
        return False
    train = len(task.train)
    missed = sum([value != pair.output for value, pair in zip(made, task.train, strict=False)])
    tests = zip(made[train:], candidate.outputs, strict=True)
    return missed <= candidate.missed and all(output is None or value == output for value, output in tests)
