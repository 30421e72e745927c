"""`batt bench states`: how many candidates and distinct states a second an open engine makes, beside `evaluate`.

The mix of ops and the tasks are a committed manifest. For each task, every call of the manifest is applied in some
layers, to seeded argument tuples of the states that earlier layers made. A seeded sample of the candidates is also
evaluated as programs, each alone, and must have the same hashes or the same failure.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.table import Table

from batt.bench.passes import peak_bytes
from batt.bytecode.abi import Ended
from batt.ir import Program
from batt.jobs import samples_of
from batt.jobs.evaluation import Gathering
from batt.jobs.prepare import settle
from batt.ops import OPS
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import read_options
from batt.states import FORMS, Applied, OpenEngine, StateKind, States, open_engine
from batt.states.states import LIMITS
from batt.tasks import Tasks, load_tasks

CANDIDATES = 1_000_000
"""About how many candidates are measured if no limit is given."""
CHECKED = 200
"""Candidates of each task that are also evaluated as programs, in each layer."""
TAKEN_APART = 20
"""States of each task that are taken apart for features."""
MAX_ARITY = 4
POOLS = {
    "grid": StateKind.GRID,
    "object": StateKind.OBJECT,
    "objects": StateKind.OBJECTS,
    "indices": StateKind.INDICES,
    "pair": StateKind.PAIR,
}
"""The kinds of states that arguments of the manifest name; `test` adds functions that were made."""


@dataclass(slots=True)
class StatesFigures:
    """What was measured: candidates and their states, `evaluate` on some of them, and features of parts of grids."""

    manifest: str
    workers: int
    tasks: int = 0
    candidates: int = 0
    states: int = 0
    failed: int = 0
    refused: int = 0
    evaluations: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    state_bytes: int = 0
    peak_bytes: int = 0
    checked: int = 0
    differing: int = 0
    evaluate_s: float = 0.0
    evaluate_cpu_s: float = 0.0
    parts: int = 0
    features_cpu_s: float = 0.0

    @property
    def per_s(self) -> float:
        """Return the candidates a second of CPU time."""
        return self.candidates / self.cpu_s if self.cpu_s else 0.0

    @property
    def ratio(self) -> float:
        """Return how many times as many candidates a second of CPU time the engine makes as `evaluate`."""
        return self.per_s * self.evaluate_cpu_s / self.checked if self.checked else 0.0


@cache
def states_manifest() -> Mapping[str, Any]:
    """Return the manifest of the case."""
    found: dict[str, Any] = json.loads(_manifest_text())
    return found


def _manifest_text() -> str:
    return (resources.files("batt.bench") / "manifests" / "states.json").read_text("utf-8")


def measure_states(limit: int | None = None, workers: int = 1) -> StatesFigures:
    """Measure about `limit` candidates of the manifest, all layers of each task."""
    manifest = states_manifest()
    figures = StatesFigures(sha256(_manifest_text().encode()).hexdigest()[:12], workers)
    tasks = load_tasks(manifest["tasks"])
    order = np.random.default_rng(manifest["seed"]).permutation(len(tasks))
    with open_engine(engine="cpu", workers=workers, limits=LIMITS) as engine:
        for at in order.tolist():
            _measure_task(engine, tasks[at : at + 1], at, figures)
            if figures.candidates >= (limit or CANDIDATES):
                break
    figures.peak_bytes = peak_bytes()
    return figures


def _measure_task(engine: OpenEngine, task: Tasks, seed: int, figures: StatesFigures) -> None:
    manifest = states_manifest()
    random, checking = (np.random.default_rng([manifest["seed"], seed, use]) for use in range(2))
    states = engine.states(samples_of(task))
    pools = constant_pools(states)
    figures.tasks += 1
    for _ in range(manifest["layers"]):
        layer = random_layer(kind_pools(states, pools), manifest["most"], random)
        wall, cpu = time.perf_counter(), time.process_time()
        applied = states.apply_each(layer.ops, layer.called, *layer.arguments.T)
        figures.cpu_s += time.process_time() - cpu
        figures.wall_s += time.perf_counter() - wall
        _count(applied, states, figures)
        _check(layer, applied, states, figures, checking)
    _measure_features(states, figures)
    figures.states += len(states)
    figures.state_bytes = max(figures.state_bytes, states.used_bytes)
    figures.refused += states.refused
    states.close()


def _measure_features(states: States, figures: StatesFigures) -> None:
    """Take the first grids apart in every form."""
    grids = states.of_kind(StateKind.GRID)[:TAKEN_APART]
    cpu = time.process_time()
    figures.parts += sum(len(states.features(grids, form)) for form in FORMS)
    figures.features_cpu_s += time.process_time() - cpu


def constant_pools(states: States) -> dict[str, npt.NDArray[np.int64]]:
    """Return the handles of the manifest's constants and functions, by kind."""
    manifest = states_manifest()
    pools = {kind: [states.constant(value) for value in values] for kind, values in manifest["constants"].items()} | {
        kind: [states.constant(OPS[name]) for name in names] for kind, names in manifest["functions"].items()
    }
    return {kind: np.array(handles, np.int64) for kind, handles in pools.items()}


