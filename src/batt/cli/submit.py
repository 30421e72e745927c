"""`batt submit`: make a submission of a stored run, or check one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from batt.cli import options
from batt.cli.command import add_command
from batt.cli.output import tell, tell_note
from batt.cli.storing import selected_tasks
from batt.cli.targets import is_stream
from batt.errors import UsageError
from batt.store import open_run
from batt.submit import Checked, check_submission, submission

OK, BAD_INPUT = 0, 2


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "submit",
        summary="make or check a submission",
        description="Make a submission in Kaggle's form from a stored run, or check whether one is valid for some "
        "tasks, and score it where test outputs are known.",
        examples=(
            "batt submit results/ -o submission.json",
            "batt submit --check submission.json --tasks arc-agi_test_challenges.json",
        ),
        exit_codes="0 ok or valid, 1 batt failed, 2 bad input or not valid",
    )
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="the stored run, finished or not")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="the file to write")
    parser.add_argument("--check", metavar="FILE", help="check this submission; --tasks names its tasks")
    options.add_tasks(parser)
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="check for the first N tasks only")
    options.add_ids(parser, "check for these tasks only")
    options.add_ops(parser)
    parser.add_argument("--json", action="store_true", help="print what --check finds as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Make or check a submission."""
    if (args.folder is None) == (args.check is None):
        raise UsageError("name either the folder of a stored run, or a submission to check: --check FILE")
    if args.check is not None:
        if args.output is not None:
            raise UsageError("--check writes no file; leave out -o")
        return check(args)
    if args.output is None or is_stream(args.output):
        raise UsageError("name the file to write: -o submission.json")
    if args.json:
        raise UsageError("--json needs --check FILE")
    return make(args)


def make(args: argparse.Namespace) -> int:
    """Write the submission of a stored run."""
    results = open_run(args.folder, ops=args.ops, tell=tell_note)
    submission(results, args.output)
    if results.interrupted:
        left = f"{results.not_run:,} of {len(results):,} evaluations are not run"
        tell_note(f"{args.folder}: not finished, {left}")
    tell_note(f"wrote {args.output}")
    return OK


def check(args: argparse.Namespace) -> int:
    """Print what is wrong with a submission, or its score."""
    tasks = selected_tasks(args)
    checked = check_submission(Path(args.check), tasks)
    if args.json:
        print(json.dumps(figures(checked), indent=2))
    elif checked.findings:
        tell("\n".join([f"batt: not valid: {line}" for line in checked.findings]))
    else:
        inputs = sum(len(task.test) for task in tasks)
        print(f"valid                {len(tasks):,} tasks, {inputs:,} test inputs")
        print_score(checked)
    return BAD_INPUT if checked.findings else OK


def print_score(checked: Checked) -> None:
    """Print the score, and notes on what Kaggle does not ask for."""
    score = checked.score
    if not checked.is_in_order:
        tell_note("the ids are in another order than the tasks, which Kaggle allows")
    if score.share is None:
        print("score                the test outputs are unknown")
        return
    print(f"test outputs right   {score.outputs_right:,} of {score.outputs:,}: score {score.share:.4f}")
    print(f"tasks right          {score.tasks_right:,} of {score.tasks:,}")


def figures(checked: Checked) -> dict[str, Any]:
    """Return what a check found, for JSON."""
    score = checked.score
    return {
        "valid": not checked.findings,
        "findings": list(checked.findings),
        "in_order": checked.is_in_order,
        "score": score.share,
        "test_outputs": {"right": score.outputs_right, "known": score.outputs},
        "tasks": {"right": score.tasks_right, "known": score.tasks},
    }
