"""Merge stored runs into one: of one deck and the same tasks, or of several that go together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.front import Deck, Solver
from batt.front.deck import OwnOps
from batt.jobs import Results
from batt.jobs.keeping import Keep
from batt.jobs.samples import keys_of
from batt.runtime import Status
from batt.runtime.blocks import Damaged, pack_outputs, pack_records, unpack_outputs, unpack_records
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.records import take
from batt.store import RUN
from batt.store.manifest import Choices, read_deck, read_manifest
from batt.store.reading import checked_ops, evaluations_of, tasks_of
from batt.store.runfile import RunFile, StoredBlock
from batt.store.session import Session
from batt.tasks import Task, Tasks

COMPARED = ("status", "error", "equal", "differing", "height", "width", "hash")


def merge_runs(
    folders: Sequence[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    *,
    ops: OwnOps = None,
    tell: Callable[[str], None] | None = None,
) -> Results:
    """Write a run to `target` that has all solvers, tasks and outcomes of several runs. Return its results.

    Runs of one deck and one set of tasks become their union. Other runs must have the same options, and no name may
    mean two programs or two tasks. `batt run --resume` runs what none of them ran. `tell` gets a line for each damaged
    thing, which is left out.
    """
    if len(folders) < 2:
        raise UsageError("merging takes at least two runs")
    runs = [_Source(Path(folder), ops) for folder in folders]
    try:
        for run in runs[1:]:
            _check(runs[0], run)
        deck, tasks = _joined_deck(runs), _joined_tasks(runs)
        sources = dict.fromkeys([each for run in runs for each in run.manifest.task_sources])
        with Session.begin(
            target, deck, tasks, runs[0].manifest.choices, ops=ops, task_sources=list(sources)
        ) as session:
            session.store(_merged(runs, session, tell))
            return session.results("merged")
    finally:
        for run in runs:
            run.file.close()


class _Source:
    """A run to merge: its file, its manifest, its deck, tasks and evaluations."""

    def __init__(self, folder: Path, ops: OwnOps) -> None:
        self.folder = folder
        self.file = RunFile.open(folder / RUN)
        self.manifest = read_manifest(self.file)
        self.deck = read_deck(self.file, self.manifest, checked_ops(self.file, self.manifest, ops))
        self.tasks = tasks_of(self.file, self.manifest, None)
        self.evaluations = evaluations_of(self.deck, self.tasks, self.manifest.choices)


def _check(first: _Source, other: _Source) -> None:
    """Refuse runs whose outcomes do not go together."""
    where = f"{other.folder}: cannot be merged with {first.folder}"
    ours, theirs = first.manifest, other.manifest
    if ours.semantics != theirs.semantics:
        raise UsageError(f"{where}: batt {ours.version} and {theirs.version} may give other outcomes")
    if ours.ops_hash != theirs.ops_hash:
        raise UsageError(f"{where}: they use other own ops")
    for each in fields(Choices):
        one, another = getattr(ours.choices, each.name), getattr(theirs.choices, each.name)
        if one != another:
            raise UsageError(f"{where}: {each.name} is {_shown(one)} there and {_shown(another)} here")


def _shown(choice: Any) -> str:
    return choice.value if isinstance(choice, Keep) else str(choice)


def _joined_deck(runs: Sequence[_Source]) -> Deck:
    solvers: dict[str, Solver] = {}
    for run in runs:
        for solver in run.deck:
            if solvers.setdefault(solver.name, solver).program != solver.program:
                raise UsageError(f"{run.folder}: its {solver.name} is another program than that of an earlier run")
    names = dict.fromkeys([run.deck.name for run in runs])
    return Deck(solvers.values(), " + ".join(names))


def _joined_tasks(runs: Sequence[_Source]) -> Tasks:
    first = runs[0]
    if all(run.manifest.tasks_hash == first.manifest.tasks_hash for run in runs):
        return first.tasks
    tasks: dict[str, Task] = {}
    for run in runs:
        for task in run.tasks:
            if tasks.setdefault(task.id, task) != task:
                raise UsageError(f"{run.folder}: its task {task.id} is another one than that of an earlier run")
    sources, names = [dict.fromkeys(each) for each in zip(*[(r.tasks.source, r.tasks.name) for r in runs], strict=True)]
    return Tasks(tuple(tasks.values()), " + ".join(sources), " + ".join(names))


def _merged(runs: Sequence[_Source], session: Session, tell: Callable[[str], None] | None) -> Iterator[StoredBlock]:
    """Yield the blocks of all runs, without evaluations that the session has.

    What timed out comes last: another run may have its outcome.
    """
    places = [_Places(run, session) for run in runs]
    for is_timed_out in (False, True):
        for run, mapping in zip(runs, places, strict=True):
            bad = 0
            for number in run.file.block_ids()[0]:
                try:
                    block = run.file.block(number)
                    moved = mapping.moved(block) if block.is_timed_out == is_timed_out else None
                except Damaged:
                    bad += 1
                    continue
                if moved is not None:
                    yield moved
            if bad and tell and not is_timed_out:
                tell(f"{run.file.path}: {bad:,} blocks of records are damaged, and left out")


class _Places:
    """The places of the evaluations of a run in the merged run."""

    def __init__(self, run: _Source, session: Session) -> None:
        self.run = run
        self.records = session.loaded.records
        self.target = session.evaluations
        positions = {name: place for place, name in enumerate(session.deck.names)}
        self._solver_of = np.array([positions[name] for name in run.deck.names], np.int64)
        self._sample_of = _sample_places(run.evaluations, self.target)
        self._order: tuple[Integers, Integers] | None = None
        if not self.target.is_product:
            solvers, samples = self.target.columns()
            keys = solvers * len(self.target.samples) + samples
            order = np.argsort(keys, kind="stable")
            self._order = keys[order], order

    def numbers(self, numbers: Integers) -> Integers:
        """Return the numbers in the merged run."""
        solvers, samples = self.run.evaluations.pairs(numbers)
        keys = self._solver_of[solvers] * len(self.target.samples) + self._sample_of[samples]
        return keys if self._order is None else self._order[1][np.searchsorted(self._order[0], keys)]

    def moved(self, block: StoredBlock) -> StoredBlock | None:
        """Return a block of the run as one of the merged run, without evaluations that this has; None if it has all.

        The steps of a block that is in part there already are divided evenly.
        """
        before, records = unpack_records(block.body, self.run.evaluations.total)
        numbers = self.numbers(before)
        known = take(self.records, numbers)
        is_new = known["status"] == Status.NOT_RUN
        if not block.is_timed_out:
            self._compare(known[~is_new], records[~is_new])
        chosen = np.flatnonzero(is_new)
        if not len(chosen):
            return None
        chosen = chosen[np.argsort(numbers[chosen])]
        outputs = None
        if block.outputs is not None:
            wires = unpack_outputs(block.outputs, len(before)).wires
            outputs = pack_outputs([wires[place] for place in chosen.tolist()])
        share = len(chosen) / len(before)
        causes = {why: round(count * share) for why, count in block.meta.causes.items()}
        meta = replace(block.meta, count=len(chosen), steps=round(block.meta.steps * share), causes=causes)
        kept = take(records, chosen)
        return StoredBlock(meta, pack_records(numbers[chosen], kept, kept["hash"] != 0), outputs, block.is_timed_out)

    def _compare(self, known: npt.NDArray[Any], records: npt.NDArray[Any]) -> None:
        """Refuse runs that disagree on an outcome. A hash that one of them does not keep is 0."""
        differ = np.zeros(len(known), bool)
        for name in COMPARED:
            both = (known[name] != 0) & (records[name] != 0) if name == "hash" else np.ones(len(known), bool)
            differ |= both & (known[name] != records[name])
        if differ.any():
            raise UsageError(
                f"{self.run.folder}: {int(differ.sum()):,} evaluations have other outcomes than in an earlier run; "
                "engines must agree, so please report this"
            )


def _sample_places(source: Evaluations, target: Evaluations) -> Integers:
    """Return the position in `target` of each sample of `source`."""
    keys, wanted = keys_of(target.samples), keys_of(source.samples)
    places = {keys.key(place): place for place in range(len(target.samples))}
    return np.array([places[wanted.key(place)] for place in range(len(source.samples))], np.int64)