def kind_pools(states: States, constants: Mapping[str, npt.NDArray[np.int64]]) -> dict[str, npt.NDArray[np.int64]]:
    """Return the handles that can stand for each kind of argument now."""
    found = dict(constants)
    for kind, of in POOLS.items():
        found[kind] = np.union1d(constants.get(kind, np.zeros(0, np.int64)), states.of_kind(of))
    made = states.of_kind(StateKind.FUNCTION)
    given = np.concatenate([constants[kind] for kind in states_manifest()["functions"]])
    found["test"] = np.union1d(constants["test"], np.setdiff1d(made, given))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RandomLayer:
    """The candidates of a layer: op `ops[called[k]]` on the states `arguments[k]`; -1 fills up the arguments."""

    ops: list[str]
    called: npt.NDArray[np.int64]
    arguments: npt.NDArray[np.int64]


def random_layer(pools: Mapping[str, npt.NDArray[np.int64]], most: int, random: np.random.Generator) -> RandomLayer:
    """Return candidates of every call of the manifest: on all argument tuples, or on `most` that are drawn."""
    manifest = states_manifest()
    called: list[npt.NDArray[np.int64]] = []
    rows: list[npt.NDArray[np.int64]] = []
    for number, (_, *kinds) in enumerate(manifest["calls"]):
        arguments = _arguments([pools[kind] for kind in kinds], most, random)
        called.append(np.full(len(arguments), number))
        rows.append(np.pad(arguments, ((0, 0), (0, MAX_ARITY - len(kinds))), constant_values=-1))
    return RandomLayer([op for op, *_ in manifest["calls"]], np.concatenate(called), np.concatenate(rows))


