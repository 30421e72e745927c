"""`batt runs`: list stored runs, compare two of them, merge some, and export the rows of one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from batt.cli.command import add_command
from batt.cli.options import add_ops
from batt.cli.output import print_rows, tell_note
from batt.cli.run import add_differs, named_differs
from batt.cli.writing import add_rows, write_files
from batt.differs import score_results
from batt.errors import BattError, UsageError
from batt.jobs import Results, export, format_of
from batt.jobs.keeping import Keep
from batt.report import summary
from batt.store import RunState, find_runs, merge_runs, open_run, state_of

SHOWN, SHOWN_SOLVERS = 20, 3
UNITS_S = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "runs",
        summary="list, compare, merge or export stored runs",
        description="List the runs that `batt run --out` stored, compare two of them, merge some into one, or "
        "export the rows of one.",
        examples=("batt runs list results/ more/", "batt runs diff monday/ tuesday/"),
    )
    parser.set_defaults(execute=show, folders=[Path()], json=False, check=False, ops=None)
    parts = parser.add_subparsers(dest="what", metavar="list|diff|merge|export", required=False)
    listed = add_command(
        parts,
        "list",
        summary="list stored runs",
        description="List runs: their state, deck, tasks, how much of each is done, what is solved, and how old it is.",
        examples=("batt runs list", "batt runs list results/ --json"),
    )
    listed.add_argument(
        "folders", nargs="*", type=Path, default=[Path()], metavar="DIR",
        help="folders of runs, or folders that hold such folders (default: this folder)",
    )  # fmt: skip
    listed.add_argument("--check", action="store_true", help="read all records, and say what is damaged")
    _add_reading(listed)
    listed.set_defaults(execute=show)
    compared = add_command(
        parts,
        "diff",
        summary="compare what two runs solve",
        description="Compare two runs: the tasks that one solves and the other does not.",
        examples=("batt runs diff monday/ tuesday/", "batt runs diff monday/ tuesday/ --json"),
    )
    compared.add_argument("folders", nargs=2, type=Path, metavar="DIR", help="the two runs")
    compared.add_argument("--all", action="store_true", help="print all tasks, not only the first few")
    _add_reading(compared)
    compared.set_defaults(execute=diff)
    merged = add_command(
        parts,
        "merge",
        summary="merge runs into one",
        description="Write one run with all solvers, tasks and outcomes of several runs that had the same options. "
        "`batt run --resume` then runs what none of them ran.",
        examples=("batt runs merge part1/ part2/ -o whole/", "batt runs merge */ -o all/ --ops my_ops.py"),
    )
    merged.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="the runs to merge")
    merged.add_argument("-o", dest="out", type=Path, required=True, metavar="DIR", help="the folder of the new run")
    add_ops(merged)
    merged.set_defaults(execute=merge, json=False)
    _add_export(parts)


def _add_export(parts: Any) -> None:
    exported = add_command(
        parts,
        "export",
        summary="write the rows of a run to a file",
        description="Write the rows that a run keeps, also while it runs: one per evaluation, sorted.",
        examples=("batt runs export results/ -o rows.parquet", "batt runs export results/ -o - --format csv"),
    )
    exported.add_argument("folder", type=Path, metavar="DIR", help="the run")
    exported.add_argument(
        "-o", dest="output", type=Path, required=True, metavar="FILE",
        help="the file: .jsonl, .csv (both also .gz) or .parquet; - is standard output",
    )  # fmt: skip
    add_rows(exported)
    add_differs(exported)
    add_ops(exported)
    exported.set_defaults(execute=export_rows, json=False)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_ops(parser)


def show(args: argparse.Namespace) -> int:
    """Print a row for each run."""
    found = [_row(folder, args) for folder in find_runs(args.folders)]
    if args.json:
        print(json.dumps(found, indent=2))
        return 0
    if not found:
        tell_note(f"no runs in {', '.join(map(str, args.folders))}; batt run --out DIR makes one")
        return 0
    table = Table("run", "state", "deck", "tasks", "evaluations", "solved", "age", box=None, pad_edge=False)
    for each in found:
        done = f"{each['done']:,} of {each['total']:,}"
        words = [each["run"], each["state"], each["deck"], each["tasks"], done, each["solved"], age(each["age_s"])]
        # As Text, because rich could read a name as markup.
        table.add_row(*[Text("" if word is None else str(word)) for word in words])
    print_rows(table)
    return 0


def _row(folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return what a list tells about a run; with --check, read all its records."""
    state = state_of(folder)
    manifest = state.manifest
    solved, told = state.found.solved, state.ended_by
    if args.check:
        try:
            results = open_run(folder, ops=args.ops, tell=None if args.json else tell_note)
            solved = len(solved_by(results))
            told = next((line for line in results.notes if "damaged" in line), told)
        except BattError as error:
            told = str(error)
    return {
        "run": str(folder),
        "state": _state(state),
        "deck": "" if manifest is None else f"{manifest.deck_name}, {manifest.solvers:,}",
        "tasks": "" if manifest is None else f"{manifest.tasks_name}, {manifest.tasks:,}",
        "done": state.done,
        "total": 0 if manifest is None else manifest.total,
        "counts": state.found.counts,
        "solved": solved,
        "age_s": round(state.age_s),
        "wall_s": round(state.wall_s, 3),
        "note": told,
    }


