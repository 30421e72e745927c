"""Show that two checkouts write byte-identical exports.

python benchmarks/same.py OLD NEW [--engine cpu] [--sample N]

OLD and NEW are folders of checkouts or git revisions. Two decks run on the training tasks of ARC-1 and ARC-2 with
`batt run --export`, once without outputs and once with --outputs: re-arc's verifiers, and the first 132 solvers of the
built-in deck, which grew since. The hash is SHA-256 of all bytes of the rows, none left out: what tells runs from each
other (run ids, times, engines) is not in them. Steps are the total of the summary.

With --sample N only about N evaluations run, which a seed draws: (solver, task) pairs with all their samples, the same
number of evaluations from each deck and set of tasks. This makes the reference engine feasible.

Exit codes: 0 all exports are equal, 1 some differ, 2 bad input or a run failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from checkouts import ROOT, Checkout, CheckoutError, add_arguments, failure, opened, table

DECKS = ("first-132", "re-arc", "built-in")
TASKS = ("arc1-training", "arc2-training")
SAME, DIFFERENT, BAD_INPUT = 0, 1, 2
WALL_S = "3600"
"""The clock's limit of an evaluation. Steps stop it long before, so no outcome depends on how busy the machine is."""
ROW_DIGEST_BYTES = 8
SHOWN_CHARACTERS = 400
SHOWN_DIGITS = 16

FIRST_132 = ROOT / "src" / "batt" / "bench" / "decks" / "first-132.py"
RE_ARC = "from batt.bench.rearc import folder; print(folder() / 'verifiers.py')"
CONTENTS = """
import json, sys, batt
pairs = lambda found: [{"input": pair.input, "output": pair.output} for pair in found]
tasks = {task.id: {"train": pairs(task.train), "test": pairs(task.test)} for task in batt.load_tasks(sys.argv[2])}
print(json.dumps({"solvers": list(batt.load_deck(sys.argv[1]).names), "tasks": tasks}))
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One `batt run`, by the names that the table shows and the arguments of the command."""

    deck: str
    tasks: str
    outputs: bool
    arguments: tuple[str, ...]


@dataclass(slots=True)
class Export:
    """What is kept of an exported file: its rows are not, since they can be larger than the disk."""

    rows: int = 0
    size_bytes: int = 0
    sha256: str = ""
    steps: int | None = None
    statuses: dict[str, int] = field(default_factory=dict)
    wall_s: float = 0.0
    digests: bytes = b""


def export(checkout: Checkout, run: Run) -> Export:
    """Run the command in a checkout and hash the rows that it exports."""
    whole, digests, found = hashlib.sha256(), bytearray(), Export()
    started_s = time.monotonic()
    with tempfile.TemporaryFile("w+") as summary:
        with exported(checkout, run, summary) as rows:
            for row in rows:
                whole.update(row)
                digests += hashlib.blake2b(row, digest_size=ROW_DIGEST_BYTES).digest()
                found.rows += 1
                found.size_bytes += len(row)
        summary.seek(0)
        figures = json.load(summary)
    found.sha256, found.digests, found.wall_s = whole.hexdigest(), bytes(digests), time.monotonic() - started_s
    found.steps, found.statuses = figures.get("steps"), figures.get("statuses", {})
    return found


@contextmanager
def exported(checkout: Checkout, run: Run, summary: IO[str] | None) -> Iterator[IO[bytes]]:
    """Start the command and yield the rows that it writes. Its summary goes to `summary`; without, the reader may stop
    early, which ends the command.
    """
    reader, writer = os.pipe()
    command = checkout.batt("run", *run.arguments, "--json", "--export", f"/dev/fd/{writer}")
    with open(reader, "rb") as rows, tempfile.TemporaryFile("w+") as errors:
        try:
            process = subprocess.Popen(
                command,
                env=checkout.environment,
                pass_fds=(writer,),
                stdout=subprocess.DEVNULL if summary is None else summary,
                stderr=errors,
            )
        finally:
            os.close(writer)
        with process:
            yield rows
            rows.close()
        if process.returncode and summary is not None:
            errors.seek(0)
            raise CheckoutError(failure(f"{checkout.label}: batt run", process.returncode, errors.read(), command))


def row_at(checkout: Checkout, run: Run, number: int) -> str:
    """Run the command again and return row `number` of its export, cut to what a terminal can show."""
    with exported(checkout, run, None) as rows:
        found = next((row for at, row in enumerate(rows) if at == number), b"(no such row)")
    text = found.decode().rstrip()
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def first_difference(old: Export, new: Export) -> int | None:
    """Return the number of the first row that differs, None where the exports are equal."""
    if old.sha256 == new.sha256:
        return None
    size = ROW_DIGEST_BYTES
    for number in range(min(old.rows, new.rows)):
        if old.digests[number * size : (number + 1) * size] != new.digests[number * size : (number + 1) * size]:
            return number
    return min(old.rows, new.rows)


