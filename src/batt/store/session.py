"""One process that runs a stored run: begins it, or goes on with it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batt.errors import BattError, UsageError
from batt.front import Deck, DeckSource, as_deck
from batt.front.deck import OwnOps
from batt.jobs import Results
from batt.jobs.display import Progress
from batt.jobs.evaluation import Gathering, OnBlock, OnPoll, OnStart, Tell
from batt.jobs.keeping import Keep
from batt.jobs.samples import keys_of
from batt.jobs.settling import settle
from batt.runtime.blocks import Damaged
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import read_options
from batt.store import RUN
from batt.store.folder import found_by, total_wall_s
from batt.store.loading import StoredRecords, load_blocks
from batt.store.lock import RunLock
from batt.store.manifest import (
    MANIFEST,
    Choices,
    Manifest,
    items_of,
    machine,
    read_manifest,
)
from batt.store.reading import check_semantics, checked_ops, deck_of, evaluations_of, results_of, tasks_of, tell_damage
from batt.store.runfile import SUFFIXES, NotStored, RunDamaged, RunFile, StoredBlock, remove
from batt.store.tally import TALLY, RunTally
from batt.store.writer import StoreSink
from batt.tasks import Tasks, TaskSource, load_tasks

if TYPE_CHECKING:
    from batt.cache import ResultCache

DAMAGED = f"{RUN}.damaged"
LIMIT_OPTIONS = {"steps": "--steps", "wall_s": "-t", "memory_bytes": "--memory", "max_items": "max_items"}
"""What messages call the limits."""


@dataclass(frozen=True, slots=True)
class Given:
    """Options that a person gives again when a run goes on; None if they leave it to the run."""

    deck: DeckSource | None = None
    tasks: TaskSource | None = None
    own: bool | None = None
    keep: Keep | None = None
    outputs: bool | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    ops: OwnOps = None
    leave_out: bool | None = None


class Session:
    """The owner of a stored run. Only one process can be; leave the context to let the next one in.

    `begin` starts a run in an empty folder, or in that of a finished run, which it replaces. `resume` goes on with one.
    """

    def __init__(
        self,
        folder: Path,
        lock: RunLock,
        file: RunFile,
        manifest: Manifest,
        deck: Deck,
        tasks: Tasks,
        loaded: StoredRecords,
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self.deck = deck
        self.tasks = tasks
        self.loaded = loaded
        self._lock = lock
        self._file = file
        self._earlier = file.sessions()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close(whole=True)
        self._lock.release()

    @classmethod
    def begin(
        cls,
        folder: str | os.PathLike[str],
        deck: DeckSource,
        tasks: TaskSource,
        choices: Choices | None = None,
        *,
        ops: OwnOps = None,
        task_sources: Sequence[str] = (),
        export: Mapping[str, Any] | None = None,
    ) -> Session:
        """Begin a run. `ops` is the file of the user's own ops that the deck was read with.

        `task_sources` are what the tasks were read from, for a set that is too large to be stored in the run. `export`
        holds options for who goes on with the run.
        """
        path, choices = Path(folder), choices or Choices()
        deck, tasks = as_deck(deck), load_tasks(tasks)
        manifest, items = items_of(deck, tasks, choices, ops, task_sources, export or {})
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{path}: cannot be made: {error.strerror}") from None
        with _locked(path) as lock:
            _make_room(path)
            loaded = StoredRecords.none(manifest, path)
            return cls(path, lock, RunFile.create(path / RUN, items), manifest, deck, tasks, loaded)

    @classmethod
    def resume(cls, folder: str | os.PathLike[str], given: Given | None = None, tell: Tell | None = None) -> Session:
        """Go on with a run. What is given again must agree with it. `tell` gets a line for each damaged thing."""
        path, given = Path(folder), given or Given()
        if not (path / RUN).exists():
            raise UsageError(f"{path}: holds no {RUN} to go on with; batt run --out {path} begins a run")
        with _locked(path) as lock:
            # What does not agree, or is damaged, is found before anything is written.
            file = RunFile.open(path / RUN)
            try:
                manifest = read_manifest(file)
                check_semantics(file, manifest)
                check_given(path, manifest, given)
                deck = deck_of(file, manifest, given.deck, checked_ops(file, manifest, given.ops))
                tasks = tasks_of(file, manifest, given.tasks)
                loaded = load_blocks(file, manifest, path, timed_out=False)
                if loaded.damage:
                    if tell is not None:
                        tell_damage(file, loaded, tell)
                    items = items_of(deck, tasks, manifest.choices, given.ops, (), {})[1]
                    _repair(file, items | {MANIFEST: manifest.as_bytes()}, tell)
            finally:
                file.close()
            return cls(path, lock, RunFile.open(path / RUN, write=True), manifest, deck, tasks, loaded)

    def evaluate(
        self,
        *,
        cache: ResultCache | bool = False,
        progress: Progress | None = None,
        tell: Tell | None = None,
        on_block: OnBlock | None = None,
        on_poll: OnPoll | None = None,
        on_start: OnStart | None = None,
        **options: Any,
    ) -> Results:
        """Run what is not stored yet, and return the results of all sessions together.

        `options` are those of `batt.evaluate` that decide no outcome: engine, devices, workers, share, compiled,
        gpu_memory, memory, cluster. Evaluations that timed out are run again.
        """
        choices = self.manifest.choices
        evaluations = self.evaluations
        chosen = read_options(limits=choices.limits, outputs=choices.outputs, **options)
        chosen, note = settle(self.deck.programs, evaluations, chosen)
        session = {"started": time.time(), "pid": os.getpid(), "engine": chosen.engine_name, "workers": chosen.workers}
        session |= {"machine": machine(), "ended_by": None, "notes": []}
        sink = StoreSink(self._file, evaluations, choices.keep, self.loaded, session)
        run = Gathering(
            self.deck.programs, evaluations, chosen,
            sink=sink, cache=cache, progress=progress, tell=tell, on_block=on_block, on_poll=on_poll, on_start=on_start,
        )  # fmt: skip
        if note:
            run.on_note(note)
        try:
            self._gather(run, sink)
        except (NotStored, OSError):
            if sink.error is None:
                raise
            done = f"{self.loaded.done:,} of {self.manifest.total:,} evaluations are stored"
            resume = f"batt run --resume {self.folder}"
            raise NotStored(f"{sink.error}; {done}. Make room, then go on with: {resume}") from None
        counts = self.loaded.counts
        counts.crashed, counts.out_of_memory = run.counts.crashed, run.counts.out_of_memory
        counts.deferred_by_gpus = run.counts.deferred_by_gpus
        return self.results(chosen.engine_name, run.wall_s, run.notes)

    @staticmethod
    def _gather(run: Gathering, sink: StoreSink) -> None:
        """Run what is left, and store how that ended."""
        ended_by = "an error of batt"
        try:
            run.gather()
            ended_by = "an interrupt" if run.interrupted else ""
        except BattError as error:
            ended_by = str(error)
            raise
        finally:
            more = {"wall_s": run.wall_s} if run.wall_s else {}
            counts = {"crashed": run.counts.crashed, "out_of_memory": run.counts.out_of_memory}
            sink.finish(ended_by=ended_by, notes=run.notes, **counts, **more)

    @cached_property
    def evaluations(self) -> Evaluations:
        """Return all evaluations of the run."""
        return evaluations_of(self.deck, self.tasks, self.manifest.choices)

    def store(self, blocks: Iterable[StoredBlock]) -> None:
        """Store blocks of evaluations that were run elsewhere."""
        data: dict[str, Any] = {"started": time.time(), "pid": os.getpid(), "machine": machine(), "ended_by": None}
        number = self._file.begin_session(data)
        tally = RunTally(self.evaluations, keys_of(self.evaluations.samples), self.folder)
        for block in blocks:
            tally.add(*self.loaded.add(block))
            data[TALLY] = tally.found.as_json()
            self._file.add([block], number, data)
        self._file.add((), number, data | {"ended_by": ""})

    def results(self, engine: str, wall_s: float = 0.0, notes: Sequence[str] = ()) -> Results:
        """Return the results of all sessions; the last one ran on `engine` for `wall_s` seconds."""
        earlier = [str(line) for each in self._earlier for line in each.get("notes", ())]
        notes = list(dict.fromkeys([*earlier, *notes]))
        wall_s += total_wall_s(self._earlier)
        return results_of(self.deck, self.tasks, self.manifest, self.evaluations, self.loaded, engine, wall_s, notes)


@contextmanager
def _locked(folder: Path) -> Iterator[RunLock]:
    """Yield the lock of a run; release it if an error ends the context, else whoever has it then does."""
    with ExitStack() as undo:
        lock = RunLock(folder)
        undo.callback(lock.release)
        yield lock
        undo.pop_all()


def check_given(folder: Path, manifest: Manifest, given: Given) -> None:
    """Refuse what is given again and does not agree with the run."""
    choices = manifest.choices
    asked: list[tuple[str, Any, Any]] = [
        ("--own", given.own, choices.own),
        ("--keep", given.keep and given.keep.value, choices.keep.value),
        ("--outputs", given.outputs, choices.outputs),
        ("--leave-out", given.leave_out, choices.leave_out),
    ]
    asked += [(LIMIT_OPTIONS[name], value, getattr(choices.limits, name)) for name, value in given.limits.items()]
    for name, value, began in asked:
        if value is not None and value != began:
            raise UsageError(f"{folder}: the run began with {name} {began}, not {value}; leave it out to go on")


def _make_room(folder: Path) -> None:
    """Remove a finished run; refuse to remove an unfinished one."""
    path = folder / RUN
    if not path.exists():
        return
    try:
        file = RunFile.open(path)
        try:
            total, done = read_manifest(file).total, found_by(file).done
        finally:
            file.close()
    except RunDamaged as error:
        raise UsageError(f"{error}; remove the file, or name another folder") from None
    if 0 < done < total:
        raise UsageError(
            f"{folder}: holds an unfinished run, {done:,} of {total:,} evaluations; go on with it: "
            f"batt run --resume {folder}, or remove {path}, or name another folder"
        )
    remove(path)


def _repair(file: RunFile, items: Mapping[str, bytes], tell: Tell | None) -> None:
    """Move what is sound in a damaged file to a new one with `items`, and keep the damaged one under another name."""
    path = file.path
    made = RunFile.create(path.with_name(f"{RUN}.part"), items)
    session = made.begin_session({})
    for number in file.block_ids()[0]:
        with suppress(Damaged):
            made.add([file.block(number)], session, {})
    made.replace_sessions([each | {TALLY: None} for each in file.sessions()])
    made.close(whole=True)
    file.close()
    shutil.copyfile(path, path.with_name(DAMAGED))
    for suffix in SUFFIXES[1:]:
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").rename(path.with_name(f"{DAMAGED}{suffix}"))
    made.path.replace(path)
    if tell:
        tell(f"{path}: what is sound in it is kept; the damaged file is now {DAMAGED}")
