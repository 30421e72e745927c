"""The manifest of a run: what was run, how, by which version, where; and its deck and tasks as the file holds them."""

from __future__ import annotations

import json
import os
import platform
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from batt.errors import DataError, UsageError
from batt.front import Deck
from batt.front.deck import OwnOps
from batt.front.solver import as_json_lines
from batt.jobs.keeping import Keep
from batt.jobs.matching import match_own
from batt.runtime import Limits
from batt.runtime.blocks import Damaged, inflate
from batt.runtime.options import usable_cores
from batt.runtime.semantics import batt_version, semantics_version
from batt.store.runfile import FORMAT, RunDamaged, RunFile
from batt.tasks import Pair, Task, Tasks
from batt.tasks.packed import read_grids
from batt.tasks.read import COLOURS
from batt.tasks.rows import columns_of

EMBEDDED_CELLS = 8 << 20
"""Tasks with at most this many cells are stored in the run. Larger sets are read again from where they were."""
MOST_BYTES = 1 << 32

MANIFEST, DECK, TASKS = "manifest", "deck", "tasks"
LEVEL = 1
"""Of zlib."""

_COLOURS = bytes(range(COLOURS))


@dataclass(frozen=True, slots=True)
class Choices:
    """The options that decide what a run finds and keeps."""

    own: bool = False
    keep: Keep = Keep.ALL
    outputs: bool = False
    limits: Limits = field(default_factory=Limits)
    leave_out: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the options as plain data."""
        plain = {"own": self.own, "keep": self.keep.value, "outputs": self.outputs, "limits": asdict(self.limits)}
        return plain | {"leave_out": self.leave_out}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Choices:
        """Return the options of plain data."""
        # A run that was stored before this option existed left nothing out.
        leave_out = plain.get("leave_out", False)
        return cls(plain["own"], Keep(plain["keep"]), plain["outputs"], Limits(**plain["limits"]), leave_out)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A run as given. Two runs with the same `identity` have the same evaluations, with the same numbers and outcomes.

    `deck_hash` and `tasks_hash` are digests of the content, `ops_hash` one of the user's own ops, empty without them.
    `task_sources` are names and paths from which the tasks can be read again, `is_embedded` tells whether they are
    stored. `export` holds the options of exports, which whoever began the run chose.
    """

    total: int
    deck_name: str
    deck_hash: str
    solvers: int
    ops_hash: str
    tasks_name: str
    tasks_source: str
    tasks_hash: str
    tasks: int
    task_ids: tuple[str, ...]
    task_sources: tuple[str, ...]
    is_embedded: bool
    choices: Choices
    export: Mapping[str, Any]
    version: str
    semantics: str = field(default_factory=semantics_version)
    started: float = field(default_factory=lambda: time.time())
    machine: Mapping[str, Any] = field(default_factory=lambda: machine())
    format: int = FORMAT

    @property
    def identity(self) -> tuple[Any, ...]:
        """Return what must agree for results to belong to one run."""
        return self.deck_hash, self.ops_hash, self.tasks_hash, self.choices, self.semantics

    def as_bytes(self) -> bytes:
        """Return the manifest as JSON."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return json.dumps(plain | {"choices": self.choices.as_json()}, indent=1).encode()


def machine() -> dict[str, Any]:
    """Return what this machine is."""
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "processor": platform.machine(),
        "cores": usable_cores(),
        "python": platform.python_version(),
    }


def items_of(
    deck: Deck, tasks: Tasks, choices: Choices, ops: OwnOps, task_sources: Sequence[str], export: Mapping[str, Any]
) -> tuple[Manifest, dict[str, bytes]]:
    """Return the manifest of a run that begins now, and what its file holds besides results."""
    solvers = deck_bytes(deck)
    pairs, sizes = columns_of(tasks)
    is_embedded = int(sizes.sum()) <= EMBEDDED_CELLS
    cells = task_bytes(tasks) if is_embedded else b""
    manifest = Manifest(
        total=match_own(deck, tasks).total if choices.own else len(deck) * int(pairs.sum()),
        deck_name=deck.name,
        deck_hash=sha256(solvers).hexdigest(),
        solvers=len(deck),
        ops_hash=ops_hash(ops),
        tasks_name=tasks.name,
        tasks_source=tasks.source,
        tasks_hash=sha256(cells).hexdigest() if cells and isinstance(tasks.tasks, tuple) else tasks_hash(tasks),
        tasks=len(tasks),
        task_ids=tasks.ids,
        task_sources=tuple(task_sources),
        is_embedded=is_embedded,
        choices=choices,
        export=export,
        version=batt_version(),
    )
    items = {MANIFEST: manifest.as_bytes(), DECK: deflated(solvers)}
    return manifest, items | ({TASKS: deflated(cells)} if is_embedded else {})


def read_manifest(file: RunFile) -> Manifest:
    """Return the manifest of a run; raise RunDamaged if it is not sound."""
    try:
        plain = json.loads(file.item(MANIFEST))
        plain |= {name: tuple(plain[name]) for name in ("task_ids", "task_sources")}
        return Manifest(**plain | {"choices": Choices.from_json(plain["choices"])})
    except (ValueError, TypeError, KeyError) as error:
        raise RunDamaged(f"{file.path}: malformed: its manifest cannot be read: {error}") from None


def deck_bytes(deck: Deck) -> bytes:
    """Return the deck as JSON lines. Saved text reads back as the same programs."""
    return as_json_lines(deck).encode()


def deck_hash(deck: Deck) -> str:
    """Return a digest of the solvers of a deck, in their order."""
    return sha256(deck_bytes(deck)).hexdigest()


def read_deck(file: RunFile, manifest: Manifest, ops: OwnOps) -> Deck:
    """Return the deck of a run. Its solvers may use the user's own `ops`."""
    sources = {}
    for line in _inflated(file, DECK).decode().splitlines():
        entry = json.loads(line)
        sources[entry["name"]] = entry["source"]
    found = Deck.from_sources(sources, ops=ops)
    return Deck(found, manifest.deck_name)