def _arguments(pools: Sequence[npt.NDArray[np.int64]], most: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return argument tuples: all, or `most` different ones that are drawn."""
    total = int(np.prod([float(len(pool)) for pool in pools]))
    numbers = np.arange(total) if total <= most else np.unique(random.integers(0, min(total, 2**62), most))
    columns: list[npt.NDArray[np.int64]] = []
    for pool in reversed(pools):
        numbers, place = np.divmod(numbers, len(pool)) if len(pool) else (numbers, numbers)
        columns.append(pool[place])
    return np.stack(columns[::-1], axis=1)


def _count(applied: Applied, states: States, figures: StatesFigures) -> None:
    figures.candidates += len(applied)
    is_failed = applied.candidates["status"] != Ended.OK
    figures.failed += int(is_failed.sum())
    figures.evaluations += int(np.where(is_failed, applied.candidates["sample"] + 1, len(states.samples)).sum())


def _check(
    layer: RandomLayer, applied: Applied, states: States, figures: StatesFigures, random: np.random.Generator
) -> None:
    """Evaluate some candidates as programs of their own, and compare hashes and failures."""
    chosen = np.unique(random.integers(0, len(applied), CHECKED))
    programs: list[Program] = []
    for at in chosen.tolist():
        op = OPS[layer.ops[layer.called[at]]]
        programs.append(states.call_program(op, *layer.arguments[at, : op.arity].tolist()))
    wall, cpu = time.perf_counter(), time.process_time()
    records = _evaluate(programs, states, figures.workers)
    figures.evaluate_s += time.perf_counter() - wall
    figures.evaluate_cpu_s += time.process_time() - cpu
    figures.checked += len(programs)
    candidates = applied.candidates[chosen]
    figures.differing += sum(
        not _is_same(candidate, states, row) for candidate, row in zip(candidates, records, strict=True)
    )


def _evaluate(programs: Sequence[Program], states: States, workers: int) -> npt.NDArray[Any]:
    """Run programs as `evaluate` does; return their records, a row for each."""
    named = {f"candidate_{number}": program for number, program in zip(count(), programs, strict=False)}
    evaluations = Evaluations(tuple(states.samples), len(programs))
    options, _ = settle(named, evaluations, read_options(engine="cpu", workers=workers, limits=LIMITS))
    return Gathering(named, evaluations, options).gather().records.reshape(len(programs), -1)


def _is_same(candidate: np.void, states: States, records: npt.NDArray[Any]) -> bool:
    """Tell whether records of a program agree with a candidate on every sample up to its failure."""
    if candidate["handle"] >= 0:
        hashes = states.hashes(int(candidate["handle"]))[0]
        return bool((records["status"] == Ended.OK).all() and (records["hash"] == hashes).all())
    if candidate["status"] in (Ended.OK, Ended.UNSUPPORTED):
        return True
    failed = int(candidate["sample"])
    before, there = records[:failed], records[failed]
    is_same = there["status"] == candidate["status"] and there["error"] == candidate["error"]
    # Over its budget, the program may have spent steps on the arguments.
    return bool((before["status"] == Ended.OK).all() and (is_same or there["status"] == Ended.OVER_BUDGET))


def states_table(told: StatesFigures) -> Table:
    """Return the figures as a table for the terminal."""
    table = Table(show_header=False, box=None)
    for row in states_rows(told):
        table.add_row(*row)
    return table


def states_rows(told: StatesFigures) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the figures."""
    yield "manifest", f"states {told.manifest}, {told.tasks:,} tasks, {told.workers} threads"
    yield "candidates", f"{told.candidates:,}, {told.failed:,} failed"
    yield "evaluations (candidate on a sample)", f"{told.evaluations:,}"
    yield "distinct states", f"{told.states:,}, {told.refused:,} refused"
    yield "candidates/s of CPU time", f"{told.per_s:,.0f}"
    yield "candidates/s of wall time", f"{told.candidates / max(told.wall_s, 1e-9):,.0f}"
    yield "states/s of CPU time", f"{told.states / max(told.cpu_s, 1e-9):,.0f}"
    yield "evaluations/s of CPU time", f"{told.evaluations / max(told.cpu_s, 1e-9):,.0f}"
    yield "memory of the largest set of states", f"{told.state_bytes / 2**20:,.1f} MiB"
    yield "peak memory of the process", f"{told.peak_bytes / 2**20:,.0f} MiB"
    yield "candidates also run by evaluate", f"{told.checked:,}, {told.differing:,} differ"
    yield "candidates/s of CPU time by evaluate", f"{told.checked / max(told.evaluate_cpu_s, 1e-9):,.0f}"
    yield "ratio", f"{told.ratio:,.1f} ×"
    yield "parts with features/s of CPU time", f"{told.parts / max(told.features_cpu_s, 1e-9):,.0f} of {told.parts:,}"
