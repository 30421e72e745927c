"""Open a stored run as results, while it runs or after."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from batt.errors import UsageError
from batt.front import Deck, DeckSource, as_deck
from batt.front.deck import OwnOps
from batt.jobs import Results
from batt.jobs.keeping import Keep, KeptRows
from batt.jobs.matching import match_all, match_own
from batt.runtime.evaluations import Evaluations
from batt.runtime.semantics import semantics_version
from batt.store import RUN
from batt.store.folder import total_wall_s
from batt.store.loading import StoredRecords, load_blocks
from batt.store.manifest import (
    Choices,
    Manifest,
    deck_hash,
    ops_hash,
    read_deck,
    read_manifest,
    stored_tasks,
    tasks_hash,
)
from batt.store.runfile import RunDamaged, RunFile
from batt.tasks import Tasks, TaskSource, load_tasks


def open_run(
    folder: str | os.PathLike[str],
    *,
    deck: DeckSource | None = None,
    tasks: TaskSource | None = None,
    ops: OwnOps = None,
    tell: Callable[[str], None] | None = None,
) -> Results:
    """Return the results of a stored run: a finished one, one that ended early, or one that runs now.

    What is not finished is NOT_RUN, and the results are `interrupted`. The run holds its deck and its tasks. `deck` and
    `tasks` are needed only if those are damaged, or if the tasks are too many to be stored and are not where they were;
    `ops` if the deck uses the user's own ops. `tell` gets a line for each thing that is damaged and so left out;
    `Results.notes` has them, too.
    """
    path = Path(folder)
    file = RunFile.open(path / RUN)
    try:
        manifest = read_manifest(file)
        solvers = deck_of(file, manifest, deck, checked_ops(file, manifest, ops))
        found = tasks_of(file, manifest, tasks)
        loaded = load_blocks(file, manifest, None)
        if tell is not None:
            tell_damage(file, loaded, tell)
        sessions = file.sessions()
    finally:
        file.close()
    engine = str(sessions[-1].get("engine", "")) if sessions else ""
    notes = [str(line) for each in sessions for line in each.get("notes", ())]
    evaluations = evaluations_of(solvers, found, manifest.choices)
    notes = [*dict.fromkeys(notes), *loaded.damage]
    return results_of(solvers, found, manifest, evaluations, loaded, engine, total_wall_s(sessions), notes)


def tell_damage(file: RunFile, loaded: StoredRecords, tell: Callable[[str], None]) -> None:
    """Tell what in a file could not be read."""
    for line in loaded.damage:
        tell(f"{file.path}: {line}")


def results_of(
    deck: Deck,
    tasks: Tasks,
    manifest: Manifest,
    evaluations: Evaluations,
    loaded: StoredRecords,
    engine: str,
    wall_s: float,
    notes: list[str],
) -> Results:
    """Return the results of records that were stored."""
    choices = manifest.choices
    results = Results(
        deck,
        tasks,
        evaluations,
        loaded.records,
        engine=engine,
        limits=choices.limits,
        outputs=loaded.outputs,
        wall_s=wall_s,
        steps=loaded.steps,
        tiers=loaded.counts,
        interrupted=loaded.done < manifest.total,
        notes=tuple(notes),
        keep=choices.keep,
        leave_out=choices.leave_out,
    )
    forget_hashes(results)
    return results


def evaluations_of(deck: Deck, tasks: Tasks, choices: Choices) -> Evaluations:
    """Return the evaluations of a run."""
    return (match_own if choices.own else match_all)(deck, tasks, choices.leave_out)


def forget_hashes(results: Results) -> None:
    """Forget the hashes of evaluations that the run does not keep: some were stored before that was known."""
    if results.keep is Keep.ALL:
        return
    kept = KeptRows(results)
    for solver in range(len(results.deck)):
        numbers, _, is_kept = kept.marked(solver)
        results.records["hash"][numbers[~is_kept]] = 0


def deck_of(file: RunFile, manifest: Manifest, given: DeckSource | None, ops: OwnOps) -> Deck:
    """Return the deck of a run: the one that is given, if it is the same, or the one that the run holds."""
    if given is None:
        return read_deck(file, manifest, ops)
    deck = as_deck(given)
    if deck_hash(deck) != manifest.deck_hash:
        raise UsageError(
            f"{file.path}: the run began with another deck ({manifest.deck_name}, {manifest.solvers:,} solvers); "
            "begin another run, or leave out the deck to go on with the deck as it was"
        )
    return deck


def tasks_of(file: RunFile, manifest: Manifest, given: TaskSource | None) -> Tasks:
    """Return the tasks of a run: those that are given, those that it holds, or those at the sources that it names."""
    if given is None:
        found = stored_tasks(file, manifest)
        if found is not None:
            return found
        if not manifest.task_sources:
            raise UsageError(f"{file.path}: its {manifest.tasks:,} tasks are not stored in it; give them, too: --tasks")
        given = load_tasks(*manifest.task_sources, keep_going=True).select(manifest.task_ids)
    tasks = load_tasks(given)
    if tasks_hash(tasks) != manifest.tasks_hash:
        raise UsageError(f"{file.path}: {_difference(file, manifest, tasks)}")
    return tasks


def _difference(file: RunFile, manifest: Manifest, tasks: Tasks) -> str:
    """Say how tasks differ from those of a run."""
    try:
        stored = stored_tasks(file, manifest)
    except RunDamaged:
        stored = None
    began = "the run began with other tasks"
    if tasks.ids != manifest.task_ids:
        other = sorted({*tasks.ids} ^ {*manifest.task_ids})
        told = f"first: {other[0]}" if other else "in another order"
        return f"{began}: {manifest.tasks:,}, now {len(tasks):,} ({told})"
    changed = [] if stored is None else [task.id for task in tasks if stored[task.id] != task]
    what = f": {len(changed):,} of them changed (first: {changed[0]})" if changed else f" ({manifest.tasks_source})"
    return f"{began}{what}; begin another run, or leave out --tasks to go on with the tasks as they were"


def checked_ops(file: RunFile, manifest: Manifest, ops: OwnOps) -> OwnOps:
    """Return the user's own ops; raise UsageError if they are not those of the run."""
    if ops_hash(ops) != manifest.ops_hash and (ops is not None or manifest.ops_hash):
        if ops is None:
            raise UsageError(f"{file.path}: its deck uses your own ops; give their file, too: --ops FILE, or ops=FILE")
        raise UsageError(f"{file.path}: the run began with other own ops than those of {ops}")
    return ops


def check_semantics(file: RunFile, manifest: Manifest) -> None:
    """Refuse to go on with a run of another version of the semantics: its outcomes may be others."""
    if manifest.semantics != semantics_version():
        raise UsageError(
            f"{file.path}: the run began with batt {manifest.version}, whose primitives may give other outcomes "
            f"(semantics {manifest.semantics}, here {semantics_version()}); begin another run"
        )