def _state(state: RunState) -> str:
    return f"running ({state.owner.pid})" if state.owner is not None else state.word


def age(seconds: float) -> str:
    """Return a time in its largest unit: 3 d, 5 h."""
    return next((f"{int(seconds // size)} {unit}" for size, unit in UNITS_S if seconds >= size), "0 s")


def solved_by(results: Results) -> dict[str, list[str]]:
    """Return the solvers that solve each task: that fit it and are correct, as far as test outputs are known."""
    solves = results.fits
    if not results.tasks_without_answers:
        solves = solves & results.correct
    found: dict[str, list[str]] = {}
    for task, solver in np.argwhere(solves.T).tolist():
        found.setdefault(results.tasks.ids[task], []).append(results.deck.names[solver])
    return found


def diff(args: argparse.Namespace) -> int:
    """Print what one run solves and the other does not."""
    first, second = [open_run(folder, ops=args.ops, tell=tell_note) for folder in args.folders]
    for folder, results in zip(args.folders, (first, second), strict=True):
        if results.interrupted:
            tell_note(f"{folder}: not finished, {results.not_run:,} of {len(results):,} evaluations are not run")
    ours, theirs = solved_by(first), solved_by(second)
    names = [str(folder) for folder in args.folders]
    only = {
        names[0]: {task: by for task, by in ours.items() if task not in theirs},
        names[1]: {task: by for task, by in theirs.items() if task not in ours},
    }
    both = len(ours.keys() & theirs.keys())
    if args.json:
        print(json.dumps({"both": both, "only": [{"run": name, "solved": only[name]} for name in only]}, indent=2))
        return 0
    lines = [Text(f"{both:,} tasks solved by both")]
    for name, found in only.items():
        lines.append(Text(f"\nonly by {name}: {len(found):,}", style="bold"))
        shown = list(found.items()) if args.all else list(found.items())[:SHOWN]
        lines += [Text(f"  {task}: {_few(by)}") for task, by in shown]
        if len(found) > len(shown):
            lines.append(Text(f"  … and {len(found) - len(shown):,} more (--all)", style="dim"))
    print_rows(*lines)
    return 0


def _few(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN_SOLVERS:,} more" if len(names) > SHOWN_SOLVERS else ""
    return ", ".join(names[:SHOWN_SOLVERS]) + more


def merge(args: argparse.Namespace) -> int:
    """Write the merged run and its files."""
    if any(args.out.absolute() == folder.absolute() for folder in args.folders):
        raise UsageError(f"{args.out}: is one of the runs to merge; name another folder")
    results = merge_runs(args.folders, args.out, ops=args.ops, tell=tell_note)
    given = argparse.Namespace(
        out=args.out, export=None, format=None, outputs=results.outputs is not None, with_engine=False, quiet=False
    )
    write_files(results, given, summary(results), {})
    if results.interrupted:
        left = f"{results.not_run:,} of {len(results):,} evaluations are not run"
        tell_note(f"{left}; go on with: batt run --resume {args.out}")
    return 0


def _scores(results: Results, args: argparse.Namespace) -> dict[str, list[str]]:
    """Return the column that `--differs` adds."""
    differs = named_differs(args)
    if not differs:
        return {}
    if results.outputs is None or results.keep is Keep.HITS:
        raise UsageError(f"{args.folder}: --differs needs all outputs; begin the run with --outputs and --keep all")
    return {"scores": score_results(results, differs).texts()}


def export_rows(args: argparse.Namespace) -> int:
    """Write the rows of a run."""
    format_of(args.output, args.format)
    results = open_run(args.folder, ops=args.ops, tell=tell_note)
    if args.outputs and results.outputs is None:
        raise UsageError(f"{args.folder}: the run keeps no outputs; begin it with --outputs to export them")
    options = {"format": args.format, "outputs": args.outputs, "with_engine": args.with_engine}
    export(results, args.output, columns=_scores(results, args), **options)
    if results.interrupted:
        tell_note(f"{args.folder}: not finished, {results.not_run:,} of {len(results):,} evaluations have no row")
    return 0
