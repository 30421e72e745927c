"""Choose the engine of a run: the one that is named, or for `auto` the one that was measured to be fastest."""

from __future__ import annotations

from dataclasses import dataclass

from batt.errors import UsageError
from batt.runtime import cuda
from batt.runtime.cuda.selection import Numbers
from batt.runtime.native import missing
from batt.runtime.tier import ENGINES as TIERS_OF

ENGINES = ("auto", *TIERS_OF)

PAYS_FROM = {"cuda": 0.6}
"""Seconds of each CPU thread from which an engine is faster than the next one, its start included.

Time, not steps: the cores beside one kind of GPU differ by a factor of three.
"""
PROBED_FROM = 1_000
"""Evaluations for each CPU thread from which a GPU may pay: fewer would have to take 0.6 ms each."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine to use, and a note if `auto` could not take a faster one."""

    engine: str
    note: str = ""


def choose_engine(name: str, devices: Numbers | None = None, work_s: float = 0.0, threads: int = 1) -> Choice:
    """Choose the engine. Raise UsageError if the named one is not available; `auto` takes the next one instead.

    `devices` asks for GPUs. Without it, `auto` uses GPUs if they are faster than `threads` CPU threads for what takes
    one of these `work_s` seconds.
    """
    if name not in ENGINES:
        raise UsageError(f"engine {name!r} is not available; this version has: {', '.join(ENGINES)} (see batt doctor)")
    if devices is not None and name in ("cpu", "reference"):
        raise UsageError(f"devices are GPUs, and engine {name!r} uses none; leave one out")
    if name == "auto":
        return _best(devices, work_s >= PAYS_FROM["cuda"] * threads)
    why = None if name == "reference" else missing() or (cuda.missing(devices) if name == "cuda" else None)
    if why:
        raise UsageError(f"engine {name!r} is not available: {why}")
    return Choice(name)


def choose_beside_cluster(name: str) -> Choice:
    """Choose the engine of this process if workers of a cluster use the engine `name`: it does only what they leave."""
    if name not in ENGINES:
        return choose_engine(name)
    why = None if name == "reference" else missing()
    note = f"the native library is missing here, so workers run the reference engine ({why})" if why else ""
    return Choice("reference" if why or name == "reference" else "cpu", note)


def _best(devices: Numbers | None, gpu_pays: bool) -> Choice:
    """Choose the fastest available engine; GPUs only if `devices` asks for them or if they are faster.

    A machine without a GPU gets no note about GPUs, unless `devices` asks for one.
    """
    why = missing()
    if why:
        return Choice("reference", f"the cpu engine is not available ({why}). Running on the reference engine.")
    if devices is None and not gpu_pays:
        return Choice("cpu")
    why = cuda.missing(devices)
    if not why:
        return Choice("cuda")
    is_of_interest = devices is not None or cuda.in_sight()
    return Choice("cpu", f"CUDA is not available ({why}). Running on the CPU." if is_of_interest else "")
