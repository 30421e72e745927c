"""Find the cliffs among measured calls: more than four times the op's best time a step, without a reason."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from batt.bench.cliffs.calls import is_sorting

LIMIT = 4
"""How many times the best time a step of its op a call may take."""
FROM_ITEMS = 101
"""With at most a hundred items, the time of a call is mostly that of beginning it."""
LEAST_STEPS = 100
"""Ops of fewer steps whatever their arguments are not judged: a step of theirs is a call."""
BEST_NS = 1.0
"""No op counts as faster a step than this: up to four times as long is what steps take on the average."""
CACHE_BYTES = 1 << 20
"""More bytes than a core's own cache holds."""
SORTS, LEAVES_CACHE = "n log n", "cache"


@dataclass(frozen=True, slots=True)
class Case:
    """A call with a value of a size, and its time. `bytes` are those of the arguments and of the result.

    `second` says what the second value is, where the call has one. `steps` is None if native code did not finish, and
    `ended` says why.
    """

    name: str
    call: str
    shape: str
    form: str
    second: str
    size: int
    bytes: int
    steps: int | None
    time_ns: float
    ended: str = ""

    @property
    def step_ns(self) -> float:
        """Nanoseconds a step."""
        return self.time_ns / (self.steps or 1)

    @property
    def value(self) -> tuple[str, str, int]:
        """The value that is measured: shape, form and size."""
        return self.shape, self.form, self.size

    @property
    def key(self) -> tuple[object, ...]:
        """The key of the case among all others."""
        return (self.name, self.call, self.second, *self.value)


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, its time a step relative to the best of its op and to the best of its form, and why it may be slower."""

    case: Case
    factor: float
    factor_of_form: float
    reason: str

    @property
    def is_cliff(self) -> bool:
        """Tell whether the case is slower than allowed, without a reason."""
        return self.factor > LIMIT and not self.reason

    @property
    def byte_ns(self) -> float:
        """Nanoseconds a byte of the arguments and the result."""
        return self.case.time_ns / max(1, self.case.bytes)


def judge(cases: Sequence[Case]) -> list[Judged]:
    """Judge all cases that are large enough, the slowest relative to its op first."""
    large = [case for case in cases if case.size >= FROM_ITEMS and not _is_short(case)]
    best: dict[object, float] = {}
    for case in large:
        if case.steps is not None:
            for key in _keys(case):
                best[key] = min(best.get(key, math.inf), case.step_ns)
    return sorted([_judged(case, best) for case in large], key=lambda each: -each.factor)


def _is_short(case: Case) -> bool:
    return case.steps is not None and case.steps < LEAST_STEPS


def _keys(case: Case) -> Iterator[object]:
    """Return what a case may be the best of: its op, its op with its form, and the same within the cache."""
    yield case.name
    yield case.name, case.form
    if case.bytes <= CACHE_BYTES:
        yield _same_call(case)


def _same_call(case: Case) -> tuple[str, ...]:
    """Return what a case shares with the same call on fewer items; objects are alike with as many cells each."""
    count = re.fullmatch(r"([\d,]+) objects", case.shape)
    shape = f"objects of {case.size // int(count[1].replace(',', ''))}" if count else case.shape
    return case.name, case.call, shape, case.form, case.second


def _judged(case: Case, best: dict[object, float]) -> Judged:
    if case.steps is None:
        return Judged(case, math.inf, math.inf, "")
    least = max(BEST_NS, best[case.name])
    factor = case.step_ns / least
    reason = _reason(case, factor, least, best) if factor > LIMIT else ""
    return Judged(case, factor, case.step_ns / max(BEST_NS, best[case.name, case.form]), reason)


def _reason(case: Case, factor: float, least: float, best: dict[object, float]) -> str:
    """Return why a case may be slower than LIMIT times the best of its op; "" if there is no reason."""
    sorting = is_sorting(case.name, case.form, case.second)
    if sorting and factor <= LIMIT * math.log2(case.size):
        return SORTS
    within = best.get(_same_call(case), math.inf) / least
    if case.bytes <= CACHE_BYTES or within > LIMIT * (math.log2(case.size) if sorting else 1):
        return ""
    return f"{SORTS}, {LEAVES_CACHE}" if sorting else LEAVES_CACHE
