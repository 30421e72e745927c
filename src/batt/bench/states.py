"""`batt bench states`: how many candidates and distinct states a second an open engine makes, beside `evaluate`.

The mix of ops and the tasks are a committed manifest. For each task, every call of the manifest is applied in some
layers, to seeded argument tuples of the states that earlier layers made. A seeded sample of the candidates is also
evaluated as programs, each alone, and must have the same hashes or the same failure.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib import resources
from itertools import count, zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bench.columns import BenchColumn, ColumnKind
from batt.bench.passes import peak_bytes
from batt.bench.states_figures import StatesFigures
from batt.bytecode.abi import Ended
from batt.ir import Program
from batt.jobs import samples_of
from batt.jobs.evaluation import Gathering
from batt.jobs.settling import settle
from batt.ops import OPS
from batt.runtime import Sample
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import read_options
from batt.states import FORMS, Applied, OpenEngine, StateKind, States, StatesBatch, open_engine
from batt.states.states import LIMITS
from batt.tasks import Tasks, load_tasks

CANDIDATES = 1_000_000
"""About how many candidates are measured if no limit is given."""
CHECKED = 200
"""Candidates of each task that are also evaluated as programs, in each layer."""
FIRST_TASKS = 20
"""The tasks of a group of which candidates are evaluated as programs, and states taken apart."""
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


@cache
def states_manifest() -> Mapping[str, Any]:
    """Return the manifest of the case."""
    found: dict[str, Any] = json.loads(_manifest_text())
    return found


def _manifest_text() -> str:
    return (resources.files("batt.bench") / "manifests" / "states.json").read_text("utf-8")


def measure_states(limit: int | None = None, workers: int = 1) -> StatesFigures:
    """Measure about `limit` candidates of the manifest on the CPU, all layers of each task."""
    return measure_engines([BenchColumn(ColumnKind.CPU, workers)], limit)[0]


def measure_engines(
    columns: Sequence[BenchColumn], limit: int | None = None, together: int = 1, repeat: int = 1
) -> list[StatesFigures]:
    """Measure engines on the same candidates, `together` tasks in one call, in `repeat` passes in turn.

    The candidates and states of each engine are compared with those of the first.
    """
    manifest = states_manifest()
    digest = sha256(_manifest_text().encode()).hexdigest()[:12]
    figures = [StatesFigures(digest, each.threads, each.kind.value, together) for each in columns]
    tasks = load_tasks(manifest["tasks"])
    order = np.random.default_rng(manifest["seed"]).permutation(len(tasks)).tolist()
    with ExitStack() as opened:
        engines = [
            opened.enter_context(open_engine(engine=each.engine, workers=each.workers, limits=LIMITS))
            for each in figures
        ]
        for start in range(0, len(order), together):
            group = TaskGroup(tasks, order[start : start + together])
            _measure_group(engines, group, figures, repeat)
            if figures[0].candidates >= (limit or CANDIDATES):
                break
        for engine, told in zip(engines, figures, strict=True):
            told.notes = [line for line in engine.notes if "compiling" not in line]
    for told in figures:
        told.peak_bytes = peak_bytes()
    return figures


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """Tasks that are measured together, by their positions."""

    tasks: Tasks
    chosen: Sequence[int]

    def samples(self) -> list[Sequence[Sample]]:
        """Return the samples of each task."""
        return [samples_of(self.tasks[at : at + 1]) for at in self.chosen]


def _measure_group(
    engines: Sequence[OpenEngine], group: TaskGroup, figures: Sequence[StatesFigures], repeat: int
) -> None:
    """Measure a group of tasks on all engines: the fastest pass of each counts."""
    best: list[StatesFigures | None] = [None] * len(engines)
    first = StatesPass()
    for turn in range(repeat):
        for place, (engine, told) in enumerate(zip(engines, figures, strict=True)):
            found = StatesFigures(told.manifest, told.workers, told.engine, told.together)
            made = _measure_pass(engine, group, found, None if not turn and not place else first)
            if not turn and not place:
                first = made
            found.unequal = made.unequal_to(first)
            before = best[place]
            if before is not None:
                found.take_checks(before)
                if before.wall_s < found.wall_s:
                    found.wall_s, found.cpu_s = before.wall_s, before.cpu_s
            best[place] = found
    for told, each in zip(figures, best, strict=True):
        if each is not None:
            told.add(each)


@dataclass(slots=True)
class StatesPass:
    """The layers of a pass, each with the task of its candidates, and the arrays that all engines have in common."""

    layers: list[tuple[npt.NDArray[np.int64], RandomLayer]] = field(default_factory=list)
    made: list[npt.NDArray[Any]] = field(default_factory=list)

    def unequal_to(self, other: StatesPass) -> int:
        """Count the arrays that differ, and those that only one of them has."""
        pairs = zip_longest(self.made, other.made)
        return sum(a is None or b is None or not np.array_equal(a, b) for a, b in pairs)


def _measure_pass(engine: OpenEngine, group: TaskGroup, figures: StatesFigures, first: StatesPass | None) -> StatesPass:
    """Apply all layers on an engine: those of the first pass, or new ones if this is it."""
    manifest = states_manifest()
    seeds = [[np.random.default_rng([manifest["seed"], at, use]) for use in range(2)] for at in group.chosen]
    batch = engine.states_batch(group.samples())
    pools = [constant_pools(states) for states in batch]
    figures.tasks = len(batch)
    made = StatesPass()
    for number in range(manifest["layers"]):
        of, layer = _drawn(batch, pools, seeds) if first is None else first.layers[number]
        wall, cpu = time.perf_counter(), time.process_time()
        applied = batch.apply_each(layer.ops, of, layer.called, *layer.arguments)
        figures.cpu_s += time.process_time() - cpu
        figures.wall_s += time.perf_counter() - wall
        _count(applied, batch, of, figures)
        made.layers.append((of, layer))
        made.made.append(applied.candidates)
        if first is None:
            for at, states in enumerate(list(batch)[:FIRST_TASKS]):
                _check(of, at, layer, applied, states, figures, seeds[at][1])
        elif not np.array_equal(applied.candidates, first.made[number]):
            # The handles of the next layer may mean other states.
            break
    for at, states in enumerate(batch):
        if first is None and at < FIRST_TASKS:
            _measure_features(states, figures)
        made.made += [states.hashes(), states.lengths(), states.kinds(), np.array([states.used_bytes, states.refused])]
        figures.states += len(states)
        figures.state_bytes = max(figures.state_bytes, states.used_bytes)
    figures.all_bytes, figures.gpu_bytes, figures.refused = batch.used_bytes, batch.gpu_bytes, batch.refused
    batch.close()
    return made


def _drawn(
    batch: StatesBatch, pools: Sequence[Mapping[str, npt.NDArray[np.int64]]], seeds: Sequence[Sequence[Any]]
) -> tuple[npt.NDArray[np.int64], RandomLayer]:
    """Draw a layer for each task. Return the task of each candidate, and all layers as one, with a row per argument."""
    most = states_manifest()["most"]
    layers = [
        random_layer(kind_pools(states, pool), most, random)
        for states, pool, (random, _) in zip(batch, pools, seeds, strict=True)
    ]
    of = np.repeat(np.arange(len(layers)), [len(layer.called) for layer in layers])
    called, arguments = (np.concatenate(each) for each in zip(*[(x.called, x.arguments) for x in layers], strict=True))
    return of, RandomLayer(layers[0].ops, called, np.ascontiguousarray(arguments.T))


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


def _count(applied: Applied, batch: StatesBatch, of: npt.NDArray[np.int64], figures: StatesFigures) -> None:
    samples = np.array([len(states.samples) for states in batch])[of]
    figures.candidates += len(applied)
    is_failed = applied.candidates["status"] != Ended.OK
    figures.failed += int(is_failed.sum())
    figures.evaluations += int(np.where(is_failed, applied.candidates["sample"] + 1, samples).sum())


def _check(
    of: npt.NDArray[np.int64],
    task: int,
    layer: RandomLayer,
    applied: Applied,
    states: States,
    figures: StatesFigures,
    random: np.random.Generator,
) -> None:
    """Evaluate some candidates of a task as programs of their own, and compare hashes and failures."""
    start, end = np.searchsorted(of, [task, task + 1]).tolist()
    chosen = start + np.unique(random.integers(0, end - start, CHECKED))
    programs: list[Program] = []
    for at in chosen.tolist():
        op = OPS[layer.ops[layer.called[at]]]
        programs.append(states.call_program(op, *layer.arguments[: op.arity, at].tolist()))
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
