"""Work that a search may do on a task, counted in units that do not depend on the machine."""

from __future__ import annotations

import time

UNITS_PER_S = 180_000_000
"""The units of work that a CPU core does in a second, about: `--time` picks the effort by it."""
STOP_AT = 3
"""The clock stops a task after this many times the seconds of `--time`."""
CALL_UNITS = 100_000
"""The units of a call of the engine, whatever it runs."""
EVALUATION_UNITS = 150
"""The units of an evaluation beside its steps."""
STEP_UNITS = 0.25
"""The units of a step: native code does about 750 million a second."""
PRODUCT_UNITS = 1 / 300
"""The units of a multiplication in a product of matrices."""


def effort_of(seconds: float) -> int:
    """Return the effort for these CPU seconds a task."""
    return int(seconds * UNITS_PER_S)


class ClockStopped(Exception):
    """The clock stopped a task."""


class Work:
    """The work that is done on a task, and what is left. With `seconds`, the clock stops it, too."""

    def __init__(self, effort: int, seconds: float | None = None) -> None:
        self.effort = effort
        self.done = 0
        self._until = None if seconds is None else time.process_time() + STOP_AT * seconds

    def spend(self, units: float) -> None:
        """Count work that was done; raise ClockStopped if the clock stops the task."""
        self.done += int(units)
        if self._until is not None and time.process_time() > self._until:
            raise ClockStopped

    def spend_run(self, evaluations: int, steps: int) -> None:
        """Count a call of the engine."""
        self.spend(CALL_UNITS + evaluations * EVALUATION_UNITS + steps * STEP_UNITS)

    def is_left(self, share: float = 1.0) -> bool:
        """Tell whether less than this share of the effort is spent."""
        return self.done < share * self.effort
