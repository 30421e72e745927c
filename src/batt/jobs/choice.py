"""Which engine a run is given. Owns the ladder, and the measured figures from which `auto` chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batt.errors import UsageError
from batt.ir import Program
from batt.runtime import cuda
from batt.runtime.cuda.selection import Numbers
from batt.runtime.native import missing

ENGINES = ("auto", "cuda", "cpu", "reference")

# cuda: an H200 beside 16 cores takes 1.1 times as long as they do alone for 8 million steps of the built-in deck, and
# 0.6 times for 83 million; 0.65 times for 16 million steps of re-arc's verifiers.
PAYS_FROM = {"cuda": 800_000}
"""Steps of programs for each thread from which an engine is sooner done than the next of the ladder, start included."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine to use, and why it is not a faster one where that was left open."""

    engine: str
    note: str = ""


def choose_engine(name: str, devices: Numbers | None = None, work: int = 0, threads: int = 1) -> Choice:
    """The engine to use; a named one that is not there is an error, while `auto` takes the next and says why.

    Naming devices asks for GPUs; else `auto` takes them where so many steps of programs pay beside so many threads.
    """
    if name not in ENGINES:
        raise UsageError(f"engine {name!r} is not available; this version has: {', '.join(ENGINES)} (see batt doctor)")
    if devices is not None and name in ("cpu", "reference"):
        raise UsageError(f"devices are GPUs, and engine {name!r} uses none; leave one out")
    if name == "auto":
        return _best(devices, pays("cuda", work, threads))
    why = None if name == "reference" else missing() or (cuda.missing(devices) if name == "cuda" else None)
    if why:
        raise UsageError(f"engine {name!r} is not available: {why}")
    return Choice(name)


def work_of(programs: Sequence[Program], evaluations: int) -> int:
    """The steps that so many evaluations of programs go through, where each program has as many of them."""
    return evaluations * sum([len(program.steps) for program in programs]) // max(1, len(programs))


def pays(engine: str, work: int, threads: int) -> bool:
    """Whether so many steps are sooner done on an engine than on the next of the ladder with so many threads."""
    return work >= PAYS_FROM[engine] * threads


def _best(devices: Numbers | None, gpu_pays: bool) -> Choice:
    """The first step of the ladder that is there, the GPU's only where it is asked for or pays."""
    why = missing()
    if why:
        return Choice("reference", f"the cpu engine is not available, using the reference engine: {why}")
    if devices is None and not gpu_pays:
        return Choice("cpu")
    why = cuda.missing(devices)
    return Choice("cpu", f"the cuda engine is not available, using the cpu engine: {why}") if why else Choice("cuda")
