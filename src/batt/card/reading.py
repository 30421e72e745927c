"""That a generated text means what it was written from. Owns the comparison; a batt that fails it is never written."""

from __future__ import annotations

from batt.card.steps import Steps, merge_steps
from batt.errors import BattError, InternalError, UsageError
from batt.front.batts import read_batt_text


def check_text(text: str, steps: Steps, file: str) -> None:
    """Read a text back and compare every step of every solver; UsageError where the file could not be read again."""
    try:
        found = merge_steps(read_batt_text(text, file).deck)
    except BattError as error:
        raise UsageError(f"{file}: these solvers do not fit in one batt: {error}") from None
    if found != steps:
        names = [a.name for a, b in zip(steps.dealt, found.dealt, strict=False) if a != b]
        raise InternalError(f"{file}: the batt does not read back as it was written; first: {names[:1]}")
