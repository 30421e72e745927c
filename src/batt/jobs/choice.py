"""Which engine a run is given. Owns the ladder, and the measured figures from which `auto` chooses."""

from __future__ import annotations

from dataclasses import dataclass

from batt.errors import UsageError
from batt.runtime import cuda
from batt.runtime.cuda.selection import Numbers
from batt.runtime.native import missing

ENGINES = ("auto", "cuda", "cpu", "reference")

# cuda: an H200 beside 16 cores is as quick as they are alone at four million evaluations of the built-in deck.
PAYS_FROM = {"cuda": 400_000}
"""Evaluations for each thread from which an engine is done sooner than the next on the ladder, starting included."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine to use, and why it is not a faster one where that was left open."""

    engine: str
    note: str = ""


def choose_engine(name: str, devices: Numbers | None = None, evaluations: int = 0, threads: int = 1) -> Choice:
    """The engine to use; a named one that is not there is an error, while `auto` takes the next and says why.

    Naming devices asks for GPUs; else `auto` takes them where so many evaluations pay beside so many threads.
    """
    if name not in ENGINES:
        raise UsageError(f"engine {name!r} is not available; this version has: {', '.join(ENGINES)} (see batt doctor)")
    if devices is not None and name in ("cpu", "reference"):
        raise UsageError(f"devices are GPUs, and engine {name!r} uses none; leave one out")
    if name == "auto":
        return _best(devices, pays("cuda", evaluations, threads))
    why = None if name == "reference" else missing() or (cuda.missing(devices) if name == "cuda" else None)
    if why:
        raise UsageError(f"engine {name!r} is not available: {why}")
    return Choice(name)


def pays(engine: str, evaluations: int, threads: int) -> bool:
    """Whether so many evaluations are sooner done on an engine than on the next of the ladder with so many threads."""
    return evaluations >= PAYS_FROM[engine] * threads


def _best(devices: Numbers | None, gpu_pays: bool) -> Choice:
    """The first step of the ladder that is there, the GPU's only where it is asked for or pays."""
    why = missing()
    if why:
        return Choice("reference", f"the cpu engine is not available, using the reference engine: {why}")
    if devices is None and not gpu_pays:
        return Choice("cpu")
    why = cuda.missing(devices)
    return Choice("cpu", f"the cuda engine is not available, using the cpu engine: {why}") if why else Choice("cuda")
