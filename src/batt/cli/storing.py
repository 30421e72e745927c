"""Options of runs that are stored: where, what is kept, going on with one, and when to stop."""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from batt.cli.options import given_limits, read_devices, read_ids, read_source, read_tasks
from batt.cli.output import tell_note
from batt.cli.targets import deck_paths, task_sources
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import choose_engine
from batt.jobs.choice import choose_beside_cluster
from batt.jobs.keeping import Keep
from batt.runtime import Limits, check_workers
from batt.runtime.cuda.selection import device_numbers
from batt.tasks import Tasks, split_source
from batt.tasks.built_in import BUILT_IN

if TYPE_CHECKING:
    from batt.store import Session

UNITS_S = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Deadline:
    """The time to stop a run. It is measured from now by a clock that nobody sets."""

    def __init__(self, after_s: float) -> None:
        self.at_s = time.monotonic() + after_s
        self.is_reached = False

    def check(self) -> None:
        """Interrupt the run if it is time."""
        if time.monotonic() >= self.at_s:
            self.is_reached = True
            raise KeyboardInterrupt


def deadline(text: str) -> Deadline:
    """Read a time from now, such as 11.5h, 30m or 90s."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text.strip())
    if found is None or float(found[1]) <= 0:
        raise argparse.ArgumentTypeError(f"a time such as 11.5h, 30m or 90s, not {text!r}")
    return Deadline(float(found[1]) * UNITS_S[found[2]])


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add options for runs that are stored."""
    parser.add_argument(
        "--out", type=Path, metavar="DIR",
        help="write run.batt, summary.json, winners.py and results.jsonl to DIR; run.batt is written while the run "
        "runs, so that --resume can go on",
    )  # fmt: skip
    parser.add_argument(
        "--keep", choices=[each.value for each in Keep],
        help="rows that --out keeps: all, or those of hits, which are outputs equal or nearly equal to the expected "
        "ones (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--resume", type=Path, metavar="DIR",
        help="go on with the run in DIR, after it was killed or ended early; its deck, tasks and options need not be "
        "repeated, and must agree if they are",
    )  # fmt: skip
    parser.add_argument(
        "--deadline", type=deadline, metavar="TIME",
        help="end the run after TIME, such as 11.5h, 30m or 90s, and write what is done",
    )  # fmt: skip


def check_store(args: argparse.Namespace) -> None:
    """Refuse options of stored runs that do not go together; with --resume, files go to the folder of the run."""
    if args.resume and args.out:
        raise UsageError("--resume names the folder of the run, and --out that of a new one; give only one of them")
    if args.keep and not (args.resume or args.out):
        raise UsageError("--keep needs --out DIR")
    if args.keep == Keep.HITS.value and args.differs is not None:
        raise UsageError("--differs scores all outputs, and --keep hits keeps few of them; leave one out")
    args.out = args.out or args.resume


def begin(args: argparse.Namespace, deck: Deck, tasks: Tasks, limits: Limits, outputs: bool) -> Session:
    """Begin the run that the options ask for."""
    # Only runs that are stored need these.
    from batt.store import Session
    from batt.store.manifest import Choices

    # An engine that is missing, or no number of workers, should leave no folder behind.
    if args.cluster:
        choose_beside_cluster(args.engine)
    else:
        choose_engine(args.engine, device_numbers(read_devices(args)))
    check_workers(args.workers)
    choices = Choices(args.own, Keep(args.keep or Keep.ALL), outputs, limits, args.leave_out)
    return Session.begin(
        args.out,
        deck,
        tasks,
        choices,
        ops=args.ops,
        task_sources=[_absolute(each) for each in task_sources(args)],
        export={
            "outputs": args.outputs,
            "with_engine": args.with_engine,
            "differs": _absolute_differs(args.differs),
            "submission": str(args.submission.absolute()) if args.submission else None,
        },
    )


def resume(args: argparse.Namespace, outputs: bool) -> Session:
    """Go on with the run that the options name; what they repeat must agree with it."""
    from batt.store.session import Given, Session

    names_tasks = args.tasks or args.ids is not None or args.count is not None
    given = Given(
        deck=read_source(args) if deck_paths(args) or args.batt is not None else None,
        tasks=selected_tasks(args) if names_tasks else None,
        own=args.own or None,
        keep=Keep(args.keep) if args.keep else None,
        outputs=outputs or None,
        limits=given_limits(args),
        ops=args.ops,
        leave_out=args.leave_out or None,
    )
    session = Session.resume(args.resume, given, tell_note)
    for name, chosen in session.manifest.export.items():
        setattr(args, name, getattr(args, name) or chosen)
    args.submission = args.submission and Path(args.submission)
    if args.differs and not session.manifest.choices.outputs:
        session.__exit__()
        raise UsageError(f"{args.resume}: the run keeps no outputs, which --differs needs; begin another run")
    return session


def selected_tasks(args: argparse.Namespace) -> Tasks:
    """Return the tasks that the options name and choose."""
    tasks = read_tasks(args)
    return tasks.select(read_ids(args, tasks.ids), args.count)


def _absolute_differs(named: str | None) -> str | None:
    """Return names and files of differs so that they are found from another folder."""
    if named is None:
        return None
    words = [word.strip() for word in named.split(",")]
    return ",".join([str(Path(word).absolute()) if word.endswith(".py") else word for word in words])


def _absolute(source: str) -> str:
    """Return a source of tasks that can be read again from another folder."""
    name, words = split_source(source)
    return "@".join([name if name in BUILT_IN else str(Path(name).absolute()), *words])
