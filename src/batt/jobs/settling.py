"""Choose what the options of a run leave open: the engine and the form of the programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from batt.ir import Program
from batt.jobs.choice import choose_beside_cluster, choose_engine
from batt.jobs.images import has_image, keeps_image
from batt.jobs.probing import work_of
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import Options

SHARED_ON = frozenset({"cpu"})
"""Engines that compute shared steps once per sample by default."""

COMPILE_FROM = 45
"""Evaluations of each solver and thread from which compiling saves more time than it takes.

Compiling takes 0.3 ms for a solver of the built-in deck and saves 6 µs per evaluation; for re-arc's longer verifiers it
takes 0.9 ms and saves 20 µs. One thread compiles, but all threads save time.
"""

KEPT_RUNS = 2
"""Runs over which compiling has to pay if the image is kept: who keeps a deck runs it more than once."""


def pays_to_compile(evaluations: int, solvers: int, threads: int) -> bool:
    """Tell whether compiling the solvers saves more time than it takes in a run of `evaluations` evaluations."""
    return evaluations >= COMPILE_FROM * solvers * threads


def settle(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> tuple[Options, str]:
    """Choose the engine and the form of the programs if `options` leave them open.

    Return the complete options, and why a faster engine is not used, or an empty text.
    """
    if options.cluster is None:
        work_s = work_of(programs, evaluations, options)
        choice = choose_engine(options.engine, options.devices, work_s, options.workers)
    else:
        choice = choose_beside_cluster(options.engine)
    compiled, share = options.compiled, options.share
    if share is None:
        # Staging saves time if all solvers run on every sample.
        share = choice.engine in SHARED_ON and evaluations.is_product and options.engine != "cuda"
    settled = replace(options, engine=choice.engine, compiled=True if compiled is None else compiled, share=share)
    if compiled is None and not _pays(programs, evaluations.total, settled):
        settled = replace(settled, compiled=False)
    return settled, choice.note


def _pays(programs: Mapping[str, Program], evaluations: int, options: Options) -> bool:
    """Tell whether to compile for a run with these `options`: if it saves time, or if it was done before."""
    runs = 1
    if options.engine != "reference" and keeps_image(programs, options):
        if has_image(programs, options):
            return True
        runs = KEPT_RUNS
    return pays_to_compile(runs * evaluations, len(programs), options.workers)
