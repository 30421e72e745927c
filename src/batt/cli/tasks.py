"""`batt tasks`: describe sources of tasks, and pack tasks into one file that is read on demand."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from batt.cli.command import add_command
from batt.cli.output import console, tell_note
from batt.errors import UsageError
from batt.tasks import BUILT_IN, Tasks, load_tasks, merge_tasks
from batt.tasks.files import PACKED_SUFFIX
from batt.tasks.model import counted
from batt.tasks.packing import pack_tasks

SOURCE_HELP = (
    "a built-in set, a folder of ARC JSON files, a file of tasks, or a packed file; "
    "@symmetries or @colours:5 after it adds transforms of its tasks"
)


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "tasks",
        summary="list or pack tasks",
        description="Show what sources of tasks hold, or pack tasks into one file that runs read piece by piece.",
        examples=(
            "batt tasks show arc1-training my_tasks/",
            "batt tasks pack arc1-training my_tasks/ -o all.batt-tasks",
        ),
    )
    parser.set_defaults(execute=show, sources=[], json=False, keep_going=False)
    parts = parser.add_subparsers(dest="what", metavar="show|pack", required=False)
    shown = add_command(
        parts,
        "show",
        summary="show what sources hold",
        description="Show how many tasks, pairs and cells sources of tasks hold.",
        examples=("batt tasks show", "batt tasks show my_tasks/ --json"),
    )
    told = f"{SOURCE_HELP} (default: all built-in sets)"
    shown.add_argument("sources", nargs="*", metavar="NAME|PATH", help=told)
    shown.add_argument("--json", action="store_true", help="print JSON, with the ids")
    _add_keep_going(shown)
    shown.set_defaults(execute=show)
    packed = add_command(
        parts,
        "pack",
        summary="write tasks to a packed file",
        examples=(
            "batt tasks pack my_tasks/ -o mine.batt-tasks",
            "batt tasks pack arc1-training re-arc/ -o all.batt-tasks",
        ),
        description="Write tasks to a packed file, which `--tasks` takes. A run reads it piece by piece, so it may be "
        "larger than memory. Tasks of one id are packed once where their pairs are the same in any order; where "
        "they are not, those of later sources are named SOURCE/ID. Only one source is in memory at a time.",
    )
    packed.add_argument("sources", nargs="+", metavar="NAME|PATH", help=SOURCE_HELP)
    told = f"the file to write, such as all{PACKED_SUFFIX}"
    packed.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE", help=told)
    _add_keep_going(packed)
    packed.set_defaults(execute=pack)


def _add_keep_going(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep-going", action="store_true", help="leave out tasks with mistakes")


def show(args: argparse.Namespace) -> int:
    """Print a description of the sources."""
    found: list[Content] = []
    for source in args.sources or BUILT_IN:
        tasks = load_tasks(source, keep_going=args.keep_going)
        _tell_notes(tasks)
        found.append(content_of(source, tasks))
    if args.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
        return 0
    for each in found:
        console().print(f"{each.source}: {each}", soft_wrap=True)
    return 0


def pack(args: argparse.Namespace) -> int:
    """Write the tasks of all sources to one file."""
    with _loaded(args.sources, args.output, args.keep_going) as tasks:
        _tell_notes(tasks)
        packed = pack_tasks(tasks, args.output)
    tell_note(f"{args.output}: {counted(packed.tasks, 'task')} in {args.output.stat().st_size:,} bytes")
    return 0


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a source: `unanswered` counts test pairs without an output, `largest` is the largest grid."""

    source: str
    read_from: str
    tasks: int
    train_pairs: int
    test_pairs: int
    unanswered: int
    cells: int
    largest: str
    ids: list[str]

    def __str__(self) -> str:
        unanswered = f", {self.unanswered:,} of them without an answer" if self.unanswered else ""
        pairs = f"{self.train_pairs:,} train and {self.test_pairs:,} test pairs{unanswered}"
        grids = f"{self.cells:,} cells, the largest grid {self.largest}"
        return f"{counted(self.tasks, 'task')}, {pairs}, {grids} ({self.read_from})"


def content_of(source: str, tasks: Tasks) -> Content:
    """Describe tasks. Each is read once."""
    train = test = unanswered = cells = most = 0
    largest = "–"
    for task in tasks:
        train += len(task.train)
        test += len(task.test)
        unanswered += sum([pair.output is None for pair in task.test])
        for grid in [grid for pair in task.pairs for grid in (pair.input, pair.output) if grid]:
            area = len(grid) * len(grid[0])
            cells += area
            if area > most:
                most, largest = area, f"{len(grid)}x{len(grid[0])}"
    return Content(source, tasks.source, len(tasks), train, test, unanswered, cells, largest, list(tasks.ids))


@contextmanager
def _loaded(sources: list[str], target: Path, keep_going: bool) -> Iterator[Tasks]:
    """Load the tasks of sources. With several, each is packed first, beside `target`: one is in memory at a time."""
    if len(sources) == 1:
        yield load_tasks(sources, keep_going=keep_going)
        return
    try:
        folder = TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror}") from None
    with folder as name:
        parts = [Path(name, str(at)) for at in range(len(sources))]
        loaded = (load_tasks(source, keep_going=keep_going) for source in sources)
        yield merge_tasks([_packed(*each) for each in zip(loaded, parts, strict=True)])


def _packed(tasks: Tasks, path: Path) -> Tasks:
    """Return the same tasks, made on demand from a packed file."""
    if not isinstance(tasks.tasks, tuple):
        return tasks
    pack_tasks(tasks, path)
    return replace(tasks, tasks=load_tasks(path).tasks)


def _tell_notes(tasks: Tasks) -> None:
    for note in tasks.notes:
        tell_note(note)