def drawn(contents: dict[str, Any], count: int, seed: int) -> dict[str, Any]:
    """Draw (solver, task) pairs until they have `count` evaluations. Return the tasks, by ids that name the solver.

    A run with --own takes `TASK/SOLVER` for a task of that solver, so that each one meets just the tasks drawn for it.
    """
    solvers, tasks = contents["solvers"], list(contents["tasks"].items())
    chosen: dict[str, Any] = {}
    for place in random.Random(seed).sample(range(len(solvers) * len(tasks)), len(solvers) * len(tasks)):
        if count <= 0:
            break
        name, task = tasks[place % len(tasks)]
        chosen[f"{name}/{solvers[place // len(tasks)]}"] = task
        count -= len(task["train"]) + len(task["test"])
    return chosen


def runs(args: argparse.Namespace, checkout: Checkout, folder: Path) -> Iterator[Run]:
    """Yield the runs to compare; drawn tasks are written to `folder`."""
    cells = [(deck, tasks) for deck in args.decks for tasks in args.tasks]
    for number, (deck, tasks) in enumerate(cells):
        path = deck_path(deck, checkout)
        source, own = tasks, []
        if args.sample:
            contents = json.loads(checkout.run_python(CONTENTS, path, tasks))
            source, own = str(folder / f"{number}.json"), ["--own"]
            Path(source).write_text(json.dumps(drawn(contents, -(-args.sample // len(cells)), args.seed)), "utf-8")
        limits = ["-t", WALL_S, *(["--steps", str(args.steps)] if args.steps else [])]
        common = ["--deck", path, "--tasks", source, "--engine", args.engine, *own, *limits]
        for outputs in (False, True):
            yield Run(deck, tasks, outputs, (*common, *(["--outputs"] if outputs else [])))


def deck_path(deck: str, checkout: Checkout) -> str:
    """Return what `batt run` takes for a deck: the same file for both checkouts, but for `built-in`."""
    if deck == "re-arc":
        return checkout.run_python(RE_ARC).strip()
    return str(FIRST_132) if deck == "first-132" else deck


def compare(old: Checkout, new: Checkout, run: Run) -> dict[str, Any]:
    """Run the command in both checkouts. Return what is told of it, with the first rows that differ."""
    sides = {checkout.label: export(checkout, run) for checkout in (old, new)}
    found = first_difference(sides["old"], sides["new"])
    told: dict[str, Any] = {"deck": run.deck, "tasks": run.tasks, "outputs": run.outputs}
    for label, side in sides.items():
        told[label] = {name: value for name, value in asdict(side).items() if name != "digests"}
    same_steps = sides["old"].steps == sides["new"].steps
    told["equal"], told["first_difference"] = found is None and same_steps, None
    if found is not None:
        told["first_difference"] = {
            "row": found, "old": row_at(old, run, found), "new": row_at(new, run, found)
        }  # fmt: skip
    return told


def cells_of(told: dict[str, Any]) -> list[str]:
    """Return the row of the table for one run."""
    old, new = told["old"], told["new"]
    same = "equal" if told["equal"] else "DIFFERENT"
    both = [f"{old[name]:,}" if old[name] == new[name] else f"{old[name]} / {new[name]}" for name in ("rows", "steps")]
    hashes = [side["sha256"][:SHOWN_DIGITS] for side in (old, new)]
    times = f"{old['wall_s']:.0f} / {new['wall_s']:.0f}"
    return [told["deck"], told["tasks"], "yes" if told["outputs"] else "no", *both, *hashes, same, times]


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--engine", default="cpu", metavar="NAME", help="the engine of both (default: cpu)")
    parser.add_argument("--decks", nargs="+", choices=DECKS, default=DECKS[:2], help=f"default: {' '.join(DECKS[:2])}")
    parser.add_argument("--tasks", nargs="+", default=TASKS, metavar="NAME", help=f"default: {' '.join(TASKS)}")
    parser.add_argument("--sample", type=int, metavar="N", help="draw about N evaluations instead of running all")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="what --sample draws by (default: 0)")
    parser.add_argument("--steps", type=int, metavar="N", help="the step budget (default: that of batt run)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures as JSON to FILE")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print the table, write the figures."""
    args = read_arguments(arguments)
    told: list[dict[str, Any]] = []
    try:
        with opened(args) as (old, new), tempfile.TemporaryDirectory(prefix="batt-same-") as folder:
            for run in runs(args, new, Path(folder)):
                told.append(compare(old, new, run))
                print("  ".join(cells_of(told[-1])), file=sys.stderr, flush=True)
    except CheckoutError as error:
        print(f"same: {error}", file=sys.stderr)
        return BAD_INPUT
    heads = ["deck", "tasks", "outputs", "rows", "steps", "old SHA-256", "new SHA-256", "", "seconds"]
    print(f"batt run --export, engine {args.engine}, {args.old} and {args.new}")
    print(table([heads, *[cells_of(each) for each in told]]))
    for each in [each for each in told if each["first_difference"]]:
        found = each["first_difference"]
        print(f"{each['deck']}, {each['tasks']}: row {found['row']:,} differs:")
        print(f"  old {found['old']}\n  new {found['new']}")
    if args.json:
        args.json.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    return SAME if all(each["equal"] for each in told) else DIFFERENT


if __name__ == "__main__":
    sys.exit(main())