def task_bytes(tasks: Tasks) -> bytes:
    """Return all tasks: a line of JSON with the id, demonstrations and sizes of each, then all cells, a byte each."""
    heads: list[tuple[str, int, list[tuple[int, int]]]] = []
    cells: list[bytes] = []
    for task in tasks:
        grids = [grid or () for pair in task.pairs for grid in (pair.input, pair.output)]
        heads.append((task.id, len(task.train), [(len(grid), len(grid[0])) if grid else (0, 0) for grid in grids]))
        try:
            cells.append(b"".join(map(bytes, chain.from_iterable(grids))))
        except (TypeError, ValueError):
            raise UsageError(f"task {task.id}: a run that is stored takes grids of colours") from None
    return b"".join([json.dumps(heads).encode(), b"\n", *cells])


def tasks_hash(tasks: Tasks) -> str:
    """Return a digest of all tasks, in their order.

    The tasks of a large set are made on demand: their source says what they are made of.
    """
    if not isinstance(tasks.tasks, tuple):
        return sha256(json.dumps([tasks.source, tasks.ids]).encode()).hexdigest()
    return sha256(task_bytes(tasks)).hexdigest()


def stored_tasks(file: RunFile, manifest: Manifest) -> Tasks | None:
    """Return the tasks that a run holds; None if it does not hold them."""
    if not manifest.is_embedded:
        return None
    head, _, cells = _inflated(file, TASKS).partition(b"\n")
    found: list[Task] = []
    at = 0
    try:
        if cells.strip(_COLOURS):
            raise ValueError(f"a cell of {max(cells)}")
        for name, train, shapes in json.loads(head):
            end = at + sum([height * width for height, width in shapes])
            grids = read_grids(cells[at:end], shapes)
            pairs = [Pair(given, wanted) for given, wanted in zip(grids[::2], grids[1::2], strict=True) if given]
            found.append(Task(name, tuple(pairs[:train]), tuple(pairs[train:])))
            at = end
        if at != len(cells):
            raise ValueError(f"{len(cells):,} cells, {at:,} expected")
        return Tasks(tuple(found), manifest.tasks_source, manifest.tasks_name)
    except (ValueError, TypeError, DataError) as error:
        raise RunDamaged(f"{file.path}: malformed: its tasks cannot be read: {error}") from None


def deflated(data: bytes) -> bytes:
    """Return data compressed, after its length."""
    return len(data).to_bytes(8, "little") + zlib.compress(data, LEVEL)


def _inflated(file: RunFile, name: str) -> bytes:
    data = file.item(name)
    try:
        size = int.from_bytes(data[:8], "little")
        return inflate(data[8:], min(size, MOST_BYTES))
    except Damaged as error:
        raise RunDamaged(f"{file.path}: malformed: its {name}: {error}") from None


def ops_hash(ops: OwnOps) -> str:
    """Return a digest of a file of the user's own ops and of the headers beside it; empty without one."""
    if ops is None:
        return ""
    if isinstance(ops, Mapping):
        raise UsageError("a run that is stored takes own ops as a file; ops by name cannot be found again")
    path = Path(os.fspath(ops))
    made = sha256()
    for each in (path, *sorted(path.parent.glob("*.h"))):
        try:
            made.update(each.read_bytes())
        except OSError as error:
            raise UsageError(f"{each}: cannot be read: {error.strerror}") from None
    return made.hexdigest()
